"""The playground in a real browser: with a model that does what it is told, and without any."""

import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from conftest import FakeEmbedder
from engine.conversing import until
from patience import LIMIT
from playwright.sync_api import Page, Route, expect
from scripted_model import Request, ScriptedModel, event, refuses, says, streams
from serving import Service, serving

from .conftest import SETTINGS, Faults, axe

HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(1)> \u202egnp.exe\u202c " + "W" * 100_000


@pytest.fixture(scope="module")
def model() -> Iterator[ScriptedModel]:
    """A model's server: it lists two models, and talks as it is told."""
    with Listing() as running:
        yield running


class Listing(ScriptedModel):
    """Lists its models whatever the script says; the script is for talking."""

    def answer(self, request: Request) -> Any:
        if request.path.endswith("/models"):
            return says_models(request)
        return super().answer(request)


def says_models(request: Request) -> Any:
    listed = {
        "object": "list",
        "data": [{"id": "small", "object": "model"}, {"id": "large", "object": "model"}],
    }
    return replace(says("")(request), chunks=(json.dumps(listed).encode(),))


@pytest.fixture(scope="module")
def talking(copied: Callable[[], Any], model: ScriptedModel) -> Iterator[Service]:
    """A service whose model is scripted."""
    options: dict[str, Any] = {"openai_base_url": model.url, "chat_model": "house", "openai_api_key": "sk-1"}
    with serving(
        copied(),
        settings=SETTINGS,
        local=True,
        embedder=FakeEmbedder(),
        model_timeout_seconds=30,
        **options,
    ) as running:
        yield running


def _open(service: Service, opened: Callable[..., Page], **options: Any) -> Page:
    page = opened(service, "/#/playground", **options)
    expect(page.get_by_label("Your message")).to_be_visible()
    return page


def _chat(page: Page) -> str:
    """The chat that the address names."""
    page.wait_for_url("**chat=**")
    return page.url.partition("chat=")[2].partition("&")[0]


def _said(service: Service, chat: str) -> list[tuple[str, str]]:
    found = service.run(service.memory.chat(chat, user="local").messages())
    return [(message.role.value, message.text) for message in found]


def _held(page: Page, address: str) -> Callable[[], None]:
    """Hold back what the page asks there, until the result is called."""
    asked: list[Route] = []
    free: list[bool] = []
    page.route(address, lambda route: route.continue_() if free else asked.append(route))

    def go_on() -> None:
        free.append(True)
        for route in asked:
            route.continue_()

    return go_on


def _calls(content: str, category: str = "preference") -> Any:
    """A model that calls the tool, its arguments in two pieces."""
    written = json.dumps(
        {"content": content, "category": category, "reasoning": "The user said so clearly."},
        ensure_ascii=False,
    )

    def piece(call: dict[str, Any]) -> str:
        choice = {"index": 0, "delta": {"tool_calls": [{"index": 0, **call}]}, "finish_reason": None}
        return "data: " + json.dumps({"object": "chat.completion.chunk", "choices": [choice]})

    return streams(
        piece(
            {"id": "call_1", "type": "function", "function": {"name": "saveMemory", "arguments": written[:9]}}
        ),
        piece({"function": {"arguments": written[9:]}}),
        event(None, "tool_calls"),
        "data: [DONE]",
    )


def test_words_appear_as_they_are_spoken_and_the_chat_goes_on(
    talking: Service, model: ScriptedModel, opened: Callable[..., Page]
) -> None:
    """By mouse: the first word is seen before the last is spoken; the second message goes on with the chat."""
    seen = threading.Event()
    model.script(
        streams(
            event("Porto"),
            event(" it is."),
            event(None, "stop"),
            "data: [DONE]",
            before_chunk=lambda number: number == 1 and seen.wait(LIMIT),
        ),
        says("Because of the river."),
    )
    page = _open(talking, opened)
    page.get_by_label("Your message").fill("Where should we go?")
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_text("Porto", exact=True)).to_be_visible()
    axe(page)
    seen.set()
    expect(page.get_by_text("Porto it is.")).to_be_visible()
    page.get_by_label("Your message").fill("Why there?")
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_text("Because of the river.")).to_be_visible()
    chat = _chat(page)
    until(lambda: len(_said(talking, chat)) == 4)
    assert _said(talking, chat)[-2:] == [("user", "Why there?"), ("assistant", "Because of the river.")]
    page.get_by_role("link", name="Open in Chats").click()
    expect(page.get_by_role("heading", level=1, name="Chats")).to_be_visible()
    expect(page.get_by_text("Because of the river.").first).to_be_visible()


def test_a_talk_by_keyboard_with_everything_chosen(
    talking: Service, model: ScriptedModel, opened: Callable[..., Page]
) -> None:
    """Model, persona, instructions and sources are typed, Shift and Enter begin a line, Enter sends, a new chat begins."""
    model.script(says("Briefly: yes."))
    page = _open(talking, opened)
    page.get_by_role("combobox", name="Model").focus()
    page.keyboard.type("large")
    page.get_by_role("combobox", name="Persona").focus()
    page.keyboard.type("painter")
    page.get_by_role("button", name="Instructions").focus()
    page.keyboard.press("Enter")
    page.get_by_label("Instructions", exact=True).fill("Be brief.")
    page.get_by_label("Sources").fill("Blue is rare.\n\nRed is not.")
    page.get_by_label("Your message").focus()
    page.keyboard.type("Is blue rare?")
    page.keyboard.press("Shift+Enter")
    page.keyboard.type("Really?")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Briefly: yes.")).to_be_visible()
    asked = model.requests[-1].body
    assert asked["model"] == "large"
    assert asked["messages"][0]["content"].startswith("Be brief.")
    assert "Blue is rare." in json.dumps(asked["messages"])
    assert asked["messages"][-1]["content"] == "Is blue rare?\nReally?"
    (chat,) = talking.run(talking.memory.chats(chat=_chat(page), user="local"))
    assert chat.persona_id == "painter"
    page.get_by_role("button", name="New chat").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Briefly: yes.")).to_have_count(0)


def test_stopped_answers_are_kept(
    talking: Service, model: ScriptedModel, opened: Callable[..., Page]
) -> None:
    """Escape and the button stop listening; the model goes on, and its answer is found on demand."""
    page = _open(talking, opened)
    for number, stop in enumerate(
        (lambda: page.keyboard.press("Escape"), page.get_by_role("button", name="Stop").click)
    ):
        go_on = threading.Event()
        model.script(
            streams(
                event("A long"),
                event(f" story {number}."),
                event(None, "stop"),
                "data: [DONE]",
                before_chunk=lambda piece, going=go_on: piece == 1 and going.wait(LIMIT),
            )
        )
        page.get_by_label("Your message").fill("Tell me a story")
        page.keyboard.press("Enter")
        expect(page.get_by_text("A long", exact=True)).to_be_visible()
        # Whoever stops looks at the thread at once: the model must not have ended before, or there is nothing to look for.
        with page.expect_request(lambda asked: asked.method == "GET" and "/messages?" in asked.url) as looked:
            stop()
        assert looked.value.response() is not None
        expect(page.get_by_text("You stopped listening.")).to_be_visible()
        go_on.set()
        chat = _chat(page)
        until(lambda there=chat, last=number: ("assistant", f"A long story {last}.") in _said(talking, there))
        look = page.get_by_role("button", name="Look for it")
        look.press("Enter") if number else look.click()
        expect(page.get_by_text(f"A long story {number}.")).to_be_visible()
        expect(page.get_by_text("You stopped listening.")).to_have_count(0)


def test_errors_are_told(
    talking: Service, model: ScriptedModel, opened: Callable[..., Page], faults: Faults
) -> None:
    """A model that fails is told in words, also who writes before the list of models is there; what was said is kept."""
    faults.allow("500")
    model.script(refuses(500, "out of order"))
    page = opened(talking, "/#/todos")
    listed = _held(page, "**/v1/models")
    page.goto(f"{talking.url}/#/playground")
    page.get_by_label("Your message").fill("Are you there?")
    page.keyboard.press("Enter")
    expect(page.get_by_role("article", name="You said")).to_contain_text("Are you there?")
    listed()
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("What you said is kept in the chat.")
    expect(page.get_by_text("Are you there?")).to_have_count(1)
    axe(page)

    page.get_by_label("Model may save memories").check()
    page.get_by_label("Your message").fill("And now?")
    page.keyboard.press("Enter")
    expect(page.get_by_text("And now?")).to_have_count(1)
    expect(alert).to_contain_text("What you said is kept in the chat.")
    expect(page.get_by_label("Your message")).to_have_value("")
    assert _said(talking, _chat(page)) == [("user", "Are you there?"), ("user", "And now?")]


def test_the_model_saves_a_memory(
    talking: Service, model: ScriptedModel, opened: Callable[..., Page]
) -> None:
    """A call of the tool is shown while it runs, opened by keyboard, is still open when it is done; the memory is there."""
    model.script(_calls("User collects old maps of harbours"), says("I will remember that."))
    page = _open(talking, opened)
    run = _held(page, "**/v1/tools/saveMemory")
    page.get_by_label("Model may save memories").focus()
    page.keyboard.press("Space")
    # A question, of which the judge makes no memory: it might be there before the tool is.
    page.get_by_label("Your message").fill("What could I hang on my wall?")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Saving to memory…").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("What could I hang on my wall?")).to_have_count(1)
    run()
    expect(page.get_by_text("I will remember that.")).to_be_visible()
    expect(page.get_by_role("button", name="Send")).to_be_visible()
    call = page.get_by_role("button", name="Saved to memory")
    expect(call).to_have_attribute("aria-expanded", "true")
    expect(call).to_be_focused()
    expect(page.get_by_text("User collects old maps of harbours")).to_be_visible()
    expect(page.get_by_text("preference", exact=True)).to_be_visible()
    expect(page.get_by_text("Memory saved successfully")).to_be_visible()
    axe(page)
    known = talking.run(talking.memory.memories(user="local", limit=1000))
    assert "User collects old maps of harbours" in [item.content for item in known]
    told = model.requests[-1].body["messages"][-1]
    assert (told["role"], told["content"]) == ("tool", "Memory saved successfully")

    model.script(_calls("User collects old maps of harbours"), says("I know."))
    page.get_by_label("Your message").fill("And what else?")
    page.keyboard.press("Enter")
    expect(page.get_by_text("I know.")).to_be_visible()
    page.get_by_role("button", name="Already saved").click()
    expect(page.get_by_text("Similar memory already exists")).to_be_visible()

    model.script(_calls("short"), says("I could not."))
    page.get_by_label("Your message").fill("And this?")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Failed to save")).to_be_visible()
    expect(page.get_by_text("I could not.")).to_be_visible()


def test_without_a_model_the_context_is_shown(service: Service, opened: Callable[..., Page]) -> None:
    """By mouse: what is written is recorded, beside it stands what a model would be sent, and it is saved to memory."""
    page = _open(service, opened)
    expect(page.get_by_text("No model connected")).to_be_visible()
    axe(page)
    page.get_by_label("Your message").fill("What should I get Elin for her birthday?")
    page.get_by_role("button", name="Show the context").click()
    sent = page.get_by_role("region", name="Context preview")
    expect(sent).to_contain_text("=== LONG-TERM MEMORY ===")
    expect(sent).to_contain_text("of 8,000 tokens")
    assert _said(service, _chat(page)) == [("user", "What should I get Elin for her birthday?")]
    axe(page)
    page.get_by_role("button", name="Save to memory").click()
    page.get_by_label("What to remember").fill("Elin wants a kite for her birthday.")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("button", name="Saved to memory")).to_be_visible()
    known = service.run(service.memory.memories(user="local", limit=1000))
    assert any("wants a kite" in item.content for item in known)
    page.get_by_role("button", name="New chat").click()
    expect(sent).to_have_count(0)


@pytest.mark.parametrize("by", ["mouse", "keyboard"])
def test_with_a_model_only_the_context_is_shown_on_demand(
    talking: Service, model: ScriptedModel, opened: Callable[..., Page], by: str
) -> None:
    """A switch asks no model, and the budget that is typed counts."""
    asked = len(model.requests)
    page = _open(talking, opened)
    switch = page.get_by_role("switch", name="Don't call the model")
    # The list of models says whether there is anything to switch.
    expect(switch).to_be_enabled()
    switch.click() if by == "mouse" else switch.press("Space")
    more = page.get_by_role("button", name="Budget")
    more.click() if by == "mouse" else more.press("Enter")
    page.get_by_label("Budget", exact=True).fill("700")
    page.get_by_label("Your message").fill(f"What does Elin like, asked by {by}?")
    show = page.get_by_role("button", name="Show the context")
    show.click() if by == "mouse" else show.press("Enter")
    expect(page.get_by_role("region", name="Context preview")).to_contain_text("of 700 tokens")
    assert _said(talking, _chat(page)) == [("user", f"What does Elin like, asked by {by}?")]
    assert not [sent for sent in model.requests[asked:] if not sent.path.endswith("/models")]


def test_a_message_is_saved_by_hand(service: Service, opened: Callable[..., Page]) -> None:
    """By keyboard: a message is saved to memory with a category, and what came of it is shown."""
    page = _open(service, opened)
    page.get_by_label("Your message").focus()
    page.keyboard.type("I keep two beehives on the roof.")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Save to memory").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_label("What to remember")).to_be_focused()
    axe(page)
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("I am learning the accordion from my aunt.")
    page.get_by_role("combobox", name="Category").click()
    page.get_by_role("option", name="project").click()
    page.get_by_role("button", name="Save", exact=True).focus()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Saved to memory").click()
    expect(page.get_by_text("User is learning the accordion")).to_be_visible()
    known = service.run(service.memory.memories(user="local", limit=1000))
    saved = next(item for item in known if "the accordion" in item.content)
    assert (saved.category.value, saved.source.value) == ("project", "tool")
    assert len(saved.source_message_ids) == 1


def test_hostile_words_stay_words(
    talking: Service, model: ScriptedModel, opened: Callable[..., Page], faults: Faults
) -> None:
    """Markup and a word of 100 kB, said by both, are text, cut, and no wider than a phone."""
    model.script(says(HOSTILE))
    page = _open(talking, opened, width=360)
    page.get_by_label("Your message").fill(HOSTILE)
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Show all")).to_have_count(2)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert page.locator("main script, main img").count() == 0
