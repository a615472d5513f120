"""pins: what every context of a chat holds."""

from .conftest import Cli


def test_a_pin_comes_changes_and_goes(cli: Cli) -> None:
    """Add, list, edit, move and remove."""
    pin = cli("pins", "add", "dad", "Dad's doctor is Dr. Chen", "--importance", "8", "--json").json
    assert pin["pin_type"] == "manual"
    listed = cli("pins", "dad")
    assert listed.out.startswith("Dad's doctor is Dr. Chen\n  importance 8 · manual · ")
    assert pin["id"] in listed.out
    cli("chats", "record", "mum", "How is she today?")
    edited = cli("pins", "edit", pin["id"], "--content", "Dad's doctor is Dr. Wu", "--chat", "mum")
    assert edited.out.startswith("Changed: Dad's doctor is Dr. Wu\n")
    assert cli("pins", "dad").out == "Nothing is pinned.\n"
    assert cli("pins", "list", "mum", "--json").json["pins"][0]["content"] == "Dad's doctor is Dr. Wu"
    assert cli("pins", "remove", pin["id"]).out == f"Removed: {pin['id']}\n"
    assert cli("pins", "mum", "--json").json == {"pins": []}


def test_a_chat_named_like_a_command(cli: Cli) -> None:
    """`pins list add` lists the chat `add`."""
    cli("pins", "add", "add", "A fact of a chat that is oddly named")
    assert cli("pins", "list", "add").out.startswith("A fact of a chat")


def test_mistakes(cli: Cli) -> None:
    """Unknown chats and pins are code 4; bad values code 2."""
    cli("chats", "record", "dad", "How is he today?")
    assert cli("pins", "nowhere").code == 4
    assert cli("pins", "remove", "nothing").code == 4
    assert "Missing argument 'CHAT'" in cli("pins").err
    assert "importance_score must be" in cli("pins", "add", "dad", "A fact", "-i", "11").err
    assert "pin_type must be one of" in cli("pins", "add", "dad", "A fact", "--type", "odd").err
    pin = cli("pins", "add", "dad", "A fact", "--json").json
    assert "Nothing to change" in cli("pins", "edit", pin["id"]).err
