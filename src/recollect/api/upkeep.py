"""The face for upkeep: tidying memories, taking that back, and deciding what is proposed.

The methods translate arguments and hand over to the verbs of the engine; no rule lives here.
"""

from recollect.api.opened import LOCAL_USER, Opened, as_limit, as_place, as_text
from recollect.engine import curate as curating
from recollect.engine import proposals as proposing
from recollect.engine.entity_graph import EntityGraph, graph
from recollect.engine.entity_variants import find_variants
from recollect.errors import InvalidInput
from recollect.records.proposal import Proposal, parse_proposal_kind, parse_proposal_status
from recollect.rules.curator import CuratorReport
from recollect.rules.draft import check_identifier
from recollect.rules.variant import Variant

#: The most rows that one page of a list holds.
MAX_PAGE = 1000


class Upkeep(Opened):
    """What keeps memories few and true."""

    async def curate(self, *, user: str = LOCAL_USER, dry_run: bool = False) -> CuratorReport:
        """Tidy a user's memories now, as happens by itself after 25 new ones or within a day of a change.

        Near-duplicates of one subject become one memory, faded ones are archived, what cannot both be true is proposed;
        pinned memories are never touched. The report says what and why, and its `run_id` undoes it. `dry_run` changes
        nothing.
        """
        if not isinstance(dry_run, bool):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InvalidInput("dry_run must be true or false.", field="dry_run")
        return await curating.curate(*await self._for(user), dry_run=dry_run)

    async def curations(
        self, *, user: str = LOCAL_USER, limit: int = 50, after: str | None = None
    ) -> list[CuratorReport]:
        """What tidying has done, newest first, with the memories as they are now; runs that did nothing are not kept.

        `after` is the `run_id` of the last one of the page before.
        """
        parts, user_id = await self._for(user)
        size = min(as_limit(limit), MAX_PAGE)
        return await curating.runs(parts, user_id, limit=size, after=as_place(after, "after"))

    async def undo_curation(self, run_id: str, *, user: str = LOCAL_USER) -> CuratorReport:
        """Take a run back: its originals are as they were, and it is not done again.

        All of it or nothing: `Conflict` names the later change that stands in the way.
        """
        return await curating.undo(*await self._for(user), run_id)

    async def proposals(
        self,
        *,
        user: str = LOCAL_USER,
        status: str | None = "open",
        kind: str | None = None,
        limit: int = 50,
        after: str | None = None,
    ) -> list[Proposal]:
        """What somebody should decide because doing it by itself could destroy a memory; newest first.

        `status` is open, accepted, rejected or None for any; `kind` contradiction, forgetting or merge; `after` the
        `proposal_id` of the last one of the page before, which need not be there any more.
        """
        parts, user_id = await self._for(user)
        return await proposing.list_proposals(
            parts,
            user_id,
            status=None if status is None else parse_proposal_status(status),
            kind=None if kind is None else parse_proposal_kind(kind),
            limit=min(as_limit(limit), MAX_PAGE),
            after=as_place(after, "after"),
        )

    async def accept(
        self, proposal_id: str, *, user: str = LOCAL_USER, keep: str | None = None, by: str = "user"
    ) -> Proposal:
        """Do what is proposed: archive the older of two memories, erase what should be forgotten, or merge two names.

        Of two memories `keep` names the one that stays. Doing it again changes nothing. `Conflict`: a memory changed since
        it was proposed, or it was decided otherwise.
        """
        parts, user_id = await self._for(user)
        return await proposing.accept(
            parts, user_id, proposal_id, by=check_identifier(by, field="by"), keep=as_text(keep, "keep")
        )

    async def reject(self, proposal_id: str, *, user: str = LOCAL_USER, by: str = "user") -> Proposal:
        """Leave everything as it is; the same is not proposed again."""
        parts, user_id = await self._for(user)
        return await proposing.reject(parts, user_id, proposal_id, by=check_identifier(by, field="by"))

    async def entity_variants(self, *, user: str = LOCAL_USER) -> list[Variant]:
        """Pairs of names that may mean one entity and about which nobody has decided, with the evidence; nothing changes.

        Tidying merges the sure ones and proposes the others.
        """
        return await find_variants(*await self._for(user), everything=True)

    async def entity_graph(self, *, user: str = LOCAL_USER, limit: int = 300) -> EntityGraph:
        """Who is mentioned with whom: the most mentioned entities, and for each pair of them in how many memories."""
        parts, user_id = await self._for(user)
        return await graph(parts, user_id, limit=min(as_limit(limit), MAX_PAGE))
