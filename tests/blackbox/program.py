"""What a process does that is killed: `python -m blackbox.program VERB FILE [NUMBER]`. Each line it prints is a promise.

It uses the public names alone, like any program of a user.
"""

import itertools
import json
import sys
from typing import Any

from recollect import Memory

USER = "ann"


def say(*words: Any) -> None:
    sys.stdout.write(" ".join(map(str, words)) + "\n")
    sys.stdout.flush()


def record(memory: Memory, name: str) -> None:
    """Turns and facts, for ever."""
    chat = memory.chat("c", user=USER)
    for number in itertools.count():
        turn = chat.add(
            user=f"Question {name}.{number} about roses and gates?", assistant=f"Answer {name}.{number}."
        )
        say("message", *(message.message_id for message in turn.messages))
        fact = f"User owns the telescope {name}{number} of lake {name}{number}7"
        say("memory", memory.add(fact, user=USER).memory.memory_id)


def talk(memory: Memory, name: str, turns: str) -> None:
    """So many turns in one chat, and the background work of them."""
    chat = memory.chat("c", user=USER)
    for number in range(int(turns)):
        about = f"{name}.{number} about the garden, its roses, hedges, gates, ponds and gravel paths"
        turn = chat.add(user=f"Question {about}?", assistant=f"Answer {about}.")
        say("message", *(message.message_id for message in turn.messages))
    assert memory.drain(user=USER, timeout=90)


def obey(memory: Memory) -> None:
    """Do what each line of the standard input says: store where the user lives, or search."""
    memory.search("warm up", user="warm")
    say("ready")
    for line in sys.stdin:
        verb, _, words = line.strip().partition(" ")
        if verb == "live":
            say(memory.add(f"User lives in {words}", category="identity", user=USER).outcome)
        else:
            say("|".join(hit.content for hit in memory.search(words, user=USER)))


def forget(memory: Memory) -> None:
    """One memory after the other."""
    for item in memory.memories(user=USER, limit=1000):
        memory.forget(item.memory_id, user=USER)
        say("done", item.memory_id)


def load(memory: Memory) -> None:
    """A document from the standard input."""
    memory.load(json.load(sys.stdin), user=USER, progress=lambda done, total: say("progress", done, total))


def document(number: int) -> dict[str, Any]:
    """An export by hand, of so many memories and todos."""
    at = [f"2026-01-28T10:30:45.{place:03}Z" for place in range(number)]
    memories = [
        {"memory_id": f"{day}#{place:08x}", "content": f"User owns the pearl{place} of lake{place * 7}", "category": "fact",
         "created_at": day} for place, day in enumerate(at)
    ]  # fmt: skip
    todos = [
        {"id": f"t{place}", "text": f"Water rose {place}", "created_at": day} for place, day in enumerate(at)
    ]
    return {"recollect": 1, "memories": memories, "todos": todos}


def main(verb: str, file: str, *more: str) -> None:
    with Memory(file) as memory:
        {"record": record, "talk": talk, "obey": obey, "forget": forget, "load": load}[verb](memory, *more)


if __name__ == "__main__":
    main(*sys.argv[1:])
