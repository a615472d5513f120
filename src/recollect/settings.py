"""Every setting, with its default, its unit and a line that says what it does.

One frozen object that is passed in; `Settings.from_env()` is the only place that reads the environment.
There is no settings file of our own: a deployment already has a way to set variables.
"""

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Annotated, Any, TypeVar, get_type_hints

from recollect.errors import InvalidInput

N = TypeVar("N", int, float)


@dataclass(frozen=True, slots=True)
class Env:
    """Where a setting is read from, what it means, and how its text becomes a value."""

    name: str
    doc: str
    parse: Callable[[str], object] = str


#: Characters of a service key that somebody chose.
MIN_SERVICE_KEY = 16


def _one_of(*allowed: str) -> Callable[[str], str]:
    def parse(value: str) -> str:
        if value.lower() not in allowed:
            raise ValueError(f"must be one of {', '.join(allowed)}")
        return value.lower()

    return parse


def _between(kind: Callable[[str], N], lowest: N, highest: N) -> Callable[[str], N]:
    what = "a whole number" if kind is int else "a number"

    def parse(value: str) -> N:
        try:
            number = kind(value)
        except ValueError:
            number = None
        # Python's own word for it ("invalid literal") says nothing to whoever sets a variable. NaN is within no limits.
        if number is None or not lowest <= number <= highest:
            raise ValueError(f"must be {what} between {lowest} and {highest}")
        return number

    return parse


def _secret(value: str) -> str:
    # What can be guessed is no key.
    if value and len(value) < MIN_SERVICE_KEY:
        raise ValueError(f"must have at least {MIN_SERVICE_KEY} characters; `openssl rand -hex 24` makes one")
    return value


_SHARE = _between(float, 0.0, 1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How one engine behaves."""

    database_url: Annotated[
        str,
        Env(
            "RECOLLECT_DATABASE_URL",
            "A file path for SQLite or `postgresql://…`; empty: `recollect.db` in the user's data directory.",
        ),
    ] = ""
    embedding_model: Annotated[
        str,
        Env(
            "RECOLLECT_EMBEDDING_MODEL",
            "The model that makes new users' vectors, served by `OPENAI_BASE_URL`; empty: the one in the package.",
        ),
    ] = ""
    embedding_threads: Annotated[
        int,
        Env("RECOLLECT_EMBEDDING_THREADS", "Threads of the embedder in the package.", _between(int, 1, 64)),
    ] = 1
    openai_api_key: Annotated[
        str, Env("OPENAI_API_KEY", "Key for OpenAI-compatible models; never logged or shown.")
    ] = ""
    openai_base_url: Annotated[str, Env("OPENAI_BASE_URL", "Where OpenAI-compatible models are served.")] = (
        "https://api.openai.com/v1"
    )
    model_timeout_seconds: Annotated[
        float,
        Env(
            "RECOLLECT_MODEL_TIMEOUT_SECONDS",
            "How long one call of a model may take; an answer at once through the proxy may take 4 times that in all.",
            _between(float, 0.1, 3600.0),
        ),
    ] = 30.0
    chat_model: Annotated[
        str,
        Env(
            "RECOLLECT_CHAT_MODEL",
            "The model that answers in `recollect chat`, at `/v1/message` and in the console's Playground, and through the proxy when a "
            "request names none; served by `OPENAI_BASE_URL`; empty: none.",
        ),
    ] = ""
    summarizer_model: Annotated[
        str,
        Env(
            "MEMORY_SUMMARIZER_MODEL",
            "The model that writes briefs, session summaries, rolling summaries and spines; empty: rules, offline.",
        ),
    ] = ""
    summary_prompt_id: Annotated[
        str, Env("PROMPT_ID_SUMMARY_GLOBAL", "The hosted prompt for briefs; used when its version is set.")
    ] = "pmpt_6917ebe9367c819396fe4840cf0f0e050c18a965a3366120"
    summary_prompt_version: Annotated[
        str,
        Env(
            "PROMPT_VERSION_SUMMARY_GLOBAL",
            "The version of the hosted prompt; set, briefs are written by it through the Responses API.",
        ),
    ] = ""
    judge: Annotated[
        str,
        Env(
            "RECOLLECT_JUDGE",
            "Who finds memories in what is said: `rules` (offline), `model`, or `off`; empty: the model if one is named, else rules.",
            _one_of("rules", "model", "off"),
        ),
    ] = ""
    judge_model: Annotated[
        str,
        Env(
            "RECOLLECT_JUDGE_MODEL",
            "The model that finds memories in what is said, served by `OPENAI_BASE_URL`; empty: rules, offline.",
        ),
    ] = ""
    judge_daily_tokens: Annotated[
        int,
        Env(
            "RECOLLECT_JUDGE_DAILY_TOKENS",
            "Tokens that the judge's model may cost a day (UTC), of all users; after that rules judge. 0: no limit.",
            _between(int, 0, 1_000_000_000),
        ),
    ] = 200_000
    raw_turns: Annotated[
        int,
        Env(
            "MEMORY_K_RAW_TURNS",
            "Turns at the end of a chat that are always shown verbatim.",
            _between(int, 1, 100),
        ),
    ] = 3
    summary_token_cap: Annotated[
        int, Env("MEMORY_SUMMARY_TOKEN_CAP", "Tokens of a brief, at most.", _between(int, 50, 4000))
    ] = 500
    prompt_token_budget: Annotated[
        int,
        Env(
            "MEMORY_PROMPT_TOKEN_BUDGET",
            "Tokens that a chat's brief and its recent messages together take in a context, at most.",
            _between(int, 200, 1_000_000),
        ),
    ] = 3000
    fold_threshold_tokens: Annotated[
        int,
        Env(
            "MEMORY_CHUNK_SUMMARIZE_THRESHOLD",
            "Tokens of brief and unfolded messages above which a chat is folded.",
            _between(int, 200, 1_000_000),
        ),
    ] = 6000
    vocabulary: Annotated[
        str,
        Env(
            "RECOLLECT_VOCABULARY",
            "A file with domain terms of your own, one a line, that make messages important, besides the medical ones.",
        ),
    ] = ""
    worker: Annotated[
        str,
        Env(
            "RECOLLECT_WORKER",
            "`on`: background work runs inside the process that talks; `off`: leave it to `recollect worker`.",
            _one_of("on", "off"),
        ),
    ] = "on"
    candidates: Annotated[
        int,
        Env(
            "RECOLLECT_CANDIDATES", "How many candidates each arm of a search brings.", _between(int, 1, 1000)
        ),
    ] = 50
    weight_similarity: Annotated[
        float, Env("RECOLLECT_WEIGHT_SIMILARITY", "Share of similarity in a score.", _SHARE)
    ] = 0.4
    weight_recency: Annotated[
        float, Env("RECOLLECT_WEIGHT_RECENCY", "Share of recency in a score.", _SHARE)
    ] = 0.3
    weight_frequency: Annotated[
        float,
        Env(
            "RECOLLECT_WEIGHT_FREQUENCY",
            "Share of the entity's frequency among the candidates in a score.",
            _SHARE,
        ),
    ] = 0.3
    recency_half_life_days: Annotated[
        float,
        Env(
            "RECOLLECT_RECENCY_HALF_LIFE_DAYS",
            "Days after which recency counts half.",
            _between(float, 0.01, 1e5),
        ),
    ] = 14.0
    diversity: Annotated[
        float,
        Env(
            "RECOLLECT_DIVERSITY",
            "How much past messages that are found should differ from each other, at the price of relevance.",
            _SHARE,
        ),
    ] = 0.0
    episode_weights: Annotated[
        str,
        Env(
            "RECOLLECT_EPISODE_WEIGHTS",
            "A file of weights of your own for finding past messages, made by `recollect eval fit`; empty: the package's.",
        ),
    ] = ""
    duplicate_cosine: Annotated[
        float,
        Env(
            "RECOLLECT_DUPLICATE_COSINE",
            "Above this cosine two memories say the same.",
            _between(float, 0.5, 1.0),
        ),
    ] = 0.95
    index_memory_mb: Annotated[
        int,
        Env(
            "RECOLLECT_INDEX_MEMORY_MB",
            "Megabytes for the search indexes of recently active users.",
            _between(int, 1, 1_000_000),
        ),
    ] = 512
    sqlite_synchronous: Annotated[
        str,
        Env(
            "RECOLLECT_SQLITE_SYNCHRONOUS",
            "`full`: a stored fact survives a power cut; `normal`: only a crash of the process, but writes are faster.",
            _one_of("full", "normal"),
        ),
    ] = "full"
    busy_timeout_seconds: Annotated[
        float,
        Env(
            "RECOLLECT_BUSY_TIMEOUT_SECONDS",
            "Seconds that a writer waits for another process before it gives up.",
            _between(float, 0.1, 3600.0),
        ),
    ] = 60.0
    pool_size: Annotated[
        int,
        Env(
            "RECOLLECT_POOL_SIZE",
            "Reading connections to SQLite, or connections to PostgreSQL.",
            _between(int, 1, 256),
        ),
    ] = 4
    service_key: Annotated[
        str,
        Env(
            "RECOLLECT_SERVICE_KEY",
            "The key that may make sessions and act for any user; never logged or shown; 16 characters or more. Empty: keys of `recollect token`.",
            _secret,
        ),
    ] = ""
    requests_per_minute: Annotated[
        int,
        Env(
            "RECOLLECT_REQUESTS_PER_MINUTE",
            "Requests that one token may make a minute, in each server process. 0: no limit.",
            _between(int, 0, 10_000_000),
        ),
    ] = 60_000
    cors_origins: Annotated[
        str,
        Env(
            "RECOLLECT_CORS_ORIGINS",
            "Origins whose pages may call the service, with commas between them; empty: none but its own.",
        ),
    ] = ""
    proxy_budget: Annotated[
        int,
        Env(
            "RECOLLECT_PROXY_BUDGET",
            "Tokens of memory that `/v1/chat/completions` adds, at most; a request may say `X-Recollect-Budget`.",
            _between(int, 200, 1_000_000),
        ),
    ] = 2000
    log_format: Annotated[
        str,
        Env(
            "RECOLLECT_LOG",
            "How `recollect serve` writes its log: `text` or `json`.",
            _one_of("text", "json"),
        ),
    ] = "text"

    def __post_init__(self) -> None:
        """Settle who judges, so that nobody else has to ask twice."""
        if not self.judge:
            object.__setattr__(self, "judge", "model" if self.judge_model else "rules")
        if self.judge == "model" and not self.judge_model:
            raise InvalidInput(
                "RECOLLECT_JUDGE='model' cannot be used: name the model in RECOLLECT_JUDGE_MODEL.",
                field="RECOLLECT_JUDGE_MODEL",
            )

    @property
    def reaches_models(self) -> bool:
        """Whether somebody has set up an endpoint for models; without one nothing leaves the machine."""
        named = self.openai_base_url != Settings.__dataclass_fields__["openai_base_url"].default
        models = (
            self.embedding_model,
            self.summarizer_model,
            self.chat_model,
            self.judge_model,
            self.openai_api_key,
        )
        return named or any(models)

    @classmethod
    def from_env(cls, environ: Mapping[str, str] | None = None, **overrides: Any) -> "Settings":
        """Read the environment once; a bad value names its variable."""
        source = os.environ if environ is None else environ
        values: dict[str, Any] = {}
        for name, env in _declared():
            raw = source.get(env.name, "").strip()
            if not raw:
                continue
            try:
                values[name] = env.parse(raw)
            except ValueError as error:
                shown = env.name if env.parse is _secret else f"{env.name}={raw!r}"
                raise InvalidInput(f"{shown} cannot be used: {error}.", field=env.name) from error
        return cls(**{**values, **overrides})


def _declared() -> Iterator[tuple[str, Env]]:
    hints = get_type_hints(Settings, include_extras=True)
    for item in fields(Settings):
        yield item.name, hints[item.name].__metadata__[0]


def documented() -> list[tuple[str, object, str]]:
    """Variable, default and meaning of every setting, for the reference page."""
    defaults = {item.name: item.default for item in fields(Settings)}
    return [(env.name, defaults[name], env.doc) for name, env in _declared()]
