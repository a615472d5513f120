"""People in sentences: what somebody is to the user, and the facts of which a person has one.

"Jane is User's wife" is a relationship, keyed by Jane; "Mom lives in Seattle" is the location of Mom;
"User is 34" is the user's age. A sentence that qualifies its fact ("in winter", "part-time") or joins a
second one has no subject: the wrong one would let a fact replace another. This module knows no entity
that was stored before. A list of first names was rejected: it would know some people and not others.
"""

import re

from recollect.language.attribute import NOT_PLACES, REGIONS, TECHNOLOGIES, attribute_slug, thing
from recollect.language.pattern import Pattern
from recollect.language.phrasing.named import describes
from recollect.records.category import Category
from recollect.records.entity import EntityType, entity_key, slug
from recollect.rules.subject import USER, FactType, Subject

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
    r"|sister|son|daughter|child|kid|baby|aunt|uncle|cousin|nephew|niece|grand(?:mother|father|ma|pa|son|daughter)|boss|manager"
    r"|supervisor|colleague|co-?worker|teammate|co-?founder|friend|roommate|flatmate|neighbou?r|landlord|landlady|mentor"
    r"|mentee|therapist"
    r"|doctor|dentist|lawyer|accountant|teacher|tutor|coach|trainer|assistant|client|employee|intern|investor"
    r"|advis[eo]r"
    r"|(?:team|tech) lead)(?:-in-law)?"
)
# Roles that one person at a time holds: "User's mom" needs no name to be somebody.
_SOLE = r"(?:wife|husband|spouse|girlfriend|boyfriend|fianc[eé]e?|mother|mom|mum|father|dad|boss)"
_KIN = r"(?:Mom|Mum|Mother|Dad|Father)"
# Only professions: "User is a writer" may be a hobby beside one, and a student often works as well.
_PROFESSION = (
    r"(?:engineer|developer|programmer|designer|teacher|professor|lecturer|nurse|doctor|physician|surgeon"
    r"|lawyer|attorney|accountant|architect|scientist|researcher|analyst|consultant|manager|director"
    r"|journalist|editor|chef|pilot|electrician|plumber|mechanic|carpenter|dentist|pharmacist|therapist"
    r"|psychologist|psychiatrist|economist|physicist|chemist|biologist|mathematician|statistician|librarian"
    r"|translator|realtor|paramedic|firefighter|veterinarian|administrator|technician|recruiter|banker"
    r"|auditor)"
)
_TITLE = r"(?:CEO|CTO|CFO|COO|VP|president|vice president|(?:managing )?director)"
# A closed list: "seeing a", "friend of the" and "hobby" must not stand before a profession.
_FIELD = (
    r"(?:senior|junior|lead|staff|principal|chief|head|associate|assistant|deputy|freelance|registered|full[- ]?stack"
    r"|front[- ]?end|back[- ]?end|software|hardware|firmware|embedded|systems?|network|security|cloud|devops"
    r"|machine learning|ML|AI|data|database|web|mobile|iOS|Android|games?|QA|test|site reliability|platform"
    r"|infrastructure|robotics|civil|mechanical|electrical|chemical|structural|aerospace|biomedical|industrial"
    r"|environmental|nuclear|(?:primary|high|elementary|middle|secondary|music|law) school|kindergarten|preschool"
    r"|university|college|maths?|physics|chemistry|biology|history|geography|science|music|art|language|English"
    r"|French|German|Spanish|yoga|special education|ICU|ER|emergency|pediatric|surgical|psychiatric|school|family"
    r"|general|clinical|medical|veterinary|dental|lab|product|project|program|engineering|marketing|sales"
    r"|account|finance|financial|business|operations|office|store|HR|risk|supply chain|graphic|UX|UI|UX/UI"
    r"|interior|fashion|visual|research|quantitative|management|tax|corporate|criminal|patent|immigration|IT"
    r"|airline|commercial|pastry|sous|executive|auto|car|aircraft|landscape|investment|physical|occupational"
    r"|speech|technical|creative|news|film|video|Python|Java|JavaScript|TypeScript|Rust|Go|React|Ruby)"
)
#: What somebody works as.
JOB = rf"(?:{_FIELD} ){{0,4}}{_PROFESSION}"
_AT = rf"(?: (?:at|for) (?P<org>{_NAMES})| at an? [a-z-]+(?: [a-z-]+)?)?"
_MONTH = r"(?:January|February|March|April|May|June|July|August|September|October|November|December)"
_DATE = (
    rf"(?:on )?(?:the )?(?:{_MONTH} (?:the )?\d{{1,2}}(?:st|nd|rd|th)?|\d{{1,2}}(?:st|nd|rd|th|\.)?(?: of)? {_MONTH}"
    r"|\d+[./-]\d+(?:[./-]\d+)?)(?:,? \d{4})?"
)
_PRONOUNS = (
    r"(?:(?:he|him|his|she|her|hers|they|them|their|theirs|it|its|ze|zir|zirs|hir|xe|xem|xyr|ey|em|any)"
    r"(?:/(?:he|him|his|she|her|hers|they|them|their|theirs|it|its|zir|zirs|hir|hirs|xem|xyr|xyrs|em|eir|all)){1,3})"
)
# Capitalised words that can stand where a name stands.
_NOT_NAMES = frozenset(
    """user i he she it we they you this that these those there the a an my his her our their its everyone
    somebody nobody someone people who what when where if christian monday
    tuesday wednesday thursday friday saturday sunday january february march april may june july august
    september october november december senior junior expert working project corp inc gmbh ltd llc company
    bank clinic dental""".split()
)
# With such words a value is one of several, or a second fact may follow.
QUALIFIED = Pattern(
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
        word.lower() in _NOT_NAMES
        or word.lower() in TECHNOLOGIES
        or describes(word.lower())
        or (len(word) > 1 and word.isupper())
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
    Pattern(pattern)
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
_WITH_SOMEBODY = Pattern(
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


_STATED_ROLE = Pattern(rf"\b(?:User's|[Mm]y|has an?) (?P<role>{_ROLES})s?\b(?!-)")
# What a verb makes of a person, where no role is named.
_ROLE_OF_VERB = tuple(
    (Pattern(rf"\bUser {ADVERBS}{pattern}\b"), role)
    for pattern, role in (
        ("reports to", "boss"),
        ("is dating", "girlfriend"),
        ("is (?:good |close |best )?friends with", "friend"),
        ("is married to", "wife"),
        ("is engaged to", "fiance"),
        ("(?:works|is working|collaborates|is collaborating)(?: closely)? with", "colleague"),
        ("manages", "employee"),
        ("mentors", "mentee"),
        ("lives with", "roommate"),
    )
)
# A role may become another of its row: a colleague the boss, a girlfriend the wife. Between rows both hold.
_SUCCESSIONS = tuple(
    frozenset(row.split())
    for row in """
    girlfriend boyfriend partner fiance fiancé fiancee fiancée wife husband spouse
    colleague coworker co-worker teammate manager boss supervisor lead employee intern
    cofounder co-founder
    mother mom mum
    father dad
    child kid baby son
    child kid baby daughter
    grandmother grandma
    grandfather grandpa
    neighbor neighbour
    roommate flatmate
    adviser advisor
    """.strip().splitlines()
)


def roles_differ(new: str, old: str) -> bool:
    """Whether two statements give a person two roles of which one does not follow the other.

    Jane the wife and Jane the daughter are two people, or one in two roles; neither replaces the other.
    """
    first, second = _role(new), _role(old)
    if first is None or second is None or first == second:
        return False
    return first[0] != second[0] or not any(first[1] in row and second[1] in row for row in _SUCCESSIONS)


def _role(text: str) -> tuple[str, str] | None:
    """The kind of bond (by blood, by marriage, in business) and the bare role."""
    text = text.replace("\u2019", "'")
    if match := _STATED_ROLE.search(text):
        parts = re.split(r"[ -](?!worker|founder|law)", match["role"])
        role = next(part for part in reversed(parts) if part != "in-law")
        bond = {"in-law", "step", "half", "business"}.intersection(parts)
        return " ".join(sorted(bond)), role
    return next((("", role) for pattern, role in _ROLE_OF_VERB if pattern.search(text)), None)


# Where a place or firm may end; anything else that follows is a detail of its own.
_SINCE = (
    r"(?:,? (?:(?:in|since) (?:\w+ )?\d{4}|(?:last|this) (?:year|month|week|\w+day)|recently|now|again))?"
)
_SOMEWHERE = rf"(?P<place>{_NAMES}(?:, {_NAMES})*)"
# An attribute that a person has one of, and the predicates that give it a value.
_PREDICATES = tuple(
    (attribute, Pattern(pattern))
    for attribute, pattern in (
        ("location", rf"(?:{ADVERBS}(?:lives|resides)|is {ADVERBS}(?:based|living)) in {_SOMEWHERE}{_SINCE}"),
        ("location", rf"(?:has )?{ADVERBS}(?P<moved>moved|relocated) (?:back )?(?:from {_NAMES}(?:, {_NAMES})? )?"
                     rf"to {_SOMEWHERE}(?: from (?P<left>{_NAMES})(?:, {_NAMES})?)?{_SINCE}"),
        ("employer", rf"{ADVERBS}(?:(?:works|is working|is employed) (?:at|for)|is employed by) "
                     rf"(?P<org>{_NAMES}){_SINCE}"),
        ("occupation", rf"{ADVERBS}(?:works|is working|is employed) as (?:an? (?P<job>[\w+#.-]+(?: [\w+#.-]+){{0,4}}?)"
                       rf"|{_TITLE}){_AT}"),
        ("occupation", rf"is {ADVERBS}(?:an? {JOB}{_AT}|the {JOB} (?:at|for) {_NAMES}"
                       rf"|(?:the )?{_TITLE} (?:of|at) (?P<firm>{_NAMES}))"),
        ("birthday", rf"was born {_DATE}"),
        ("birth_year", r"was born in \d{4}"),
        ("birthplace", rf"was born in {_SOMEWHERE}"),
        ("age", rf"(?:is {ADVERBS}|(?:has |just )?turned )\d{{1,3}}(?: years old| years of age| now)?"),
        ("time_zone", r"is (?:in|on) (?:the )?[A-Z]\w+(?: [A-Z]\w+)? ?time ?zone"),
        ("native_language", r"is a native (?:speaker of [A-Z]\w+|[A-Z]\w+ speaker)|speaks [A-Z]\w+ natively"),
        ("pronouns", rf"(?:uses|goes by|prefers) (?:the )?{_PRONOUNS}(?: pronouns)?"),
        ("marital_status", rf"(?:is|got) {ADVERBS}(?:happily |newly )?"
                           r"(?:married|divorced|widowed|engaged|single|separated)"
                           rf"(?: to (?P<person>{_NAMES})| since .*| for \w+ (?:years?|months?|weeks?)| again)?"),
        ("weight", rf"{ADVERBS}weighs (?:about |around )?\d+(?:[.,]\d+)? ?(?:kg|kilos?|kilograms?|lbs?|pounds|stone)"),
        ("height", rf"is {ADVERBS}\d(?:[.,]\d+|\d+)? ?(?:m|cm|met(?:er|re)s?|cent\w+|f(?:ee|oo)?t|['\u2019]).*? tall"),
        ("children", rf"{ADVERBS}has (?:\d+|one|two|three|four|five|six|seven|no) (?:kids?|child(?:ren)?)"),
        ("diet", rf"(?:is|became) {ADVERBS}(?:an? )?(?:vegetarian|vegan|pescatarian|omnivore)(?: since .*)?"),
        ("name", rf"is named (?P<called>{_NAMES})"),
    )
)  # fmt: skip
# Not what somebody is, but how, with whom or beside what they work.
_NO_JOB = frozenset(
    """team part volunteer hobby side second favor favour with on in of to from by way means couple group rule
    result student pair""".split()
)
_ALLERGY = Pattern(
    rf"is {ADVERBS}(?:not |no longer )?(?:severely |highly |deathly )?allergic to (?P<what>.+)"
)
_NUMBER = r"(?:about |around )?\d+(?:[.,]\d+)?.*"
_NAME_VALUE = rf"(?P<called>{_NAMES})"
_ONE_WORD = r"[A-Z]\w+"
# What a person has one of, as "User's ... is": pattern, attribute (without one it is its own name), and
# the shape of a value. "My phone is an iPhone" and "my job is stressful" give other facts.
_POSSESSIONS = tuple(
    (Pattern(pattern), attribute, Pattern(value))
    for pattern, attribute, value in (
        (r"name", "name", _NAME_VALUE),
        (r"(?:first|last|middle|maiden|family|full|real|legal) name|nickname|surname", None, _NAME_VALUE),
        (r"date of birth|birthday|birth ?date", "birthday", _DATE),
        (r"age", "age", r"\d{1,3}(?: years(?: old)?)?"),
        (r"(?:home|current) (?:city|town|location)", "location", _SOMEWHERE),
        (r"hometown", None, _SOMEWHERE),
        (r"(?:current )?(?:job|job title|occupation|profession)", "occupation", rf"(?:an? )?{JOB}{_AT}|{_TITLE}"),
        (r"(?:current )?employer", "employer", rf"(?P<org>{_NAMES})"),
        (r"(?:(?:work|private|personal|home) )?e-?mail(?: address)?", None, r"\S+@\S+"),
        (r"(?:(?:work|private|personal|home|mobile) )?(?:tele)?phone(?: number)?", None, r"\+?[\d(][\d ()./-]{2,}"),
        (r"time ?zone", "time_zone", r"(?:the )?[A-Z][\w/+:-]*(?: [A-Z]\w+)*(?: time)?"),
        (r"(?:native|first) language|mother tongue", "native_language", _ONE_WORD),
        (r"(?:preferred )?pronouns", "pronouns", _PRONOUNS),
        (r"marital status", "marital_status", r"(?:married|divorced|widowed|engaged|single|separated)"),
        (r"blood type", None, r"(?:A|B|AB|O)(?: ?[+-]| (?:Rh )?(?:positive|negative))?"),
        (r"height|weight", None, _NUMBER),
        (r"shoe size", None, r"\d+(?:[.,]\d)?"),
        (r"nationality|religion|citizenship", None, _ONE_WORD),
        (r"(?:home |postal |mailing )?address", None, r"(?=.*[\d,])[^\Wa-z].*"),
        (r"zip code|postcode|license plate", None, r"[A-Z\d][\w -]*"),
    )
)  # fmt: skip
_HAS = r"'s (?:new |current |present )?(?P<what>[a-z][a-z -]*?) (?:is|are) (?:now )?(?P<value>.+)"
_DOES = r" (?P<predicate>[a-z].+)"
_OWNERS = tuple(
    Pattern(rf"{owner}(?:{_HAS}|{_DOES})")
    for owner in (
        "User",
        rf"User's {_ROLES},? (?P<name>{_NAMES}),?",
        rf"User's (?P<role>{_SOLE})",
        rf"(?P<role>{_KIN})",
        rf"(?P<name>{_NAMES})(?<!'s)",
    )
)
_PLACE = Pattern(rf"{_NAMES}(?:, {_NAMES})*")


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
        found = _possession(match, category) if match["what"] else _predicate(match["predicate"], category)
        if found is not None:
            attribute, refs = found
            label = name or (role and role.capitalize())
            return _of_person(label, attribute, refs) if label else _of_user(attribute, refs)
    return None


def _possession(match: re.Match[str], category: Category) -> tuple[str, tuple[str, ...]] | None:
    if QUALIFIED.search(match["value"]):
        return None
    for pattern, attribute, value in _POSSESSIONS:
        if pattern.fullmatch(match["what"]):
            found = value.fullmatch(match["value"])
            if found is None or not _fits(found.groupdict(), category):
                return None
            named = attribute or _CONTACT.sub(r"\1", match["what"]).replace("e-mail", "email")
            return named, _mentioned(found.groupdict())
    return None


# "phone number" and "telephone" are the phone, "email address" the email.
_CONTACT = Pattern(r"(?:tele)?(phone|e-?mail)(?: (?:address|number))?$")


def _predicate(predicate: str, category: Category) -> tuple[str, tuple[str, ...]] | None:
    if match := _ALLERGY.fullmatch(predicate):
        what = thing(match["what"])
        return (f"allergy {what}", ()) if what else None
    if QUALIFIED.search(predicate):
        return None
    for attribute, pattern in _PREDICATES:
        match = pattern.fullmatch(predicate)
        if match is not None:
            groups = match.groupdict()
            return (attribute, _mentioned(groups)) if _fits(groups, category) else None
    return None


def _fits(groups: dict[str, str | None], category: Category) -> bool:
    """Whether what stands where a place, firm, job or name stands can be one."""
    job = (groups.get("job") or "").lower().split()
    if any(word in _NO_JOB or word.endswith("ing") for word in job):
        return False
    if any(describes(word.lower()) for word in (groups.get("called") or "").split()):
        return False
    org = (groups.get("org") or "").lower().split()
    if org and org[0] in NOT_PLACES - {"salesforce", "shopify", "stripe"}:
        return False
    place = groups.get("place")
    if place is None:
        return True
    if groups.get("moved") and not _can_be_moved_to(f"{place} {groups.get('left') or ''}", category):
        return False
    return attribute_slug(place) not in REGIONS and place.lower().split()[0] not in NOT_PLACES


_INNER_CAPITAL = Pattern(r"(?<!\bMc)(?<!\bMac)(?<=[a-z])[A-Z]")


def _can_be_moved_to(words: str, category: Category) -> bool:
    """People move to places, teams and tools; the category and the words tell them apart."""
    return (
        category in (Category.IDENTITY, Category.FACT, Category.CONTEXT, Category.RELATIONSHIP)
        and not any(
            word in TECHNOLOGIES or word in NOT_PLACES for word in words.lower().replace(",", "").split()
        )
        and not _INNER_CAPITAL.search(words)
    )


_ORG, _PERSON = EntityType.ORG, EntityType.PERSON
_GROUPS = {"place": EntityType.PLACE, "org": _ORG, "firm": _ORG, "person": _PERSON}


def _mentioned(groups: dict[str, str | None]) -> tuple[str, ...]:
    refs: list[str] = []
    for group, type in _GROUPS.items():
        name = _PLACE.match(groups.get(group) or "")
        if name and slug(name.group()):
            refs.append(entity_key(type, name.group()))
    return tuple(refs)
