"""Cues: what the words around a capitalised span say of its type, and how surely.

Each rule looks at one span and gives a type with a confidence, or nothing. Rules that a wrong answer would be easy for
ask for a second sign: a given name, a known city, a verb that only people do. They know no entity of the user.
Scoring all cues together was rejected: nobody could say why a name was found.
"""

from collections.abc import Callable

from recollect.language.entity_names import organisation_cue, person_cue, place_cue, project_cue
from recollect.language.entity_names.plausible import Cue
from recollect.language.entity_names.span import Span

#: The surest first.
RULES: tuple[Callable[[Span], Cue | None], ...] = (
    organisation_cue.by_legal_form,
    person_cue.by_title,
    organisation_cue.by_firm_role,
    person_cue.by_role,
    person_cue.by_naming,
    person_cue.by_bond_after,
    project_cue.by_noun,
    project_cue.by_undertaking,
    place_cue.by_place_words,
    organisation_cue.by_work,
    person_cue.by_possession,
    person_cue.beside_the_user,
    person_cue.by_company,
    person_cue.by_object,
    place_cue.by_map,
    organisation_cue.by_at,
    organisation_cue.by_joining,
    person_cue.by_deed,
    project_cue.by_making,
    person_cue.by_given_name,
)


#: Those that a name's own words or its role decide: all that counts where the span may be a part of something else.
CUT_RULES = (
    organisation_cue.by_legal_form,
    person_cue.by_title,
    person_cue.by_role,
    person_cue.by_naming,
    person_cue.by_bond_after,
    project_cue.by_noun,
)


def cue_of(span: Span) -> Cue | None:
    """What the surest sign says."""
    for rule in CUT_RULES if span.is_cut else RULES:
        if (cue := rule(span)) is not None:
            return cue
    return None
