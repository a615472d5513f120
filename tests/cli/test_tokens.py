"""token: who may enter a service."""

import json
import re

from recollect import Memory

from .conftest import Cli, Known


def test_a_token_comes_is_listed_and_ends(cli: Cli) -> None:
    """Create, list and revoke; the secret is in the first answer only."""
    made = cli(
        "token", "create", "--user", "ann", "--ttl", "600", "--label", "phone", "--scopes", "read, write"
    )
    assert re.fullmatch(r"rs_[0-9a-f]{16}_\S{43}\n", made.out)
    assert "Session of ann · read, write · made " in made.err
    assert "shown only now" in made.err
    token_id, secret = made.out.strip().split("_", 2)[1:]
    listed = cli("token")
    assert listed.out.startswith(f"{token_id} · session of ann · phone\n  read, write · made ")
    assert secret not in listed.out
    assert cli("token", "revoke", token_id).out == f"Revoked: {token_id}\n"
    assert " · revoked 20" in cli("token", "list").out
    assert cli("token", "revoke", token_id, "--json").json == {"revoked": token_id}


def test_a_service_key(cli: Cli) -> None:
    """It acts for anybody and ends when it is revoked; what is printed is what lets in."""
    made = cli("token", "create", "--service")
    assert made.out.startswith("rk_")
    assert "Service key · read, write, service · made " in made.err and "until it is revoked" in made.err
    with Memory() as memory:
        assert memory.check_token(made.out.strip()) is not None


def test_json(cli: Cli) -> None:
    """The same as values; lists hold neither secret nor hash."""
    made = cli("token", "create", "--json").json
    assert (made["user_id"], made["kind"], made["scopes"]) == ("local", "session", ["read", "write"])
    assert made["token"].startswith(f"rs_{made['id']}_")
    listed = cli("token", "--json").json
    assert listed == {"tokens": [{name: value for name, value in made.items() if name != "token"}]}
    assert "hash" not in json.dumps(listed)


def test_lists_by_user_and_limit(cli: Cli) -> None:
    """One user's sessions, or so many."""
    for user in ("ann", "bob", "ann"):
        cli("token", "create", "--user", user)
    assert [one["user_id"] for one in cli("token", "--user", "bob", "--json").json["tokens"]] == ["bob"]
    assert len(cli("token", "-n", "2", "--json").json["tokens"]) == 2
    assert cli("token", "-n", "2").out.endswith("There are more: --limit 4\n")


def test_an_empty_list(cli: Cli, filled: Known) -> None:
    """Nobody but the library's own user has entered yet."""
    assert cli("token").out == "There is no token.\n"


def test_mistakes(cli: Cli, filled: Known) -> None:
    """Unknown tokens are code 4; bad values code 2, and make nothing."""
    assert cli("token", "revoke", "nothing").code == 4
    assert cli("token", "revoke", "").code == 2
    assert "leave out --user" in cli("token", "create", "--service", "--user", "ann").err
    assert "ttl_seconds must be a whole number from 60" in cli("token", "create", "--ttl", "5").err
    assert (
        "scopes of a session are read, write; not 'service'"
        in cli("token", "create", "--scopes", "service").err
    )
    assert "scopes of a session" in cli("token", "create", "--scopes", "").err
    assert cli("token", "--json").json == {"tokens": []}
