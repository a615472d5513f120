"""What each kind of job does: the verb of the engine that carries it out. Every one is safe to run twice."""

import logging
from collections.abc import Awaitable, Callable, Mapping
from datetime import timedelta

from recollect.engine.close_session import close_session, summarise_session
from recollect.engine.curate import curate
from recollect.engine.fold import fold
from recollect.engine.grow_spine import grow_spine
from recollect.engine.index_messages import index_messages
from recollect.engine.judge import judge
from recollect.engine.parts import Parts
from recollect.engine.rederive import rederive
from recollect.engine.roll import roll
from recollect.engine.talks import HUSHED_SECONDS
from recollect.errors import ModelError
from recollect.models.judge import RulesJudge
from recollect.records.job import MAX_ATTEMPTS, Job, JobKind
from recollect.worker.worker import Again, Outcome

log = logging.getLogger(__name__)

#: Messages that are indexed or judged before other jobs get their turn: some seconds of the packaged model's work.
MESSAGES_A_TURN = 2048


def waits(parts: Parts) -> Callable[[Job], bool]:
    """Whether a job waits for an answer to its user that is on its way; none does for longer than answers are waited for."""
    most = timedelta(seconds=HUSHED_SECONDS)
    return lambda job: parts.talks.expects(job.user_id) and parts.now() - job.run_at < most


def handlers(parts: Parts) -> Mapping[JobKind, Callable[[Job], Awaitable[Outcome]]]:
    """One function a kind."""

    async def fold_all(job: Job) -> Outcome:
        # A backlog takes several folds; each is saved on its own.
        while await fold(parts, job.user_id, job.subject) is not None:
            pass

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
        done = await index_messages(parts, job.user_id, enough=MESSAGES_A_TURN)
        # A long history goes on when others had their turn: it must not hold up everybody's summaries.
        return Again(at=parts.now()) if done >= MESSAGES_A_TURN else None

    async def tidy(job: Job) -> Outcome:
        report = await curate(parts, job.user_id)
        # A long backlog goes on when others had their turn.
        return Again(at=parts.now()) if report.left_for_next else None

    async def find_memories(job: Job) -> Outcome:
        by = None
        while True:
            try:
                read = await judge(parts, job.user_id, job.subject, by=by, enough=MESSAGES_A_TURN)
                break
            except ModelError:
                if job.attempts < MAX_ATTEMPTS or by is not None:
                    raise
                # The last try: rules find less than a model, but a dead job finds nothing.
                log.warning("judge.left_to_rules user=%s chat=%s", job.user_id, job.subject)
                by = RulesJudge()
        return Again(at=parts.now()) if read.messages >= MESSAGES_A_TURN else None

    return {
        JobKind.FOLD: fold_all,
        JobKind.REDERIVE: derive,
        JobKind.CLOSE_SESSION: close,
        JobKind.SUMMARISE_SESSION: summarise,
        JobKind.ROLLING_SUMMARY: refresh,
        JobKind.SPINE: lengthen,
        JobKind.INDEX_MESSAGES: index,
        JobKind.JUDGE: find_memories,
        JobKind.CURATE: tidy,
    }
