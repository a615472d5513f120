"""Entity names: the people, organisations, places and projects that a text mentions, found without a model.

Names are found by what stands around them ("my wife Jane", "works at Acme", "moved to Lisbon", "project Phoenix") and by
what is known already. Precision comes before recall: a capital letter alone makes no entity. It does not decide that
two names mean the same (`variant`) and stores nothing. A statistical tagger was rejected: a second model to ship,
for a step that runs on every statement.
"""

from recollect.language.entity_names.found import Found
from recollect.language.entity_names.known import find_known, other_names
from recollect.language.entity_names.recognition import recognise

__all__ = ["Found", "find_known", "other_names", "recognise"]
