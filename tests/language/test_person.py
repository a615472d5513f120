"""People in sentences."""

import pytest

from recollect.language.memory_key import derive
from recollect.language.person import roles_differ
from recollect.records.category import Category

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
    ("identity", "User was born in 1985", "birth_year", ()),
    ("identity", "User moved to Lisbon", "location", ("place:lisbon",)),
    ("identity", "User moved to Berlin last year", "location", ("place:berlin",)),
    ("identity", "User works for Acme since 2019", "employer", ("org:acme",)),
    ("identity", "User is the lead designer at Acme", "occupation", ()),
    ("identity", "User is a primary school teacher", "occupation", ()),
    ("identity", "User's job is data analyst", "occupation", ()),
    ("identity", "User uses they/them pronouns", "pronouns", ()),
    ("identity", "User's full name is John Doe", "full_name", ()),
    ("identity", "User's home address is 12 Oak Street", "home_address", ()),
    ("identity", "User's weight is 80 kg", "weight", ()),
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
    # A profession in the sentence is not always the user's.
    ("fact", "User is seeing a therapist for anxiety"),
    ("fact", "User is dating a lawyer"),
    ("fact", "User is the son of a lawyer"),
    ("fact", "User is no doctor"),
    ("fact", "User is a volunteer firefighter"),
    ("fact", "User is a student at MIT"),
    ("fact", "User is the president of the chess club"),
    ("relationship", "Jane is dating an engineer"),
    ("fact", "User works as hard as possible"),
    ("fact", "User works as part of a team"),
    # Teams, tools, countries and moods are no city; a person is no firm.
    ("identity", "User moved to Sales last year"),
    ("identity", "User moved to Bitwarden from LastPass"),
    ("identity", "User moved to Team Phoenix"),
    ("identity", "User lives in Germany"),
    ("identity", "User lives in Texas near the Hill Country"),
    ("identity", "User is living in Fear of layoffs"),
    ("identity", "User was born in Nigeria"),
    ("identity", "User works for Jane directly"),
    ("identity", "User works at Home on Fridays"),
    # A value must look like one.
    ("fact", "User was born on a farm"),
    ("fact", "User uses TCP/IP"),
    ("fact", "User's phone is an iPhone 15"),
    ("fact", "User's name is pronounced Yonatan"),
    ("fact", "User's name is Hebrew"),
    ("fact", "User's email is usually checked twice a day"),
    ("fact", "User's weight is a sensitive topic"),
    ("fact", "User's job is stressful"),
    ("fact", "User's address is hard to find"),
    ("fact", "User's birthday is a sad day"),
    # What somebody is does not name them.
    ("relationship", "User's wife is Peruvian"),
    ("relationship", "User's husband is named Cuban"),
    ("relationship", "User's son is Autistic"),
    ("relationship", "User's client is named Acme Corp"),
]

# new, old, whether both must stay
ROLES = [
    ("User's daughter is named Jane", "User's wife is named Jane", True),
    ("Alex is User's colleague at Acme", "Alex is User's brother", True),
    ("Ruth is User's mother-in-law", "Ruth is User's mother", True),
    ("Sam is User's business partner", "Sam is User's partner", True),
    ("User is dating Sam", "User is friends with Sam", True),
    ("Sarah is User's cousin", "User reports to Sarah", True),
    ("Ann is User's fianc\u00e9e", "Ann is User's girlfriend", False),
    ("User is married to Ann", "Ann is User's fianc\u00e9e", False),
    ("User's ex-wife is Ann", "User's wife is Ann", False),
    ("User's boss is Ann", "Ann is one of User's colleagues", False),
    ("Sam is User's tech lead", "Sam is User's co-worker", False),
    ("User's best friend is Al", "Al is User's friend", False),
    ("User's mum is Ann", "Ann is User's mother", False),
    ("User knows Sam", "Sam is User's boss", False),
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


@pytest.mark.parametrize(("new", "old", "expected"), ROLES)
def test_one_role_follows_another_only_on_its_way(new: str, old: str, expected: bool) -> None:
    """A girlfriend becomes the wife and a colleague the boss; a wife never becomes a daughter."""
    assert roles_differ(new, old) is expected
    assert roles_differ(old, new) is expected
