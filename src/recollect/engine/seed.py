"""Seed: what a product knows of a user beforehand is stored, and its facts become memories (S4's UserSeed).

Planting again replaces the seed: what it no longer says is archived as a memory, what stays is left as it is. What the
user says, corrects or forgets later outranks it: a product plants the same seed at each start.
"""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import fields
from typing import Any

from recollect.domain.draft import Request, compose
from recollect.domain.memory import MemoryRecord
from recollect.domain.revision import Edit
from recollect.domain.seed import Seed, check_facts, check_notes
from recollect.domain.trust import Origin, Source
from recollect.engine import revise
from recollect.engine.parts import Parts
from recollect.engine.remember import remember_many
from recollect.errors import InvalidInput
from recollect.store import memories, seeds
from recollect.store.database import Connection

#: What a fact of a seed may say of itself.
_ALLOWED = frozenset(field.name for field in fields(Request)) - {"source", "by_caller", "origin"}


async def plant(parts: Parts, user_id: str, facts: object, notes: object = "") -> Seed:
    """Store a seed; every fact must be fit to be remembered, or nothing is stored."""
    checked = check_facts(facts)
    requests = [_request(fact, number) for number, fact in enumerate(checked, 1)]
    seed = Seed(user_id=user_id, facts=checked, notes=check_notes(notes), updated_at=parts.now())
    alias_of = (await parts.look_at(user_id)).alias_of
    said = {_composed(request, number, alias_of): request for number, request in enumerate(requests, 1)}
    before = await parts.database.read(user_id, lambda tx: seeds.get(tx, user_id))
    known = set(_contents(before, alias_of)) if before else set[str]()
    # Only what is new: a fact that was planted before may have been corrected or forgotten since.
    if fresh := [request for content, request in said.items() if content not in known]:
        await remember_many(parts, user_id, fresh, by="seed")

    def load(tx: Connection) -> list[MemoryRecord]:
        every = memories.everything(tx, user_id)
        return [item for item in every if item.source is Source.SEEDED_PROFILE and item.current]

    # Read after planting: what a new fact has replaced is over already.
    for memory in await parts.database.read(user_id, load):
        if memory.content in known - set(said):
            gone = Edit(status="ARCHIVED")
            await revise.edit(
                parts, user_id, memory.memory_id, gone, by="seed", reason="no longer in the seed"
            )
    await parts.database.write(user_id, lambda tx: seeds.save(tx, seed))
    return seed


def _contents(seed: Seed, alias_of: Mapping[str, str]) -> Iterator[str]:
    """What the facts of an earlier seed were remembered as."""
    for number, fact in enumerate(seed.facts, 1):
        # What today's rules refuse was stored by those of another version.
        with suppress(InvalidInput):
            yield _composed(_request(fact, number), number, alias_of)


def _request(fact: Mapping[str, Any], number: int) -> Request:
    unknown = sorted(str(name) for name in fact if name not in _ALLOWED)
    if unknown:
        raise InvalidInput(f"facts: number {number} has an unknown field {unknown[0]!r}.", field="facts")
    return Request(**fact, source=Source.SEEDED_PROFILE, origin=Origin.SYSTEM)


def _composed(request: Request, number: int, alias_of: Mapping[str, str]) -> str:
    try:
        return compose(request, alias_of).content
    except InvalidInput as error:
        raise InvalidInput(f"facts: number {number}: {error.message}", field="facts") from error
