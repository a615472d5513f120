"""Something of every kind that a user can have, made through the library, so that others can try to reach it.

Every text of it holds `MARK`: where the mark shows in another user's answer, something has crossed over. Names of
entities do not hold it, because an error may repeat the name that was asked for.
"""

from typing import Any

from recollect import AsyncMemory, NewMemory
from recollect.admin import AsyncAdmin
from recollect.api.engine import engine_of
from recollect.records.proposal import Proposal, ProposalKind
from recollect.store import proposals
from recollect.store.database import Connection

MARK = "quokka"
OWNER = f"{MARK}@example.com"
#: What another user may store as well: it holds no mark, and must not be taken for the owner's.
SHARED = "User plays the cello on Sundays"


async def belongings(memory: AsyncMemory, key: str) -> dict[str, str]:
    """Ids of everything that the owner has, by name; `key` is an idempotency key that was used."""
    ids = {"user": OWNER, "key": key, "entity": "person:rosalind", "alias": "person:rosa", "name": "rosalind"}
    ids |= await _facts(memory)
    ids |= await _conversation(memory)
    ids |= await _decisions(memory, ids)
    ids["todo_id"] = (await memory.add_todo(f"Feed the {MARK}", user=OWNER)).todo_id
    ids["todo_2"] = (await memory.add_todo(f"Wash the {MARK}", user=OWNER)).todo_id
    await memory.set_seed(
        [{"content": f"User grew up beside a {MARK}"}], notes=f"A {MARK} person", user=OWNER
    )
    ids["job_id"] = await _dead_job(memory)
    ids["session_token_id"] = (await AsyncAdmin(memory).create_token(user=OWNER, label=MARK)).token.token_id
    return ids


async def _facts(memory: AsyncMemory) -> dict[str, str]:
    async def remember(text: str, **more: Any) -> str:
        return (await memory.add(NewMemory(text, **more), user=OWNER)).memory.memory_id

    await remember(SHARED)
    ids = {
        "memory_id": await remember(f"User keeps a {MARK} in the garden", entity_refs=["person:rosalind"]),
        "memory_2": await remember(f"User painted the {MARK} house blue", entity_refs=["person:rosa"]),
        "memory_3": await remember(f"User sold a {MARK} statue in Perth"),
        "memory_4": await remember(f"User wrote poems about one {MARK}"),
        "memory_5": await remember(f"User filmed the {MARK} at night"),
        "memory_6": await remember(f"User lost a {MARK} figure on a train"),
    }
    await memory.merge("person:rosa", "person:rosalind", user=OWNER)
    for text in (f"User drinks strong {MARK} coffee", f"User drinks strong {MARK} coffee daily"):
        await remember(text)
    assert (await memory.consolidate(user=OWNER)).folds
    return ids


async def _conversation(memory: AsyncMemory) -> dict[str, str]:
    chat = memory.chat("zoo", user=OWNER, persona="Keeper")
    said = [
        message.message_id
        for number in range(4)
        for message in (
            await chat.add(user=f"The {MARK} number {number} ate.", assistant=f"A {MARK}, I see.")
        ).messages
    ]
    await chat.rename(f"All about the {MARK}")
    await chat.summarise(said[0], said[1], 2)
    sessions = await memory.sessions(user=OWNER)
    return {
        "chat_id": "zoo",
        "message_id": said[4],
        "message_2": said[5],
        "next_start": said[2],
        "next_end": said[3],
        "pin_id": (await chat.pin(f"The {MARK} must not have nuts")).pin_id,
        "session_id": sessions[0].session.session_id,
    }


async def _decisions(memory: AsyncMemory, ids: dict[str, str]) -> dict[str, str]:
    """Two proposals, as the judge would make them."""
    parts = engine_of(memory).parts
    made: list[Proposal] = []
    for subject, pair in (("one", ("memory_3", "memory_4")), ("two", ("memory_4", "memory_5"))):
        now = parts.now()
        made.append(
            Proposal(
                user_id=OWNER,
                proposal_id=parts.new_id(now),
                kind=ProposalKind.CONTRADICTION,
                subject=subject,
                reason=f"One {MARK} only",
                confidence=0.7,
                memory_ids=tuple(ids[name] for name in pair),
                created_at=now,
                updated_at=now,
            )
        )

    def work(tx: Connection) -> None:
        for proposal in made:
            assert proposals.add(tx, proposal)

    await parts.database.write(OWNER, work)
    return {"proposal_id": made[0].proposal_id, "proposal_2": made[1].proposal_id}


async def _dead_job(memory: AsyncMemory) -> str:
    job = (await AsyncAdmin(memory).jobs(user=OWNER))[0]
    await engine_of(memory).parts.database.write(
        OWNER,
        lambda tx: tx.run("UPDATE jobs SET status = 'dead' WHERE job_id = :job_id", {"job_id": job.job_id}),
    )
    return job.job_id


async def everything(memory: AsyncMemory) -> dict[str, Any]:
    """All that the owner has, as values that can be compared."""
    await engine_of(memory).parts.accesses.flush()
    exported = await memory.export(user=OWNER)
    del exported["exported_at"]
    return {
        "export": exported,
        "history": [await memory.history(item.memory_id, user=OWNER) for item in await _all(memory)],
        "proposals": await memory.proposals(user=OWNER, status=None),
        "jobs": await AsyncAdmin(memory).jobs(user=OWNER),
        "chats": await memory.chats(user=OWNER),
        "tokens": [
            token for token in await AsyncAdmin(memory).tokens(user=OWNER, limit=1000) if token.label == MARK
        ],
    }


async def _all(memory: AsyncMemory) -> list[Any]:
    return await memory.memories(user=OWNER, status=None, past=True, limit=1000)
