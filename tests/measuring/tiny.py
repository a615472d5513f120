"""A tiny labelled data set, as a file and read: two people, three sessions, questions that are easy to judge."""

import json
from pathlib import Path
from typing import Any

from benchmarks.quality.dataset import Dataset, read


def turn(id: str, text: str, speaker: str = "Ann", role: str = "user") -> dict[str, Any]:
    return {"id": id, "speaker": speaker, "role": role, "text": text}


def question(id: str, text: str, *evidence: str, **changed: Any) -> dict[str, Any]:
    sessions = sorted({turn.split(":")[0] for turn in evidence})
    usual = {"id": id, "question": text, "category": "single-hop", "answerable": True}
    return {**usual, "evidence": list(evidence), "evidence_sessions": sessions, **changed}


SESSIONS = [
    {
        "id": "a",
        "date": "2023-05-08T13:56",
        "turns": [
            turn("a:1", "I adopted a ginger cat from the shelter last week"),
            turn("a:2", "How lovely, what is the name of it?", "Ben", "assistant"),
            turn("a:3", "   "),
            turn("a:4", "Marmalade, because of the colour"),
        ],
    },
    {
        "id": "b",
        "date": None,
        "turns": [
            turn("b:1", "My brother moved to Lisbon for a job at the harbour"),
            turn("b:2", "The harbour of Lisbon is beautiful in the evening", "Ben", "assistant"),
        ],
    },
    {
        "id": "c",
        "date": "2023-06-01T08:00",
        "turns": [
            turn("c:1", "I am learning to play the cello, my teacher is strict"),
            turn("c:2", "Practice every morning and the strings will sing", "Ben", "assistant"),
        ],
    },
]
QUESTIONS = [
    question("q1", "Which animal did Ann adopt from the shelter?", "a:1", date="2023-06-10T10:00"),
    question("q2", "Where did the brother of Ann move for a job?", "b:1", after=2),
    question("q3", "Which instrument is Ann learning to play?", "c:1", "c:2", category="multi-hop"),
    question("q4", "What does Ann think of the moon?", answerable=False),
    question("q5", "Where will Ann play the cello?", "c:1", after=1),
]


def document(name: str = "tiny", **changed: Any) -> dict[str, Any]:
    """The file as it is read from JSON."""
    conversation = {"id": "c1", "speakers": ["Ann", "Ben"], "sessions": SESSIONS, "questions": QUESTIONS}
    return {
        "dataset": name,
        "part": "dev",
        "license": "CC0",
        "conversations": [{**conversation, **changed}],
    }


def file(folder: Path, name: str = "tiny", **changed: Any) -> Path:
    """The file itself."""
    path = folder / f"{name}.json"
    path.write_text(json.dumps(document(name, **changed)), "utf-8")
    return path


def dataset(folder: Path, **changed: Any) -> Dataset:
    """The file, read."""
    return read(file(folder, **changed))
