"""A real model folds a chat, end to end: recorded, noticed, written, saved."""

from local_model import local_model

from recollect import Settings
from recollect.admin import Admin
from recollect.encoder import tokens

from .conftest import Opener

__all__ = ["local_model"]


def test_a_real_model_folds_a_chat(opener: Opener, local_model: str) -> None:
    """A chat that outgrows its threshold gets a brief from a model served over the OpenAI protocol."""
    settings = Settings(
        summarizer_model="smollm2",
        openai_base_url=local_model,
        model_timeout_seconds=120,
        raw_turns=1,
        fold_threshold_tokens=200,
        summary_token_cap=60,
    )
    memory = opener(settings=settings)
    chat = memory.chat("violin", user="ann")
    for week in range(1, 8):
        chat.add(
            user=f"In week {week} I practised the Bach partita and my bow hand hurt after an hour.",
            assistant="Rest for a day, then practise slowly for twenty minutes at a time.",
        )
    assert memory.drain(user="ann", timeout=120)
    brief = chat.brief()
    assert brief.written_by == "smollm2"
    assert brief.global_summary
    assert tokens.count(brief.global_summary) <= 60
    assert chat.summaries()[-1].end_message_id == brief.last_summarized_message_id
    assert Admin(memory).jobs(user="ann", status="dead") == []
    shown = chat.context("How long may I practise?").to_text()
    assert brief.global_summary.split()[0] in shown
