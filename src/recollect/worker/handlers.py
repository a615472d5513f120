"""A handler for each kind of job, safe to run twice, and the providers that each waits for."""

import logging
from collections.abc import Awaitable, Callable, Mapping
from datetime import timedelta

from recollect.encoder.minilm import MODEL
from recollect.engine.close_session import close_session, summarise_session
from recollect.engine.curate import curate
from recollect.engine.fold import fold
from recollect.engine.grow_spine import grow_spine
from recollect.engine.index_messages import index_messages
from recollect.engine.judge import judge
from recollect.engine.parts import Parts
from recollect.engine.rederive import rederive
from recollect.engine.reembed import CATCH_UP, catch_up
from recollect.engine.roll import roll
from recollect.engine.talks import HUSHED_SECONDS
from recollect.errors import ModelError
from recollect.models.judge import RulesJudge
from recollect.records.job import MAX_ATTEMPTS, Job, JobKind
from recollect.worker.worker import Again, Outcome, Worker

log = logging.getLogger(__name__)

#: Messages indexed or judged before other jobs get their turn: about a second of the packaged model's work.
MESSAGES_A_TURN = 256
#: How soon vectors that could not be made are tried again.
CATCH_UP_AGAIN = timedelta(minutes=1)
#: Folds of one chat before other jobs get their turn.
FOLDS_A_TURN = 8


def worker_for(parts: Parts) -> Worker:
    """This process's worker, connected to the engine."""
    worker = Worker(
        parts.database,
        handlers(parts),
        clock=parts.now,
        new_id=lambda: parts.new_id(parts.now()),
        providers=providers(parts),
        waits=waits(parts),
    )

    def hear() -> None:
        # Callers that only add facts have created no jobs before.
        if parts.settings.worker == "on":
            worker.start()
        worker.ring()

    parts.bell.heard = hear
    parts.presence.hurried = lambda: worker.draining > 0
    return worker


def providers(parts: Parts) -> Mapping[JobKind, str]:
    """The external providers that each kind of job waits for. Any embedder except the packaged one may be remote."""
    found: dict[JobKind, str] = {}
    if parts.embedders.default != MODEL:
        found |= dict.fromkeys((JobKind.INDEX_MESSAGES, JobKind.JUDGE, JobKind.REDERIVE), "embedder")
    if parts.judge is not None and parts.judge.name != "rules":
        found |= dict.fromkeys((JobKind.JUDGE, JobKind.REDERIVE), "judge")
    if {parts.writer.name, parts.writer.notes_name} != {"offline"}:
        written = (JobKind.FOLD, JobKind.SUMMARISE_SESSION, JobKind.ROLLING_SUMMARY, JobKind.SPINE)
        found |= dict.fromkeys(written, "summariser")
    return found


def waits(parts: Parts) -> Callable[[Job], bool]:
    """Whether a job should wait while its user is being answered, up to the maximum wait for answers."""
    most = timedelta(seconds=HUSHED_SECONDS)
    return lambda job: parts.talks.expects(job.user_id) and parts.now() - job.run_at < most


def handlers(parts: Parts) -> Mapping[JobKind, Callable[[Job], Awaitable[Outcome]]]:
    """One function per kind."""

    async def fold_some(job: Job) -> Outcome:
        # A backlog takes several folds; each is saved separately, and the rest continue after other jobs had a turn.
        for _ in range(FOLDS_A_TURN):
            if await fold(parts, job.user_id, job.subject) is None:
                return None
        return Again(at=parts.now())

    async def close(job: Job) -> Outcome:
        later = await close_session(parts, job.user_id, job.subject)
        return Again(at=later) if later else None

    async def summarise(job: Job) -> Outcome:
        await summarise_session(parts, job.user_id, job.subject)

    async def refresh(job: Job) -> Outcome:
        await roll(parts, job.user_id, job.payload.get("persona_id"))

    async def lengthen(job: Job) -> Outcome:
        await grow_spine(parts, job.user_id)

    async def derive(job: Job) -> Outcome:
        await rederive(parts, job.user_id, job.subject)

    async def index(job: Job) -> Outcome:
        if job.subject == CATCH_UP.subject:
            try:
                await catch_up(parts, job.user_id)
            except Exception as error:
                if job.attempts + 1 < MAX_ATTEMPTS:
                    raise
                # An embedder may fail for hours; a dead job would leave memories without vectors for good.
                log.warning("vectors.late user=%s error=%s", job.user_id, type(error).__name__)
                return Again(at=parts.now() + CATCH_UP_AGAIN)
            return None
        done = await index_messages(parts, job.user_id, enough=MESSAGES_A_TURN)
        # A long history continues after other jobs had a turn, so that it does not delay everybody's summaries.
        return Again(at=parts.now()) if done >= MESSAGES_A_TURN else None

    async def tidy(job: Job) -> Outcome:
        report = await curate(parts, job.user_id)
        # A long backlog continues after other jobs had a turn.
        return Again(at=parts.now()) if report.left_for_next else None

    async def find_memories(job: Job) -> Outcome:
        by = None
        while True:
            try:
                read = await judge(parts, job.user_id, job.subject, by=by, enough=MESSAGES_A_TURN)
                break
            except ModelError:
                if job.attempts + 1 < MAX_ATTEMPTS or by is not None:
                    raise
                # The last attempt: rules find less than a model, but a dead job finds nothing.
                log.warning("judge.left_to_rules user=%s chat=%s", job.user_id, job.subject)
                by = RulesJudge()
        return Again(at=parts.now()) if read.messages >= MESSAGES_A_TURN else None

    return {
        JobKind.FOLD: fold_some,
        JobKind.REDERIVE: derive,
        JobKind.CLOSE_SESSION: close,
        JobKind.SUMMARISE_SESSION: summarise,
        JobKind.ROLLING_SUMMARY: refresh,
        JobKind.SPINE: lengthen,
        JobKind.INDEX_MESSAGES: index,
        JobKind.JUDGE: find_memories,
        JobKind.CURATE: tidy,
    }
