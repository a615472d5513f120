"""Excerpts: the part of a long message that a question asks about."""

from hypothesis import given
from hypothesis import strategies as st

from recollect.context.excerpt import MARK, READ, excerpt, pages
from recollect.encoder.tokens import count
from recollect.language.terms import terms

STORY = (
    "We went to the lake. The water was cold. Anna lost her red kayak there. It was found a week later. "
    "Then we drove home. The car broke down twice."
)


def _cut(text: str, question: str, room: int) -> str:
    return excerpt(text, terms(question), room=room, count=count)


def test_the_sentences_that_share_words_stay() -> None:
    """The best sentence stays, with those next to it while there is room, in their order."""
    assert _cut(STORY, "Who lost a kayak?", 22) == f"{MARK} Anna lost her red kayak there. {MARK}"
    assert _cut(STORY, "Who lost a kayak?", 48) == (
        f"{MARK} The water was cold. Anna lost her red kayak there. It was found a week later. {MARK}"
    )


def test_gaps_are_marked_where_they_are() -> None:
    """Two places that answer are parted by a mark, and an end that is there needs none."""
    assert _cut(STORY, "kayak car broke twice", 34) == (
        f"{MARK} Anna lost her red kayak there. {MARK} The car broke down twice."
    )


def test_without_a_shared_word_the_beginning_stays() -> None:
    """A question in other words than the message has gets its beginning."""
    assert _cut(STORY, "boat", 20) == f"We went to the lake. {MARK}"


def test_a_sentence_longer_than_the_room_is_cut_in_its_middle() -> None:
    """One endless sentence keeps both ends, with a mark that says how much is missing."""
    cut = _cut("kayak " * 90 + "end", "kayak", 30)
    assert cut.startswith("kayak") and "tokens cut …]" in cut and count(cut) <= 30


def test_of_a_document_the_pages_are_read_that_are_asked_about() -> None:
    """A hundred pages cost no more than ten, wherever the answer stands, and what is missing is marked."""
    filler = "We went home. " * (READ // 10)
    for text in (filler + "Anna lost her kayak. " + filler, filler + "Anna lost her kayak."):
        cut = _cut(text, "kayak", 60)
        assert "Anna lost her kayak." in cut and cut.startswith(MARK)
        assert cut.endswith(MARK) == text.endswith(filler)
        assert len(pages(text, terms("kayak"))) <= READ


def test_a_word_on_every_page_tells_nothing() -> None:
    """A rare word of the question decides which pages are read, not one that stands everywhere."""
    text = "The lake is cold. " * READ + "Anna saw the lake from her kayak. " + "The lake is cold. " * READ
    assert "kayak" in pages(text, terms("Who was on the lake in a kayak?"))
    assert pages(text, terms("the lake")) == text[:READ]


@given(
    st.lists(
        st.sampled_from(
            [
                "Tea is hot. ",
                "我喜欢喝绿茶。",
                "👩‍👩‍👧‍👦",
                "x" * 700,
                "\n- item\n",
                "```\ncode\n",
                "\u2028",
                "Kayak? ",
            ]
        ),
        min_size=1,
        max_size=60,
    ),
    st.integers(30, 200),
)
def test_an_excerpt_keeps_to_its_room(parts: list[str], room: int) -> None:
    """Whatever the text, the excerpt has no more tokens than its room."""
    text = "".join(parts)
    if count(text) > room:
        assert count(_cut(text, "kayak tea", room)) <= room
