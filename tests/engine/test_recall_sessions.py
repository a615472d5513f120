"""Recall of sessions: which sittings a question is about, in an order of their own, on both databases."""

import json
from typing import Any

import pytest

from recollect import Memory, Settings
from recollect.api.arguments import MAX_SESSIONS
from recollect.encoder.minilm import MiniLM
from recollect.engine.index_messages import index_messages
from recollect.records.hit import SessionHit

from .conftest import Opener
from .conversing import parts_of
from .fakes import FakeClock

#: What was said in each chat. "rolls" is about the same as "bread", in which the question's words stand; "sea" has one of them.
TALKS = {
    "bread": ("I baked a loaf of rye bread on Sunday.", "Use more flour and a hotter oven for the crust."),
    "rolls": (
        "The rolls came out of the oven too dark.",
        "Less flour, more yeast, and the crust stays soft.",
    ),
    "sea": ("I lay on the beach in the sun on Sunday.", "Drink enough water in the heat."),
    "otter": ("An otter swims in the pond.", "Otters are shy animals of the river."),
    "rent": ("The rent is due in May.", "The landlord wants it by post."),
    "cello": ("My cello lesson went badly.", "Practise scales before every lesson."),
    "tax": ("The tax form has nine pages.", "Keep every receipt of the year."),
}
QUESTION = "What did I bake on Sunday?"


@pytest.fixture
def talks(opener: Opener, database_url: str, clock: FakeClock, minilm: MiniLM) -> Memory:
    """Ann's chats, a day apart; nobody indexes but the test."""
    idle = Settings(sqlite_synchronous="normal", worker="off")
    memory = opener(database_url, settings=idle, embedder=minilm)
    for chat, said in TALKS.items():
        memory.chat(chat, user="ann").add([{"role": "user", "text": text} for text in said])
        clock.move(days=1)
    return memory


def index(memory: Memory) -> None:
    memory._thread.run(index_messages(parts_of(memory), "ann"))


def found(memory: Memory, query: str = QUESTION, **options: Any) -> tuple[SessionHit, ...]:
    """Ann's sessions that are found."""
    return memory.search(query, **{"user": "ann", "sessions": 7, **options}).sessions


def chats(memory: Memory, query: str = QUESTION, **options: Any) -> list[str]:
    return [hit.message.chat_id for hit in found(memory, query, **options)]


def test_what_the_best_session_is_about_comes_next(talks: Memory) -> None:
    """A session on the theme of the best one passes one whose message fits better; before it has vectors it does not."""
    assert chats(talks)[:2] == ["bread", "sea"]
    assert {hit.theme for hit in found(talks)} == {0.0}
    index(talks)
    first, second, *rest = found(talks)
    assert (first.message.chat_id, second.message.chat_id) == ("bread", "rolls")
    assert first.message.text == TALKS["bread"][0]
    assert (first.theme, second.theme > 0.2) == (0.0, True)
    assert rest[0].message.chat_id == "sea"
    assert first.score > rest[0].score > second.score
    best = talks.search(QUESTION, user="ann").messages[0]
    assert (best.message, best.score) == (first.message, first.score)


def test_messages_are_met_in_the_order_of_their_sessions(talks: Memory) -> None:
    """The first five sessions of an answer are those that its messages tell of first; who is brought forward says why."""
    index(talks)
    hits = talks.search(QUESTION, user="ann", messages=14).messages
    met = list(dict.fromkeys(hit.message.chat_id for hit in hits))
    assert set(met[:5]) == set(chats(talks)[:5])
    assert hits[0].message.text == TALKS["bread"][0]
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    for hit in hits:
        assert sum(hit.explain.terms.values()) == pytest.approx(hit.score)
        assert hit.explain.terms["theme"] >= 0
    assert len(hits) == 14


def test_each_session_once_and_none_unless_asked(talks: Memory, clock: FakeClock) -> None:
    """As many as asked for and there are, each sitting of a chat by itself, with or without messages beside them."""
    clock.move(days=1)
    talks.chat("bread", user="ann").add(user="The second loaf was baked, too.")
    index(talks)
    every = found(talks, sessions=10**9)
    assert len({(hit.message.chat_id, hit.message.session_id) for hit in every}) == len(every) == 8
    assert found(talks, sessions=2) == every[:2]
    alone = talks.search(QUESTION, user="ann", messages=0, sessions=3)
    assert (alone.messages, alone.sessions) == ((), every[:3])
    plain = talks.search(QUESTION, user="ann")
    assert plain.sessions == () and "sessions" not in plain.to_dict()
    assert talks.search(QUESTION, user="ann", sessions=3).messages == plain.messages
    assert len(every) < MAX_SESSIONS


def test_what_may_not_be_seen_has_no_say(talks: Memory, clock: FakeClock) -> None:
    """Filters hold as for messages, and nothing later than the moment asked for shapes what a session is about."""
    late = talks.chat("late", user="ann")
    late.add(user="The crust of my bread was too dark.")
    clock.move(minutes=1)
    then = clock()
    index(talks)
    assert chats(talks, chat="sea") == ["sea"]
    assert chats(talks, category="fact") == chats(talks, user="bob") == []
    assert chats(talks, as_of=found(talks)[0].message.created_at) == ["bread"]
    before = {hit.message.chat_id: hit.theme for hit in found(talks, until=then)}
    assert before["late"] > 0
    late.add(user="An otter swims in the pond.")
    talks.chat("secret", user="ann", persona="coach").add(user="I baked a cake in secret on Sunday.")
    index(talks)
    assert {hit.message.chat_id: hit.theme for hit in found(talks, until=then)} == pytest.approx(before)
    assert {hit.message.chat_id: hit.theme for hit in found(talks)}["late"] != pytest.approx(before["late"])
    assert ("secret" in chats(talks), "secret" in chats(talks, persona="coach")) == (False, True)


def test_the_shape_on_the_wire(talks: Memory) -> None:
    """A session is told as its best message: where, when, what, how well it fits, and the theme."""
    index(talks)
    (told, *_) = talks.search(QUESTION, user="ann", sessions=1).to_dict()["sessions"]
    assert json.loads(json.dumps(told)) == told
    hit = found(talks)[0]
    assert (told["session"], told["chat_id"]) == (hit.message.session_id, "bread")
    assert (told["text"], told["score"], told["theme"]) == (TALKS["bread"][0], hit.score, 0.0)
