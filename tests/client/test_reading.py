"""Reading: every record that the service writes is read back as it was."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect import Context, MemoryRecord, Message, Pin, Receipt, RecollectError, SearchResult, Todo
from recollect.client.reading import read
from recollect.records.hit import EpisodeHit, Explain, SessionHit
from recollect.records.session import SessionChat, SessionState
from recollect.rules.curator.run import Folded, Noted
from recollect.types import (
    Amended,
    Brief,
    Card,
    ChatRecord,
    ChatStats,
    CuratorReport,
    Entity,
    EntityDetails,
    HistoryEntry,
    Hit,
    Job,
    JobFigures,
    Judged,
    Loaded,
    PastSession,
    Proposal,
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
    Token,
    ToolReply,
)

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
    "Brief": records(Brief, revisions=()),
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
    "EpisodeHit": records(EpisodeHit),
    "Explain": records(Explain),
    "Hit": HITS,
    "Job": records(Job, lease=None, begun=0, begun_alone=0),
    "JobFigures": records(JobFigures),
    "Judged": records(Judged),
    "Loaded": records(Loaded),
    "MemoryRecord": MEMORIES,
    "Message": records(Message),
    "PastSession": records(
        PastSession,
        session=records(Session, session_id="s1"),
        summary=st.none() | SESSIONS,
        chats=(),
        summaries=(),
    ),
    "Pin": records(Pin),
    "Proposal": records(Proposal),
    "SearchResult": records(SearchResult, hits=st.lists(HITS, max_size=2).map(tuple)),
    "Receipt": records(Receipt, counts=RECEIPTS),
    "Recorded": records(Recorded, repeated=False),
    "RollingSummary": records(RollingSummary),
    "Seed": records(Seed, forgotten=(), updated_at=None),
    "Session": records(Session),
    "SessionHit": records(SessionHit),
    "Spine": records(Spine, revisions=()),
    "State": records(State, state=records(SessionState), rolling_summaries=()),
    "Stats": records(Stats, most_used=st.lists(MEMORIES, max_size=2).map(tuple)),
    "StoreInfo": records(StoreInfo),
    "Summary": records(Summary),
    "Todo": records(Todo),
    "ToolReply": records(ToolReply),
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


@given(
    st.lists(records(Brief, revisions=()), max_size=2),
    st.lists(records(Spine, revisions=()), max_size=2),
    st.lists(SESSIONS, max_size=2),
    st.lists(records(RollingSummary), max_size=2),
    records(Session, session_id="s1"),
)
def test_revisions_are_read(
    briefs: list[Brief],
    spines: list[Spine],
    summaries: list[SessionSummary],
    rolling: list[RollingSummary],
    session: Session,
) -> None:
    """Where somebody asked for them they are beside the newest one, oldest first."""
    for every in (briefs, spines):
        if every:
            told = {**every[-1].to_dict(), "revisions": [one.to_dict() for one in every]}
            assert read(type(every[-1]), travelled(told), user="ann").revisions == tuple(every)
    told = {**PastSession(session=session).to_dict(), "revisions": [one.to_dict() for one in summaries]}
    assert read(PastSession, travelled(told), user="ann").summaries == tuple(summaries)
    told = {
        **State(state=SessionState(user_id="ann")).to_dict(),
        "revisions": [one.to_dict() for one in rolling],
    }
    assert read(State, travelled(told), user="ann").rolling_summaries == tuple(rolling)


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
