"""Observations of a conversation are a proxy of recall."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.quality.observations import cover, observations
from recollect.errors import InvalidInput
from recollect.records.judgement import Judgement, Material, ProposedMemory
from recollect.records.message import Role


class _Echo:
    """A judge that keeps everything the user says."""

    name = "echo"

    async def judge(self, material: Material) -> Judgement:
        return Judgement(
            memories=tuple(
                ProposedMemory(
                    content=one.text,
                    confidence=1.0,
                    reasoning="",
                    said=one.text,
                    source_message_ids=(one.message_id,),
                )
                for one in material.messages
                if one.role is Role.USER
            )
        )

    async def aclose(self) -> None:
        pass


def _file(folder: Path, noted: Any) -> Path:
    turns = [
        {"id": "D1:1", "speaker": "Ann", "role": "user", "text": "I adopted a ginger cat"},
        {"id": "D1:2", "speaker": "Ben", "role": "assistant", "text": "My brother moved to Lisbon"},
    ]
    conversation: dict[str, Any] = {
        "id": "c1",
        "speakers": ["Ann", "Ben"],
        "sessions": [{"id": "s1", "date": None, "turns": turns}],
        "questions": [],
    }
    if noted is not None:
        conversation["observations"] = noted
    path = folder / "talk.json"
    path.write_text(json.dumps({"conversations": [conversation]}), "utf-8")
    return path


def test_each_speaker_is_the_user_of_their_own_observations(tmp_path: Path) -> None:
    """What Ben's brother did is found among Ben's memories and not among Ann's."""
    noted = {
        "session_1": {
            "Ann": [["Ann adopted a ginger cat.", "D1:1"], ["Ann's brother moved to Lisbon.", "D1:2"]],
            "Ben": [["Ben's brother moved to Lisbon.", "D1:2"]],
        }
    }
    found = asyncio.run(cover(_Echo(), _file(tmp_path, noted)))
    assert (found.observations, found.carried, found.memories) == (3, 2, 2)
    assert [one.text for one in found.missed] == ["Ann's brother moved to Lisbon."]
    assert found.share == pytest.approx(2 / 3)


def test_a_file_without_observations_says_so(tmp_path: Path) -> None:
    """Nothing is measured by what is not there."""
    with pytest.raises(InvalidInput, match="no conversation there has observations"):
        observations(_file(tmp_path, None))


@pytest.mark.parametrize(
    ("noted", "field"),
    [
        ([], "conversations[0].observations"),
        ({"s": []}, "conversations[0].observations.s"),
        ({"s": {"Ann": "x"}}, "conversations[0].observations.s.Ann"),
        ({"s": {"Ann": [[3]]}}, "conversations[0].observations.s.Ann[0][0]"),
        ({"s": {"Ann": [[]]}}, "conversations[0].observations.s.Ann[0][0]"),
    ],
)
def test_a_wrong_observation_is_named(tmp_path: Path, noted: Any, field: str) -> None:
    """An error says the file and the field."""
    with pytest.raises(InvalidInput) as caught:
        observations(_file(tmp_path, noted))
    assert caught.value.field == field
    assert "talk.json" in caught.value.message
