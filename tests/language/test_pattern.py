"""Patterns are compiled late, and then do what compiled ones do."""

import gc
import pkgutil
import re
import subprocess
import sys
from importlib import import_module

import pytest
from hypothesis import given
from hypothesis import strategies as st
from patience import LIMIT

from recollect import language, rules
from recollect.language.pattern import Pattern

_RULE = r"(?P<word>[a-c]+)(?: (?P<next>a))?"


@given(st.text("abcA ."), st.integers(0, 5))
def test_it_finds_what_a_compiled_one_finds(text: str, start: int) -> None:
    """Every method gives what the same method of a compiled expression gives."""
    late, compiled = Pattern(_RULE, re.IGNORECASE), re.compile(_RULE, re.IGNORECASE)
    for ours, theirs in (
        (late.search(text), compiled.search(text)),
        (late.search(text, start), compiled.search(text, start)),
        (late.match(text), compiled.match(text)),
        (late.fullmatch(text), compiled.fullmatch(text)),
    ):
        assert (ours and (ours.span(), ours.groupdict())) == (theirs and (theirs.span(), theirs.groupdict()))
    assert [found.span() for found in late.finditer(text)] == [
        found.span() for found in compiled.finditer(text)
    ]
    assert late.sub("x", text, count=start) == compiled.sub("x", text, count=start)
    assert late.sub(lambda found: found["word"].upper(), text) == compiled.sub(lambda found: found["word"].upper(), text)  # fmt: skip


def test_it_is_compiled_once_and_not_before() -> None:
    """A faulty expression is noticed when it is asked, and a good one stays as it is."""
    faulty = Pattern("(")
    with pytest.raises(re.error):
        faulty.search("a")
    good = Pattern("a")
    assert good.compiled() is good.compiled()


def test_every_rule_compiles() -> None:
    """No faulty expression waits for the text that would first be held against it."""
    for room in (language, rules):
        for module in pkgutil.walk_packages(room.__path__, f"{room.__name__}."):
            import_module(module.name)
    gc.unfreeze()  # what `collecting.py` set aside
    gc.collect()  # the faulty one from above
    patterns = [found for found in gc.get_objects() if type(found) is Pattern]
    gc.freeze()
    assert len(patterns) > 100
    for pattern in patterns:
        pattern.compiled()


def test_an_import_compiles_none() -> None:
    """Whoever only imports the package does not wait for its rules."""
    program = (
        "import gc\nfrom recollect import Memory\nfrom recollect.language.pattern import Pattern\n"
        "rules = [found for found in gc.get_objects() if type(found) is Pattern]\n"
        "print(len(rules), [rule for rule in rules if rule._compiled])"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=LIMIT)
    count, _, compiled = ran.stdout.partition(" ")
    assert int(count) > 100, ran.stderr
    assert compiled == "[]\n"
