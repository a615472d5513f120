"""Reading a stretch of a conversation: message by message, what the user tells, promises and asks to forget.

Most messages end at the first look: no word in them could begin a statement of the user. The rest are cut into clauses,
and each rule's finding becomes a proposal with its source, its people and its reason. It keeps what a conversation has
introduced so far, so that "she" and "Theo" mean somebody. It does not know the store.
"""

from recollect.language.clause import Mood
from recollect.language.confidential import asks_not_to_keep
from recollect.language.ended import taken_up_again, tells_end
from recollect.language.explicit_request import strip_request
from recollect.language.judge import forgetting, open_thing, unspoken
from recollect.language.judge.answering import answered
from recollect.language.judge.corrected import corrected
from recollect.language.judge.dated import dated, undated
from recollect.language.judge.errand import in_one_line
from recollect.language.judge.figurative import judges
from recollect.language.judge.game import Game
from recollect.language.judge.implied import implied
from recollect.language.judge.keeping import Kept, Refused, weigh
from recollect.language.judge.listing import listed
from recollect.language.judge.mention import mentions
from recollect.language.judge.people import by_name, introduced, known_people, mentioned, now_meant
from recollect.language.judge.requesting import requested
from recollect.language.judge.rule import READ
from recollect.language.judge.standing_order import wish
from recollect.language.judge.statement import Part, Statement, parts
from recollect.language.judge.subject_of import Person
from recollect.language.judge.voice import is_sarcastic, own_text
from recollect.language.judge.wording import sentence, written_out
from recollect.language.sentence import sentences
from recollect.language.sign import any_of, plain, signs
from recollect.language.worth import assess, without_injected
from recollect.records.category import Category
from recollect.records.judgement import (
    Judgement,
    Material,
    Passed,
    ProposedForgetting,
    ProposedMemory,
    ProposedTodo,
)
from recollect.records.memory import MIN_CONTENT, Origin
from recollect.records.message import Message, Role
from recollect.records.safe_text import visible
from recollect.rules.trust import instructs_model

_MOST_PASSED = 8
#: Messages without a person after which nobody remembers whom "she" meant.
_REMEMBERED = 1
#: What a statement is worth that no rule knows and the user asks to keep.
_ASKED = 0.9
#: Characters of a message in which people are looked for.
_HEARD = 2000

_SPEAKS = any_of(
    signs(
        " i |i'm|i've|i'll|i'd| im | ive | my | we |we're|we've|we'll| our | me | mine| ours| us |\"i "
        "|grandma|grandpa| mom | mum | dad |granny| nana | the kids| the cat| the dog| the baby| the thesis| the mortgage| the house| the flat| the apartment| the wife| the husband"
        "|always |never |from now on|remember|forget|fyi|remind|keep in mind|bear in mind|note that|note:|for the record|for future ref|so you know"
        "|delete|erase|don't store|stop storing|trying to|no longer true|not true|context:|background:|keeps |crashes |every time|still waiting|let's|todo"
        "|continue| btw| here| who's | being |as a | fan| sober |allergic to|coeliac|vegan|vegetarian| diabetic| divorced| widowed| retired| where i| user| over "
    )
)
_HE_OR_SHE = any_of(signs(" he | she |he's|she's| his | her "))
_WISHES = any_of(signs("always|never|from now on|in future|in the future|going forward|call me|stop "))
_REQUEST = any_of(signs("remember|forget|note|keep in mind|bear in mind|fyi|record|so you know|save |store |memori|important|reference|your info|should know|aware|jot|write down"))  # fmt: skip


def judge(material: Material) -> Judgement:
    """Everything worth proposing in the user's new messages."""
    reading = Reading(material)
    for message in material.messages:
        reading.take(message)
    return reading.judgement()


class Reading:
    """One pass over a stretch: what was found so far, and whom the conversation knows.

    Whoever must not be busy for long takes the messages one by one, and does other things in between.
    """

    def __init__(self, material: Material) -> None:
        self._names = material.names
        self._zone = material.zone
        self._people = known_people(material.names)
        #: Whom "she" may mean: those of the user's last message.
        self._recent: list[Person] = []
        self._remembered = 0
        self._asked = ""
        self._game = Game()
        self._memories: dict[str, ProposedMemory] = {}
        self._todos: dict[str, ProposedTodo] = {}
        self._forgettings: dict[str, ProposedForgetting] = {}
        self._passed: list[Passed] = []
        for message in material.earlier:
            if message.role is Role.USER:
                # A game that was begun there may still go on.
                self._game.goes_on(message.text)
            self._hear(message)

    def take(self, message: Message) -> None:
        """Read the next message."""
        if message.role is Role.USER:
            self._read(message)
        self._hear(message)

    def judgement(self) -> Judgement:
        """What was found."""
        return Judgement(
            memories=tuple(self._memories.values()),
            todos=tuple(self._todos.values()),
            forgettings=tuple(self._forgettings.values()),
            passed=tuple(self._passed),
        )

    def _hear(self, message: Message) -> None:
        """Take note of a message for those that follow."""
        if message.role is Role.USER:
            self._asked = ""
            written = written_out(corrected(message.text[:_HEARD]))
            self._recall(mentioned(written, self._people))
            self._people |= by_name(written)
        elif message.role is Role.ASSISTANT:
            self._asked = message.text[-1000:]

    def _recall(self, people: list[Person] | None) -> None:
        """Whom a pronoun may mean from now on: those of the last message that named somebody, for a while."""
        if people or people is None:
            self._recent, self._remembered = people or [], _REMEMBERED
        elif self._remembered:
            self._remembered -= 1
        else:
            self._recent = []

    def _read(self, message: Message) -> None:
        """Propose what one message of the user gives."""
        given = without_injected(message.text)
        text = visible(given)
        if asks_not_to_keep(text):
            self._pass(message, text, "The user asks not to keep it.")
            if forgetting.SIGN.search(plain(text)) and not instructs_model(given):
                self._forget(message, own_text(text))
            return
        if self._game.goes_on(text):
            self._pass(message, text, "It is part of a game.")
            return
        if self._asked and (told := answered(self._asked, text)) is not None:
            self._answer(message, told)
            return
        if not self._may_tell(text):
            return
        own = corrected(own_text(text))
        if not own.strip():
            self._pass(message, text, "It is pasted, quoted, played or taken back, not told.")
            return
        if instructs_model(given):
            self._pass(message, text, "It instructs the model.")
            return
        self._sentences(message, own)

    def _may_tell(self, text: str) -> bool:
        low = f" {plain(text[:6000])} ".replace("\n", " ")
        if _SPEAKS.search(low) or open_thing.SIGN.search(low) or unspoken.may_open(low):
            return True
        if self._recent and _HE_OR_SHE.search(low):
            return True
        return any(name in low for name in self._people)

    # -- sentences ----------------------------------------------------------------------------------------

    def _sentences(self, message: Message, own: str) -> None:
        """Set aside requests to forget and to remember, and read the rest as it is."""
        low = plain(own)
        if forgetting.SIGN.search(low):
            own = self._forget(message, own)
        if _REQUEST.search(low):
            own = self._requests(message, own)
        own = in_one_line(own)
        for item in listed(own):
            self._keep(message, sentence(item), item, "lists something of theirs", READ)
        for told in implied(own):
            self._keep(message, sentence(told), told, "takes something of theirs for granted", READ)
        if own.strip() and self._clauses(message, own, asked_for=False) is not None:
            self._introductions(message, own)

    def _forget(self, message: Message, own: str) -> str:
        rest: list[str] = []
        for piece in sentences(own):
            head, tail = forgetting.cut(piece.text)
            what = forgetting.forgetting(head) or forgetting.no_longer_true(piece.text, self._asked)
            if what is None:
                rest.append(piece.text)
                if forgetting.asks_generally(piece.text):
                    self._pass(message, piece.text, "It does not say what to forget.")
                continue
            rest.append(tail)
            if what.lower() not in self._forgettings:
                self._forgettings[what.lower()] = ProposedForgetting(
                    what=what, said=piece.text, source_message_ids=(message.message_id,)
                )
        return own if not self._forgettings else "\n\n".join(rest)

    def _requests(self, message: Message, own: str) -> str:
        """Keep what the user asks to remember; returns what else is said."""
        rest: list[str] = []
        for piece in sentences(own):
            stripped, asked = strip_request(piece.text)
            if not asked:
                rest.append(piece.text)
            elif stripped != piece.text:
                self._requested(message, piece.text, stripped)
            elif rest:
                # "..., remember that." speaks of what came before.
                self._requested(message, piece.text, rest.pop())
        return "\n\n".join(rest)

    def _requested(self, message: Message, said: str, stripped: str) -> None:
        before = len(self._memories)
        found = self._clauses(message, stripped, asked_for=True)
        if found or len(self._memories) > before:
            return
        match requested(said, stripped):
            case Refused(reason=reason):
                self._pass(message, said, reason)
            case str(content):
                self._keep(message, content, said, "asked to be remembered", _ASKED, asked_for=True)
            case None:
                pass

    # -- clauses ------------------------------------------------------------------------------------------

    def _clauses(self, message: Message, text: str, *, asked_for: bool) -> bool | None:
        """Weigh each statement and look for open things; whether anything was kept, None when nothing is in their voice."""
        kept: bool | None = None
        may_open = open_thing.SIGN.search(plain(text)) is not None
        may_wish = _WISHES.search(plain(text)) is not None
        people = list(self._recent)
        known = self._people | by_name(text)
        mocked = named = False
        last = before = taken = ""
        for part in parts(text, people, self._people):
            kept = kept or False
            if part.first:
                mocked, named = is_sarcastic(part.sentence), False
                last, before, taken = part.sentence, last, ""
            elif taken and part.text in taken:
                continue
            if mocked:
                if part.statements:
                    self._pass(message, part.clause.text, "It is meant the other way round.")
                continue
            found = self._open(message, part, before) if may_open else None
            opened, taken = found is not None, found.takes if found else taken
            if not opened and may_wish and self._wish(message, part):
                kept = True
                continue
            for statement in part.statements:
                kept |= self._weigh(message, statement, asked_for=asked_for, opened=opened)
            named = now_meant(people, part.text, known, beside=named)
        return kept

    def _weigh(self, message: Message, statement: Statement, *, asked_for: bool, opened: bool) -> bool:
        match verdict := weigh(statement, asked_for=asked_for):
            case Kept():
                if opened and verdict.rule.name not in ("date ahead", "appointment"):
                    return False
                return self._keep(
                    message,
                    verdict.content,
                    statement.said,
                    f"states {verdict.rule.name}",
                    verdict.confidence,
                    category=verdict.category,
                    attribute=verdict.attribute,
                    asked_for=asked_for,
                )
            case Refused():
                self._pass(message, statement.said, verdict.reason)
            case None:
                pass
        return False

    def _wish(self, message: Message, part: Part) -> bool:
        """Keep how somebody always wants things done."""
        if part.clause.mood is Mood.SUPPOSED or (told := wish(part.clause.text)) is None:
            return False
        return self._keep(
            message, told, part.clause.text, "states a standing wish", READ, category=Category.PREFERENCE
        )

    def _open(self, message: Message, part: Part, before: str) -> open_thing.Opened | None:
        """Propose what a clause leaves open; `before` is the sentence before its own."""
        if part.clause.mood is Mood.SUPPOSED:
            return None
        found = open_thing.open_things(
            part.text,
            part.sentence,
            said_at=message.created_at,
            zone=self._zone,
            asked=part.clause.mood is Mood.ASKED,
            first=part.first,
            before=before,
        )
        for thing in found.things if found else ():
            self._todos.setdefault(
                thing.text.lower(),
                ProposedTodo(
                    text=thing.text,
                    kind=thing.kind,
                    due_at=thing.due_at,
                    confidence=thing.confidence,
                    reasoning=f"The user's words are {thing.name}.",
                    source_message_ids=(message.message_id,),
                ),
            )
        return found

    def _introductions(self, message: Message, text: str) -> None:
        """Name those whom a question or a passing remark introduces."""
        told, low = " ".join(self._memories).lower(), text.lower()
        if ("my " not in low and "our " not in low) or judges(written_out(text)):
            return
        for person in introduced(written_out(text)):
            name = person.name or ""
            many = person.role.endswith("s") and not person.role.endswith("ss")
            if (
                many
                or not person.called.startswith("my ")
                or name.lower() in told
                or name.lower() in self._people
            ):
                continue
            content = sentence(f"my {person.role} is named {name}")
            self._keep(
                message,
                content,
                f"my {person.role} {name}",
                "names somebody",
                READ,
                category=Category.RELATIONSHIP,
            )

    def _answer(self, message: Message, told: str) -> None:
        for statement in (made for part in parts(told, [], self._people) for made in part.statements):
            if isinstance(verdict := weigh(statement), Kept):
                self._keep(
                    message,
                    verdict.content,
                    message.text,
                    "answers the assistant's question",
                    0.85,
                    category=verdict.category,
                )

    # -- proposals ----------------------------------------------------------------------------------------

    def _keep(
        self,
        message: Message,
        content: str,
        said: str,
        why: str,
        confidence: float,
        *,
        category: Category | None = None,
        attribute: str | None = None,
        asked_for: bool = False,
    ) -> bool:
        keyed_as, content = undated(content), dated(content, message.created_at, self._zone)
        if len(content) < MIN_CONTENT:
            return False
        verdict = assess(content, by_caller=False, origin=Origin.USER)
        again = tells_end(content) and taken_up_again(message.text)
        if again or not verdict.keep:
            self._pass(message, said, "It was taken up again." if again else verdict.reason)
            return False
        known = self._memories.get(content)
        if known is not None:
            self._memories[content] = known.told_again(message.message_id, asked_for=asked_for)
            return True
        refs, label = ((), None) if attribute else mentions(content, category, self._names)
        self._memories[content] = ProposedMemory(
            content=content,
            category=category if attribute is None else Category.IDENTITY,
            entity_refs=refs,
            entity_label=label,
            attribute=attribute,
            keyed_as=keyed_as,
            confidence=confidence,
            reasoning=f"The user {why}."
            if why.startswith(("states", "names", "answers", "lists", "takes"))
            else f"It was {why}.",
            said=said[:500],
            asked_for=asked_for,
            source_message_ids=(message.message_id,),
        )
        return True

    def _pass(self, message: Message, said: str, reason: str) -> None:
        if len(self._passed) < _MOST_PASSED * (1 + len(self._memories)):
            self._passed.append(Passed(said=said[:200], reason=reason, source_message_id=message.message_id))
