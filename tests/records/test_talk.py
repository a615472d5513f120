"""The words of a talk."""

from recollect.records.message import MAX_TEXT
from recollect.records.talk import BROKEN_OFF, failed, kept_reply


def test_a_whole_reply_is_kept_as_it_is() -> None:
    """Nothing is added or taken."""
    assert kept_reply(" Hello. \n", whole=True) == " Hello. \n"


def test_a_reply_that_broke_off_is_marked() -> None:
    """Whoever reads it sees that something is missing."""
    assert kept_reply("Half of it ", whole=False) == "Half of it […]"


def test_no_reply_is_longer_than_a_message() -> None:
    """The mark has room, too."""
    for whole in (True, False):
        kept = kept_reply("x" * (MAX_TEXT + 5), whole=whole)
        assert len(kept) == MAX_TEXT and kept.endswith(BROKEN_OFF)


def test_an_error_without_a_reply_names_none() -> None:
    """Only what was kept is named."""
    assert failed("The model failed.", None).data == {"error": "The model failed."}
