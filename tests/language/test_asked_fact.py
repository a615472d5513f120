"""Which fact a question asks for by its name."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.language.asked_fact import asked_key
from recollect.rules.draft import Request, compose


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Where do I live?", "I moved to Berlin"),
        ("where do i live now", "I live in Berlin"),
        ("Which city am I living in?", "I live in Berlin"),
        ("Can you tell me where I live?", "I live in Berlin"),
        ("Where do I work?", "I work at Acme"),
        ("Who's my employer?", "I work at Acme"),
        ("What do I do for a living?", "I work as a nurse"),
        ("What is my job?", "I work as a nurse"),
        ("How old am I?", "I am 36 years old"),
        ("When is my birthday?", "My birthday is on 3 June"),
        ("Where was I born?", "I was born in Graz"),
        ("What\u2019s my name?", "My name is Bob"),
        ("What is my favourite colour?", "My favourite colour is green"),
        ("what's my phone number?", "My phone number is 12345"),
    ],
)
def test_a_question_leads_to_the_key_of_its_answer(question: str, answer: str) -> None:
    """The statement that answers it has the key that the question asks for."""
    assert asked_key(question) == compose(Request(content=answer), {}).memory_key is not None


@pytest.mark.parametrize(
    "question",
    [
        "Where does my sister live?",
        "Where do I find a good bakery?",
        "Where should I live?",
        "Where do I live and what do I eat?",
        "Who is my sister?",
        "What is my sister?",
        "What do I do?",
        "I live in Berlin",
        "Tell me about Berlin",
        "",
        "Where do I live?" * 20,
    ],
)
def test_other_questions_ask_for_no_single_fact(question: str) -> None:
    """Whatever is about others, about no fact or about several leads to no key."""
    assert asked_key(question) is None


@given(st.text(max_size=200))
def test_any_text_is_read(text: str) -> None:
    """No text makes it fail."""
    assert asked_key(text) is None or asked_key(text)
