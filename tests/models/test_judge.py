"""Tests of models/judge.py: who judges by which settings."""

import asyncio

import pytest

from recollect.models.judge import Judge, RulesJudge, judge_for
from recollect.models.judge_by_model import ModelJudge
from recollect.settings import Settings

from .judging import Account


def chosen(settings: Settings) -> Judge | None:
    return judge_for(settings, Account(), len)


def test_rules_judge_unless_something_is_set() -> None:
    """Without any setting nothing leaves the machine."""
    assert isinstance(chosen(Settings()), RulesJudge)


def test_a_named_model_judges() -> None:
    """Its name is the judge's; with rules asked for it stays unused."""
    judge = chosen(Settings(judge_model="gpt"))
    assert isinstance(judge, ModelJudge)
    assert judge.name == "gpt"
    asyncio.run(judge.aclose())
    assert isinstance(chosen(Settings(judge_model="gpt", judge="rules")), RulesJudge)


@pytest.mark.parametrize("model", ["", "gpt"])
def test_nobody_may_judge(model: str) -> None:
    """Off is off, whatever model there is."""
    assert chosen(Settings(judge="off", judge_model=model)) is None
