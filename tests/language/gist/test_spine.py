"""The spine without a model."""

from hypothesis import given
from hypothesis import strategies as st

from recollect.language.gist.spine import spine_content
from recollect.language.spine_material import SpineMaterial
from recollect.records.spine import MAX_SECTION


def test_each_section_has_its_statements_best_first() -> None:
    """One statement a line, in the order given, and what was said already is left out."""
    made = spine_content(
        SpineMaterial(
            profile=("User lives in Graz.", "User lives  in Graz", "User is 34."),
            people=("John is User's father.",),
            open_loops=("- Call the\ninsurance.",),
        )
    )
    assert made.profile == "- User lives in Graz.\n- User is 34."
    assert made.people == "- John is User's father."
    assert made.open_loops == "- Call the insurance."
    assert made.projects == ""


def test_a_statement_that_does_not_fit_leaves_room_for_a_shorter_one() -> None:
    """A full section still takes a short line, and a long one is cut after a word."""
    long = tuple(
        f"Project {name} " + f"{name} " * 200
        for name in ("alpha", "beta", "gamma", "delta", "epsilon", "zeta")
    )
    made = spine_content(SpineMaterial(projects=(*long, "Short one.")))
    assert made.projects.endswith("- Short one.")
    assert made.projects.splitlines()[0].endswith("alpha\u2026")


@given(st.lists(st.text(max_size=300), max_size=30))
def test_no_section_outgrows_its_limit(statements: list[str]) -> None:
    """Whatever the material, a section keeps to its characters and every line is a statement."""
    made = spine_content(SpineMaterial(profile=tuple(statements)))
    assert len(made.profile) <= MAX_SECTION
    assert all(line.startswith("- ") for line in made.profile.split("\n") if made.profile)


def test_what_is_open_is_no_lasting_fact() -> None:
    """The same statement stands once, where it can be ticked off."""
    made = spine_content(
        SpineMaterial(profile=("User will call Luc.", "User is 34."), open_loops=("User will call Luc.",))
    )
    assert (made.profile, made.open_loops) == ("- User is 34.", "- User will call Luc.")
