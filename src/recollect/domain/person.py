"""People in sentences: what somebody is to the user, and the facts of which a person has one.

"Jane is User's wife" is a relationship, keyed by Jane; "Mom lives in Seattle" is the location of Mom;
"User is 34" is the user's age. A sentence that qualifies its fact ("in winter", "part-time") or joins a
second one has no subject: the wrong one would let a fact replace another. This module knows no entity
that was stored before. A list of first names was rejected: it would know some people and not others.
"""

import re

from recollect.domain.attribute import TECHNOLOGIES, attribute_slug, thing
from recollect.domain.category import Category
from recollect.domain.entity import EntityType, entity_key, slug
from recollect.domain.subject import USER, FactType, Subject

# A capital, or a letter of a script without capitals.
_INITIAL = r"(?![a-z\u00df-\u00ff])[^\W\d_]"
_NAME = rf"(?:{_INITIAL}[\w.'-]*\w|{_INITIAL})"
_NAMES = rf"{_NAME}(?: {_NAME}){{0,3}}"
ADVERBS = (
    r"(?:(?:now|currently|also|still|recently|just|really|always|usually|mostly|generally|strongly"
    r"|absolutely|actually) )*"
)
_ROLES = (
    r"(?:(?:ex|step|former|late|older|younger|elder|big|little|twin|best|close|good|old|oldest|youngest"
    r"|eldest|new|current"
    r"|business|half)[- ])*"
    r"(?:wife|husband|spouse|partner|girlfriend|boyfriend|fianc[eé]e?|mother|mom|mum|father|dad|brother"
    r"|sister|son|daughter"
    r"|child|kid|baby|aunt|uncle|cousin|nephew|niece|grand(?:mother|father|ma|pa|son|daughter)|boss|manager"
    r"|supervisor"
    r"|colleague|co-?worker|teammate|co-?founder|friend|roommate|flatmate|neighbou?r|landlord|landlady|mentor"
    r"|mentee|therapist"
    r"|doctor|dentist|lawyer|accountant|teacher|tutor|coach|trainer|assistant|client|employee|intern|investor"
    r"|advis[eo]r"
    r"|(?:team|tech) lead)(?:-in-law)?"
)
# Roles that one person at a time holds: "User's mom" needs no name to be somebody.
_SOLE = r"(?:wife|husband|spouse|girlfriend|boyfriend|fianc[eé]e?|mother|mom|mum|father|dad|boss)"
_KIN = r"(?:Mom|Mum|Mother|Dad|Father)"
# Only professions; "User is a writer" may be a hobby beside one.
_OCCUPATION = (
    r"(?:engineer|developer|programmer|designer|teacher|professor|lecturer|nurse|doctor|physician|surgeon"
    r"|lawyer|attorney"
    r"|accountant|architect|scientist|researcher|analyst|consultant|manager|director|journalist|editor|chef"
    r"|pilot|electrician"
    r"|plumber|mechanic|carpenter|dentist|pharmacist|therapist|psychologist|psychiatrist|economist|physicist"
    r"|chemist|biologist"
    r"|mathematician|statistician|librarian|translator|realtor|paramedic|firefighter|veterinarian|student"
    r"|administrator"
    r"|technician|recruiter|banker|auditor|CEO|CTO|CFO|COO|VP|president)"
)
_MONTH = r"(?:January|February|March|April|May|June|July|August|September|October|November|December)"
# Capitalised words that can stand where a name stands.
_NOT_NAMES = frozenset(
    """user i he she it we they you this that these those there the a an my his her our their its everyone
    somebody nobody someone people who what when where if american british english german french spanish
    italian portuguese dutch swiss austrian polish russian ukrainian chinese japanese korean indian
    pakistani brazilian mexican canadian australian irish scottish welsh greek turkish swedish norwegian
    danish finnish israeli arab african asian european iranian egyptian nigerian vietnamese thai
    filipino catholic protestant christian jewish muslim hindu buddhist sikh republican democrat monday
    tuesday wednesday thursday friday saturday sunday january february march april may june july august
    september october november december senior junior expert working project""".split()
)
# With such words a value is one of several, or a second fact may follow.
QUALIFIED = re.compile(
    r"\b(?:and|but|or|while|because|although|though|who|which|part[- ]time|sometimes|often|half|winters?"
    r"|summers?|weekdays"
    r"|weekends|nights?|during|until|temporarily|next (?:week|month|year)|if|unless|when|not|never|former"
    r"|retired|aspiring"
    r"|future|ex|amateur)\b",
    re.IGNORECASE,
)


def _is_person(name: str) -> bool:
    words = name.split()
    return not name.endswith("'s") and not any(
        word.lower() in _NOT_NAMES or word.lower() in TECHNOLOGIES or (len(word) > 1 and word.isupper())
        for word in words
    )


def _of_user(attribute: str, refs: tuple[str, ...]) -> Subject:
    return Subject(
        entity_type=EntityType.PERSON,
        primary_ref=USER,
        fact_type=FactType.FACT,
        attribute=attribute_slug(attribute),
        entity_refs=refs,
        label="User",
    )


def _of_person(name: str, attribute: str | None, refs: tuple[str, ...] = ()) -> Subject:
    """A fact about a person, or what the person is to the user when there is no attribute."""
    key = entity_key(EntityType.PERSON, name)
    return Subject(
        entity_type=EntityType.PERSON,
        primary_ref=key.partition(":")[2],
        fact_type=FactType.FACT if attribute else FactType.RELATIONSHIP,
        attribute=attribute_slug(attribute) if attribute else None,
        entity_refs=(key, *refs),
        label=name,
    )


_TAIL = r"(?:(?:,| and| who) .*)?"
_TO_THE_USER = tuple(
    re.compile(pattern)
    for pattern in (
        rf"User's {_ROLES} is (?:named|called) (?P<name>{_NAMES}){_TAIL}",
        rf"User's {_ROLES} is (?P<name>{_NAMES}){_TAIL}",
        rf"User has an? {_ROLES} (?:named|called) (?P<name>{_NAMES}){_TAIL}",
        rf"(?P<name>{_NAMES}) is (?:now |also )?(?:one of )?User's {_ROLES}s?(?: (?:at|from|in|on"
        rf"|for) .*)?{_TAIL}",
        rf"User (?:reports to|is dating|is (?:good |close |best )?friends with) (?P<name>{_NAMES})(?: (?:at"
        rf"|from|in|since) .*)?",
    )
)
# These verbs take things as well as people; only the category tells.
_WITH_SOMEBODY = re.compile(
    rf"User {ADVERBS}(?:works|collaborates|is working|is collaborating|lives|manages|mentors|knows"
    rf"|is married to|is engaged to)"
    rf"(?: closely)?(?: with)? (?P<name>{_NAMES})(?: (?:on|at|in|from|since|for) .*)?"
)


def relationship(sentence: str, category: Category) -> Subject | None:
    """What a named person is to the user; keyed by the person."""
    matches = [pattern.fullmatch(sentence) for pattern in _TO_THE_USER]
    if category is Category.RELATIONSHIP:
        matches.append(_WITH_SOMEBODY.fullmatch(sentence))
    for match in matches:
        if match and _is_person(match["name"]) and slug(match["name"]):
            return _of_person(match["name"], None)
    return None


# An attribute that a person has one of, and the predicates that give it a value.
_PREDICATES = tuple(
    (attribute, re.compile(pattern))
    for attribute, pattern in (
        ("location", rf"(?:{ADVERBS}(?:lives|resides)|is {ADVERBS}(?:based|living)) in (?P<place>[A-Z].*)"),
        ("location", rf"(?:has )?{ADVERBS}(?:moved|relocated) (?:back )?(?:from {_NAMES}(?:, {_NAMES})? )?"
                     r"to (?P<place>[A-Z].*)"),
        ("employer", rf"{ADVERBS}(?:works|is working|is employed) (?:at|for|by) (?P<org>[A-Z].*)"),
        ("occupation", rf"{ADVERBS}(?:works|is working|is employed) as (?:an? |the )?\w.*"),
        ("occupation", rf"is {ADVERBS}(?:an? |the )?(?:[\w+#.-]+ ){{0,4}}?{_OCCUPATION}"
                       r"(?: (?:of|at|for) (?P<org>.+)| (?:in|with|from) .+)?"),
        ("birthday", rf"was born (?:on .+|(?:in )?(?:{_MONTH}\b.*|\d.*))"),
        ("birthplace", r"was born in (?P<place>[A-Z].*)"),
        ("age", rf"(?:is {ADVERBS}|(?:has |just )?turned )\d{{1,3}}(?: years old| years of age| now)?"),
        ("time_zone", r"is (?:in|on) (?:the )?[A-Z]\w+(?: [A-Z]\w+)? ?time ?zone"),
        ("native_language", r"is a native (?:speaker of [A-Z]\w+|[A-Z]\w+ speaker)|speaks [A-Z]\w+ natively"),
        ("pronouns", r"(?:uses|goes by|prefers) (?:the )?\w+/\w+(?:/\w+)?(?: pronouns)?"),
        ("marital_status", rf"(?:is|got) {ADVERBS}(?:happily |newly )?"
                           r"(?:married|divorced|widowed|engaged|single|separated)"
                           rf"(?: to (?P<person>{_NAMES})| since .*| for .*| again)?"),
        ("weight", rf"{ADVERBS}weighs (?:about |around )?\d+(?:[.,]\d+)? ?(?:kg|kilos?|kilograms?|lbs?|pounds|stone)"),
        ("height", rf"is {ADVERBS}\d(?:[.,]\d+|\d+)? ?(?:m|cm|met(?:er|re)s?|cent\w+|f(?:ee|oo)?t|['\u2019]).*? tall"),
        ("children", rf"{ADVERBS}has (?:\d+|one|two|three|four|five|six|seven|no) (?:kids?|child(?:ren)?)"),
        ("diet", rf"(?:is|became) {ADVERBS}(?:an? )?(?:vegetarian|vegan|pescatarian|omnivore)(?: since .*)?"),
        ("name", rf"is (?:named|called) {_NAMES}"),
    )
)  # fmt: skip
_ALLERGY = re.compile(
    rf"is {ADVERBS}(?:not |no longer )?(?:severely |highly |deathly )?allergic to (?P<what>.+)"
)
# What a person has one of, as "User's ... is": pattern and attribute; without one it is its own name.
_POSSESSIONS = tuple(
    (re.compile(pattern), attribute)
    for pattern, attribute in (
        (r"(?:full |real |legal )?name", "name"),
        (r"date of birth|birthday|birth ?date", "birthday"),
        (r"age", "age"),
        (r"(?:home|current) (?:city|town|location)", "location"),
        (r"(?:current )?(?:job|job title|occupation|profession)", "occupation"),
        (r"(?:current )?employer", "employer"),
        (r"e-?mail(?: address)?", "email"),
        (r"(?:tele)?phone(?: number)?", "phone"),
        (r"time ?zone", "time_zone"),
        (r"(?:native|first) language|mother tongue", "native_language"),
        (r"(?:preferred )?pronouns", "pronouns"),
        (r"marital status", "marital_status"),
        (r"(?:work|private|personal|home|mobile) (?:e-?mail|(?:tele)?phone)(?: address| number)?", None),
        (r"(?:first|last|middle|maiden|family) name|nickname|surname|blood type|height|weight|shoe size"
         r"|nationality|religion"
         r"|citizenship|hometown|(?:home |postal |mailing )?address|zip code|postcode|license plate", None),
    )
)  # fmt: skip
_HAS = r"'s (?:new |current |present )?(?P<what>[a-z][a-z -]*?) (?:is|are) (?:now )?(?P<value>.+)"
_DOES = r" (?P<predicate>[a-z].+)"
_OWNERS = tuple(
    re.compile(rf"{owner}(?:{_HAS}|{_DOES})")
    for owner in (
        "User",
        rf"User's {_ROLES},? (?P<name>{_NAMES}),?",
        rf"User's (?P<role>{_SOLE})",
        rf"(?P<role>{_KIN})",
        rf"(?P<name>{_NAMES})(?<!'s)",
    )
)
_PLACE = re.compile(rf"{_NAMES}(?:, {_NAMES})*")


def personal(sentence: str, category: Category) -> Subject | None:
    """A fact of which a person has one, about the user or about somebody the user knows."""
    for owner in _OWNERS:
        match = owner.fullmatch(sentence)
        if match is None:
            continue
        groups = match.groupdict()
        name, role = groups.get("name"), groups.get("role")
        if name and not _is_person(name):
            continue
        found = _possession(match) if match["what"] else _predicate(match["predicate"], category)
        if found is not None:
            attribute, refs = found
            label = name or (role and role.capitalize())
            return _of_person(label, attribute, refs) if label else _of_user(attribute, refs)
    return None


def _possession(match: re.Match[str]) -> tuple[str, tuple[str, ...]] | None:
    if QUALIFIED.search(match["value"]):
        return None
    for pattern, attribute in _POSSESSIONS:
        if pattern.fullmatch(match["what"]):
            return attribute or match["what"].replace("e-mail", "email"), ()
    return None


def _predicate(predicate: str, category: Category) -> tuple[str, tuple[str, ...]] | None:
    if match := _ALLERGY.fullmatch(predicate):
        what = thing(match["what"])
        return (f"allergy {what}", ()) if what else None
    if QUALIFIED.search(predicate):
        return None
    for attribute, pattern in _PREDICATES:
        match = pattern.fullmatch(predicate)
        if match is None:
            continue
        if "moved" in predicate and not _is_place(match["place"], category):
            return None
        return attribute, _mentioned(match.groupdict())
    return None


def _is_place(words: str, category: Category) -> bool:
    """People move to places and to tools; the category and the tool's name tell them apart."""
    return (
        category in (Category.IDENTITY, Category.FACT, Category.CONTEXT, Category.RELATIONSHIP)
        and words.split()[0].lower().strip(",") not in TECHNOLOGIES
    )


def _mentioned(groups: dict[str, str | None]) -> tuple[str, ...]:
    refs: list[str] = []
    for group, type in (("place", EntityType.PLACE), ("org", EntityType.ORG), ("person", EntityType.PERSON)):
        name = _PLACE.match(groups.get(group) or "")
        if name and slug(name.group()):
            refs.append(entity_key(type, name.group()))
    return tuple(refs)
