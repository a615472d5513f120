"""Messages over HTTP: recorded once, read in order, edited and erased."""

from typing import Any

import pytest
from serving import Http, Service

from recollect.server.app import create_app
from recollect.server.own_keys import OWN_KEYS
from recollect.settings import Settings

from .talk import UNSTORABLE, record, refused, walked

#: S0's complete MessageWithImportance example, as far as a caller says it.
SAID = {
    "role": "user",
    "text": "My dad is allergic to Penicillin, had anaphylaxis in 2010",
    "model_id": "gpt-4-turbo",
    "token_usage": 15,
    "created_at": "2025-10-28T10:30:45.123Z",
}


def test_s0s_example_message(http: Http) -> None:
    """S0's example comes back in S0's shape, with its position."""
    answer = http.post("/v1/chats/session-456/messages", json={"messages": [SAID]})
    assert answer.status_code == 201
    (message,) = answer.json()["messages"]
    assert isinstance(message.pop("id"), str)
    assert message.items() >= (SAID | {"session_id": "session-456", "position": 1}).items()
    assert message["importance_score"] == 10.0
    assert message["model_variant"] is None


def test_a_message_without_the_optional_fields(http: Http) -> None:
    """Model and usage are optional; the shape is whole all the same."""
    (message,) = record(http, "c", "Hello there")
    assert (message["model_id"], message["position"]) == ("", 1)
    assert message["token_usage"] > 0
    assert message["created_at"].endswith("Z")


def test_content_is_taken_for_text(http: Http) -> None:
    """A message as OpenAI writes it is recorded as it is."""
    body = {"messages": [{"role": "user", "content": "I prefer tea"}]}
    answer = http.post("/v1/chats/c/messages", json=body)
    assert answer.status_code == 201
    assert [message["text"] for message in answer.json()["messages"]] == ["I prefer tea"]


def test_every_field_of_a_message_is_kept(http: Http) -> None:
    """Roles, models, variants, names and usage come back as they were given."""
    given = [
        {"role": "system", "text": "Be kind."},
        {"role": "user", "text": "  Blanks stay  ", "name": "Jane"},
        {"role": "tool", "text": "42", "token_usage": 0},
        {"role": "assistant", "text": "Yes", "model_id": "m", "model_variant": "deep"},
    ]
    body = {"messages": given, "persona_id": "coach"}
    stored = http.post("/v1/chats/c/messages", json=body).json()["messages"]
    for message, said in zip(stored, given, strict=True):
        assert message.items() >= said.items()
    assert [message["position"] for message in stored] == [1, 2, 3, 4]
    assert http.get("/v1/chats/c").json()["persona_id"] == "coach"


def test_what_a_message_pins_is_told(http: Http) -> None:
    """An allergy is pinned by itself, and the answer says so."""
    answer = http.post("/v1/chats/c/messages", json={"messages": [SAID]}).json()
    assert answer["pins"] == http.get("/api/memory/pins?session_id=c").json()["pins"] != []


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "messages required"),
        ({"messages": []}, "messages"),
        ({"messages": {}}, "messages must be a list"),
        ({"messages": ["Hello"]}, "messages.0"),
        ({"messages": [{"role": "user"}]}, "messages.0.text required"),
        ({"messages": [{"text": "Hello"}]}, "messages.0.role required"),
        ({"messages": [{"role": "user", "txt": "Hi"}]}, "messages.0.text required; txt is no field"),
        # What is unknown elsewhere has nothing to do with what is missing here.
        ({"messages": [{"role": "user"}], "txt": "Hi"}, "messages.0.text required"),
        ({"messages": [{"role": "user", "text": "Hi", "content": "Hi"}]}, "content"),
        ({"messages": [{"role": "user", "content": ["Hi"]}]}, "text"),
        ({"messages": [{"role": "bard", "text": "Hello"}]}, "role"),
        ({"messages": [{"role": "user", "text": ""}]}, "text"),
        ({"messages": [{"role": "user", "text": " \n"}]}, "text"),
        ({"messages": [{"role": "user", "text": "x" * 200_001}]}, "text"),
        ({"messages": [{"role": "user", "text": ["Hello"]}]}, "text"),
        ({"messages": [{"role": "user", "text": "Hi", "model_id": 5}]}, "model_id"),
        ({"messages": [{"role": "user", "text": "Hi", "model_id": "m" * 257}]}, "model_id"),
        ({"messages": [{"role": "user", "text": "Hi", "model_variant": ""}]}, "model_variant"),
        ({"messages": [{"role": "user", "text": "Hi", "name": "a\nb"}]}, "name"),
        ({"messages": [{"role": "user", "text": "Hi", "token_usage": -1}]}, "token_usage"),
        ({"messages": [{"role": "user", "text": "Hi", "token_usage": 1.5}]}, "token_usage"),
        ({"messages": [{"role": "user", "text": "Hi", "token_usage": "15"}]}, "token_usage"),
        ({"messages": [{"role": "user", "text": "Hi", "token_usage": 10**30}]}, "token_usage"),
        ({"messages": [{"role": "user", "text": "Hi", "created_at": "yesterday"}]}, "created_at"),
        ({"messages": [{"role": "user", "text": "Hi", "created_at": ""}]}, "created_at"),
        ({"messages": [{"role": "user", "text": "Hi", "created_at": "9999-99-99"}]}, "created_at"),
        ({"messages": [{"role": "user", "text": "Hi", "created_at": 5}]}, "created_at"),
        ({"messages": [{"role": "user", "text": "Hi", "position": 7}]}, "position"),
        ({"messages": [{"role": "user", "text": "Hi"}], "persona_id": ""}, "persona_id"),
        ({"messages": [{"role": "user", "text": "Hi"}], "user_id": "eve"}, "user_id"),
        *(({"messages": [{"role": "user", "text": text}]}, "text") for text in UNSTORABLE),
        *(({"messages": [{"role": text, "text": "Hi"}]}, "role") for text in UNSTORABLE),
        *(
            ({"messages": [{"role": "user", "text": "Hi", "created_at": text}]}, "created_at")
            for text in UNSTORABLE
        ),
        *(({"messages": [{"role": "user", "text": "Hi", text: 1}]}, "no field") for text in UNSTORABLE),
    ],
)
def test_a_bad_message_is_refused(http: Http, body: Any, field: str) -> None:
    """Each wrong field is refused with a sentence that names it, and nothing is stored."""
    assert field in refused(http, "POST", "/v1/chats/c/messages", body)
    assert http.get("/v1/chats").json()["chats"] == []


@pytest.mark.parametrize(
    "text", ['"broken \\ud800 half"', '"\\udc00"', "NaN", "1e999", f"{'9' * 5000}", "[" * 5000, '"\xff"']
)
def test_what_is_hardly_json_is_refused(http: Http, text: str) -> None:
    """Half a character, numbers without end and brackets without end are bad input, not a failure of ours."""
    body = f'{{"messages": [{{"role": "user", "text": {text}}}]}}'.encode("latin-1")
    answer = http.post("/v1/chats/c/messages", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == 400
    assert http.get("/v1/chats/c").status_code == 404


def test_all_or_nothing(http: Http) -> None:
    """One bad message keeps the good ones of the same request out."""
    body = {"messages": [{"role": "user", "text": "Hello"}, {"role": "user", "text": ""}]}
    refused(http, "POST", "/v1/chats/c/messages", body)
    assert http.get("/v1/chats/c").status_code == 404


def test_another_persona_means_another_chat(http: Http) -> None:
    """A chat belongs to one persona; naming another is a conflict."""
    record(http, "c", "Hello", persona="coach")
    body = {"messages": [{"role": "user", "text": "Hi"}], "persona_id": "nurse"}
    assert "coach" in refused(http, "POST", "/v1/chats/c/messages", body, status=409)


# -- once ------------------------------------------------------------------------------------------------


def test_a_turn_that_is_sent_twice_is_stored_once(http: Http) -> None:
    """The same key with the same body gives the first answer again."""
    body = {"messages": [SAID, {"role": "assistant", "text": "I'll remember that."}]}
    first = http.post("/v1/chats/c/messages", json=body, headers={"Idempotency-Key": "turn-1"})
    again = http.post("/v1/chats/c/messages", json=body, headers={"Idempotency-Key": "turn-1"})
    assert (first.status_code, again.status_code) == (201, 201)
    assert again.json() == first.json()
    assert again.headers["Idempotent-Replay"] == "true"
    assert "Idempotent-Replay" not in first.headers
    assert len(http.get("/v1/chats/c/messages").json()["messages"]) == 2


def test_a_key_belongs_to_one_request(service: Service, http: Http) -> None:
    """The same key with other words, or in another chat, is a conflict; another user's keys do not count."""
    key = {"Idempotency-Key": "turn-1"}
    body = {"messages": [{"role": "user", "text": "Hello"}]}
    assert http.post("/v1/chats/c/messages", json=body, headers=key).status_code == 201
    other = {"messages": [{"role": "user", "text": "Hello again"}]}
    assert http.post("/v1/chats/c/messages", json=other, headers=key).status_code == 409
    assert http.post("/v1/chats/d/messages", json=body, headers=key).status_code == 409
    stranger = service.http("somebody-with-the-same-key")
    assert stranger.post("/v1/chats/c/messages", json=body, headers=key).status_code == 201
    long = {"Idempotency-Key": "k" * 257}
    assert http.post("/v1/chats/c/messages", json=body, headers=long).status_code == 400


def test_routes_that_keep_their_own_keys_exist(service: Service) -> None:
    """A path that is renamed must be renamed among the own keys as well."""
    described = create_app(service.memory, Settings(), local=True).openapi()["paths"]
    for method, path in OWN_KEYS:
        assert method.lower() in described[path]


# -- reading ---------------------------------------------------------------------------------------------


def test_messages_are_read_from_the_oldest_on(http: Http) -> None:
    """Walking the cursors gives every message once, in the order of positions."""
    record(http, "c", *(f"Message {number}" for number in range(1, 8)))
    pages = walked(http, "/v1/chats/c/messages", "messages", limit=3)
    assert [[item["position"] for item in page] for page in pages] == [[1, 2, 3], [4, 5, 6], [7]]
    assert [len(page) for page in walked(http, "/v1/chats/c/messages", "messages", limit=7)] == [7]
    assert [item["position"] for item in http.get("/v1/chats/c/messages").json()["messages"]] == [
        *range(1, 8)
    ]


def test_messages_are_read_back_from_the_newest(http: Http) -> None:
    """`newest` begins with the last page, in order, and its cursors lead back to the first message."""
    record(http, "c", *(f"Message {number}" for number in range(1, 8)))
    pages = walked_back(http, limit=3)
    assert pages == [[5, 6, 7], [2, 3, 4], [1]]
    asked = http.get("/v1/chats/c/messages?before=3").json()
    assert ([item["position"] for item in asked["messages"]], asked["next_cursor"]) == ([1, 2], None)


def walked_back(http: Http, limit: int) -> list[list[int]]:
    """The pages from the newest back: the first is asked for by name, the others by cursor."""
    pages: list[list[int]] = []
    asked: dict[str, Any] = {"newest": True}
    while True:
        answer = http.get("/v1/chats/c/messages", params={"limit": limit, **asked}).json()
        pages.append([item["position"] for item in answer["messages"]])
        if answer["next_cursor"] is None:
            return pages
        asked = {"cursor": answer["next_cursor"]}


def test_messages_around_one(http: Http) -> None:
    """A message is shown among its neighbours, and the cursor goes on after them."""
    said = record(http, "c", *(f"Message {number}" for number in range(1, 8)))
    answer = http.get("/v1/chats/c/messages", params={"around": said[3]["id"], "limit": 3}).json()
    assert [item["position"] for item in answer["messages"]] == [3, 4, 5]
    rest = http.get("/v1/chats/c/messages", params={"cursor": answer["next_cursor"]}).json()
    assert [item["position"] for item in rest["messages"]] == [6, 7]
    whole = http.get("/v1/chats/c/messages", params={"around": said[3]["id"], "limit": 50}).json()
    assert (len(whole["messages"]), whole["next_cursor"]) == (7, None)


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ("limit=0", "limit"),
        ("limit=x", "limit"),
        ("cursor=WyJhIl0", "cursor"),
        ("cursor=zz!", "cursor"),
        (f"before={10**30}", "before"),
        ("before=0", "before"),
        ("before=-3", "before"),
        ("newest=perhaps", "newest"),
        ("newest=true&before=3", "cursor, around, before and newest"),
        ("around=x&before=3", "cursor, around, before and newest"),
        ("around=", "message_id"),
        ("around=a%00", "message_id"),
    ],
)
def test_a_bad_question_for_messages(http: Http, asked: str, field: str) -> None:
    """Each wrong parameter is refused with a sentence that names it."""
    record(http, "c", "Hello")
    answer = http.get(f"/v1/chats/c/messages?{asked}")
    assert answer.status_code == 400, answer.text
    assert field in answer.json()["error"]


def test_around_a_message_of_another_chat(http: Http) -> None:
    """A message that is elsewhere is not in this chat."""
    (elsewhere,) = record(http, "d", "Hello")
    record(http, "c", "Hello")
    assert http.get("/v1/chats/c/messages", params={"around": elsewhere["id"]}).status_code == 404


# -- one message -----------------------------------------------------------------------------------------


def test_one_message_by_its_id(http: Http) -> None:
    """A message is found whichever chat it is in."""
    (said,) = record(http, "c", "Hello")
    assert http.get(f"/v1/messages/{said['id']}").json() == said


def test_an_edit_answers_with_what_followed(http: Http) -> None:
    """The message comes back with its new words and score, and with what was derived anew."""
    said = http.post("/v1/chats/c/messages", json={"messages": [SAID]}).json()
    pin = said["pins"][0]
    (before,) = said["messages"]
    answer = http.patch(f"/v1/messages/{before['id']}", json={"text": "My dad likes roses very much"})
    assert answer.status_code == 200
    after = answer.json()
    assert (after["id"], after["position"], after["text"]) == (
        before["id"],
        1,
        "My dad likes roses very much",
    )
    assert after["importance_score"] < before["importance_score"]
    assert after["rederived"]["removed_pins"] == [pin["id"]]
    assert (after["rederived"]["added_pins"], after["rederived"]["refolded"]) == ([], 0)
    assert http.get("/api/memory/pins?session_id=c").json() == {"pins": []}


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "text required"),
        ({"text": ""}, "text"),
        ({"text": None}, "text"),
        ({"text": "x" * 200_001}, "text"),
        ({"text": "Hi", "role": "user"}, "role"),
        *(({"text": text}, "text") for text in UNSTORABLE),
    ],
)
def test_a_bad_edit_is_refused(http: Http, body: Any, field: str) -> None:
    """Nothing changes when the new words are none."""
    (said,) = record(http, "c", "Hello")
    assert field in refused(http, "PATCH", f"/v1/messages/{said['id']}", body)
    assert http.get(f"/v1/messages/{said['id']}").json() == said


def test_an_erased_message_leaves_a_receipt(http: Http) -> None:
    """The receipt counts the message and the pin that it brought; then both are gone."""
    (said,) = http.post("/v1/chats/c/messages", json={"messages": [SAID]}).json()["messages"]
    answer = http.delete(f"/v1/messages/{said['id']}")
    assert answer.status_code == 200
    assert (answer.json()["receipt"]["messages"], answer.json()["receipt"]["pins"]) == (1, 1)
    assert answer.json()["refolded"] == []
    assert http.get(f"/v1/messages/{said['id']}").status_code == 404
    assert http.get("/v1/chats/c/messages").json() == {"messages": [], "next_cursor": None}
    assert http.delete(f"/v1/messages/{said['id']}").status_code == 404


def test_another_users_message_is_not_there(service: Service, http: Http) -> None:
    """Neither read nor changed nor erased by somebody else."""
    owner = service.http("owner-of-messages")
    (said,) = record(owner, "c", "Mine alone")
    for method, body in (("GET", None), ("PATCH", {"text": "Theirs"}), ("DELETE", None)):
        answer = http.request(method, f"/v1/messages/{said['id']}", json=body)
        assert (answer.status_code, "Mine" in answer.text) == (404, False)
    assert owner.get(f"/v1/messages/{said['id']}").json() == said


def test_one_chat_name_is_two_chats_for_two_users(service: Service, http: Http) -> None:
    """Whoever records under a name that another user has too gets a chat of their own."""
    record(service.http("owner-of-c"), "c", "Mine alone")
    (said,) = record(http, "c", "Hello")
    assert said["position"] == 1
    assert [item["text"] for item in http.get("/v1/chats/c/messages").json()["messages"]] == ["Hello"]
