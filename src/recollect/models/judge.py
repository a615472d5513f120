"""What the rest of the package may ask of whoever judges conversations, and who that is by the settings.

A Protocol with two implementations: rules inside the process, and any model behind an OpenAI-compatible server. It knows
neither when something is judged nor what becomes of it. A judge that asks both and votes was rejected: it pays for a
model and then trusts it less than its cost.
"""

from collections.abc import Callable
from typing import Protocol

from recollect.models.judge_by_model import ModelJudge
from recollect.models.judge_offline import RulesJudge
from recollect.models.openai import OpenAI
from recollect.models.spend import Spend
from recollect.records.judgement import Judgement, Material
from recollect.settings import Settings

__all__ = ["Judge", "RulesJudge", "Spend", "judge_for"]


class Judge(Protocol):
    """Finds what is worth keeping; a `ModelError` says that it could not be asked, and a later try may succeed."""

    @property
    def name(self) -> str:
        """Who judges, stored with what it found: "rules", or a model's name."""
        ...

    async def judge(self, material: Material) -> Judgement:
        """What it found in the new messages; where a model gave nothing usable, what the rules find."""
        ...

    async def aclose(self) -> None:
        """Give back connections; may be called twice."""
        ...


def judge_for(settings: Settings, spend: Spend, count: Callable[[str], int]) -> Judge | None:
    """The judge that the settings ask for; None: nobody judges. `count` counts tokens."""
    if settings.judge == "off":
        return None
    if settings.judge != "model":
        return RulesJudge()
    server = OpenAI(
        base_url=settings.openai_base_url,
        api_key=settings.openai_api_key,
        timeout_seconds=settings.model_timeout_seconds,
    )
    return ModelJudge(server, settings.judge_model, spend=spend, count=count)
