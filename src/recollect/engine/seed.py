"""Seed: store a product's prior knowledge of a user, and turn its facts into memories (S4's UserSeed).

Storing a seed again replaces it: memories of removed facts are archived, and the others are left unchanged. Anything the
user later says, corrects or forgets outranks the seed, because a product stores the same seed at each start.
"""

import hashlib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import fields, replace
from itertools import compress
from typing import Any

from recollect.engine import revise
from recollect.engine.parts import Parts
from recollect.engine.remember import remember_many
from recollect.errors import InvalidInput
from recollect.records.memory import MemoryRecord, Origin, Source
from recollect.records.seed import Seed, check_facts, check_notes
from recollect.rules.draft import Request, compose
from recollect.rules.user_edits import Edit
from recollect.store import idempotency_keys, memories, seeds
from recollect.store.database import Connection

#: Fields allowed in a seed's fact.
_ALLOWED = frozenset(field.name for field in fields(Request)) - {"source", "by_caller", "asked_for", "origin"}


async def plant(parts: Parts, user_id: str, facts: object, notes: object = "") -> Seed:
    """Store a seed; if any fact is invalid, nothing is stored."""
    checked = check_facts(facts)
    requests = [_request(fact, number) for number, fact in enumerate(checked, 1)]
    text = check_notes(notes)
    alias_of = (await parts.look_at(user_id)).alias_of
    contents = [_composed(request, number, alias_of) for number, request in enumerate(requests, 1)]
    before = await parts.database.read(user_id, lambda tx: seeds.get(tx, user_id)) or Seed(user_id=user_id)
    wanted = [_mark(content) not in before.forgotten for content in contents]
    seed = replace(before, facts=tuple(compress(checked, wanted)), notes=text, updated_at=parts.now())
    said = dict(compress(zip(contents, requests, strict=True), wanted))
    known = {content for _, content in _contents(before, alias_of)}
    # Only new facts: those stored before may have been corrected or forgotten since.
    if fresh := [request for content, request in said.items() if content not in known]:
        await remember_many(parts, user_id, fresh, by="seed")

    def load(tx: Connection) -> list[MemoryRecord]:
        every = memories.everything(tx, user_id)
        return [item for item in every if item.source is Source.SEEDED_PROFILE and item.current]

    # Read after storing: memories replaced by a new fact are already superseded.
    for memory in await parts.database.read(user_id, load):
        if memory.content in known - set(said):
            gone = Edit(status="ARCHIVED")
            await revise.edit(
                parts, user_id, memory.memory_id, gone, by="seed", reason="no longer in the seed"
            )
    await parts.database.write(user_id, lambda tx: seeds.save(tx, seed))
    return seed


def unplant(tx: Connection, user_id: str, gone: set[str], alias_of: Mapping[str, str]) -> list[str]:
    """Permanently remove the facts of these memories from the seed; return their texts."""
    seed = seeds.get(tx, user_id)
    if seed is None:
        return []
    found = [(fact, content) for fact, content in _contents(seed, alias_of) if content in gone]
    if not found:
        return []
    facts = [fact for fact, _ in found]
    marks = dict.fromkeys([*seed.forgotten, *(_mark(content) for _, content in found)])
    left = tuple(fact for fact in seed.facts if fact not in facts)
    seeds.save(tx, replace(seed, facts=left, forgotten=tuple(marks)))
    said = [str(fact["content"]) for fact in facts]
    idempotency_keys.drop_mentioning(tx, user_id, said)
    return said


def _contents(seed: Seed, alias_of: Mapping[str, str]) -> Iterator[tuple[Mapping[str, Any], str]]:
    """An earlier seed's facts, and the memories made from them."""
    for number, fact in enumerate(seed.facts, 1):
        # A fact refused now was stored under another version's rules.
        with suppress(InvalidInput):
            yield fact, _composed(_request(fact, number), number, alias_of)


def _mark(content: str) -> str:
    """A fingerprint that does not reveal the text."""
    return hashlib.sha256(content.encode()).hexdigest()


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
