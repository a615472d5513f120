"""Forms of one word: what a question says in one form is found in another."""

import pytest

from recollect.language.terms import terms
from recollect.language.word_forms import forms


def _term(word: str) -> str:
    (found,) = terms(word)
    return found


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("eat", "ate"),
        ("ate", "eating"),
        ("sell", "sold"),
        ("fly", "flew"),
        ("children", "child"),
        ("kids", "children"),
        ("wives", "wife"),
        ("colour", "colors"),
        ("organising", "organized"),
        ("mum", "mom"),
    ],
)
def test_forms_stand_for_each_other(asked: str, said: str) -> None:
    """Irregular verbs and plurals and the two spellings of English, whatever form either is in."""
    assert _term(said) in forms(_term(asked))
    assert _term(asked) in forms(_term(said))


@pytest.mark.parametrize("word", ["boat", "penicillin", "zzz"])
def test_most_words_have_one_form(word: str) -> None:
    """A stem stands for itself."""
    assert forms(_term(word)) == (_term(word),)


def test_synonyms_are_no_forms() -> None:
    """Another word for the same thing is for the vectors."""
    assert _term("movie") not in forms(_term("film"))
