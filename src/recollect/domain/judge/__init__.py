"""The judge's rules: what a conversation tells about its user that is worth keeping, found without a model.

`judge` reads the user's new messages, clause by clause, and proposes memories, todos and forgettings; what looked like a
statement and is none is listed with the reason. It is precise before complete: a wrong memory is worse than a missed one.
English is read; other languages yield nothing rather than junk. It stores nothing and asks nobody: `curation` decides
what becomes of a proposal. A model does the same work behind `llm.judge`, and these rules take over where it fails.
"""

from recollect.domain.judge.reading import Reading, judge

__all__ = ["Reading", "judge"]
