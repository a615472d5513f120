"""`recollect doctor`: checks with advice, the current settings, and background jobs.

Checking does not create a missing file, so that a mistyped path is not reported as healthy. A warning means that everything
works but something needs attention; it does not change the exit code.
"""

import platform
import re
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from recollect.cli import jobs, options, rendering
from recollect.cli.opening import missing_file, opened, settings_for
from recollect.cli.output import WRONG, Output, speaks_unicode
from recollect.errors import NotFound, RecollectError, StoreOutdated
from recollect.settings import Settings, as_shown, documented

if TYPE_CHECKING:
    from recollect import Memory
    from recollect.types import Metrics

_PACKAGES = (
    "numpy",
    "onnxruntime",
    "tiktoken",
    "PyStemmer",
    "httpx2",
    "platformdirs",
    "typer",
    "rich",
    "psycopg",
)
_ADVICE = {
    "settings": "Correct or unset the variable.",
    "database": "Check --db or RECOLLECT_DATABASE_URL.",
    "integrity": "Restore a backup, or save what can still be read with `recollect export` and import it into a new file.",
    "schema": "Run `recollect db migrate`.",
    "journal": "Move the file to a local disk: write-ahead logging does not work on network drives.",
    "free disk": "Free some space: writing stops when the disk is full.",
    "embedder": "Reinstall the package, or check OPENAI_BASE_URL, OPENAI_API_KEY and RECOLLECT_EMBEDDING_MODEL.",
    "vectors": "Run `recollect db reembed`.",
    "summariser": "Check OPENAI_BASE_URL, OPENAI_API_KEY and MEMORY_SUMMARIZER_MODEL or the hosted prompt.",
    "judge model": "Check OPENAI_BASE_URL, OPENAI_API_KEY and RECOLLECT_JUDGE_MODEL.",
    "chat model": "Check OPENAI_BASE_URL, OPENAI_API_KEY and RECOLLECT_CHAT_MODEL.",
    "vocabulary": "Correct or unset RECOLLECT_VOCABULARY.",
}
_DEAD = "Run `recollect doctor --jobs`, fix the cause, then run `recollect doctor --revive all`."
_SPENT = (
    "The offline judge is used until tomorrow (UTC). To raise the limit, set RECOLLECT_JUDGE_DAILY_TOKENS."
)
_LATE = "Run `recollect worker`, or `recollect worker --once`."
#: Seconds of lag after which background work counts as late.
_LAG = 60.0

_SECRETS = ("OPENAI_API_KEY", "RECOLLECT_SERVICE_KEY")
_PASSWORD = re.compile(r"(?<=://)([^/@\s]*?):[^@\s]*@|\b(password=)[^&\s]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """The result of one check."""

    name: str
    ok: bool
    detail: str
    #: What needs attention although it works; empty if nothing.
    warning: str = ""

    @property
    def advice(self) -> str:
        """What to do; empty if nothing is wrong."""
        return self.warning if self.ok else _ADVICE.get(self.name, "")


_OFFLINE = Check(name="summariser", ok=True, detail="rules, offline")


def doctor(
    jobs_only: Annotated[
        bool,
        typer.Option("--jobs", help="Show background jobs instead: the user's jobs and all failed jobs."),
    ] = False,
    revive: Annotated[
        str | None, options.an_id("--revive", metavar="ID", help="Retry a failed job, or `all` of them.")
    ] = None,
    user: options.User = options.LOCAL_USER,
    db: options.Database = None,
    as_json: options.Json = False,
) -> None:
    """Check the installation and the database. Shows the current settings without secrets."""
    out = Output(as_json=as_json)
    if jobs_only or revive is not None:
        with opened(db, reading=True) as memory:
            if revive is None:
                _jobs(out, memory, user)
            else:
                _revive(out, memory, revive)
        return
    settings, checks = _examined(db, user)
    ok = all(check.ok for check in checks)
    if out.as_json:
        out.json(_as_json(ok, checks, settings))
    else:
        _tell(out, checks, settings)
    if not ok:
        raise typer.Exit(WRONG)


def _jobs(out: Output, memory: "Memory", user: str) -> None:
    """Show the amount of background work, the user's jobs, and all users' failed jobs."""
    from recollect.admin import Admin  # Deferred here and below: numpy.

    figures = Admin(memory).metrics().work
    found, dead = Admin(memory).jobs(user=user), Admin(memory).jobs()
    if out.as_json:
        known = [job.to_dict() for job in found]
        out.json({**figures.to_dict(), "jobs": known, "dead": [job.to_dict() for job in dead]})
        return
    out.line(jobs.figures_text(figures))
    for title, some in ((f"Jobs of {user}", found), ("Failed, all users", dead)):
        if some:
            out.line()
            out.line((title, "bold"))
            jobs.jobs_lines(out, some)
    if dead:
        out.line(("Fix the cause, then run `recollect doctor --revive ID`, or `--revive all`.", "dim"))


def _revive(out: Output, memory: "Memory", job_id: str) -> None:
    """Make the next worker retry failed jobs."""
    from recollect.admin import Admin  # Deferred: the engine is heavy.

    chosen = [job for job in Admin(memory).jobs() if job_id in ("all", job.job_id)]
    if job_id != "all" and not chosen:
        raise NotFound(f"There is no failed job {job_id!r}; `recollect doctor --jobs` lists them.", id=job_id)
    for job in chosen:
        Admin(memory).revive(job.job_id, user=job.user_id)
    if out.as_json:
        out.json({"revived": [job.job_id for job in chosen]})
    elif chosen:
        out.line(("Retrying", "green"), f": the next worker runs {rendering.counted(len(chosen), 'jobs')}.")
    else:
        out.line(("No failed jobs.", "dim"))


def _examined(db: str | None, user: str) -> tuple[Settings | None, list[Check]]:
    try:
        settings = settings_for(db)
    except RecollectError as error:
        return None, [Check(name="settings", ok=False, detail=error.message)]
    vocabulary = _vocabulary(settings)
    # An unreadable vocabulary prevents the engine from opening, but the rest can still be checked.
    usable = settings if vocabulary.ok else replace(settings, vocabulary="")
    others = [*_models(settings), vocabulary]
    try:
        missing = missing_file(usable)
        if missing is not None:
            return settings, [*_without_database(missing, usable), *others]
        with opened(db, usable) as memory:
            checks, metrics = _checked(memory)
            total = rendering.amount(memory.stats(user=user))
            checks += [Check(name="user", ok=True, detail=f"{user}: {total}"), _work(metrics)]
            return settings, [*checks, _judge(usable, metrics), *others]
    except RecollectError as error:
        # A database that answers but has no tables or old ones is still the right one.
        name = "schema" if isinstance(error, StoreOutdated) else "database"
        return settings, [Check(name=name, ok=False, detail=error.message), *others]


def _checked(memory: "Memory") -> "tuple[list[Check], Metrics]":
    from recollect.admin import Admin  # Deferred: the engine is heavy.

    checks = [Check(name=name, ok=ok, detail=detail) for name, ok, detail in Admin(memory).checks()]
    return checks, Admin(memory).metrics()


def _work(metrics: "Metrics") -> Check:
    """Whether background work gets done."""
    figures = metrics.work
    warning = _DEAD if figures.counts.get("dead") else _LATE if figures.lag_seconds > _LAG else ""
    return Check(name="work", ok=True, detail=jobs.figures_text(figures), warning=warning)


def _judge(settings: Settings, metrics: "Metrics") -> Check:
    """What extracts memories, and whether it keeps up."""
    detail = {"rules": "rules, offline", "off": "off"}.get(settings.judge, settings.judge_model)
    warning = ""
    spent = metrics.spent
    if settings.judge == "model" and spent is not None:
        cap = f" of {spent.cap:,}" if spent.cap else ""
        detail += f", {spent.tokens:,}{cap} tokens today, {spent.failures} of {spent.calls} calls failed"
        warning = _SPENT if spent.exhausted else ""
    if dead := metrics.work.counts.get("dead", {}).get("judge", 0):
        detail, warning = f"{detail}; {dead} failed", _DEAD
    return Check(name="judge", ok=True, detail=detail, warning=warning)


def _vocabulary(settings: Settings) -> Check:
    from recollect.engine import vocabularies  # Deferred: the engine brings numpy.

    try:
        vocabularies.load(settings)
    except RecollectError as error:
        return Check(name="vocabulary", ok=False, detail=error.message)
    own = f"medical terms and those in {settings.vocabulary}" if settings.vocabulary else "medical terms"
    return Check(name="vocabulary", ok=True, detail=own)


def _models(settings: Settings) -> list[Check]:
    """Whether the models that summarise, judge and answer respond."""
    hosted, summarizer = settings.summary_prompt_version, settings.summarizer_model
    judge = settings.judge_model if settings.judge == "model" else ""
    if not (hosted or summarizer or judge or settings.chat_model):
        return [_OFFLINE]
    from recollect.cli.talk import reach_model, reach_prompt  # Deferred: the client of models.

    found: list[Check] = []
    if hosted:
        name = f"hosted prompt {settings.summary_prompt_id}, version {hosted}"
        found.append(_reached("summariser", name, partial(reach_prompt, settings)))
    if summarizer:
        found.append(_reached("summariser", summarizer, partial(reach_model, settings, summarizer)))
    if judge:
        found.append(_reached("judge model", judge, partial(reach_model, settings, judge)))
    if settings.chat_model:
        model = settings.chat_model
        found.append(_reached("chat model", model, partial(reach_model, settings, model)))
    return found if hosted or summarizer else [_OFFLINE, *found]


def _reached(name: str, who: str, ask: Callable[[], None]) -> Check:
    try:
        ask()
    except RecollectError as error:
        return Check(name=name, ok=False, detail=f"{who}: {error.message}")
    return Check(name=name, ok=True, detail=f"{who}, answers")


def _without_database(missing: Path, settings: Settings) -> list[Check]:
    """Checks before the first memory: whether a file can be created, the embedder works, and which judge is used."""
    folder = missing.parent.is_dir()
    word = f"{missing} does not exist yet" + (
        "; the first memory creates it" if folder else ", nor does its folder"
    )
    with (
        tempfile.TemporaryDirectory(prefix="recollect-") as scratch,
        opened(str(Path(scratch) / "doctor.db"), settings) as memory,
    ):
        found, metrics = _checked(memory)
        judge = _judge(settings, metrics)
    return [
        Check(name="database", ok=folder, detail=word),
        *(check for check in found if check.name == "embedder"),
        judge,
    ]


def without_password(text: str) -> str:
    """A URL without its password."""
    return _PASSWORD.sub(lambda match: f"{match[2]}…" if match[2] else f"{match[1]}:…@", text)


def settings_shown(settings: Settings) -> dict[str, Any]:
    """Every current setting by its variable, with secrets hidden."""
    shown: dict[str, Any] = {}
    for name, value in as_shown(settings).items():
        if name in _SECRETS:
            value = "set (hidden)" if value else ""
        shown[name] = without_password(value) if isinstance(value, str) else value
    return shown


def _packages() -> dict[str, str]:
    found: dict[str, str] = {}
    for name in _PACKAGES:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            found[name] = "not installed"
    return found


def _version() -> str:
    from recollect import __version__  # Deferred: --help must be instant.

    return __version__


def _as_json(ok: bool, checks: list[Check], settings: Settings | None) -> dict[str, Any]:
    return {
        "ok": ok,
        "checks": [
            {
                "name": item.name,
                "ok": item.ok,
                "warning": bool(item.warning),
                "detail": item.detail,
                "advice": item.advice,
            }
            for item in checks
        ],
        "recollect": _version(),
        "python": platform.python_version(),
        "platform": platform.platform(),
        "packages": _packages(),
        "settings": settings_shown(settings) if settings else None,
    }


def _tell(out: Output, checks: list[Check], settings: Settings | None) -> None:
    out.line(
        (f"Recollect {_version()}", "bold"), f" · Python {platform.python_version()} · {platform.platform()}"
    )
    out.line((", ".join(f"{name} {version}" for name, version in _packages().items()), "dim"))
    out.line()
    good, bad, odd = ("✓", "✗", "!") if speaks_unicode(out.stream) else ("ok", "!!", "! ")
    for check in checks:
        mark = (bad, "bold red") if not check.ok else (odd, "yellow") if check.warning else (good, "green")
        out.line(mark, " ", (f"{check.name:<10}", "cyan"), f" {check.detail}")
        if check.advice and check.advice not in check.detail:
            out.line((f"→ {check.advice}", "yellow"), indent=len(good) + 12)
    out.line()
    out.line(("Current settings", "bold"))
    if settings is None:
        out.line("cannot be read", indent=2)
        return
    defaults = {name: default for name, default, _ in documented()}
    rows = [
        ((name, "cyan"), (str(value) or "(not set)", "" if value != defaults[name] else "dim"))
        for name, value in settings_shown(settings).items()
    ]
    out.table(rows, indent=2)
    wrong = [check.name for check in checks if not check.ok]
    odd = [check.name for check in checks if check.ok and check.warning]
    out.line()
    if wrong:
        out.line((f"Problems: {', '.join(wrong)}.", "bold red"))
    elif odd:
        out.line((f"Working, with warnings: {', '.join(odd)}.", "yellow"))
    else:
        out.line(("No problems found.", "green"))
