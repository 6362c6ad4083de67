"""The steps to the first game: told on a box that has none, counted during its set-up, and then never again."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from companion.journal import Journal
from companion.ui.screens.phones import AllowGuests
from companion.ui.translations import languages
from companion.web import live_markup
from tests.app.boxes import begin, new_box
from tests.harness.taps.tapper import Tapper
from tests.web.paired_page import PairedPage
from tests.web.test_accessibility import faults
from tests.web.test_evening import simulating

if TYPE_CHECKING:
    from tests.web.browser import Browser


@pytest.fixture
def served() -> Iterator[PairedPage]:
    page = PairedPage()
    try:
        yield page
    finally:
        page.stop()


def steps(page: Tapper) -> str:
    return live_markup.parts(page.content)["first"]


@pytest.mark.parametrize("language", languages())
def test_a_new_box_tells_the_steps_with_a_picture_each(language: str) -> None:
    page = Tapper(language)
    assert steps(page).count("<svg") == steps(page).count("<li") == 2  # no phone reaches this one
    assert steps(page).count('class="primary" data-choice="row 1"') == 1


def test_the_step_that_is_shown_is_marked_until_the_first_game_has_begun() -> None:
    page = Tapper("en")
    for choice, step in (("row 1", "1 · Which game?"), ("row 1", "2 · Who plays?")):
        page.tap(choice)
        assert re.findall(r'aria-current="step">(.*?)</li>', steps(page)) == [step]
    page.tap("home", "row 2")
    assert steps(page) == '<section id="first" hidden></section>'


def test_a_box_with_a_game_tells_no_steps_even_if_it_was_removed() -> None:
    journal = Journal()
    begin(new_box(journal), game="hearts")
    assert "hidden" in steps(Tapper("en", journal=journal).tap("home"))


def test_where_phones_can_join_they_are_the_first_step_and_a_button_leads_to_the_code(served: PairedPage) -> None:
    phone = served.paired("Aki")
    page = phone.get("/table").text
    assert page.count('class="drawn"') == 3
    assert "/first.css" in page
    step = page[page.index("1 · Phones") :]
    for marked in ('data-choice="(.*?)">Pair a phone', r'data-choice="(row \d)"[^>]*><span>\s*Pair a phone'):
        (choice,) = re.findall(marked, step)
        (number,) = re.findall(r'data-number="(\d+)"', page)
        assert phone.post("/table/tap", json={"number": int(number), "choice": choice}).is_success
        step = page = phone.get("/table").text
        assert re.findall(r'aria-current="step">(.*?)</li>', page) == ["1 · Phones"]
    assert "Join with a phone" in page


def test_guests_are_not_told_what_others_do_step_by_step(served: PairedPage) -> None:
    served.do(lambda: served.pairing.do(AllowGuests(True)))
    page = served.client().get("/table")
    assert page.is_success
    assert 'class="drawn"' not in page.text
    assert "/first.css" not in page.text


def test_who_skips_the_steps_does_not_see_them_again(served: PairedPage) -> None:
    secret = served.do(lambda: served.pairing.claim(served.pairing.open(), "Aki"))
    phone = served.client(str(secret))
    assert 'id="skipped"' not in phone.get("/table").text
    skipped = phone.get("/table?first=skip")
    assert 'id="skipped"' in skipped.text
    cookie = skipped.headers["set-cookie"].partition(";")[0]
    again = phone.get("/table", headers={"Cookie": f"companion={secret}; {cookie}"}).text
    assert 'id="skipped"' in again
    assert 'class="drawn"' not in again


def test_who_has_joined_with_a_phone_is_offered_a_seat(served: PairedPage) -> None:
    for name in ("Anna", "", "Bernard"):
        phone = served.client()
        assert phone.post("/claim", data={"pin": served.pin(), "name": name}).status_code == 303
    for choice in ("row 1", "row 1"):
        number = re.findall(r'data-number="(\d+)"', phone.get("/table").text)[0]
        assert phone.post("/table/tap", json={"number": int(number), "choice": choice}).is_success
    offered = re.findall(r'data-choice="row \d"[^>]*><span>(.*?)<', phone.get("/table").text)
    assert [label.strip() for label in offered] == ["Anna", "Bernard", "P1"]


@pytest.mark.browser
def test_a_newcomer_is_led_to_the_first_game_and_sees_no_steps_from_then_on(browser: Browser, tmp_path: Path) -> None:
    step = "return (document.querySelector('#first [aria-current]') || {}).textContent"
    with simulating(tmp_path) as address:
        browser.go(f"{address}table")
        assert faults(browser) == ""
        for _ in range(2):
            browser.tap("[data-choice='row 1']")
            browser.until(lambda: browser.run(step) is not None, "a step is shown")
        browser.until(lambda: browser.run(step) == "2 · Who plays?", "names are asked")
        assert faults(browser) == ""
