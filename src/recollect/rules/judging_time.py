"""When new messages are judged: at once by rules, in small heaps by a model, and always some time.

Rules cost next to nothing, so they read each turn; jobs of one chat are one while they wait, so a burst is one reading. A
model is paid by the call and understands a sentence better among its neighbours, so it waits for a heap, but not long:
whoever starts another chat wants to be known there. It does not know what judges, nor how jobs are kept.
"""

from datetime import datetime, timedelta

#: How long a model waits for more after the first unread message: about the pause between two turns of an attentive user.
WAIT = timedelta(seconds=60)
#: Tokens that are worth a call of their own: the prompt's fixed part has about 1,000, so no more than a third of the
#: cost is overhead.
ENOUGH_TOKENS = 2_000
#: Messages that are worth a call, whatever their size; nobody looks further than this.
ENOUGH_MESSAGES = 40


def judged_at(now: datetime, *, by_rules: bool, messages: int, tokens: int) -> datetime:
    """When to read so many messages that nobody has judged."""
    if by_rules or messages >= ENOUGH_MESSAGES or tokens >= ENOUGH_TOKENS:
        return now
    return now + WAIT
