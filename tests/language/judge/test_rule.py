"""Rules: found by their verb."""

from recollect.language.judge.rule import joined, rule, table


def test_a_verb_of_two_tables_keeps_the_rules_of_both() -> None:
    """In their order."""
    first, second = rule("one", "a"), rule("two", "b")
    found = joined(table(("am is", (first,))), table(("is", (second,))))
    assert [one.name for one in found["is"]] == ["one", "two"]
    assert [one.name for one in found["am"]] == ["one"]
