"""What a person decides on the page of memories, in a real browser: contradictions, wishes to forget, and tidying."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect
from serving import Service

from recollect import MemoryRecord, NotFound
from recollect.api.engine import engine_of
from recollect.records.proposal import Proposal, ProposalKind
from recollect.store import proposals

from .conftest import axe
from .memories_page import known, open_at, press, tell


def _propose(service: Service, kind: ProposalKind, *contents: str) -> list[MemoryRecord]:
    """Put a proposal there, as the judge would."""
    about = [tell(service, content) for content in contents]
    parts = engine_of(service.memory).parts
    now = parts.now()
    made = Proposal(
        user_id="local",
        proposal_id=parts.new_id(now),
        kind=kind,
        subject=contents[0],
        memory_ids=tuple(memory.memory_id for memory in about),
        reason="one excludes the other" if kind == "contradiction" else "the user said so",
        confidence=0.7,
        created_at=now,
        updated_at=now,
    )
    assert service.run(parts.database.write("local", lambda tx: proposals.add(tx, made)))
    return about


def _statuses(service: Service, memories: list[MemoryRecord]) -> list[str]:
    return [known(service, memory).status.value for memory in memories]


def test_contradictions_are_decided(page: Page, service: Service) -> None:
    """Both sides are shown; one is kept and the other archived, or both are kept: by mouse and by keyboard."""
    cabin = _propose(
        service, ProposalKind.CONTRADICTION, "User lives in a cabin", "User rents a flat in town"
    )
    piano = _propose(service, ProposalKind.CONTRADICTION, "User owns a piano", "User sold every instrument")
    train = _propose(service, ProposalKind.CONTRADICTION, "User goes by train", "User drives to the office")
    lunch = _propose(service, ProposalKind.CONTRADICTION, "User skips lunch", "User eats soup at noon")
    open_at(page, service)
    page.get_by_role("tab", name="Review").click()
    cases = page.get_by_role("article", name="Contradiction")

    def case(about: list[MemoryRecord]) -> Locator:
        return cases.filter(has_text=about[0].content).filter(has_text=about[1].content)

    keep = case(cabin).get_by_role("button", name="Keep this one")
    expect(keep).to_have_count(2)
    axe(page)
    keep.nth(0).click()
    expect(case(cabin)).to_have_count(0)
    press(case(piano).get_by_role("button", name="Keep this one").nth(1))
    expect(case(piano)).to_have_count(0)
    press(case(train).get_by_role("button", name="Keep both"))
    expect(case(train)).to_have_count(0)
    case(lunch).get_by_role("button", name="Keep both").click()
    expect(case(lunch)).to_have_count(0)
    expect(page.get_by_text("Decided.")).to_have_count(4)
    assert _statuses(service, cabin) == ["ACTIVE", "ARCHIVED"]
    assert _statuses(service, piano) == ["ARCHIVED", "ACTIVE"]
    assert _statuses(service, train) == ["ACTIVE", "ACTIVE"]
    assert _statuses(service, lunch) == ["ACTIVE", "ACTIVE"]
    decided = service.run(service.memory.proposals(status=None, kind="contradiction", limit=4))
    assert [proposal.status for proposal in decided] == ["rejected", "rejected", "accepted", "accepted"]


def test_wishes_to_forget_are_decided(page: Page, service: Service) -> None:
    """What somebody asked to forget is erased after a question, or kept: by mouse and by keyboard."""
    things = ("goldfish", "rowing boat", "barrel organ", "tandem")
    fish, boat, organ, tandem = (
        _propose(service, ProposalKind.FORGETTING, f"User once had a {thing}")[0] for thing in things
    )
    open_at(page, service, view="decide")
    wishes = page.get_by_role("article", name="Wish to forget")
    sure = page.get_by_role("dialog").get_by_role("button", name="Forget", exact=True)
    press(wishes.filter(has_text="rowing boat").get_by_role("button", name="Keep"))
    wishes.filter(has_text="tandem").get_by_role("button", name="Keep").click()
    expect(wishes).to_have_count(2)
    # An answer that is still on its way would ask again for what is erased next.
    expect(page.get_by_text("Decided.")).to_have_count(2)
    wishes.filter(has_text="goldfish").get_by_role("button", name="Forget").click()
    sure.click()
    expect(wishes).to_have_count(1)
    expect(sure).to_have_count(0)
    expect(page.get_by_text("Decided.")).to_have_count(3)
    press(wishes.get_by_role("button", name="Forget"))
    expect(page.get_by_role("button", name="Cancel").last).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(wishes).to_have_count(0)
    expect(page.get_by_text("Decided.")).to_have_count(4)
    assert _statuses(service, [boat, tandem]) == ["ACTIVE", "ACTIVE"]
    for gone in (fish, organ):
        with pytest.raises(NotFound):
            known(service, gone)


@pytest.mark.parametrize("by", ["mouse", "keyboard"])
def test_duplicates_are_cleaned_up(page: Page, service: Service, by: str) -> None:
    """The preview changes nothing; the clean-up folds two into one. Another pair may wait as well: all share one service."""
    drink = {"mouse": "strong coffee", "keyboard": "cold cider"}[by]
    pair = [
        tell(service, text, importance=7) for text in (f"User drinks {drink}", f"User drinks {drink} daily")
    ]
    act = Locator.click if by == "mouse" else press
    open_at(page, service, view="decide")
    act(page.get_by_role("button", name="Preview clean-up"))
    expect(page.get_by_text(re.compile(r"Preview: .*\d folds? of duplicates"))).to_be_visible()
    expect(page.get_by_text("2 that say the same").first).to_be_visible()
    expect(page.get_by_text(f"User drinks {drink} daily").first).to_be_visible()
    assert all(known(service, memory).status == "ACTIVE" for memory in pair)
    axe(page)
    act(page.get_by_role("button", name="Clean up now"))
    expect(page.get_by_text(re.compile(r"Cleaned up: .*\d folds?"))).to_be_visible()
    assert all(known(service, memory).folded_into for memory in pair)
