"""Keys: read from sentences, and made from a caller's labels."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.errors import InvalidInput
from recollect.language.attribute import attribute_slug
from recollect.language.memory_key import FactType, derive, from_subtype, make_key, same_keys
from recollect.records.category import Category, MemoryType
from recollect.records.entity import EntityType

# category, sentence, key
DERIVED = [
    ("preference", "User prefers Python 3.12+", "profile|person|user|preference|python"),
    ("preference", "User prefers Python 3.13 now", "profile|person|user|preference|python"),
    (
        "preference",
        "User prefers using TypeScript for all projects",
        "profile|person|user|preference|typescript",
    ),
    ("preference", "User likes TypeScript", "profile|person|user|preference|typescript"),
    ("preference", "User does not like TypeScript", "profile|person|user|preference|typescript"),
    ("preference", "User hates TypeScript", "profile|person|user|preference|typescript"),
    ("preference", "User prefers TypeScript over JavaScript", "profile|person|user|preference|typescript"),
    ("preference", "User prefers tea to coffee", "profile|person|user|preference|tea"),
    ("preference", "User doesn't use Python much anymore", "profile|person|user|preference|python"),
    ("preference", "User prefers dark mode", "profile|person|user|preference|dark_mode"),
    ("preference", "Prefers dark mode", "profile|person|user|preference|dark_mode"),
    ("preference", "User's favourite editor is Vim", "profile|person|user|preference|editor"),
    ("preference", "User's preferred editor is Helix", "profile|person|user|preference|editor"),
    ("preference", "Helix is User's favorite editor", "profile|person|user|preference|editor"),
    ("preference", "Uses VS Code as main editor", "profile|person|user|preference|editor"),
    ("preference", "User\u2019s favourite colour is blue.", "profile|person|user|preference|color"),
    ("preference", "User prefers to be called Bob", "profile|person|user|preference|form_of_address"),
    ("preference", "User likes coffee with milk", "profile|person|user|preference|coffee_with_milk"),
    ("preference", "User likes C++", "profile|person|user|preference|c_plus_plus"),
    ("preference", "User likes C#", "profile|person|user|preference|c_sharp"),
    ("skill", "Expert in Python web development", "profile|person|user|skill|python_web_development"),
    ("skill", "User is fluent in Spanish", "profile|person|user|skill|spanish"),
    ("skill", "User speaks Spanish fluently", "profile|person|user|skill|spanish"),
    ("skill", "User is learning Go", "profile|person|user|skill|go"),
    ("skill", "User has 5 years of experience with Kubernetes", "profile|person|user|skill|kubernetes"),
    (
        "project",
        "User is building a chat application named blah.chat using Next.js 15",
        "project|project|blahchat|fact|description",
    ),
    ("project", "Working on dashboard redesign", "project|project|dashboard_redesign|fact|description"),
    ("project", "User is working on Atlas", "project|project|atlas|fact|description"),
    ("project", 'User is writing a paper titled as "Vines"', "project|project|vines|fact|description"),
    ("skill", "User is learning how to play the violin", "profile|person|user|skill|play_the_violin"),
    ("fact", "User is a big fan of jazz", "profile|person|user|preference|jazz"),
    ("relationship", "User's wife is named Jane", "people|person|jane|relationship"),
    ("relationship", "John is User's cofounder; handles backend", "people|person|john|relationship"),
    ("relationship", "Mom lives in Seattle", "people|person|mom|fact|location"),
    ("identity", "User's name is John", "profile|person|user|fact|name"),
]

UNCERTAIN = [
    ("preference", "User likes it"),
    ("preference", "This is User's favourite editor"),
    ("project", "User is working on the Portsmouth one now"),
    ("preference", "User moved to Berlin"),
    ("preference", "User prefers the assistant to use metric units"),
    ("preference", "User's favourite thing is reading"),
    ("preference", "User's favourite part is the ending"),
    ("preference", "User's favourite drink is wine in the evening"),
    ("project", "User is working on Orbit with Sam"),
    ("project", "User is working on Orbit for Acme"),
    ("project", "User is building a CLI called Orbit with Sam, deadline June 1"),
    ("project", "User is launching an app called Orbit in May"),
    ("project", "User is working on a project"),
    ("project", "User is working on improving Spanish"),
    ("project", "User is building a SaaS product"),
    ("project", "Project uses React and TypeScript"),
    ("fact", "User is a morning person"),
    ("fact", "Paris is the capital of France"),
    ("identity", "User lives in Austin. User likes tea."),
    ("identity", "User lives in Austin\nUser likes tea"),
    ("context", "Senior engineer at fintech startup"),
    ("fact", "x" * 501),
    ("fact", ""),
]


@pytest.mark.parametrize(("category", "sentence", "key"), DERIVED)
def test_keys_of_sentences(category: str, sentence: str, key: str) -> None:
    """A sentence of a known shape has exactly this key."""
    subject = derive(sentence, Category(category))
    assert subject is not None
    assert subject.key == key
    assert subject.type.value.lower() == key.partition("|")[0]


@pytest.mark.parametrize(("category", "sentence"), UNCERTAIN)
def test_no_key_when_nothing_is_certain(category: str, sentence: str) -> None:
    """Two facts, no object or an unknown shape: no key, so nothing is ever replaced by it."""
    assert derive(sentence, Category(category)) is None


@pytest.mark.parametrize(
    "sentence",
    [
        "User prefers to be called in the afternoon",
        "User prefers being called on the phone",
        "User hates being called Johnny",
    ],
)
def test_only_a_wished_name_is_a_form_of_address(sentence: str) -> None:
    """When to call and what not to say do not replace the name to use."""
    subject = derive(sentence, Category.PREFERENCE)
    assert subject is None or subject.attribute != "form_of_address"


def test_a_project_brings_its_entity() -> None:
    """The project is an entity with its name as the label."""
    subject = derive("User is building a chat application named blah.chat using Next.js 15", Category.PROJECT)
    assert subject is not None
    assert (subject.entity_refs, subject.label) == (("project:blahchat",), "blah.chat")


@given(st.text(max_size=120), st.sampled_from(Category))
def test_any_text_is_read_without_harm(text: str, category: Category) -> None:
    """No input crashes the rules, and every subject they find has a key of four or five parts."""
    for sentence in (
        text,
        f"User likes {text}",
        f"User's wife is named {text}",
        f"User is working on {text}",
    ):
        if subject := derive(sentence, category):
            assert len(subject.key.split("|")) == (5 if subject.attribute else 4)
            assert all(subject.key.split("|"))


WORDS = st.sampled_from(
    "tea coffee red wine dark light mode python rust c++ c# 1.5 15 morning runs jazz".split()
)


@given(st.lists(WORDS, min_size=1, max_size=4), st.lists(WORDS, min_size=1, max_size=4))
def test_different_things_never_share_a_key(one: list[str], other: list[str]) -> None:
    """Two likings share a key only if they name the same thing in the same words."""
    first = derive(f"User likes {' '.join(one)}", Category.PREFERENCE)
    second = derive(f"User likes {' '.join(other)}", Category.PREFERENCE)
    if first and second and first.key == second.key:
        assert attribute_slug(" ".join(_unversioned(one))) == attribute_slug(" ".join(_unversioned(other)))


def _unversioned(words: list[str]) -> list[str]:
    """Version numbers after a word are the one thing that may differ."""
    return [word for index, word in enumerate(words) if index == 0 or word not in ("1.5", "15")]


def label(**given: object) -> str | None:
    """The key for labels, with a plain fact about the user as the starting point."""
    labels: dict[str, object] = {
        "type": MemoryType.PROFILE,
        "entity_refs": (),
        "entity_type": EntityType.PERSON,
        "fact_type": FactType.FACT,
        "content": "User keeps bees",
        "category": Category.FACT,
    }
    return from_subtype(**{**labels, **given})  # type: ignore[arg-type]


def test_the_key_of_the_source_document() -> None:
    """`people|person|john_doe|relationship` is made from its labels."""
    key = label(type=MemoryType.PEOPLE, entity_refs=["person:John Doe"], fact_type=FactType.RELATIONSHIP)
    assert key == "people|person|john_doe|relationship"


def test_a_given_attribute_is_taken() -> None:
    """The caller knows best what the fact is about."""
    key = label(fact_type=FactType.PREFERENCE, attribute="Text Editor", content="User likes Vim")
    assert key == "profile|person|user|preference|text_editor"


def test_without_an_attribute_the_sentence_is_asked() -> None:
    """A derived attribute makes the labelled fact meet the unlabelled one."""
    key = label(fact_type=FactType.PREFERENCE, content="User likes TypeScript", category=Category.PREFERENCE)
    assert key == "profile|person|user|preference|typescript"


def test_else_the_words_themselves_make_the_key() -> None:
    """Only a restatement of the same content meets such a key."""
    assert (
        label(content="User keeps bees")
        == label(content="user keeps the bees.")
        == "profile|person|user|fact|keep_bee"
    )
    assert label(content="User keeps bees") != label(content="User keeps hens")
    long = "User keeps bees, hens, goats, ducks, geese, cows, pigs, cats, dogs, mice, rats and "
    assert label(content=long + "frogs") != label(content=long + "toads")


def test_no_subject_no_key() -> None:
    """A fact about people that names nobody, and a relationship of the user with nobody, have no key."""
    assert label(type=MemoryType.PEOPLE) is None
    assert label(fact_type=FactType.RELATIONSHIP) is None
    assert label(type=MemoryType.PROJECT, entity_type=EntityType.PROJECT) is None
    assert label(content="!!!") is None


def test_the_first_reference_of_the_right_type_is_the_subject() -> None:
    """Other entities in the list do not take the key."""
    key = label(
        type=MemoryType.PEOPLE,
        entity_refs=["org:acme", "person:ann", "person:bob"],
        attribute="role",
        content="Ann leads Acme",
    )
    assert key == "people|person|ann|fact|role"


def test_bad_references_are_refused() -> None:
    """A reference without a type is an error, not a key."""
    with pytest.raises(InvalidInput):
        label(entity_refs=["john"])


@given(
    st.text(), st.text(), st.sampled_from([kind for kind in FactType if kind is not FactType.RELATIONSHIP])
)
def test_facts_with_different_attributes_never_share_a_key(one: str, other: str, kind: FactType) -> None:
    """Keys are equal exactly when the attributes are."""
    if not attribute_slug(one) or not attribute_slug(other):
        return
    keys = [
        make_key(
            type=MemoryType.PROFILE,
            entity_type=EntityType.PERSON,
            primary_ref="user",
            fact_type=kind,
            attribute=attribute,
        )
        for attribute in (one, other)
    ]
    assert (keys[0] == keys[1]) == (attribute_slug(one) == attribute_slug(other))
    assert keys[0].count("|") == 4


@pytest.mark.parametrize("piece", ["User ", "A ", "Aa-", "a", "named ", "very ", "is ", "'s "])
def test_no_sentence_takes_long(piece: str) -> None:
    """The longest content that can be stored is read within a moment, however it is built."""
    started = time.perf_counter()
    for prefix in ("", "User likes ", "User's wife is named ", "User is a ", "User is building "):
        derive((prefix + piece * 500)[:500], Category.PROJECT)
    assert time.perf_counter() - started < 1


def test_keys_under_other_names() -> None:
    """The present name first, then every name that was merged into it, through others too."""
    aliases = {"person:robert": "person:bob", "person:rob": "person:robert", "org:bob": "org:acme"}
    assert same_keys("people|person|bob|fact|location", aliases) == (
        "people|person|bob|fact|location",
        "people|person|rob|fact|location",
        "people|person|robert|fact|location",
    )
    assert same_keys("people|person|jane|relationship", aliases) == ("people|person|jane|relationship",)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("User is allergic to peanuts", "User is not allergic to peanuts after all"),
        ("User is allergic to nuts", "It turns out User is not allergic to nuts after all"),
        ("User has two kids", "User has three kids now"),
        ("User weighs 82 kilos", "User weighs 79 kilos now"),
        ("User weighs 82 kilos", "User weighs 79 kilos as of this week"),
        ("User lives in Berlin", "User lives in Munich since May"),
        ("User lives in Berlin", "Since May User lives in Munich"),
        ("User lives in Berlin", "User has been living in Munich since May 2026"),
        ("User lives in Berlin", "User lives in Munich these days"),
        ("User works at Google", "User started working at Apple last month"),
        ("User works at Google", "User has worked for Apple since March"),
        ("User is a nurse", "User is a teacher now"),
        ("User is single", "User is married now"),
        ("User is vegan", "User is a vegetarian these days"),
        ("Mom lives in Seattle", "Mom lives in Portland now"),
    ],
)
def test_a_change_meets_what_it_changes(before: str, after: str) -> None:
    """That something holds now, or since when, does not make it another fact."""
    old, new = derive(before, Category.FACT), derive(after, Category.FACT)
    assert old is not None and new is not None and old.key == new.key


@pytest.mark.parametrize(
    "sentence",
    [
        "User lives in Munich for the summer",
        "User lives in Munich until May",
        "User lives in Munich for now",
        "User has lived in Munich",
        "User worked at Apple last month",
        "User has worked at Apple from 2010 to 2015",
        "User started working at IBM in 1998",
        "User started working at Google in March 2015",
        "User started working at Apple part-time",
        "User started working at home",
        "User visited Munich last month",
    ],
)
def test_what_is_over_or_passing_replaces_nothing(sentence: str) -> None:
    """A stay, a past job and the beginning of an old story have no key."""
    assert derive(sentence, Category.FACT) is None
