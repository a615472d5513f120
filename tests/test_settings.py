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
    assert settings.ranking == (0.4, 0.3, 0.3)
    assert (settings.raw_turns, settings.summary_token_cap, settings.prompt_token_budget) == (3, 500, 3000)


def test_values_are_read_and_blanks_are_not() -> None:
    """A variable that is set is used; one that is empty counts as absent."""
    settings = Settings.from_env(
        {"RECOLLECT_DATABASE_URL": " x.db ", "RECOLLECT_POOL_SIZE": "7", "RECOLLECT_RANKING": " "}
    )
    assert (settings.database_url, settings.pool_size) == ("x.db", 7)
    assert settings.ranking == (0.4, 0.3, 0.3)


def test_overrides_win() -> None:
    """What the caller passes outweighs the environment."""
    assert Settings.from_env({"RECOLLECT_POOL_SIZE": "7"}, pool_size=9).pool_size == 9


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("RECOLLECT_POOL_SIZE", "many"),
        ("RECOLLECT_POOL_SIZE", "0"),
        ("RECOLLECT_POOL_SIZE", "1.5"),
        ("RECOLLECT_POOL_SIZE", "1000"),
        ("RECOLLECT_RANKING", "0.5"),
        ("RECOLLECT_RANKING", "1.1,0,0"),
        ("RECOLLECT_RANKING", "0.5,0.5,-0.1"),
        ("RECOLLECT_RANKING", "nan,0.5,0.5"),
        ("RECOLLECT_RANKING", "0.4;0.3;0.3"),
        ("RECOLLECT_RANKING", "0,0,0"),
        ("RECOLLECT_MODEL_TIMEOUT_SECONDS", "inf"),
        ("RECOLLECT_SQLITE_SYNCHRONOUS", "off"),
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
    """The error of every numeric setting names the setting, the value and the limits, not Python's own words."""
    with pytest.raises(InvalidInput) as raised:
        Settings.from_env({name: value})
    message = raised.value.message
    assert message.startswith(f"{name}={value!r} cannot be used: must be a ")
    assert re.search(r"number between [\d.e+]+ and [\d.e+]+\.$", message)
    assert "literal" not in message and "convert" not in message


def test_the_ranking_is_three_shares() -> None:
    """Similarity, recency and frequency in one variable, spaces allowed."""
    assert Settings.from_env({"RECOLLECT_RANKING": "0.6, 0.2 ,0.2"}).ranking == (0.6, 0.2, 0.2)


def test_settings_cannot_be_changed() -> None:
    """The object is passed around and stays as it is."""
    with pytest.raises(FrozenInstanceError):
        Settings().pool_size = 3  # type: ignore[misc]


def test_every_setting_is_documented() -> None:
    """Each has a variable of its own, a default and a sentence."""
    listed = documented()
    assert len(listed) == len(fields(Settings)) <= 27
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
    ("value", "judge"),
    [("", "rules"), ("rules", "rules"), ("Rules", "rules"), ("OFF", "off"), ("tiny", "model")],
)
def test_who_judges(value: str, judge: str) -> None:
    """Unset means the offline rules; any other name is that of a model."""
    settings = Settings.from_env({"RECOLLECT_JUDGE_MODEL": value})
    assert settings.judge == judge
    assert settings.judge_model == (value if judge == "model" else value.lower())


def test_a_judging_model_reaches_out() -> None:
    """Only a named model leaves the machine: rules do not."""
    assert Settings(judge_model="tiny").reaches_models
    assert not Settings(judge_model="rules").reaches_models
    assert not Settings(judge_model="off").reaches_models


def test_a_service_key_that_can_be_guessed_is_refused() -> None:
    """A key must have 16 characters or more; the error does not show it."""
    with pytest.raises(InvalidInput, match="at least 16 characters") as raised:
        Settings.from_env({"RECOLLECT_SERVICE_KEY": "swordfish"})
    assert "swordfish" not in str(raised.value)
    assert Settings.from_env({"RECOLLECT_SERVICE_KEY": "0123456789abcdef"}).service_key == "0123456789abcdef"
