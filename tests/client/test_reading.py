"""Reading: every record that the service writes is read back as it was."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect import (
    Amended,
    Brief,
    Card,
    ChatRecord,
    ChatStats,
    Context,
    CuratorReport,
    Entity,
    EntityDetails,
    EntityGraph,
    HistoryEntry,
    Hit,
    Job,
    JobFigures,
    Judged,
    Link,
    Loaded,
    MemoryRecord,
    Message,
    PastSession,
    Pin,
    Proposal,
    Recalled,
    Receipt,
    RecollectError,
    Recorded,
    Remembered,
    RollingSummary,
    Seed,
    Session,
    SessionSummary,
    Spine,
    State,
    Stats,
    StoreInfo,
    Summary,
    Todo,
    Token,
    ToolReply,
    Variant,
)
from recollect.client.reading import read
from recollect.index.episode.hit import EpisodeHit
from recollect.index.episode.session_hit import SessionHit
from recollect.index.recall import Explain
from recollect.records.session import SessionChat
from recollect.records.session_state import SessionState
from recollect.rules.curator.report import Folded, Noted

from .records import MOMENTS, TEXTS, records

MEMORIES = records(MemoryRecord).map(
    lambda memory: memory if memory.fact_type else replace(memory, entity_type=None)
)
HITS = records(Hit, memory=MEMORIES)
SESSIONS = records(SessionSummary, session_id="s1")
RECEIPTS = st.dictionaries(TEXTS, st.integers(0, 99)).map(
    lambda more: dict.fromkeys(("memories", "messages", "summaries", "pins", "todos", "vectors"), 0) | more
)

#: Each record as the service may have it. What the wire does not tell has its default.
ANY: dict[str, st.SearchStrategy[Any]] = {
    "Amended": records(Amended),
    "Brief": records(Brief),
    "Card": records(Card),
    "ChatRecord": records(ChatRecord),
    "ChatStats": records(ChatStats),
    "CuratorReport": records(
        CuratorReport,
        folds=st.lists(
            records(Folded, into=MEMORIES, originals=st.lists(MEMORIES, max_size=2).map(tuple)), max_size=2
        ).map(tuple),
        archived=st.lists(records(Noted, memory=MEMORIES), max_size=2).map(tuple),
        raised=st.lists(records(Noted, memory=MEMORIES), max_size=2).map(tuple),
    ),
    "Entity": records(Entity),
    "EntityDetails": records(EntityDetails, memories=st.lists(MEMORIES, max_size=2).map(tuple)),
    "EntityGraph": records(EntityGraph),
    "EpisodeHit": records(EpisodeHit),
    "Explain": records(Explain),
    "Hit": HITS,
    "Job": records(Job, lease=None),
    "JobFigures": records(JobFigures),
    "Judged": records(Judged),
    "Link": records(Link),
    "Loaded": records(Loaded),
    "MemoryRecord": MEMORIES,
    "Message": records(Message),
    "PastSession": records(
        PastSession, session=records(Session, session_id="s1"), summary=st.none() | SESSIONS, chats=()
    ),
    "Pin": records(Pin),
    "Proposal": records(Proposal),
    "Recalled": records(Recalled, hits=st.lists(HITS, max_size=2).map(tuple)),
    "Receipt": records(Receipt, counts=RECEIPTS),
    "Recorded": records(Recorded, repeated=False),
    "RollingSummary": records(RollingSummary),
    "Seed": records(Seed, forgotten=(), updated_at=None),
    "Session": records(Session),
    "SessionHit": records(SessionHit),
    "Spine": records(Spine),
    "State": records(State, state=records(SessionState)),
    "Stats": records(Stats, most_used=st.lists(MEMORIES, max_size=2).map(tuple)),
    "StoreInfo": records(StoreInfo),
    "Summary": records(Summary),
    "Todo": records(Todo),
    "ToolReply": records(ToolReply),
    "Variant": records(Variant),
}


def travelled(values: object) -> Any:
    """Values as they arrive."""
    return json.loads(json.dumps(values))


@pytest.mark.parametrize("name", ANY)
@settings(max_examples=40)
@given(data=st.data())
def test_what_is_written_is_read(name: str, data: st.DataObject) -> None:
    """A record that went over the wire equals the one that was sent, to the last field."""
    record = data.draw(ANY[name])
    found = read(type(record), travelled(record.to_dict()), user="ann")
    assert found == record
    assert repr(found) == repr(record)


@settings(max_examples=40)
@given(records(Remembered, memory=MEMORIES, previous=st.none() | MEMORIES, contradicts=st.none() | MEMORIES))
def test_what_became_of_a_statement_is_read(done: Remembered) -> None:
    """Whoever prefers the whole answer reads the memories themselves."""
    assert read(Remembered, travelled(done.to_whole_dict()), user="ann") == done


@given(records(HistoryEntry))
def test_a_history_is_read(entry: HistoryEntry) -> None:
    """Whose entry it is and which, its place in the list says."""
    found = read(
        HistoryEntry, travelled(entry.to_dict()), user="ann", memory_id=entry.memory_id, entry=entry.entry
    )
    assert found == entry


@given(records(SessionSummary))
def test_a_revision_of_a_session_is_read(summary: SessionSummary) -> None:
    """A list of revisions does not repeat whose session it is."""
    assert (
        read(SessionSummary, travelled(summary.to_dict()), user="ann", session_id=summary.session_id)
        == summary
    )


@given(records(Session, session_id="s1"), st.lists(records(SessionChat), max_size=2))
def test_one_session_says_where_it_was_talked(session: Session, chats: list[SessionChat]) -> None:
    """A list does not; whoever asks for one session is told its chats."""
    past = PastSession(session=session, chats=tuple(chats))
    told = {**past.to_dict(), "chats": [chat.to_dict() for chat in chats]}
    assert read(PastSession, travelled(told), user="ann") == past


@given(records(Token, secret_hash=""))
def test_a_token_is_read(token: Token) -> None:
    """Everything but the secret, which the wire never tells."""
    assert read(Token, travelled(token.to_dict()), user="ann", secret_hash="") == token


@settings(max_examples=40)
@given(
    context=records(Context, budget=2**60, tail=(), asked=None),
    said=st.lists(records(Message), max_size=3, unique_by=lambda message: message.message_id),
    is_asked=st.booleans(),
)
def test_a_context_is_read(context: Context, said: list[Message], is_asked: bool) -> None:
    """With room for all of its pins and summaries a context is the same, and so is each of its forms."""
    asked = said.pop() if said and is_asked else None
    context = replace(context, tail=tuple(said), asked=asked)
    found = read(Context, travelled(context.to_dict()), user="ann")
    assert found == context
    assert found.explain() == context.explain()
    assert found.to_dict() == context.to_dict()


@given(records(Message))
def test_more_than_expected_is_no_harm(message: Message) -> None:
    """A newer service may say more."""
    assert read(Message, {**message.to_dict(), "colour": "red"}, user="ann") == message


@pytest.mark.parametrize(
    "change",
    [
        {"text": None},
        {"text": 5},
        {"position": "one"},
        {"created_at": "soon"},
        {"created_at": 5},
        {"role": "angel"},
        {"tokens": 1.5},
    ],
    ids=str,
)
@settings(max_examples=1)
@given(message=records(Message))
def test_what_cannot_be_read_says_so(message: Message, change: dict[str, Any]) -> None:
    """An answer of another make is an error of ours that names the record, not one of Python."""
    for values in ({**message.to_dict(), **change}, [], "text", None, 5, {}):
        with pytest.raises(RecollectError, match="Message"):
            read(Message, values, user="ann")


@given(MOMENTS, TEXTS)
def test_an_older_service_may_say_less(moment: Any, text: str) -> None:
    """A field that has a default and is not there takes it."""
    values = {
        "id": "t1",
        "text": text,
        "created_at": moment.isoformat(),
        "updated_at": moment.isoformat(),
    }
    assert read(Todo, values, user="ann") == Todo(
        user_id="ann", todo_id="t1", text=text, created_at=moment, updated_at=moment
    )
