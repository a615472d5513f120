"""A real model judges over the real protocol: what a scripted server cannot prove."""

import asyncio

from recollect.encoder import tokens
from recollect.models.judge import ModelJudge
from recollect.models.openai import OpenAI
from recollect.records.judgement import Judgement

from .judging import Account, heard

#: A busy machine decodes a few tokens a second.
PATIENCE_SECONDS = 300.0


def test_a_real_model_judges(local_model: str) -> None:
    """The smallest model gives a judgement or leaves it to the rules, and nothing of it is the assistant's or the prompt's."""
    talk = heard(("assistant", "My yacht is in Porto."), ("user", "Thanks, bye!"))
    # One call is slow enough; a reply that cannot be read is left to the rules at once.
    account = Account(allows=1)

    async def run() -> Judgement:
        openai = OpenAI(base_url=local_model, api_key=None, timeout_seconds=PATIENCE_SECONDS, max_retries=0)
        judge = ModelJudge(openai, "smol", spend=account, count=tokens.count)
        try:
            return await judge.judge(talk)
        finally:
            await judge.aclose()

    found = asyncio.run(run())
    assert found.judged_by in ("smol", "rules")
    sources = [source for memory in found.memories for source in memory.source_message_ids]
    sources += [pin.source_message_id for pin in found.pins]
    assert set(sources) <= {"m2"}
    assert not any("yacht" in memory.content or "Jane" in memory.content for memory in found.memories)
    [(model, prompt, _, _)] = account.notes
    assert model == "smol"
    assert 0 < prompt < 1200
