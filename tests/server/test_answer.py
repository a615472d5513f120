"""Answers as `/openapi.json` describes them: every example is one."""

import json
from collections.abc import Iterator
from typing import Any

import jsonschema_rs
from serving import Service


def _examples(schema: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any], Any]]:
    for path, operations in schema["paths"].items():
        for method, operation in operations.items():
            for status, answer in operation["responses"].items():
                content = answer.get("content", {}).get("application/json", {})
                if "example" in content and "schema" in content:
                    yield f"{method} {path} {status}", content["schema"], content["example"]
    for name, shape in schema["components"]["schemas"].items():
        for example in shape.get("examples", ()):
            yield name, shape, example


def test_every_example_has_its_shape(service: Service) -> None:
    """What the description shows as an answer or as a body is one, nulls included."""
    schema = service.described.schema
    found = list(_examples(schema))
    assert len(found) > 50
    wrong = [
        (name, error.message)
        for name, shape, example in found
        for error in jsonschema_rs.validator_for({**shape, "components": schema["components"]}).iter_errors(
            json.loads(json.dumps(example))
        )
    ]
    assert wrong == []


def test_examples_show_what_is_not_there(service: Service) -> None:
    """A null in an example is described as a null."""
    answer = service.described.schema["paths"]["/v1/chats"]["get"]["responses"]["200"]
    assert answer["content"]["application/json"]["example"]["next_cursor"] is None
    assert "\\u0000" not in json.dumps(service.described.schema)
