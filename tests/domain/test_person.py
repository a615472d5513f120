"""People in sentences."""

import pytest

from recollect.domain.category import Category
from recollect.domain.memory_key import derive

# category, sentence, attribute of the user, entities
OF_THE_USER = [
    ("identity", "User's name is John", "name", ()),
    ("identity", "User is named John", "name", ()),
    ("identity", "User's last name is Doe", "last_name", ()),
    ("identity", "User is based in London", "location", ("place:london",)),
    ("identity", "Lives in Austin, Texas", "location", ("place:austin_texas",)),
    ("identity", "User currently lives in Rome", "location", ("place:rome",)),
    ("fact", "User moved to Berlin in 2021", "location", ("place:berlin",)),
    ("identity", "User works at Acme Corp", "employer", ("org:acme_corp",)),
    ("identity", "User is a software engineer", "occupation", ()),
    ("identity", "User works as a nurse", "occupation", ()),
    ("identity", "User is a senior backend engineer at Stripe", "occupation", ("org:stripe",)),
    ("identity", "User's birthday is May 3", "birthday", ()),
    ("identity", "User was born on May 3, 1990", "birthday", ()),
    ("identity", "User was born in Chennai", "birthplace", ("place:chennai",)),
    ("identity", "User is 34 years old", "age", ()),
    ("identity", "User's email is a@b.com", "email", ()),
    ("identity", "User's work e-mail is a@b.com", "work_email", ()),
    ("identity", "User's phone number is 555-1234", "phone", ()),
    ("identity", "User's time zone is CET", "time_zone", ()),
    ("identity", "User is in the CET timezone", "time_zone", ()),
    ("identity", "User's mother tongue is Tamil", "native_language", ()),
    ("identity", "User is a native Tamil speaker", "native_language", ()),
    ("identity", "User's pronouns are they/them", "pronouns", ()),
    ("identity", "User is married to Jane Doe", "marital_status", ("person:jane_doe",)),
    ("fact", "User is vegetarian", "diet", ()),
    ("fact", "User is allergic to penicillin", "allergy_penicillin", ()),
]

OF_OTHERS = [
    ("relationship", "Mom lives in Seattle", "people|person|mom|fact|location", "Mom"),
    ("relationship", "User's mom lives in Seattle", "people|person|mom|fact|location", "Mom"),
    ("relationship", "Sarah is CEO of TechStartup Inc", "people|person|sarah|fact|occupation", "Sarah"),
    ("relationship", "User's wife Jane works at Google", "people|person|jane|fact|employer", "Jane"),
    ("fact", "User's dad is allergic to penicillin", "people|person|dad|fact|allergy_penicillin", "Dad"),
    ("fact", "John's birthday is May 3", "people|person|john|fact|birthday", "John"),
]

RELATIONSHIPS = [
    ("User's wife is named Jane", "person:jane", "Jane"),
    ("User's wife is Jane", "person:jane", "Jane"),
    ("User's wife is named Jane Doe", "person:jane_doe", "Jane Doe"),
    ("Jane is User's wife", "person:jane", "Jane"),
    ("User has a brother named Tom", "person:tom", "Tom"),
    ("User works with Sarah on the backend", "person:sarah", "Sarah"),
    ("User reports to Maria", "person:maria", "Maria"),
    ("User is married to Jane Doe", "person:jane_doe", "Jane Doe"),
    ("John is User's cofounder; handles backend", "person:john", "John"),
    ("User's mother-in-law is named Ruth", "person:ruth", "Ruth"),
    ("User's wife is named 美香", "person:美香", "美香"),
]

UNCERTAIN = [
    ("relationship", "User's wife is German"),
    ("relationship", "User's brother lives in Boston"),
    ("relationship", "User's boss is Jane's brother"),
    ("project", "User works with React on the frontend"),
    ("relationship", "User works with React on the frontend"),
    ("fact", "User moved to Rust last year"),
    ("identity", "User works at night"),
    ("identity", "User lives in Austin and works at Acme"),
    ("fact", "User lives in Austin in winter"),
    ("identity", "User used to live in Boston"),
    ("identity", "User does not live in Boston"),
    ("fact", "User is a former teacher"),
    ("identity", "User works part-time at Acme"),
    ("fact", "User's dog is named Rex"),
    ("fact", "German is spoken in Austria"),
]


@pytest.mark.parametrize(("category", "sentence", "attribute", "refs"), OF_THE_USER)
def test_facts_of_the_user(category: str, sentence: str, attribute: str, refs: tuple[str, ...]) -> None:
    """Each of these is the one value of its attribute, and names the places, firms and people in it."""
    subject = derive(sentence, Category(category))
    assert subject is not None
    assert subject.key == f"profile|person|user|fact|{attribute}"
    assert subject.entity_refs == refs


@pytest.mark.parametrize(("category", "sentence", "key", "label"), OF_OTHERS)
def test_facts_of_others(category: str, sentence: str, key: str, label: str) -> None:
    """A fact about somebody else belongs to that person."""
    subject = derive(sentence, Category(category))
    assert subject is not None
    assert (subject.key, subject.label) == (key, label)
    assert subject.entity_refs[0] == f"person:{subject.primary_ref}"


@pytest.mark.parametrize(("sentence", "ref", "label"), RELATIONSHIPS)
def test_relationships_are_keyed_by_the_person(sentence: str, ref: str, label: str) -> None:
    """Who somebody is to the user is one fact a person."""
    subject = derive(sentence, Category.RELATIONSHIP)
    assert subject is not None
    assert subject.key == f"people|person|{ref.partition(':')[2]}|relationship"
    assert (subject.entity_refs, subject.label, subject.attribute) == ((ref,), label, None)


@pytest.mark.parametrize(("category", "sentence"), UNCERTAIN)
def test_doubtful_sentences_have_no_subject(category: str, sentence: str) -> None:
    """Peoples, tools, qualifications and two facts at once are not taken for something certain."""
    assert derive(sentence, Category(category)) is None
