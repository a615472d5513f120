"""The page of entities in a real browser: names are found, merged, decided and forgotten, by mouse and by keyboard."""

from collections.abc import Callable
from contextlib import suppress
from itertools import combinations

import pytest
from playwright.sync_api import Locator, Page, expect
from serving import Service

from recollect import NotFound
from recollect.api.engine import engine_of
from recollect.api.hosting import service_of
from recollect.records.proposal import Proposal, ProposalKind
from recollect.store import proposals

from .conftest import Faults, axe

LISA, ELISABETH = "person:lisa_norén", "person:elisabeth_norén"


def _aliases(service: Service, key: str) -> tuple[str, ...]:
    return service.run(service.memory.entity(key)).entity.aliases


def _are_one(service: Service, one: str, other: str) -> bool:
    names = service.run(service.memory.entity(one)).entity
    return {names.key, *names.aliases} == {one, other}


def _is_known(service: Service, key: str) -> bool:
    try:
        service.run(service.memory.entity(key))
    except NotFound:
        return False
    return True


def _gone_or_there(service: Service, page: Page, done: Callable[[], bool], *, tries: int = 100) -> None:
    """The page tells of a change before the service has answered: look until it is so."""
    for _ in range(tries):
        if done():
            return
        page.wait_for_timeout(50)
    pytest.fail("The database never held what the page showed.")


def _rows(page: Page) -> Locator:
    return page.get_by_role("listbox", name="Entities").get_by_role("option")


def _detail(page: Page) -> Locator:
    return page.get_by_role("region", name="Entity")


def test_a_name_is_found_and_opened_by_mouse(service: Service, opened: Callable[..., Page]) -> None:
    """Search and type narrow the list; a click shows the card, the memories and who is mentioned with it."""
    page = opened(service, "/#/entities")
    page.get_by_label("Search names").fill("iKEÄ")
    expect(_rows(page)).to_have_count(1)
    _rows(page).click()
    known = service.run(service.memory.entity("org:ikea"))
    detail = _detail(page)
    expect(detail.get_by_role("heading", name="Ikea", level=2)).to_be_visible()
    expect(detail.get_by_text(known.card.facts[0]).first).to_be_visible()
    expect(detail.get_by_role("link", name="Where from")).to_have_count(len(known.memories))
    detail.get_by_role("link", name="Jonas").click()
    expect(_detail(page).get_by_role("heading", name="Jonas", level=2)).to_be_visible()
    page.go_back()
    expect(_detail(page).get_by_role("heading", name="Ikea", level=2)).to_be_visible()
    page.get_by_label("Search names").fill("")
    page.get_by_role("radiogroup", name="Type").get_by_text("project").click()
    expect(_rows(page)).to_have_count(
        len(
            [
                entity
                for entity in service.run(service.memory.entities(limit=1000))
                if entity.type == "project"
            ]
        )
    )


def test_a_name_is_found_and_opened_by_keyboard(service: Service, opened: Callable[..., Page]) -> None:
    """`/` leads to the search, the arrows through the names and the types, Enter opens, Escape closes."""
    page = opened(service, "/#/entities")
    expect(_rows(page).first).to_be_visible()
    page.keyboard.press("/")
    page.keyboard.type("bergman")
    expect(_rows(page).first).to_contain_text("Bergman")
    _rows(page).first.focus()
    page.keyboard.press("ArrowDown")
    second = _rows(page).nth(1)
    expect(second).to_be_focused()
    name = (second.inner_text()).splitlines()[0]
    page.keyboard.press("Enter")
    expect(_detail(page).get_by_role("heading", name=name, level=2)).to_be_visible()
    neighbour = _detail(page).get_by_role("link").first
    name = neighbour.inner_text().splitlines()[0]
    neighbour.press("Enter")
    expect(_detail(page).get_by_role("heading", name=name, level=2)).to_be_visible()
    _detail(page).get_by_role("button", name="Close").focus()
    page.keyboard.press("Escape")
    expect(_detail(page)).to_have_count(0)
    page.keyboard.press("/")
    page.keyboard.press("Escape")
    page.get_by_role("radio", name="all").press("ArrowRight")
    persons = [
        entity for entity in service.run(service.memory.entities(limit=1000)) if entity.type == "person"
    ]
    expect(_rows(page).first).to_have_attribute("aria-setsize", str(len(persons)))


def test_two_names_are_merged_and_parted_by_mouse(service: Service, opened: Callable[..., Page]) -> None:
    """The dialog merges two names, the notice takes it back."""
    page = opened(service, f"/#/entities?entity={LISA}")
    _detail(page).get_by_role("button", name="Merge…").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("combobox", name="The other name").fill("Elisabeth")
    page.get_by_role("option", name="Elisabeth Norén", exact=True).click()
    axe(page)
    dialog.get_by_role("button", name="Merge", exact=True).click()
    expect(_detail(page).get_by_role("heading", name="Elisabeth Norén", level=2)).to_be_visible()
    expect(_detail(page).get_by_text("Lisa Norén", exact=True)).to_be_visible()
    _gone_or_there(service, page, lambda: _aliases(service, ELISABETH) == (LISA,))
    page.get_by_role("alert").get_by_role("button", name="Undo").click()
    expect(_detail(page).get_by_role("heading", name="Other names")).to_have_count(0)
    _gone_or_there(service, page, lambda: _aliases(service, ELISABETH) == ())


def test_two_names_are_merged_and_parted_by_keyboard(service: Service, opened: Callable[..., Page]) -> None:
    """The same without a mouse, with the name that stays chosen, and the way back from the entity itself."""
    page = opened(service, f"/#/entities?entity={LISA}")
    _detail(page).get_by_role("button", name="Merge…").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("combobox", name="The other name")).to_be_focused()
    page.keyboard.type("Elisabeth")
    expect(page.get_by_role("option", name="Elisabeth Norén", exact=True)).to_be_visible()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.get_by_role("radio", name="Elisabeth Norén").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(_detail(page).get_by_role("heading", name="Other names")).to_be_visible()
    _gone_or_there(service, page, lambda: _aliases(service, LISA) == (ELISABETH,))
    _detail(page).get_by_role("button", name="Undo the merge of Elisabeth Norén").focus()
    page.keyboard.press("Enter")
    expect(_detail(page).get_by_role("heading", name="Other names")).to_have_count(0)
    _gone_or_there(service, page, lambda: _aliases(service, LISA) == ())


def _proposed(page: Page, name: str) -> Locator:
    return page.get_by_role("region", name="Same person?").get_by_role("article", name=name)


def test_proposals_are_decided_by_mouse_and_taken_back(service: Service, opened: Callable[..., Page]) -> None:
    """What is known under both stands beside the evidence; merged, undone, and the decision stays visible."""
    page = opened(service, "/#/entities?view=names")
    johannes = _proposed(page, "Johanes Sjöberg and Johannes Sjöberg")
    expect(johannes).to_contain_text("they sound the same")
    johannes.get_by_role("button", name="Compare").click()
    expect(johannes.get_by_text("lives in Visby")).to_be_visible()
    expect(johannes.get_by_text("works at Stena Line")).to_be_visible()
    axe(page)
    johannes.get_by_role("button", name="Merge").click()
    expect(johannes).to_have_count(0)
    merged = page.get_by_role("region", name="Merged")
    expect(merged).to_contain_text("Johanes Sjöberg means Johannes Sjöberg")
    _gone_or_there(
        service, page, lambda: _aliases(service, "person:johannes_sjöberg") == ("person:johanes_sjöberg",)
    )
    merged.get_by_role("button", name="Undo: Johanes Sjöberg").click()
    apart = page.get_by_role("region", name="Kept separate")
    expect(apart).to_contain_text("Johanes Sjöberg is not Johannes Sjöberg")
    _gone_or_there(service, page, lambda: _aliases(service, "person:johannes_sjöberg") == ())


def _propose(service: Service, alias: str, into: str) -> None:
    """Put a merge there to be decided, as tidying would."""
    parts = engine_of(service.memory).parts
    now = parts.now()
    made = Proposal(
        user_id="local",
        proposal_id=parts.new_id(now),
        kind=ProposalKind.MERGE,
        subject=f"{alias} {into}",
        entity_keys=(alias, into),
        reason="they are written alike",
        confidence=0.6,
        created_at=now,
        updated_at=now,
    )
    assert service.run(parts.database.write("local", lambda tx: proposals.add(tx, made)))


def test_two_names_are_kept_apart_by_mouse(service: Service, opened: Callable[..., Page]) -> None:
    """A click rejects the proposal, and the list of what was decided merges them after all."""
    one, other = "person:davi", "person:elin"
    _propose(service, one, other)
    page = opened(service, "/#/entities?view=names")
    davi = _proposed(page, "Davi and Elin")
    davi.get_by_role("button", name="Keep separate").click()
    expect(davi).to_have_count(0)
    apart = page.get_by_role("region", name="Kept separate")
    expect(apart).to_contain_text("Davi is not Elin")
    rejected = service.run(service.memory.proposals(status="rejected", kind="merge"))
    assert (one, other) in [item.entity_keys for item in rejected]
    apart.get_by_role("button", name="Merge anyway: Davi").click()
    expect(page.get_by_role("region", name="Merged")).to_contain_text("Davi means Elin")
    _gone_or_there(service, page, lambda: _aliases(service, other) == (one,))
    service.run(service.memory.unmerge(one))


def test_proposals_are_decided_by_keyboard(service: Service, opened: Callable[..., Page]) -> None:
    """Kept separate with Enter, and merged after all with Enter on the notice."""
    page = opened(service, "/#/entities?view=names")
    kristina = _proposed(page, "Kristina Ekdahl and Christina Ekdahl")
    kristina.get_by_role("button", name="Keep separate").focus()
    page.keyboard.press("Enter")
    expect(kristina).to_have_count(0)
    expect(page.get_by_role("region", name="Kept separate")).to_contain_text(
        "Kristina Ekdahl is not Christina"
    )
    pair = ("person:kristina_ekdahl", "person:christina_ekdahl")
    _gone_or_there(service, page, lambda: pair in _rejected(service))
    notice = page.get_by_role("alert").get_by_role("button", name="Merge anyway")
    notice.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("region", name="Merged")).to_contain_text(
        "Kristina Ekdahl means Christina Ekdahl"
    )
    _gone_or_there(service, page, lambda: _aliases(service, pair[1]) == pair[:1])


def _rejected(service: Service) -> list[tuple[str, ...]]:
    return [
        item.entity_keys for item in service.run(service.memory.proposals(status="rejected", kind="merge"))
    ]


def test_forgetting_says_what_goes_and_takes_it(service: Service, opened: Callable[..., Page]) -> None:
    """Escape forgets nothing; confirmed by mouse, and again by keyboard, the entity and its memories are gone."""
    page = opened(service, "/#/entities?entity=place:ghent")
    count = service.run(service.memory.entity("place:ghent")).entity.fact_count
    forget = _detail(page).get_by_role("button", name="Forget…")
    forget.click()
    dialog = page.get_by_role("dialog", name="Forget Ghent?")
    expect(dialog).to_contain_text(f"{count} memories that mention it")
    expect(dialog).to_contain_text("What they say about others goes too")
    axe(page)
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    assert _is_known(service, "place:ghent")
    forget.click()
    dialog.get_by_role("button", name="Forget").click()
    expect(page.get_by_text("Forgotten:")).to_be_visible()
    expect(_detail(page)).to_have_count(0)
    assert not _is_known(service, "place:ghent")

    page.goto(service.url + "/#/entities?entity=place:lyon")
    _detail(page).get_by_role("button", name="Forget…").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Cancel").last).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(_detail(page)).to_have_count(0)
    assert not _is_known(service, "place:lyon")


def test_what_the_service_refuses_goes_back(
    service: Service, opened: Callable[..., Page], faults: Faults
) -> None:
    """A proposal that could not be decided is there again, and the page says why; asked again, by keyboard, it is done."""
    faults.allow("409")
    page = opened(service, "/#/entities?view=names")
    page.route(
        "**/v1/proposals/*",
        lambda route: route.fulfill(status=409, json={"error": "It was decided meanwhile."}),
    )
    alex = _proposed(page, "Alex Palmgren and Alexander Palmgren")
    alex.get_by_role("button", name="Merge").click()
    expect(page.get_by_role("alert").get_by_text("It was decided meanwhile.")).to_be_visible()
    expect(alex).to_be_visible()
    assert _aliases(service, "person:alexander_palmgren") == ()
    page.unroute("**/v1/proposals/*")
    alex.get_by_role("button", name="Compare").press("Enter")
    expect(alex.get_by_role("region", name="Alex Palmgren")).to_be_visible()
    alex.get_by_role("button", name="Merge").press("Enter")
    merged = page.get_by_role("region", name="Merged")
    expect(merged).to_contain_text("Alex Palmgren means Alexander Palmgren")
    _gone_or_there(
        service, page, lambda: _aliases(service, "person:alexander_palmgren") == ("person:alex_palmgren",)
    )
    merged.get_by_role("button", name="Undo: Alex Palmgren").press("Enter")
    expect(page.get_by_role("region", name="Kept separate")).to_contain_text("Alex Palmgren is not Alexander")
    _gone_or_there(service, page, lambda: _aliases(service, "person:alexander_palmgren") == ())


def _pointed_at(page: Page, drawing: Locator, index: int, name: str) -> tuple[float, float]:
    """Point at an entity until its name stands out, as people do: the picture may move while the pointer is on its way."""
    for _ in range(20):
        box = drawing.locator("path").nth(index).bounding_box()
        assert box
        point = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.mouse.move(point[0] + 1, point[1])
        page.mouse.move(*point)
        with suppress(AssertionError):
            expect(drawing.locator("text[data-active]")).to_have_text(name, timeout=3000)
            return point
    pytest.fail(f"{name} never stood out under the pointer.")


def test_the_graph_is_readable_and_a_click_chooses(service: Service, opened: Callable[..., Page]) -> None:
    """Every entity is a point, no name covers another, and a point leads to its entity."""
    assert service.run(service.memory.drain(timeout=60)), "what changes the graph would move it"
    page = opened(service, "/#/entities?view=graph", width=1600, height=900)
    graph = page.get_by_role("region", name="Graph")
    drawing = graph.get_by_role("img", name="The list of names says the same")
    expect(drawing).to_be_visible()
    known = service.run(service_of(service.memory).entity_graph("local", 300))
    expect(drawing.locator("path")).to_have_count(len(known.nodes))
    expect(drawing.locator("line")).to_have_count(len(known.edges))
    boxes = [box for box in (name.bounding_box() for name in drawing.locator("text").all()) if box]
    assert len(boxes) > 40
    covered = [
        (one, other)
        for one, other in combinations(boxes, 2)
        # A name may be a little wider or higher than was reckoned.
        if min(one["x"] + one["width"], other["x"] + other["width"]) - max(one["x"], other["x"]) > 8
        and min(one["y"] + one["height"], other["y"] + other["height"]) - max(one["y"], other["y"]) > 5
    ]
    assert not covered
    whole = drawing.locator("g").first.get_attribute("transform")
    page.mouse.move(900, 500)
    page.mouse.wheel(0, -120)
    expect(drawing.locator("g").first).not_to_have_attribute("transform", whole or "")
    page.get_by_role("button", name="Show all").click()
    expect(drawing.locator("g").first).to_have_attribute("transform", whole or "")
    most = max(range(len(known.nodes)), key=lambda index: known.nodes[index].count)
    page.mouse.click(*_pointed_at(page, drawing, most, known.nodes[most].label))
    expect(_detail(page).get_by_role("heading", name=known.nodes[most].label, level=2)).to_be_visible()
    axe(page)


def test_the_list_leads_through_the_graph_by_keyboard(service: Service, opened: Callable[..., Page]) -> None:
    """The name that has the focus stands out with its neighbours; buttons come nearer and go back."""
    page = opened(service, "/#/entities?view=graph&q=ikea", width=1600, height=900)
    drawing = page.get_by_role("region", name="Graph").get_by_role("img").first
    expect(drawing.locator("path").first).to_be_visible()
    expect(drawing.locator("line[data-active]")).to_have_count(0)
    _rows(page).first.focus()
    ties = len(service.run(service.memory.entity("org:ikea")).neighbours)
    expect(drawing.locator("line[data-active]")).to_have_count(ties)
    expect(drawing.locator("text[data-active]")).to_have_text("Ikea")
    whole = drawing.locator("g").first.get_attribute("transform")
    for button, changed in (("Zoom in", True), ("Show all", False)):
        page.get_by_role("button", name=button).focus()
        page.keyboard.press("Enter")
        if changed:
            expect(drawing.locator("g").first).not_to_have_attribute("transform", whole or "")
        else:
            expect(drawing.locator("g").first).to_have_attribute("transform", whole or "")


@pytest.mark.parametrize(("width", "scheme"), [(360, "light"), (2560, "dark")])
def test_every_view_is_usable_at_every_width(
    service: Service, opened: Callable[..., Page], width: int, scheme: str
) -> None:
    """No serious fault of accessibility and nothing wider than the window, in both colours."""
    page = opened(service, "/#/entities", width=width, color_scheme=scheme)
    for view in ("", "?view=graph", "?view=names", "?entity=org:ikea", "?view=graph&entity=org:ikea"):
        page.goto(f"{service.url}/#/entities{view}")
        expect(page.get_by_role("status", name="Loading")).to_have_count(0)
        axe(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
