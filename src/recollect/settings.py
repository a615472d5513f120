"""Every setting, with its default, its unit and a line about what it does.

One frozen object that is passed in; `Settings.from_env()` is the only place that reads the environment.
There is no settings file: every deployment already has a way to set variables.
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


#: Minimum length of a service key.
MIN_SERVICE_KEY = 16
#: Values of RECOLLECT_JUDGE_MODEL that do not name a model.
_NO_MODEL = ("off", "rules")


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
        # Python's own message ("invalid literal") does not help the reader. NaN is out of every range.
        if number is None or not lowest <= number <= highest:
            raise ValueError(f"must be {what} between {lowest} and {highest}")
        return number

    return parse


def _secret(value: str) -> str:
    # A short key could be guessed.
    if value and len(value) < MIN_SERVICE_KEY:
        raise ValueError(
            f"must have at least {MIN_SERVICE_KEY} characters; create one with `openssl rand -hex 24`"
        )
    return value


def _judge(value: str) -> str:
    return value.lower() if value.lower() in _NO_MODEL else value


def _shares(value: str) -> tuple[float, float, float]:
    try:
        similarity, recency, frequency = (
            _between(float, 0.0, 1.0)(part.strip()) for part in value.split(",")
        )
    except ValueError:
        similarity = recency = frequency = 0.0
    if not (similarity or recency or frequency):
        raise ValueError("must be three numbers between 0 and 1, not all 0, such as 0.4,0.3,0.3")
    return similarity, recency, frequency


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How one engine behaves."""

    database_url: Annotated[
        str,
        Env(
            "RECOLLECT_DATABASE_URL",
            "SQLite file path or `postgresql://…`. Empty: `recollect.db` in the user's data directory.",
        ),
    ] = ""
    embedding_model: Annotated[
        str,
        Env(
            "RECOLLECT_EMBEDDING_MODEL",
            "Embedding model for new users, served by `OPENAI_BASE_URL`. Empty: the packaged model.",
        ),
    ] = ""
    threads: Annotated[
        int,
        Env(
            "RECOLLECT_THREADS",
            "Threads for the packaged embedding model. More threads than free cores slow it down.",
            _between(int, 1, 64),
        ),
    ] = 1
    openai_api_key: Annotated[
        str, Env("OPENAI_API_KEY", "API key for the OpenAI-compatible server; never logged or shown.")
    ] = ""
    openai_base_url: Annotated[
        str, Env("OPENAI_BASE_URL", "Base URL of the OpenAI-compatible server for all models.")
    ] = "https://api.openai.com/v1"
    model_timeout_seconds: Annotated[
        float,
        Env(
            "RECOLLECT_MODEL_TIMEOUT_SECONDS",
            "Timeout per model call, in seconds. Proxied replies that are not streamed may take 4 times as long.",
            _between(float, 0.1, 3600.0),
        ),
    ] = 30.0
    chat_model: Annotated[
        str,
        Env(
            "RECOLLECT_CHAT_MODEL",
            "Model that answers in `recollect chat`, `/v1/message`, the console's Playground, and the proxy "
            "if a request names none. Empty: no model.",
        ),
    ] = ""
    summarizer_model: Annotated[
        str,
        Env(
            "MEMORY_SUMMARIZER_MODEL",
            "Model that writes briefs, session summaries, rolling summaries and spines. Empty: offline rules.",
        ),
    ] = ""
    summary_prompt_id: Annotated[
        str,
        Env("PROMPT_ID_SUMMARY_GLOBAL", "Id of the hosted prompt for briefs, used if its version is set."),
    ] = "pmpt_6917ebe9367c819396fe4840cf0f0e050c18a965a3366120"
    summary_prompt_version: Annotated[
        str,
        Env(
            "PROMPT_VERSION_SUMMARY_GLOBAL",
            "Version of the hosted prompt. If set, briefs are written with that prompt through the Responses API.",
        ),
    ] = ""
    judge_model: Annotated[
        str,
        Env(
            "RECOLLECT_JUDGE_MODEL",
            "What extracts memories from messages: a model's name, `rules` (offline) or `off`. Empty: `rules`.",
            _judge,
        ),
    ] = ""
    judge_daily_tokens: Annotated[
        int,
        Env(
            "RECOLLECT_JUDGE_DAILY_TOKENS",
            "Daily token limit (UTC) for the judge model, for all users together. Above it, the rules take over. 0: no limit.",
            _between(int, 0, 1_000_000_000),
        ),
    ] = 200_000
    raw_turns: Annotated[
        int,
        Env(
            "MEMORY_K_RAW_TURNS",
            "Number of a chat's most recent turns that a context always quotes in full.",
            _between(int, 1, 100),
        ),
    ] = 3
    summary_token_cap: Annotated[
        int, Env("MEMORY_SUMMARY_TOKEN_CAP", "Maximum length of a brief, in tokens.", _between(int, 50, 4000))
    ] = 500
    prompt_token_budget: Annotated[
        int,
        Env(
            "MEMORY_PROMPT_TOKEN_BUDGET",
            "Maximum tokens in a context for a chat's brief and recent messages together.",
            _between(int, 200, 1_000_000),
        ),
    ] = 3000
    fold_threshold_tokens: Annotated[
        int,
        Env(
            "MEMORY_CHUNK_SUMMARIZE_THRESHOLD",
            "Older messages are folded into the brief when brief and recent messages exceed this many tokens.",
            _between(int, 200, 1_000_000),
        ),
    ] = 6000
    vocabulary: Annotated[
        str,
        Env(
            "RECOLLECT_VOCABULARY",
            "Text file of terms, one per line, that raise a message's importance, in addition to the built-in medical terms.",
        ),
    ] = ""
    worker: Annotated[
        str,
        Env(
            "RECOLLECT_WORKER",
            "`on`: run background work in this process. `off`: leave it to `recollect worker`.",
            _one_of("on", "off"),
        ),
    ] = "on"
    ranking: Annotated[
        tuple[float, float, float],
        Env(
            "RECOLLECT_RANKING",
            "Weights of similarity, recency and entity frequency in a memory's score.",
            _shares,
        ),
    ] = (0.4, 0.3, 0.3)
    index_memory_mb: Annotated[
        int,
        Env(
            "RECOLLECT_INDEX_MEMORY_MB",
            "Maximum memory for recently active users' search indexes, in megabytes.",
            _between(int, 1, 1_000_000),
        ),
    ] = 512
    sqlite_synchronous: Annotated[
        str,
        Env(
            "RECOLLECT_SQLITE_SYNCHRONOUS",
            "`full`: stored facts survive a power cut. `normal`: they survive a crash of the process; writes are faster.",
            _one_of("full", "normal"),
        ),
    ] = "full"
    pool_size: Annotated[
        int,
        Env(
            "RECOLLECT_POOL_SIZE",
            "Number of SQLite read connections or PostgreSQL connections.",
            _between(int, 1, 256),
        ),
    ] = 4
    service_key: Annotated[
        str,
        Env(
            "RECOLLECT_SERVICE_KEY",
            "Key that may act for any user and create sessions; at least 16 characters; never logged or shown. Empty: only keys created with `recollect token`.",
            _secret,
        ),
    ] = ""
    requests_per_minute: Annotated[
        int,
        Env(
            "RECOLLECT_REQUESTS_PER_MINUTE",
            "Requests per minute per token, in each server process. 0: no limit.",
            _between(int, 0, 10_000_000),
        ),
    ] = 60_000
    cors_origins: Annotated[
        str,
        Env(
            "RECOLLECT_CORS_ORIGINS",
            "Comma-separated origins whose pages may call the service. Empty: only the service's own origin.",
        ),
    ] = ""
    proxy_budget: Annotated[
        int,
        Env(
            "RECOLLECT_PROXY_BUDGET",
            "Maximum tokens of memory that `/v1/chat/completions` adds; a request can override it with `X-Recollect-Budget`.",
            _between(int, 200, 1_000_000),
        ),
    ] = 2000
    log_format: Annotated[
        str,
        Env(
            "RECOLLECT_LOG",
            "Log format of `recollect serve`: `text` or `json`.",
            _one_of("text", "json"),
        ),
    ] = "text"

    @property
    def judge(self) -> str:
        """What extracts memories: "off", "rules" or "model"."""
        return "model" if self.judge_model not in ("", *_NO_MODEL) else self.judge_model or "rules"

    @property
    def reaches_models(self) -> bool:
        """Whether a model endpoint is set up; without one nothing leaves the machine."""
        named = self.openai_base_url != Settings.__dataclass_fields__["openai_base_url"].default
        models = (self.embedding_model, self.summarizer_model, self.chat_model, self.openai_api_key)
        return named or self.judge == "model" or any(models)

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


def as_shown(settings: Settings) -> dict[str, Any]:
    """Every value by its variable, in the form in which the variable takes it; secrets included."""
    values = {env.name: getattr(settings, name) for name, env in _declared()}
    return {**values, "RECOLLECT_RANKING": ",".join(f"{share:g}" for share in settings.ranking)}


def documented() -> list[tuple[str, Any, str]]:
    """Variable, default and meaning of every setting, for the reference page."""
    defaults = as_shown(Settings())
    return [(env.name, defaults[env.name], env.doc) for _, env in _declared()]
