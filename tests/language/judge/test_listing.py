"""Lists of the user's."""

from recollect.language.judge.listing import listed


def test_a_list_says_what_its_heading_says() -> None:
    """Each line of a list of the user's own states something."""
    assert list(listed("my setup:\n- MacBook Air\n- pnpm")) == ["I use MacBook Air", "I use pnpm"]
    assert list(listed("My allergies:\n* nuts")) == ["I am allergic to nuts"]


def test_other_lists_say_nothing() -> None:
    """Steps, questions and material are nobody's."""
    assert list(listed("the steps:\n- mix\n- bake")) == []
    assert list(listed("my setup: none")) == []
