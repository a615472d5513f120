"""What other processes do in tests of conversations; run as `python -m engine.talker` from the tests' folder.

It loads everything once and forks a talker for each line that it reads, because starting Python takes longer than the
tests. `start <url> <name> <file> <turns>` answers with the talker's process id, `reap <pid>` waits for its end and
answers with how it ended. A talker records turns of user "ann" in chat "c", works in the background, and writes the ids
of each turn into its file once they are acknowledged; with 0 turns it talks until it is killed. Summaries are written by
the model that the environment names, else by rules.

A talker never outlives the test by much: it gives up by itself, with the stacks of its threads, and it holds nothing of
the pipes through which the lines come and go.
"""

import asyncio
import faulthandler
import itertools
import os
import sys
from dataclasses import replace

from patience import LIMIT

from recollect import AsyncMemory
from recollect.encoder import tokens

from .conversing import QUICK
from .fakes import FakeEmbedder

#: After so many seconds a talker has failed. Less than the tests wait for it.
LIFE_SECONDS = LIMIT - 10


async def talk(url: str, name: str, file: str, turns: int) -> None:
    """Turns, each acknowledged on its own; then wait until everything is folded."""
    told = os.open(file, os.O_CREAT | os.O_APPEND | os.O_WRONLY)
    settings = replace(
        QUICK,
        summarizer_model=os.environ.get("MEMORY_SUMMARIZER_MODEL", ""),
        openai_base_url=os.environ.get("OPENAI_BASE_URL", QUICK.openai_base_url),
    )
    async with AsyncMemory(url, settings=settings, embedder=FakeEmbedder()) as memory:
        chat = memory.chat("c", user="ann")
        for number in range(turns) if turns else itertools.count():
            recorded = await chat.add(
                user=f"{name} asks {number} about the garden, its roses, hedges, gates and ponds",
                assistant=f"{name} hears {number} about the garden, its roses, hedges, gates and ponds",
            )
            os.write(told, " ".join(item.message_id for item in recorded.messages).encode() + b"\n")
        await memory.drain(user="ann", seconds=30)


def fork(url: str, name: str, file: str, turns: str) -> int:
    """A talker of its own; its process id."""
    pid = os.fork()
    if pid == 0:
        ended = 1
        faulthandler.dump_traceback_later(LIFE_SECONDS, exit=True)
        nothing = os.open(os.devnull, os.O_RDWR)
        os.dup2(nothing, 0)
        os.dup2(nothing, 1)
        try:
            asyncio.run(talk(url, name, file, int(turns)))
            ended = 0
        finally:
            os._exit(ended)
    return pid


def main() -> None:
    """Do as the lines say."""
    tokens.count("Loaded once, for all.")
    for line in sys.stdin:
        verb, *values = line.split()
        answer = fork(*values) if verb == "start" else os.waitpid(int(values[0]), 0)[1]
        sys.stdout.write(f"{answer}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
