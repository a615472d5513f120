"""The memory key of a statement: read from a third-person sentence, or from the labels a caller gives.

`derive` finds whose fact a sentence states and which attribute it gives a value to: "User's preferred
editor is Helix" is about the user's editor. It is precise before complete: a wrong key would let one fact
replace another, a missing one only leaves both. It compares nothing and knows no store. Leaving keys to a
model alone was rejected: it must work offline, and the same sentence must always get the same key.
"""

from collections.abc import Callable, Mapping, Sequence

from recollect.language.attribute import LONGEST, attribute_slug, thing, without_filler
from recollect.language.pattern import Pattern
from recollect.language.person import ADVERBS, QUALIFIED, personal, relationship
from recollect.language.terms import term_hash, terms
from recollect.records.category import Category, MemoryType
from recollect.records.entity import EntityType, canonical, entity_key, parse_entity_key, slug
from recollect.rules.subject import SINGLE_VALUED, USER, FactType, Subject, make_key

__all__ = ["FactType", "Subject", "derive", "from_subtype", "make_key", "same_keys"]

# Characters; no memory is longer, and patterns should not meet a novel.
_LONGEST_CONTENT = 500
# More terms than this are shortened to a checksum, so that keys stay short and still differ.
_MOST_TERMS = 10


def derive(content: str, category: Category) -> Subject | None:
    """The subject of a third-person statement, or None when it is not certain."""
    if len(content) > _LONGEST_CONTENT:
        return None
    sentence = _plain(content)
    if _TWO_SENTENCES.search(sentence):
        return None
    # What follows a semicolon adds to the fact; it does not change what the fact is.
    head = without_filler(_present(sentence.partition(";")[0].rstrip()))
    for rule in _RULES:
        if (subject := rule(head, category)) is not None:
            return subject
    return None


def from_subtype(
    *,
    type: MemoryType,
    entity_refs: Sequence[str],
    entity_type: EntityType,
    fact_type: FactType,
    content: str,
    category: Category,
    attribute: str | None = None,
) -> str | None:
    """The key for a memory whose subject the caller has named; None when nothing says whom it is about.

    Without an attribute the derived one is taken if it fits, else the content's own words: such a key meets
    only a restatement of the same content and never replaces another fact.
    """
    derived = derive(content, category)
    if derived is not None and (derived.entity_type, derived.fact_type) != (entity_type, fact_type):
        derived = None
    reference = _primary_ref(type, entity_refs, entity_type) or (derived.primary_ref if derived else None)
    if reference is None or (reference == USER and fact_type in SINGLE_VALUED):
        return None
    if fact_type not in SINGLE_VALUED and not attribute_slug(attribute or ""):
        fits = derived is not None and derived.primary_ref == reference
        attribute = derived.attribute if derived is not None and fits else _named_by_words(content)
        if not attribute:
            return None
    return make_key(
        type=type, entity_type=entity_type, primary_ref=reference, fact_type=fact_type, attribute=attribute
    )


def same_keys(key: str, aliases: Mapping[str, str]) -> tuple[str, ...]:
    """A key, then the keys that the fact has under other names of its subject: written before a merge, they still hold."""
    type, kind, name, rest = key.split("|", 3)
    own = f"{kind}:{name}"
    others = sorted(alias for alias in aliases if alias != own and canonical(alias, aliases) == own)
    return (key, *(f"{type}|{kind}|{alias.partition(':')[2]}|{rest}" for alias in others))


def _primary_ref(type: MemoryType, entity_refs: Sequence[str], entity_type: EntityType) -> str | None:
    for reference in entity_refs:
        key = parse_entity_key(reference)
        if key.type is entity_type:
            return key.slug
    about_user = type is MemoryType.PROFILE and entity_type is EntityType.PERSON
    return USER if about_user else None


def _named_by_words(content: str) -> str:
    """An attribute made of the words themselves, for what no rule can name."""
    telling = [term for term in terms(content) if term != USER]
    words = "_".join(telling[:_MOST_TERMS])
    if len(telling) > _MOST_TERMS:
        words += f"_{term_hash(' '.join(telling)):08x}"
    return attribute_slug(words)


_TWO_SENTENCES = Pattern(r"(?<!\bDr)(?<!\bMr)(?<!\bMrs)(?<!\bMs)(?<!\bSt)(?<!\bvs)(?<!\b[A-Z])[.!?] +\S|\n")
_DROPPED_SUBJECT = Pattern(
    r"(?:(?P<verb>Prefers|Likes|Loves|Enjoys|Hates|Dislikes|Avoids|Uses|Lives|Works|Is|Has|Speaks|Knows"
    r"|Moved)"
    r"|(?P<state>Working on|Building|Expert in|Fluent in|Proficient in|Based in|Allergic to)) "
)


def _plain(content: str) -> str:
    """One spacing, straight apostrophes, and the subject that notes leave out ("Lives in Austin")."""
    lines = [" ".join(line.split()) for line in content.replace("\u2019", "'").splitlines()]
    sentence = "\n".join(line for line in lines if line).rstrip(" .!")
    if match := _DROPPED_SUBJECT.match(sentence):
        sentence = f"User {'is ' if match['state'] else ''}{sentence[0].lower()}{sentence[1:]}"
    return sentence


# What began and goes on is how it is now. A year may begin a story that is over: "started working at IBM in March 1998".
_GOES_ON = Pattern(
    r"(?P<who>[A-Z][^,;]{0,60}?) has (?:(?:been living|lived) in|(?P<works>(?:been working|worked) (?:at|for))) (?=.* since )"
)
_BEGAN = Pattern(
    rf"(?P<who>[A-Z][^,;]{{0,60}}?) (?:has )?{ADVERBS}started (?:working|(?:an?|the|User's) (?:new )?job) (?:at|for|with) (?!.*\b\d{{4}}\b)"
)


def _present(sentence: str) -> str:
    """The sentence as a statement of today, where it tells what began and has not ended."""
    if match := _GOES_ON.match(sentence):
        return f"{match['who']} {'works at' if match['works'] else 'lives in'} {sentence[match.end() :]}"
    if match := _BEGAN.match(sentence):
        return f"{match['who']} works at {sentence[match.end() :]}"
    return sentence


def _of_user(fact_type: FactType, attribute: str, refs: tuple[str, ...] = ()) -> Subject | None:
    named = attribute_slug(attribute)
    if not named:
        return None
    return Subject(
        entity_type=EntityType.PERSON,
        primary_ref=USER,
        fact_type=fact_type,
        attribute=named,
        entity_refs=refs,
        label="User",
    )


_FAVOURITE = r"(?:all-time )?(?:favou?rite|preferred|go-to|main|primary|default)"
_TOOL = (
    r"(?:(?:code |text )?editor|ide|(?:web )?browser|(?:programming )?language|shell|terminal"
    r"|operating system|os|framework"
    r"|database|search engine|e-?mail client|note-taking app|keyboard|keyboard layout|theme|font)"
)
_NAMED_ATTRIBUTES = tuple(
    Pattern(pattern)
    for pattern in (
        r"User's (?:all-time )?(?:favou?rite|preferred|go-to) (?P<what>[\w #+./-]+?) (?:is|are) (?:now )?(?P<value>.+)",
        rf"User's (?:main|primary|default|usual) (?P<what>{_TOOL}) is (?:now )?(?P<value>.+)",
        r"(?!This\b|That\b|It\b)[^,]+ (?:is|are) (?:now )?User's (?:all-time )?(?:favou?rite|preferred|go-to)"
        r" (?P<what>[\w #+./-]+)",
        rf"User {ADVERBS}(?:uses|prefers) .+ as (?:(?:an?|the|his|her|their) )?{_FAVOURITE}"
        rf" (?P<what>[\w #+./-]+)",
        rf"User {ADVERBS}(?:uses|prefers) .+ as (?:(?:an?|the|his|her|their) )?(?P<what>{_TOOL})",
    )
)
# One has many of these, each of another kind.
_VAGUE = frozenset(
    """thing things part parts one ones time place places memory day moment way course class team player person
    people bit feature""".split()
)
# A favourite for some occasion stands beside the general one.
_OCCASION = Pattern(r" (?:in|at|on|for|when|while|during|to|with|of late) ")
_LIKING = Pattern(
    rf"User {ADVERBS}(?:"
    r"(?:(?:does not|doesn't|no longer|never|did not|didn't) )?(?:really |particularly |even )?"
    r"(?:prefers?|likes?|loves?|enjoys?|hates?|dislikes?|detests?|avoids?|uses?|adores?|appreciates?)"
    r"|(?:can't|cannot|can not) stand|is (?:not |no longer )?(?:an? )?(?:(?:big|huge|great) )?(?:fan of"
    r"|fond of|keen on|into)"
    r"|(?:stopped|quit|started) using|(?:has )?switched (?:over )?to|has an? (?:strong )?preference for"
    r") (?P<object>.+)"
)
_ADDRESS = Pattern(
    r"(?:to be|being) (?:called|addressed|referred to)(?: as)? (?:[A-Z][\w.'-]*(?: [A-Z][\w.'-]*){0,3}"
    r"|by (?:(?:his|her|their|User's) )?(?:first|last|full|middle) name)"
)
_WISH = Pattern(rf"User {ADVERBS}(?:prefers|likes|loves) ")


def _named_preference(sentence: str, category: Category) -> Subject | None:
    """The sentence says itself what the preference is about: "favourite editor"."""
    for pattern in _NAMED_ATTRIBUTES:
        if match := pattern.fullmatch(sentence):
            what = match["what"].strip().replace("colour", "color")
            if what.split()[-1] in _VAGUE or _OCCASION.search(match.groupdict().get("value") or ""):
                return None
            return _of_user(FactType.PREFERENCE, what) if len(what.split()) <= LONGEST else None
    return None


def _preference(sentence: str, category: Category) -> Subject | None:
    """A liking, a dislike or a habit of use: the attribute is the thing, whatever the verdict."""
    match = _LIKING.fullmatch(sentence)
    certain = category is Category.PREFERENCE or " prefers " in sentence or " fan of " in sentence
    if match is None or not certain:
        return None
    if _WISH.match(sentence) and _ADDRESS.fullmatch(match["object"]):
        return _of_user(FactType.PREFERENCE, "form_of_address")
    what = thing(match["object"], compared="prefer" in sentence)
    return _of_user(FactType.PREFERENCE, what) if what else None


_ABLE = Pattern(
    rf"User (?:is|became|has become) {ADVERBS}(?:an? )?(?:very |highly )?(?P<how>expert|proficient|fluent"
    rf"|skilled|experienced"
    r"|good|great|competent|certified|beginner|novice|specialist) (?:in|at|with) (?P<what>.+)"
)
_CAN = Pattern(
    rf"User {ADVERBS}(?:(?:knows|is learning|is studying)(?: how to)?|speaks|plays|masters|has mastered"
    r"|can (?:speak|play)"
    r"|has (?:(?:\w+|\d+\+?) )?(?:years? of )?(?:\w+ )?experience (?:in|with)) (?P<what>.+)"
)
_UNMISTAKABLE = frozenset({"expert", "proficient", "fluent", "skilled"})
# Only what the project is; with whom, for whom and until when are facts of their own.
_NAMED_PROJECT = Pattern(
    rf"User(?:'s team)? is {ADVERBS}(?:building|developing|creating|making|writing|working on)"
    r" (?P<what>[^,;]*?)(?: |, )(?:named|called|titled) (?:as )?[\"']?"
    r"(?P<name>[^\s\"',;]+(?: [A-Z][^\s\"',;]*){0,4})"
    r"[\"']?(?: using [^,;]*)?|User's (?:current |main |side )?project is (?:named|called) (?P<called>\S+(?:"
    r" [A-Z]\S*){0,4})"
)
_PROJECT_NOUNS = Pattern(
    r"User is (?:(?:now|currently|still) )?working on (?:the |project )?(?P<name>(?!an? |his |her |their "
    r"|it\b|some)[\w.-]+(?: [\w.-]+){0,3}?)(?: using [^,;]*)?"
)
_DETAIL = Pattern(r"\b(?:with|in|for|at|by|until|from|on|to)\b")
_NO_PROJECT = frozenset(
    {
        "project",
        "app",
        "application",
        "product",
        "something",
        "website",
        "things",
        "homework",
        "that",
        "one",
        "now",
    }
)


def _skill(sentence: str, category: Category) -> Subject | None:
    """What the user can do; the degree may change, the skill stays the same."""
    match = _ABLE.fullmatch(sentence)
    if match and category is not Category.SKILL and match["how"] not in _UNMISTAKABLE:
        return None
    if match is None and category is Category.SKILL:
        match = _CAN.fullmatch(sentence)
    what = thing(match["what"]) if match else None
    return _of_user(FactType.SKILL, what) if what else None


def _project(sentence: str, category: Category) -> Subject | None:
    """What the user is making, when it has a name."""
    if category is not Category.PROJECT:
        return None
    match = _NAMED_PROJECT.fullmatch(sentence)
    name = (match["name"] or match["called"]) if match else _noun_project(sentence)
    if not name or not slug(name):
        return None
    key = entity_key(EntityType.PROJECT, name)
    return Subject(
        entity_type=EntityType.PROJECT,
        primary_ref=key.partition(":")[2],
        fact_type=FactType.FACT,
        attribute="description",
        entity_refs=(key,),
        label=name,
    )


def _noun_project(sentence: str) -> str | None:
    match = _PROJECT_NOUNS.fullmatch(sentence)
    if match is None:
        return None
    words = match["name"].split()
    unnamed = len(words) == 1 and not words[0][0].isupper()
    if (
        unnamed
        or words[0].endswith("ing")
        or words[-1].lower() in _NO_PROJECT
        or QUALIFIED.search(match["name"])
        or _DETAIL.search(match["name"])
    ):
        return None
    return match["name"]


_RULES: tuple[Callable[[str, Category], Subject | None], ...] = (
    _named_preference,
    relationship,
    personal,
    _skill,
    _preference,
    _project,
)
