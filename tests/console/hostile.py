"""A user whose every word is an attack or a burden, and what a page looks like on which one of them succeeded.

`fill(service)` makes the user: through `load`, as a file of somebody else would, and through `record`. Each text ends with
`END`, so that words of the console that stand behind it in one piece of text, where they would be turned round, can be told.
"""

from datetime import UTC, datetime, timedelta
from typing import Any

from playwright.sync_api import Page
from serving import Service

from recollect import Pin, Settings
from recollect.api.engine import engine_of
from recollect.store import pins, proposals
from recollect.types import Proposal, ProposalKind

END = "§"
#: As many as must scroll smoothly. The engine lets a hand set 1,000 pins a chat; these are written past it.
MANY = 10_000
#: Characters of a word without a blank.
ENDLESS = 100_000

_ACT = "window.stolen=1"
_SCRIPT = f"<script>{_ACT}</script><img src=x onerror={_ACT}><svg onload={_ACT}>"
_LINKS = f"[gift](javascript:{_ACT}) <a href='javascript:{_ACT}'>gift</a> &lt;b&gt; &amp;amp; &#x202e;"
#: Opened and never closed; the second first closes what the page may have opened around it.
_TURNED = "\u202egnp.exe"
_BROKEN = "\u2069\u2069\u202c\u202c\u2067\u202egnp.exe"
#: Where a paragraph ends every direction ends with it, also the one that the page set.
_PARTED = "one\x85\x1c\u2029\u202egnp.exe"
#: Marks that pile up, marks that nobody sees, and emoji that belong together.
_PILE = "Z" + "\u0300\u0301\u0315\u035c" * 50
_HIDDEN = "\u200b\u200c\u200d\ufeff\u2060\u180e" * 50
_EMOJI = "👨‍👩‍👧‍👦🏴󠁧󠁢󠁳󠁣󠁴󠁿🇸🇪"
#: What is left of the control characters when the one that no database keeps is refused.
_CONTROLS = "\x01\x08\x0c\x1b[31m\x7f\x85\x9b\u2028\ufffe\uffff\ufffd"

#: Each is a text by itself; all are short enough to be a title.
ATTACKS = tuple(
    f"{text} {END}"
    for text in (_SCRIPT, _LINKS, _TURNED, _BROKEN, _PARTED, _PILE[:150], _HIDDEN[:150], _EMOJI, _CONTROLS)
)
WORD = "w" * ENDLESS
#: Words and attacks in one, at most so many characters.
NAME = f"\u2069\u2029\u202e<b>evil</b> {END}"
#: Who speaks may have no paragraphs.
SPEAKER = f"\u2069\u202e<b>evil</b> {END}"
CHAT = f"a/../b?c=d&e#f <i>\u202echat</i> {END}"
LONG = "long"
PINNED = "pinned"
ENTITY = "person:mallory"
BURDEN = "org:" + "ä" * 900
#: Nothing is judged or folded meanwhile, and briefs may be as long as anybody can set.
SETTINGS = Settings(sqlite_synchronous="off", judge_model="off", worker="off", summary_token_cap=4000)


#: Elements and addresses that only markup could have made, and scripts that are not the console's own.
_MADE = "main img, main script, [onerror], [onload], iframe, object, embed, [href^='javascript:' i], [src^='javascript:' i]"
#: Words of the console that run from right to left: beside a hostile text, or behind it in one piece with it. In a line of
#: a context the words behind are the engine's, and what it says is not changed.
_TURNED_WORDS = r"""(end) => {
  const turning = /[\u202a-\u202e\u2066-\u2069]/, found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  const place = (node, at) => {
    range.setStart(node, at);
    range.setEnd(node, at + 1);
    return range.getClientRects()[0];
  };
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.data, hostile = turning.test(text);
    if (hostile && (!text.includes(end) || node.parentElement.closest("[dir=auto]"))) continue;
    const from = hostile ? text.lastIndexOf(end) + 1 : 0;
    const letters = /[a-zA-Z]{2}/.exec(text.slice(from));
    if (!letters) continue;
    const [one, other] = [0, 1].map((next) => place(node, from + letters.index + next));
    if (one && other && one.top === other.top && other.left < one.left) found.push(text.slice(0, 200));
  }
  return found;
}"""


def assert_harmless(page: Page) -> None:
    """Nothing ran, nothing was made of words, no word of the console was turned, and nothing is wider than the window."""
    assert page.evaluate("window.stolen === undefined"), "a script ran"
    made = page.locator(_MADE).evaluate_all("(all) => all.map((one) => one.outerHTML.slice(0, 200))")
    assert not made, made
    turned = page.evaluate(_TURNED_WORDS, END)
    assert not turned, turned
    assert page.viewport_size
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]


def joined(most: int) -> str:
    """As many attacks as fit, each whole."""
    text = " ".join(ATTACKS)
    return text[: text.rindex(END, 0, most) + 1]


def fill(service: Service) -> None:
    """Make the user."""
    memory = service.memory
    loaded = service.run(memory.load(_document()))
    assert not loaded.skipped, loaded.skipped
    said = [
        {"role": "assistant" if place % 2 else "user", "text": f"Message number {place + 1}."}
        for place in range(MANY)
    ]
    service.run(memory.chat(LONG, persona="plain").add(said))
    service.run(memory.chat(PINNED).add(user=WORD, assistant=_PILE * 20))
    parts = engine_of(memory).parts
    now = parts.now()
    many = [
        Pin(
            user_id="local",
            pin_id=parts.new_id(now),
            chat_id=PINNED,
            content=f"Pin number {place + 1}: {ATTACKS[place % len(ATTACKS)]}",
            importance_score=10 - place / MANY,
            tokens=20,
            created_at=now,
        )
        for place in range(MANY)
    ]
    decide = [
        Proposal(
            user_id="local",
            proposal_id=parts.new_id(now),
            kind=kind,
            subject=kind,
            memory_ids=memories,
            entity_keys=entities,
            reason=joined(500),
            confidence=0.5,
            created_at=now,
            updated_at=now,
        )
        for kind, memories, entities in (
            (ProposalKind.CONTRADICTION, (memory_id(0), memory_id(1)), ()),
            (ProposalKind.FORGETTING, (memory_id(2),), ()),
            (ProposalKind.MERGE, (), (ENTITY, "person:" + "m" * 200)),
        )
    ]

    def write(tx: Any) -> None:
        pins.insert_many(tx, many)
        for proposal in decide:
            assert proposals.add(tx, proposal)

    service.run(parts.database.write("local", write))


# -- the file --------------------------------------------------------------------------------------------------

_BEGAN = datetime.now(UTC).replace(microsecond=0) - timedelta(days=2)


def _at(minutes: int) -> str:
    return (_BEGAN + timedelta(minutes=minutes)).isoformat()


def memory_id(place: int) -> str:
    return f"2026-01-20T08:00:00.000Z#0000000{place}"


def _document() -> dict[str, Any]:
    texts = [*ATTACKS, WORD, *ATTACKS]
    messages = [
        {
            "id": f"<hostile/{place}>",
            "role": "assistant" if place % 2 else "user",
            "text": text,
            "name": SPEAKER,
            "model_variant": NAME,
            "session": "hostile",
            "created_at": _at(place),
        }
        for place, text in enumerate(texts)
    ]
    return {
        "recollect": 1,
        "memories": [_memory(place, text) for place, text in enumerate(ATTACKS)],
        "entities": [{"key": ENTITY, "label": f"Mallory {NAME}"}, {"key": BURDEN, "label": "W" * 256}],
        "aliases": {f"person:malory_{'x' * 200}": ENTITY},
        "chats": [_chat(messages)],
        "todos": [_todo(place, text) for place, text in enumerate((*ATTACKS, WORD[:2000]))],
        "sessions": [_session()],
        "rolling_summaries": [_rolling(number) for number in (1, 2)],
        "spines": [_spine(number) for number in (1, 2)],
        "seed": {"facts": [{"content": f"User has {_SCRIPT} {END}"}], "notes": " ".join(ATTACKS)},
    }


def _memory(place: int, text: str) -> dict[str, Any]:
    return {
        "memory_id": memory_id(place),
        "content": f"User says {place} {text}"[:500],
        "category": "fact",
        "created_at": _at(place),
        "tags": [text[:100], NAME, "t" * 100],
        "entity_refs": [ENTITY, BURDEN, f"person:m{'m' * 199}", f"place:at_{place}"],
        "importance": 9,
        "pinned": place == 0,
        "source_message_ids": [f"<hostile/{place}>", "<hostile/8>"] if place else [],
        "source_context": joined(2000),
        "reasoning": text[:200],
        "persona_id": NAME if place % 2 else None,
        "history": [
            {
                "at": _at(place),
                "by": NAME,
                "change": "created",
                "old": {},
                "new": {"content": text, "tags": [NAME]},
                "reason": " ".join(ATTACKS),
            }
        ],
    }


def _chat(messages: list[dict[str, Any]]) -> dict[str, Any]:
    folded, brief = messages[:4], joined(2000)
    return {
        "chat_id": CHAT,
        "persona_id": NAME,
        "title": f"{_TURNED} {ATTACKS[0]} {ATTACKS[3]}",
        "messages": messages,
        "pins": [
            {"id": f"pin-{place}", "content": text, "source_message_id": f"<hostile/{place}>", "created_at": _at(60)}
            for place, text in enumerate((*ATTACKS, WORD[:2000]))
        ],
        "summaries": [
            {
                "id": "folded",
                "summary": brief,
                "message_count": len(folded),
                "start_message_id": folded[0]["id"],
                "end_message_id": folded[-1]["id"],
                "importance_score": 5,
                "created_at": _at(60),
            }
        ],
        "briefs": [
            {
                "revision": 1,
                "global_summary": f"{brief}\n{WORD[:6000]}",
                "last_summarized_message_id": folded[-1]["id"],
                "updated_at": _at(60),
                "written_by": NAME,
            }
        ],
    }  # fmt: skip


def _todo(place: int, text: str) -> dict[str, Any]:
    return {
        "id": f"todo-{place}",
        "text": text,
        "persona_id": NAME if place % 2 else None,
        "source_message_ids": [f"<hostile/{place}>"],
        "created_at": _at(place),
        "due_at": _at(100) if place % 3 else None,
    }


def _session() -> dict[str, Any]:
    return {
        "id": "hostile",
        "persona_id": NAME,
        "startedAt": _at(0),
        "lastActivityAt": _at(30),
        "endedAt": _at(60),
        "turnCount": 9,
        "summaries": [
            {
                "revision": number,
                "summary": _digest(number),
                "written_by": NAME,
                "created_at": _at(60 + number),
            }
            for number in (1, 2)
        ],
    }


def _digest(number: int) -> dict[str, Any]:
    items = [f"{number} {text}"[:300] for text in ATTACKS[:7]]
    return {
        "one_liner": f"{number} {joined(290)}",
        "what_mattered": items,
        "open_loops": items,
        "commitments": [WORD[:300], *items[:3]],
        "people": [NAME, WORD[:300]],
        "tone": NAME,
    }


def _rolling(number: int) -> dict[str, Any]:
    return {
        "persona_id": NAME,
        "revision": number,
        "summary": f"Number {number}. {joined(580)}",
        "from_message_at": _at(0),
        "until_message_at": _at(30),
        "written_by": NAME,
        "created_at": _at(60 + number),
    }


def _spine(number: int) -> dict[str, Any]:
    text = "\n".join(f"Line {number} {attack}" for attack in ATTACKS)
    return {
        "version": number,
        "content": {"PROFILE": text, "PROJECTS": WORD[: 1000 + number], "PEOPLE": NAME, "OPEN_LOOPS": text},
        "messageCount": number,
        "written_by": NAME,
        "created_at": _at(60 + number),
    }
