"""db migrate, db reembed, db info; token create, list and revoke."""

import json
import os
import re
import signal
import subprocess
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from patience import LIMIT, ended, join

from recollect import Memory
from recollect.admin import Admin

from .conftest import COMMAND, Cli, Known


class _Embeddings(BaseHTTPRequestHandler):
    """An OpenAI-compatible server: three numbers a text, at once or when let go."""

    asked = threading.Event()
    may_answer = threading.Event()

    def do_POST(self) -> None:
        texts = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["input"]
        self.asked.set()
        self.may_answer.wait(20)
        data = [
            {"index": place, "embedding": [1.0, float(len(text)), 1.0]} for place, text in enumerate(texts)
        ]
        body = json.dumps({"data": data}).encode()
        try:
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
        except OSError:
            return  # The client was interrupted.

    def log_message(self, format: str, *args: object) -> None:
        """Silent."""


@pytest.fixture
def embeddings(monkeypatch: pytest.MonkeyPatch) -> Iterator[type[_Embeddings]]:
    """A running embedding server that the environment names."""
    _Embeddings.asked.clear()
    _Embeddings.may_answer.set()
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Embeddings)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    monkeypatch.setenv("OPENAI_BASE_URL", f"http://127.0.0.1:{server.server_port}/v1")
    yield _Embeddings
    _Embeddings.may_answer.set()
    server.shutdown()
    server.server_close()
    join(thread)


def test_migrate(cli: Cli) -> None:
    """A new file gets its schema, and the second time there is nothing to do."""
    assert cli("db", "migrate", "--json").json["applied"][0] == "0001_ground"
    assert cli("db", "migrate").out == "The schema is up to date.\n"


def test_migrate_says_what_it_applied(cli: Cli) -> None:
    """The applied migrations are named for a person too."""
    assert cli("db", "migrate").out.startswith("Applied: 0001_ground")


def test_info(cli: Cli, filled: Known) -> None:
    """Path, size, schema, models and users are told."""
    known = cli("db", "info", "--json").json
    assert known["database"] == str(filled.file)
    assert known["size_bytes"] >= filled.file.stat().st_size
    assert known["schema"] >= 1
    assert list(known["models"].values()) == [1]
    assert known["users"] == 1
    ran = cli("db", "info")
    assert str(filled.file) in ran.out
    assert ": 1 user\n" in ran.out
    assert ran.out.endswith("users     1: local\n")
    assert known["user_ids"] == ["local"]


def test_info_makes_no_file(cli: Cli, db: Path) -> None:
    """Looking at a database that is not there does not make one."""
    ran = cli("db", "info")
    assert ran.code == 4
    assert not db.exists()


def test_info_on_postgresql(cli: Cli, postgres_url: str) -> None:
    """A PostgreSQL database is described the same way."""
    cli("remember", "I prefer tea over coffee", "--db", postgres_url)
    known = cli("db", "info", "--db", postgres_url, "--json").json
    assert known["users"] == 1
    assert known["size_bytes"] > 0


def test_reembed_with_nothing_to_do(cli: Cli, filled: Known) -> None:
    """Users who are served by the model already cost nothing."""
    assert cli("db", "reembed").out == "Done: every user already has this model\n"
    assert cli("db", "reembed", "--json").json == {"vectors": 0, "model": None}


def test_reembed_by_another_model(cli: Cli, filled: Known, embeddings: type[_Embeddings]) -> None:
    """All vectors are made anew, and a word tells how new users get the model too."""
    ran = cli("db", "reembed", "--model", "three-numbers")
    assert ran.out.splitlines()[0] == "Done: 5 new vectors"
    assert "set RECOLLECT_EMBEDDING_MODEL=three-numbers" in ran.out
    assert cli("db", "info", "--json").json["models"] == {"three-numbers": 1}
    doctor = cli("doctor")
    assert doctor.code == 1
    assert "Run `recollect db reembed`." in doctor.out


def test_reembed_without_a_server(cli: Cli, filled: Known, monkeypatch: pytest.MonkeyPatch) -> None:
    """A model that cannot be reached has its own exit code."""
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    ran = cli("db", "reembed", "--model", "three-numbers")
    assert ran.code == 7
    assert ran.err.count("\n") == 1


def test_reembed_interrupted(cli: Cli, filled: Known, embeddings: type[_Embeddings]) -> None:
    """Ctrl-C says how to go on, and going on finishes the work."""
    embeddings.may_answer.clear()
    command = [*COMMAND, "db", "reembed", "--model", "three-numbers"]
    pipe = subprocess.PIPE
    with ended(
        subprocess.Popen(command, stdout=pipe, stderr=pipe, env=dict(os.environ), text=True)
    ) as process:
        assert embeddings.asked.wait(LIMIT)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=LIMIT)
    assert process.returncode == 130
    assert out == ""
    assert "Nothing is lost" in err
    assert "To continue, run the same command: recollect db reembed --model three-numbers" in err
    assert "Traceback" not in err
    embeddings.may_answer.set()
    assert cli("db", "reembed", "--model", "three-numbers", "--json").json["vectors"] == 5


# -- tokens ---------------------------------------------------------------------------------------------


def test_a_token_comes_is_listed_and_ends(cli: Cli) -> None:
    """Create, list and revoke; the secret is in the first answer only."""
    made = cli(
        "token", "create", "--user", "ann", "--ttl", "600", "--label", "phone", "--scopes", "read, write"
    )
    assert re.fullmatch(r"rs_[0-9a-f]{16}_\S{43}\n", made.out)
    assert "Session of ann · read, write · created " in made.err
    assert "shown only once" in made.err
    token_id, secret = made.out.strip().split("_", 2)[1:]
    listed = cli("token", "list")
    assert listed.out.startswith(f"{token_id} · session of ann · phone\n  read, write · created ")
    assert secret not in listed.out
    assert cli("token", "revoke", token_id).out == f"Revoked: {token_id}\n"
    assert " · revoked 20" in cli("token", "list").out
    assert cli("token", "revoke", token_id, "--json").json == {"revoked": token_id}


def test_a_service_key(cli: Cli) -> None:
    """It acts for anybody and ends when it is revoked; what is printed is what lets in."""
    made = cli("token", "create", "--service")
    assert made.out.startswith("rk_")
    assert "Service key · read, write, service · created " in made.err and "until it is revoked" in made.err
    with Memory() as memory:
        assert Admin(memory).check_token(made.out.strip()) is not None


def test_json(cli: Cli) -> None:
    """The same as values; lists hold neither secret nor hash."""
    made = cli("token", "create", "--json").json
    assert (made["user_id"], made["kind"], made["scopes"]) == ("local", "session", ["read", "write"])
    assert made["token"].startswith(f"rs_{made['id']}_")
    listed = cli("token", "list", "--json").json
    shown = {name: value for name, value in made.items() if name != "token"}
    assert listed == {"tokens": [shown], "next_cursor": None}
    assert "hash" not in json.dumps(listed)


def test_lists_by_user_and_limit(cli: Cli) -> None:
    """One user's sessions, or so many."""
    for user in ("ann", "bob", "ann"):
        cli("token", "create", "--user", user)
    assert [one["user_id"] for one in cli("token", "list", "--user", "bob", "--json").json["tokens"]] == [
        "bob"
    ]
    assert len(cli("token", "list", "-n", "2", "--json").json["tokens"]) == 2
    assert cli("token", "list", "-n", "2").out.endswith("There are more: use --limit 4\n")


def test_an_empty_list(cli: Cli, filled: Known) -> None:
    """Nobody but the library's own user has entered yet."""
    assert cli("token", "list").out == "No tokens.\n"


def test_mistakes(cli: Cli, filled: Known) -> None:
    """Unknown tokens are code 4; bad values code 2, and make nothing."""
    assert cli("token", "revoke", "nothing").code == 4
    assert cli("token", "revoke", "").code == 2
    assert "Omit --user" in cli("token", "create", "--service", "--user", "ann").err
    assert "ttl_seconds must be a whole number from 60" in cli("token", "create", "--ttl", "5").err
    assert (
        "scopes of a session must be among read, write; not 'service'"
        in cli("token", "create", "--scopes", "service").err
    )
    assert "scopes of a session" in cli("token", "create", "--scopes", "").err
    assert cli("token", "list", "--json").json["tokens"] == []
