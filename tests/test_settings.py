"""Settings: one object, read from the environment in one place, each value checked and documented."""

import re
from dataclasses import FrozenInstanceError, fields

import pytest

from recollect.errors import InvalidInput
from recollect.settings import Settings, documented


def test_the_defaults() -> None:
    """Without an environment everything has a default, and the numbers of the sources are the defaults."""
    settings = Settings.from_env({})
    assert settings == Settings()
    assert (settings.weight_similarity, settings.weight_recency, settings.weight_frequency) == (0.4, 0.3, 0.3)
    assert (settings.recency_half_life_days, settings.duplicate_cosine, settings.candidates) == (
        14.0,
        0.95,
        50,
    )


def test_values_are_read_and_blanks_are_not() -> None:
    """A variable that is set is used; one that is empty counts as absent."""
    settings = Settings.from_env(
        {"RECOLLECT_DATABASE_URL": " x.db ", "RECOLLECT_CANDIDATES": "7", "RECOLLECT_WEIGHT_RECENCY": " "}
    )
    assert (settings.database_url, settings.candidates, settings.weight_recency) == ("x.db", 7, 0.3)


def test_overrides_win() -> None:
    """What the caller passes outweighs the environment."""
    assert Settings.from_env({"RECOLLECT_CANDIDATES": "7"}, candidates=9).candidates == 9


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("RECOLLECT_CANDIDATES", "many"),
        ("RECOLLECT_CANDIDATES", "0"),
        ("RECOLLECT_CANDIDATES", "1.5"),
        ("RECOLLECT_WEIGHT_RECENCY", "1.1"),
        ("RECOLLECT_WEIGHT_RECENCY", "-0.1"),
        ("RECOLLECT_WEIGHT_RECENCY", "nan"),
        ("RECOLLECT_RECENCY_HALF_LIFE_DAYS", "0"),
        ("RECOLLECT_RECENCY_HALF_LIFE_DAYS", "inf"),
        ("RECOLLECT_DUPLICATE_COSINE", "0.2"),
        ("RECOLLECT_SQLITE_SYNCHRONOUS", "off"),
        ("RECOLLECT_POOL_SIZE", "1000"),
        ("RECOLLECT_BUSY_TIMEOUT_SECONDS", "-1"),
        ("RECOLLECT_JUDGE", "sometimes"),
        ("RECOLLECT_JUDGE_DAILY_TOKENS", "-1"),
    ],
)
def test_a_bad_value_names_its_variable(name: str, value: str) -> None:
    """A value that cannot be used is refused with the name of the variable and what it should be."""
    with pytest.raises(InvalidInput, match=name) as raised:
        Settings.from_env({name: value})
    assert raised.value.field == name


#: Every setting that is a number, by its variable.
_NUMBERS = [name for name, default, _ in documented() if isinstance(default, int | float)]


@pytest.mark.parametrize("name", _NUMBERS)
@pytest.mark.parametrize("value", ["abc", "-5", "1e999", "12 tokens"])
def test_a_bad_number_says_what_is_allowed(name: str, value: str) -> None:
    """The error of every numeric setting names the setting, the value and the limits, in words that are not Python's."""
    with pytest.raises(InvalidInput) as raised:
        Settings.from_env({name: value})
    told = raised.value.message
    assert told.startswith(f"{name}={value!r} cannot be used: must be a ")
    assert re.search(r"number between [\d.e+]+ and [\d.e+]+\.$", told)
    assert "literal" not in told and "convert" not in told


def test_settings_cannot_be_changed() -> None:
    """The object is passed around and stays what it is."""
    with pytest.raises(FrozenInstanceError):
        Settings().candidates = 3  # type: ignore[misc]


def test_every_setting_is_documented() -> None:
    """Each has a variable of its own, a default and a sentence; there are at most forty."""
    listed = documented()
    assert len(listed) == len(fields(Settings)) <= 40
    assert len({name for name, _, _ in listed}) == len(listed)
    for name, default, doc in listed:
        assert name.startswith(("RECOLLECT_", "MEMORY_", "OPENAI_", "PROMPT_")) and name.isupper()
        assert isinstance(default, str | int | float)
        assert doc.endswith(".") and len(doc) > 20


def test_every_default_is_a_value_that_could_be_set() -> None:
    """Writing a default into the environment changes nothing."""
    environ = {name: str(default) for name, default, _ in documented()}
    assert Settings.from_env(environ) == Settings()


@pytest.mark.parametrize(
    ("environ", "judge"),
    [
        ({}, "rules"),
        ({"RECOLLECT_JUDGE_MODEL": "tiny"}, "model"),
        ({"RECOLLECT_JUDGE_MODEL": "tiny", "RECOLLECT_JUDGE": "rules"}, "rules"),
        ({"RECOLLECT_JUDGE_MODEL": "tiny", "RECOLLECT_JUDGE": "OFF"}, "off"),
        ({"RECOLLECT_JUDGE": "off"}, "off"),
    ],
)
def test_who_judges(environ: dict[str, str], judge: str) -> None:
    """Unset means offline, a named model judges, and whoever says otherwise is obeyed."""
    assert Settings.from_env(environ).judge == judge


def test_a_model_that_judges_must_be_named() -> None:
    """Asking for a model without naming it is refused at once, with the variable that is missing."""
    with pytest.raises(InvalidInput, match="RECOLLECT_JUDGE_MODEL") as raised:
        Settings.from_env({"RECOLLECT_JUDGE": "model"})
    assert raised.value.field == "RECOLLECT_JUDGE_MODEL"


def test_a_judging_model_reaches_out() -> None:
    """Only a named model leaves the machine: rules do not."""
    assert Settings(judge_model="tiny").reaches_models
    assert not Settings(judge="rules").reaches_models


def test_a_service_key_that_can_be_guessed_is_refused() -> None:
    """A key that somebody chose has 16 characters or more; the error does not show it."""
    with pytest.raises(InvalidInput, match="at least 16 characters") as raised:
        Settings.from_env({"RECOLLECT_SERVICE_KEY": "swordfish"})
    assert "swordfish" not in str(raised.value)
    assert Settings.from_env({"RECOLLECT_SERVICE_KEY": "0123456789abcdef"}).service_key == "0123456789abcdef"
