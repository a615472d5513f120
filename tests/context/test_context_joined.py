"""What a text costs after a label, told from what it costs alone."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from recollect.context.joined import spoken_tokens
from recollect.encoder import tokens

#: Words as people type them, with marks before, within and after them.
WORDS = st.from_regex(r"[\"'(*#/-]?[A-Za-z0-9'/.é世-]{1,12}[.,!?:;)/\"'…—]{0,3}", fullmatch=True)
TALK = st.lists(WORDS, min_size=1, max_size=12).flatmap(
    lambda words: st.lists(
        st.sampled_from([" ", "  ", "\t", " \u00a0"]), min_size=len(words), max_size=len(words)
    ).map(lambda gaps: "".join(word + gap for word, gap in zip(words, gaps, strict=True)).strip())
)


@given(
    label=st.sampled_from(["- User:", "- Assistant:", "- Zoë (assistant):", "- 李:", "- B0b!:"]),
    text=st.one_of(TALK, st.text(max_size=40).filter(lambda text: "\n" not in text)),
)
@example(label="- User:", text="I'm done")
@example(label="- User:", text="see http://x.org/a/ http://x.org/b/")
@example(label="- User:", text="iPhone and McDonald's")
@example(label="- User:", text="a\x1cb\x1cc.")
@settings(max_examples=500)
def test_a_line_costs_what_it_is_said_to_cost(label: str, text: str) -> None:
    """To the token, whatever the first and the last word are."""
    assert spoken_tokens(label, text, tokens.count(text), tokens.count) == tokens.count(f"{label} {text}\n")


@pytest.mark.parametrize("text", ["Where did we leave the blue kettle?", "I'll bring it back, don't worry."])
def test_the_middle_of_a_text_is_not_counted_again(text: str) -> None:
    """Only single words and the label are counted."""
    counted: list[str] = []

    def count(part: str) -> int:
        counted.append(part)
        return tokens.count(part)

    spoken_tokens("- User:", text, tokens.count(text), count)
    assert all(len(part) <= len("- Assistant:") for part in counted)
