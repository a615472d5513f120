"""What a session leaves open."""

import pytest
from conversations import turns

from recollect.language.gist.session import session_digest
from recollect.language.judge import judge
from recollect.records.judgement import Material
from recollect.records.message import messages_of
from recollect.records.todo import TodoKind


@pytest.mark.parametrize(
    "text",
    ["I promised my mum to bring baklava to Eid on 6 June.", "Remind me to send her flowers by Friday."],
)
def test_commitments_are_the_judges(text: str) -> None:
    """What becomes a todo is in the digest, in the same words."""
    said = turns(f"U: {text}\nA: Ok.")
    todos = [
        todo for todo in judge(Material(messages=messages_of(said))).todos if todo.kind is TodoKind.COMMITMENT
    ]
    assert todos
    assert session_digest(said).commitments == tuple(todo.text for todo in todos)


@pytest.mark.parametrize(
    ("text", "loop"),
    [
        (
            "Now I need to find a violin teacher for Zosia.",
            "Now User needs to find a violin teacher for Zosia.",
        ),
        ("I'm stuck on the cover letter", "User is stuck on the cover letter"),
        ("Let's continue with the taxes tomorrow.", "Let's continue with the taxes tomorrow."),
    ],
)
def test_what_is_to_be_done_is_open(text: str, loop: str) -> None:
    """Something to find, a place where somebody is stuck and a thread to take up are open."""
    assert session_digest(turns(f"U: {text}\nA: Ok.")).open_loops == (loop,)


def test_others_promises_are_not_the_users() -> None:
    """Neither an article nor somebody quoted binds the user."""
    said = turns(
        "U: Summarize this article: My wife Rose is a nurse. I will run a marathon on Sunday.\nA: Ok.\n"
        'U: She said "I will leave in May." and cried.\nA: Oh.'
    )
    found = session_digest(said)
    assert (found.commitments, found.people) == ((), ())
