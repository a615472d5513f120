"""Requests made up from the description itself: whatever it allows or forbids, the answer is one that it describes.

schemathesis reads `/openapi.json` and makes, for each route, requests that fit and requests that do not; half of those that
name something name what is really there. They are the same on every run. No answer is a 5xx, none has a status, a content
type or a shape that the description does not have.
"""

import zlib
from collections.abc import Iterator
from urllib.parse import quote

import pytest
import requests
import schemathesis
from conftest import FakeEmbedder
from hypothesis import HealthCheck, Phase, settings
from patience import LIMIT
from schemathesis.checks import (
    content_type_conformance,
    not_a_server_error,
    response_schema_conformance,
    status_code_conformance,
)
from schemathesis.config import GenerationConfig, ProjectConfig, ProjectsConfig, SchemathesisConfig
from serving import SERVICE_KEY, Service, serving

from recollect import AsyncMemory, Settings
from recollect.server.app import create_app

from .belongings import OWNER, belongings

_CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
#: Answers of 500 and more that say what they should: no model is set up here.
_HONEST = (502,)
#: Which of the owner's things a path may name.
_REAL = {
    "to_id": "memory_2",
    "key": "entity",
}


@schemathesis.serializer("application/x-ndjson")
def _lines(context: object, value: object) -> bytes:
    """JSON lines are sent as they are."""
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "surrogatepass")


def _described() -> schemathesis.BaseSchema:
    app = create_app(AsyncMemory(":memory:"), Settings(), local=False)
    generation = GenerationConfig(deterministic=True, with_security_parameters=False)
    config = SchemathesisConfig(projects=ProjectsConfig(default=ProjectConfig(generation=generation)))
    return schemathesis.openapi.from_dict(app.openapi(), config=config)


schema = _described()


class Target:
    """A service, somebody who has something of every kind, and a connection that is kept."""

    def __init__(self, service: Service, ids: dict[str, str], session: requests.Session) -> None:
        self.service = service
        self.ids = ids
        self.session = session


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Target]:
    """A service with an owner."""
    with (
        serving(tmp_path_factory.mktemp("fuzz") / "memory.db", embedder=FakeEmbedder()) as service,
        requests.Session() as session,
    ):
        ids = service.run(belongings(service.memory, "order-4711"))
        session.headers.update({"Authorization": f"Bearer {SERVICE_KEY}", "X-User-Id": OWNER})
        yield Target(service, ids, session)


@schema.parametrize()
@settings(
    max_examples=12,
    derandomize=True,
    database=None,
    deadline=None,
    phases=(Phase.explicit, Phase.generate),
    suppress_health_check=list(HealthCheck),
)
def test_every_answer_is_described(target: Target, case: schemathesis.Case) -> None:
    """A request that was made up is answered as the description says, and never with a failure of ours."""
    if case.path_parameters and zlib.crc32(repr(case.path_parameters).encode()) % 2:
        case.path_parameters = {
            name: quote(target.ids[known], safe="")
            if (known := _REAL.get(name, name)) in target.ids
            else value
            for name, value in case.path_parameters.items()
        }
    answer = case.call(base_url=target.service.url, session=target.session, timeout=LIMIT)
    checks = _CHECKS[1:] if answer.status_code in _HONEST else _CHECKS
    case.validate_response(answer, checks=checks)
