"""The client for upkeep: tidying memories, taking that back, deciding what is proposed. The methods are `api/upkeep.py`'s."""

from recollect.api.opened import LOCAL_USER, as_limit, as_place, as_text
from recollect.client.connected import MAX_PAGE, Connected
from recollect.client.reading import read, read_all
from recollect.client.spelling import body_of, given, segment
from recollect.client.transport import LONG_SECONDS, Asked
from recollect.engine.entity_graph import EntityGraph
from recollect.records.cursor import cursor
from recollect.records.proposal import Proposal
from recollect.rules.curator import CuratorReport
from recollect.rules.variant import Variant


class Upkeep(Connected):
    """What keeps memories few and true."""

    async def curate(self, *, user: str = LOCAL_USER, dry_run: bool = False) -> CuratorReport:
        """Tidy a user's memories now, as happens by itself after 25 new ones or within a day of a change.

        Near-duplicates of one subject become one memory, faded ones are archived, what cannot both be true is proposed;
        pinned memories are never touched. The report says what and why, and its `run_id` undoes it. `dry_run` changes
        nothing.
        """
        asked = Asked(
            method="POST",
            path="/memories/consolidate",
            user=user,
            body=body_of(dry_run=dry_run),
            harmless=dry_run is True,
            seconds=LONG_SECONDS,
        )
        return read(CuratorReport, (await self._transport.ask(asked)).body, user=user)

    async def curations(
        self, *, user: str = LOCAL_USER, limit: int = 50, after: str | None = None
    ) -> list[CuratorReport]:
        """What tidying has done, newest first, with the memories as they are now; runs that did nothing are not kept.

        `after` is the `run_id` of the last one of the page before.
        """
        return await self._list(CuratorReport, "/v1/curations", user=user, limit=limit, cursor=_ended(after))

    async def undo_curation(self, run_id: str, *, user: str = LOCAL_USER) -> CuratorReport:
        """Take a run back: its originals are as they were, and it is not done again.

        All of it or nothing: `Conflict` names the later change that stands in the way.
        """
        path = f"/v1/curations/{segment(run_id, 'run_id')}"
        return read(CuratorReport, await self._transport.send("DELETE", path, user=user), user=user)

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
        return await self._list(
            Proposal,
            "/v1/proposals",
            user=user,
            limit=limit,
            cursor=_ended(after),
            status="any" if status is None else status,
            kind=kind,
        )

    async def accept(
        self, proposal_id: str, *, user: str = LOCAL_USER, keep: str | None = None, by: str = "user"
    ) -> Proposal:
        """Do what is proposed: archive the older of two memories, erase what should be forgotten, or merge two names.

        Of two memories `keep` names the one that stays. Doing it again changes nothing. `Conflict`: a memory changed since
        it was proposed, or it was decided otherwise.
        """
        path = f"/v1/proposals/{segment(proposal_id, 'proposal_id')}/accept"
        body = {**body_of(by=by), **given(keep=as_text(keep, "keep"))}
        return read(Proposal, await self._transport.send("POST", path, body, user=user), user=user)

    async def reject(self, proposal_id: str, *, user: str = LOCAL_USER, by: str = "user") -> Proposal:
        """Leave everything as it is; the same is not proposed again."""
        path = f"/v1/proposals/{segment(proposal_id, 'proposal_id')}/reject"
        return read(Proposal, await self._transport.send("POST", path, body_of(by=by), user=user), user=user)

    async def entity_variants(self, *, user: str = LOCAL_USER) -> list[Variant]:
        """Pairs of names that may mean one entity and about which nobody has decided, with the evidence; nothing changes.

        Tidying merges the sure ones and proposes the others.
        """
        found = await self._transport.get("/v1/entities/variants", user=user)
        return read_all(Variant, found["variants"], user=user)

    async def entity_graph(self, *, user: str = LOCAL_USER, limit: int = 300) -> EntityGraph:
        """Who is mentioned with whom: the most mentioned entities, and for each pair of them in how many memories."""
        size = min(as_limit(limit), MAX_PAGE)
        return read(
            EntityGraph, await self._transport.get("/v1/entities/graph", user=user, limit=size), user=user
        )


def _ended(after: str | None) -> str | None:
    place = as_place(after, "after")
    return None if place is None else cursor(place)
