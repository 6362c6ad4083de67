"""The table's page in a real browser: answers by taps, what it shows, what it says."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from companion.gamelog import decode_line
from companion.games import GAMES
from tests.app.boxes import begin, idle, page_of, press, tap
from tests.app.test_round_comparison import ends, entries
from tests.games.seeds import Dealt, deal
from tests.harness.slips.honest import HABITS
from tests.harness.taps.log_to_taps import taps_of
from tests.web.paired_page import PairedPage
from tests.web.tapped_evening import as_shown, is_saved, set_up, tapped
from tests.web.test_evening import simulating

if TYPE_CHECKING:
    from tests.web.browser import Browser

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("game", GAMES)
def test_a_game_tapped_on_a_phone_is_the_game(browser: Browser, tmp_path: Path, game: str) -> None:
    dealt = deal(game, 5, **HABITS)
    set_up(tmp_path, dealt)
    with simulating(tmp_path) as url:
        browser.open_table(url)
        tapped(browser, dealt, 25)
    assert is_saved(tmp_path, dealt, 25)


def test_a_button_that_keeps_the_focus_says_what_it_does_now(browser: Browser, tmp_path: Path) -> None:
    labels = "return [...document.querySelectorAll('main button')].map((each) => each.textContent.trim())"
    with simulating(tmp_path) as url:
        browser.open_table(url)
        for _screen in range(3):  # new game, which game, who plays
            number = browser.number
            browser.let_pass(0.5)
            browser.find('[data-choice="row 1"]').click()
            browser.until_number_is_not(number)
            shown = browser.run(labels)
            browser.go(f"{url}table")
            browser.listen()
            assert browser.run(labels) == shown


def test_a_game_is_set_up_with_the_phones_own_keyboard(browser: Browser, tmp_path: Path) -> None:
    with simulating(tmp_path) as url:
        browser.open_table(url)
        browser.console()
        browser.choose("row 1")
        browser.choose("row 1")
        for name in ("Aki", "Bea"):
            number = browser.number
            browser.let_pass(0.5)
            browser.find(".writing input").send_keys(name + "\ue007")
            browser.until_number_is_not(number)
            assert browser.run("return document.activeElement.matches('.writing input')")  # the next name is typed
        browser.choose("row 1")
        browser.choose("start")
        assert browser.run("return document.querySelector('#ask h2').textContent") == "Who starts?"
        assert list(browser.choices()) == [
            "seat 1",
            "seat 2",
            "at random",
            "undo",
            "entries",
            "menu",
        ]  # back leads to the set-up
        assert browser.console() == []


def test_on_a_laptop_the_first_name_is_typed_at_once(browser: Browser, tmp_path: Path) -> None:
    with simulating(tmp_path) as url:
        browser.open_table_on_laptop(url)
        for _screen in ("new game", "which game"):
            browser.choose("row 1")
        assert browser.run("return document.activeElement.matches('.writing input')")
        browser.run("document.activeElement.blur()")  # as after a click on somebody's name
        browser.type("Bob")
        assert browser.run("return document.querySelector('.writing input').value") == "Bob"


def test_a_figure_of_the_question_before_is_typed_again_where_it_stands(browser: Browser, tmp_path: Path) -> None:
    header = {"format": 1, "game": "skull-king", "players": list(PLAYERS[:3]), "rules": {}}
    lines: list[dict[str, Any]] = [{"type": "start", "player": 2}, {"type": "bid", "figures": [0, 1, 0]}]
    figures = "return [...document.querySelectorAll('.filling input')].map((each) => each.value).join(' ')"
    set_up(tmp_path, Dealt(0, header, lines, Random(0)), entered=2)
    with simulating(tmp_path) as url:
        browser.open_table(url)
        for name, figure in (("figure 1 2", "0"), ("figure 2 1", "0"), ("figure 2 2", "1")):
            number = browser.number
            browser.find(f'[name="{name}"]').send_keys(f"{figure}\ue007")
            browser.until_number_is_not(number)
        assert browser.run(figures) == "0 0 0 0 1 "


def test_the_list_of_all_games_shows_those_with_the_text_that_is_being_typed(browser: Browser, tmp_path: Path) -> None:
    shown = (
        "return [...document.querySelectorAll('#acts > .row, #acts > h3')].filter((each) => !each.hidden)"
        ".map((each) => each.textContent.trim())"
    )
    with simulating(tmp_path) as url:
        browser.open_table(url)
        browser.choose("row 1")
        browser.choose(next(name for name, label in browser.choices().items() if "Other games" in label))
        every = browser.run(shown)
        field = browser.find(".writing input")
        field.send_keys("jÁss")
        assert browser.run(shown) == ["Jass (Schieber)"]
        field.send_keys("\ue003" * 4)  # the key that deletes
        assert browser.run(shown) == every


def test_a_row_that_opens_a_page_does_not_count_while_it_has_just_come(browser: Browser, tmp_path: Path) -> None:
    dealt = deal("hipparchus", 5, **HABITS)
    set_up(tmp_path, dealt, entered=len(dealt.lines))
    with simulating(tmp_path) as url:
        browser.open_table(url)
        browser.choose("home")
        browser.until(lambda: browser.run("return document.querySelector('#acts a.row') !== null"), "the rows")
        assert browser.find("#acts a.row").get_attribute("aria-disabled") == "true"
        assert browser.run("document.querySelector('#acts a.row').click(); return location.pathname") == "/table"
        browser.tap('#acts a.row[href="/history"]')
        browser.until(lambda: browser.run("return location.pathname") == "/history", "the history")


def tally(data: Path, *rounds: list[int], players: int = 2) -> Dealt:
    """Begin a game of points with some rounds entered; return it."""
    header = {"format": 1, "game": "tally", "players": list(PLAYERS[:players]), "rules": {}}
    dealt = Dealt(0, header, [{"type": "points", "figures": figures} for figures in rounds], Random(0))
    set_up(data, dealt, entered=len(rounds))
    return dealt


PLAYERS = ("Aki", "Bea", "Maximiliane Elisabet", "Dai", "Eva", "Fritz", "Gwendoline", "Hu")
FIELD = "return document.activeElement.name || ''"


def test_the_figures_of_a_round_are_typed_one_after_the_other_and_the_keyboard_stays(
    browser: Browser, tmp_path: Path
) -> None:
    dealt = tally(tmp_path)
    with simulating(tmp_path) as url:
        browser.open_table(url)
        browser.console()
        browser.run("addEventListener('focusout', (event) => { window.left = event.relatedTarget; })")
        browser.find("form.filling input").click()
        browser.type("12345", "\ue007")
        assert browser.run(FIELD) == "figure 2 1"
        assert browser.run("return window.left.name") == "figure 2 1"  # a keyboard closes where nothing has the focus
        browser.until(lambda: browser.run("return document.querySelector('.asked').name") == "figure 2 1", "the next")
        assert browser.run(FIELD) == "figure 2 1"
        browser.type("-30", "\ue007")
        browser.until(lambda: "skip" in browser.choices() and "number 0" not in browser.choices(), "the whole round")
        browser.choose("skip")
        assert browser.console() == []
    assert is_saved(tmp_path, replace(dealt, lines=[{"type": "points", "figures": [12345, -30]}]))


def test_a_refused_figure_stays_in_its_field_with_the_sentence(browser: Browser, tmp_path: Path) -> None:
    tally(tmp_path)
    with simulating(tmp_path) as url:
        browser.open_table(url)
        browser.find("form.filling input").click()
        browser.type("1234567", "\ue007")
        sentence = "From −99999 to 99999"
        browser.until(
            lambda: browser.run("return document.querySelector('.sheet .refusal').textContent") == sentence, "it"
        )
        field = browser.find("[aria-invalid=true]")
        assert field.get_attribute("value") == "1234567"
        assert browser.run("return document.activeElement.name") == "figure 1 1"
        assert browser.status_text() == ""


def test_a_figure_of_an_old_round_is_tapped_and_typed_again(browser: Browser, tmp_path: Path) -> None:
    dealt = tally(tmp_path, [1, 2], [3, 4], [5, 6])
    with simulating(tmp_path) as url:
        browser.open_table(url)
        browser.tap("tr[data-round='1'] td:nth-child(3)")
        browser.until(lambda: browser.run(FIELD) == "figure 2 1", "the field of that figure")
        browser.type("20", "\ue007")
        browser.until(lambda: browser.run("return document.querySelector('.sheet').dataset.round") == "4", "the table")
        browser.until(lambda: "20" in browser.find(".sheet tbody tr").text, "the corrected figure")
    amend = {"type": "amend", "event": 1, "to": {"type": "points", "figures": [1, 20]}}
    assert is_saved(tmp_path, replace(dealt, lines=[*dealt.lines, amend]))


def test_a_page_that_follows_one_that_was_scrolled_begins_at_its_top(browser: Browser, tmp_path: Path) -> None:
    tally(tmp_path, *[[1, 2]] * 20)
    with simulating(tmp_path) as url:
        browser.open_table(url, 360, 600)
        browser.choose("entries")
        assert browser.run("scrollTo(0, 0); scrollTo(0, 9999); return scrollY") > 100
        browser.choose("back")
        assert browser.run("return scrollY") == 0


def test_on_a_laptop_another_spelling_takes_the_place_of_the_old_one(browser: Browser, tmp_path: Path) -> None:
    tally(tmp_path, [1, 2])
    with simulating(tmp_path) as url:
        browser.open_table_on_laptop(url)
        for label in ("menu", "Players", "A name is wrong", "Aki", "Another spelling"):
            number = browser.number
            button = next(one for one in browser._all("#acts button") if label in one.text)
            browser.tap(f'#acts [data-choice="{button.get_attribute("data-choice")}"]')
            browser.until_number_is_not(number)
        browser.type("Akira")
        assert browser.find(".writing input").get_attribute("value") == "Akira"


def test_twelve_rounds_of_eight_fit_a_phone_with_names_and_totals_in_sight(browser: Browser, tmp_path: Path) -> None:
    tally(tmp_path, *[[120, -35, 8, 60, 0, 15, 5, 99]] * 12, players=8)
    with simulating(tmp_path) as url:
        browser.open_table(url, 390, 664)
        wide, names, rounds, scores = browser.run(
            "const high = (one) => one.getBoundingClientRect().height;"
            "return [document.documentElement.scrollWidth,"
            " [...document.querySelectorAll('.sheet thead th')].map(high),"
            " document.querySelectorAll('.sheet tr[data-round]').length, document.querySelectorAll('.sheet').length]"
        )
        assert wide <= 390
        assert max(names) < 45  # one line
        assert rounds == 12
        assert scores == 1  # the fold has it only where the question has not
        top, bottom = browser.run(
            "scrollTo(0, document.querySelector('.sheet tr[data-round=\"6\"]').offsetTop);"
            "const place = (one) => document.querySelector(one).getBoundingClientRect();"
            "return [place('.sheet thead th').top, place('.sheet tfoot td').bottom]"
        )
        assert 0 <= top < 30
        assert bottom <= 664


def test_names_above_five_columns_of_a_small_phone_are_whole(browser: Browser, tmp_path: Path) -> None:
    header = {"format": 1, "game": "tally", "players": ["Bernard", "Haruka", "Céline", "Dan", "Eve"], "rules": {}}
    set_up(tmp_path, Dealt(0, header, [], Random(0)))
    with simulating(tmp_path) as url:
        browser.open_table(url, 390, 664)
        names = browser.run(
            "return [...document.querySelectorAll('.sheet .name')]"
            ".map((one) => [one.clientHeight, one.scrollHeight > one.clientHeight, one.scrollWidth > one.clientWidth])"
        )
    assert len(names) == 5
    assert {(higher, wider) for _height, higher, wider in names} == {(False, False)}
    assert len({height for height, _higher, _wider in names}) == 1  # the faces above them stand in line


def test_a_page_read_at_its_end_stays_there_while_the_sheet_finds_its_room(browser: Browser, tmp_path: Path) -> None:
    tally(tmp_path, *[[987, -987, 987, -987, 987, -987, 987, -987]] * 12, players=8)
    with simulating(tmp_path) as url:
        browser.open_table(url, 360, 600)
        assert "tight" in browser.run("return document.querySelector('.sheet').className")
        before, after = browser.run(
            "scrollTo(0, document.body.scrollHeight); const before = scrollY;"
            "dispatchEvent(new Event('resize')); return [before, scrollY]"
        )
    assert before > 0
    assert after == before


def test_figures_give_way_to_each_other_when_the_sheet_comes_back_from_a_menu(browser: Browser, tmp_path: Path) -> None:
    def running_totals() -> bool:
        return not browser.run("return document.querySelector('#ask .sheet').classList.contains('bare')")

    tally(tmp_path, *[[120, -120] * 4] * 12, players=8)
    with simulating(tmp_path) as url:
        browser.open_table_on_laptop(url)
        assert not running_totals()  # there is no room for them
        browser.choose("menu")
        browser.choose("back")
        browser.until(lambda: browser.run("return document.querySelector('#ask .sheet') !== null"), "the sheet")
        assert not running_totals()


def test_a_button_that_stands_still_below_the_sheet_counts_at_once_after_a_figure(
    browser: Browser, tmp_path: Path
) -> None:
    tally(tmp_path, *[[20, -20] * 4] * 3, players=8)
    with simulating(tmp_path) as url:
        browser.open_table(url, 360, 844)
        browser.run("document.querySelector('input[name=\"figure 1 1\"]').focus()")
        browser.type("5", "\ue007")
        browser.until(lambda: browser.run("return document.querySelector('[data-choice=back]') !== null"), "the answer")
        assert browser.run("return document.querySelector('[data-choice=skip]').ariaDisabled") is None


def test_a_held_card_is_a_pledge(browser: Browser, tmp_path: Path) -> None:
    dealt = deal("eternity", 5, **{**HABITS, "pledge": 0.0})
    set_up(tmp_path, dealt)
    with simulating(tmp_path) as url:
        browser.open_table(url)
        tapped(browser, dealt, 3)
        number = browser.number
        browser.tap(".usual .card", held=True)
        browser.until(lambda: browser.number != number, "the next question")
        assert browser.run("return document.querySelector('#seats').innerHTML").count("g-pledge") == 1


def test_the_result_of_a_game_is_copied_to_be_shared_and_played_again_by_one_tap(
    browser: Browser, tmp_path: Path
) -> None:
    dealt = deal("hipparchus", 3, **HABITS)
    set_up(tmp_path, dealt, len(dealt.lines))
    with simulating(tmp_path) as url:
        browser.open_table(url)
        browser.tap(".share")
        browser.until(lambda: browser.status_text() == "The result is copied.", "the sentence")
        assert browser.run("return document.querySelectorAll('#ask svg.chart').length") == 1
        browser.choose("again")
        assert browser.run("return document.querySelector('#ask h2').textContent") == "Who starts?"


@pytest.fixture
def paired() -> Iterator[PairedPage]:
    """Yield a box on which four play, with its page."""
    page = PairedPage()
    page.do(lambda: press(begin(page.box), "1 A3 B5 A7"))  # Bea is asked
    yield page
    page.stop()


def open_phone(browser: Browser, page: PairedPage, name: str, width: int = 390, height: int = 844) -> None:
    """Pair a phone, and open the table on it; without a name, on this computer."""
    if name:
        open_new_phone(browser, page, name, width, height)
    else:
        open_with(browser, page, page.pairing.own_secret, width, height)


def open_new_phone(browser: Browser, page: PairedPage, name: str, width: int = 390, height: int = 844) -> None:
    """Pair a phone, and open the table on it."""
    secret = str(page.do(lambda: page.pairing.claim(page.pairing.open(), name)))
    page.do(page.box.show_machine)
    open_with(browser, page, secret, width, height)


def open_with(browser: Browser, page: PairedPage, secret: str, width: int, height: int) -> None:
    browser.go(f"http://127.0.0.1:{page.server.port}/join")
    browser.cookie("companion", secret)
    browser.open_table(f"http://127.0.0.1:{page.server.port}/", width, height)


def you_are(browser: Browser) -> str:
    """Return who the phone is, as its page shows it."""
    return str(browser.run("return role.selectedOptions[0].text"))


def takes_back(browser: Browser, button: str) -> bool:
    """Return whether a button of the page's foot can be tapped."""
    return bool(browser.run("return !document.querySelector(`#acts [data-choice=${arguments[0]}]`).disabled", button))


def who_else(browser: Browser) -> str:
    """Return the question who holds the phone; empty if it is not asked."""
    return str(browser.run("return who.hidden ? '' : who.querySelector('h2').textContent"))


def test_a_phone_says_who_holds_it_and_asks_when_that_person_does_not_play(
    browser: Browser, paired: PairedPage
) -> None:
    open_phone(browser, paired, "Bea")  # the name of a player
    assert (you_are(browser), who_else(browser)) == ("scorer, for everybody", "Bea, for whom do you enter?")
    assert not browser.find("#you").is_displayed()  # it asks the same
    assert browser.run("return [...who.querySelectorAll('button')].map((button) => button.textContent)") == [
        "scorer, for everybody",
        "Bea",
    ]
    browser.tap('[data-role="seat Bea"]')
    browser.until(lambda: you_are(browser) == "Bea", "Bea")
    assert who_else(browser) == ""
    assert browser.find("#you").is_displayed()
    assert browser.run("return document.body.className") == "role-seat mine"
    paired.do(lambda: press(begin(paired.box, ("Dai", "Bea", "Aki", "Cyr")), "1 A3 B5"))
    browser.until(lambda: browser.run("return document.body.dataset.seat") == "1", "the seat of Bea in the next game")
    assert browser.run("return document.body.className") == "role-seat"
    assert takes_back(browser, "undo")  # the open cards are nobody's entry
    paired.do(lambda: begin(paired.box, ("Dai", "Eve", "Aki", "Cyr")))
    browser.until(lambda: bool(who_else(browser)), "the question")
    assert (you_are(browser), who_else(browser)) == ("Bea", "Bea does not play. Who are you?")
    browser.tap('[data-role="seat Eve"]')
    browser.until(lambda: you_are(browser) == "Eve", "Eve")
    assert who_else(browser) == ""


@pytest.mark.parametrize("name", ["Fran", ""])
def test_a_phone_that_comes_into_a_game_shows_it_and_enters_nothing_before_it_has_said_who_holds_it(
    browser: Browser, paired: PairedPage, name: str
) -> None:
    open_new_phone(browser, paired, name)
    assert who_else(browser) == "Who are you?"
    assert browser.choices() == {}
    assert browser.find("#seats").is_displayed()
    browser.tap('[data-role="scorer"]')
    browser.until(lambda: "undo" in browser.choices(), "all that a scorer may do")
    assert who_else(browser) == ""
    assert any(choice.startswith("sky-") for choice in browser.choices())


def test_a_phone_that_has_not_said_who_holds_it_shows_no_offers(browser: Browser, paired: PairedPage) -> None:
    dealt = deal("eternity", 3, **{**HABITS, "misplay": 0.3})
    paired.do(lambda: next(islice(entries(dealt, paired.box), 25, None)))
    open_new_phone(browser, paired, "")
    paired.do(lambda: (tap(paired.box, "sky-3"), idle(paired.box)))  # a revoke
    offered = "return document.querySelector('#offers button') !== null"
    browser.until(lambda: browser.run(offered), "the offers")
    assert who_else(browser) == "Who are you?"
    assert not browser.find("#offers").is_displayed()
    browser.tap('[data-role="scorer"]')
    browser.until(lambda: browser.find("#offers").is_displayed(), "the offers")


@pytest.mark.parametrize("game", ["gear", "hipparchus"])
def test_a_phone_whose_player_is_not_asked_says_that_a_rounds_figures_are_right(
    browser: Browser, paired: PairedPage, game: str
) -> None:
    dealt = deal(game, 3, **{**HABITS, "most_rounds": 3})
    paired.do(lambda: next(ends(dealt, paired.box)))
    asked = page_of(paired.box).question.seat
    other = next(name for seat, name in enumerate(dealt.header["players"]) if seat != asked)
    open_phone(browser, paired, other)
    browser.tap(f'[data-role="seat {other}"]')
    browser.until(lambda: you_are(browser) == other, other)
    browser.until(lambda: {"same", "back"} <= set(browser.choices()), "yes and no")
    browser.choose("same")
    browser.until(lambda: "same" not in browser.choices(), "the next question")
    assert paired.do(lambda: paired.box.state.entry.compared)


def test_a_player_corrects_an_old_entry_in_as_many_taps_as_a_scorer(browser: Browser, paired: PairedPage) -> None:
    open_phone(browser, paired, "Bea")
    browser.tap('[data-role="seat Bea"]')
    browser.until(lambda: you_are(browser) == "Bea", "Bea")
    browser.choose("entries")
    browser.until(lambda: "correct" in browser.choices(), "the entries")
    browser.choose("row 2")
    assert browser.choices()["correct"] == "correct as scorer"
    browser.choose("correct")
    assert "2: Column card 1:" in browser.run("return document.querySelector('#ask h2').textContent")
    assert you_are(browser) == "scorer, for everybody"
    browser.choose("back")
    browser.until(lambda: you_are(browser) == "Bea", "Bea again")


def test_a_phone_that_was_said_to_score_scores_on_after_a_correction(browser: Browser, paired: PairedPage) -> None:
    open_phone(browser, paired, "Bea")
    browser.tap('[data-role="scorer"]')
    browser.until(lambda: who_else(browser) == "", "the scorer")
    browser.choose("entries")
    browser.until(lambda: "correct" in browser.choices(), "the entries")
    browser.choose("back")
    browser.until(lambda: "menu" in browser.choices(), "the table")
    assert you_are(browser) == "scorer, for everybody"


def test_who_holds_the_phone_is_whole_where_it_has_room(browser: Browser, paired: PairedPage) -> None:
    open_new_phone(browser, paired, "")
    browser.tap('[data-role="scorer"]')
    browser.until(lambda: browser.find("#you").is_displayed(), "who holds it")
    wide, whole = browser.run(
        "const other = role.cloneNode(true);"
        "other.style.cssText = 'position: fixed; max-width: none; width: auto';"
        "role.after(other); const whole = other.offsetWidth; other.remove(); return [role.offsetWidth, whole]"
    )
    assert wide >= whole


def test_a_pledge_that_was_touched_stays_touched_while_others_do_something(
    browser: Browser, paired: PairedPage
) -> None:
    open_phone(browser, paired, "")
    browser.tap(".mode")
    pledging = "return [document.querySelector('.mode').ariaPressed, document.body.classList.contains('pledging')]"
    assert browser.run(pledging) == ["true", True]
    number = browser.number
    paired.pin()
    paired.do(paired.box.show_machine)
    browser.until(lambda: browser.run("return document.querySelector('#join .pin') !== null"), "the PIN")
    assert browser.number == number
    assert browser.run(pledging) == ["true", True]


def test_hidden_cards_leave_no_room_and_come_back_where_the_others_have_them(
    browser: Browser, paired: PairedPage
) -> None:
    open_phone(browser, paired, "Bea")
    cards = "return document.querySelector('#ask .answers').offsetTop - document.querySelector('main').offsetTop"
    browser.tap('[data-role="scorer"]')
    browser.until(lambda: who_else(browser) == "", "the scorer")
    place = browser.run(cards)
    browser.run("role.value = 'seat Aki'; role.dispatchEvent(new Event('change'))")
    browser.until(
        lambda: browser.run("return document.querySelector('#ask .answers').offsetParent === null"), "no cards"
    )
    asked = "return document.querySelector('#ask').offsetTop - document.querySelector('#seats').offsetTop"
    assert browser.run(asked) < 300
    browser.run("role.value = 'scorer'; role.dispatchEvent(new Event('change'))")
    browser.until(lambda: browser.run(cards) > 0, "the cards")
    assert browser.run(cards) == place


def test_a_seat_is_offered_undo_for_its_own_entry_alone(browser: Browser, paired: PairedPage) -> None:
    open_phone(browser, paired, "Bea")
    browser.tap('[data-role="seat Bea"]')
    browser.until(lambda: you_are(browser) == "Bea", "Bea")
    assert not takes_back(browser, "undo")  # it is Aki's
    number = browser.number
    paired.do(lambda: press(paired.box, "A9"))
    browser.until_number_is_not(number)
    browser.until(lambda: takes_back(browser, "undo"), "undo")
    paired.do(lambda: press(paired.box, "*"))
    browser.until(lambda: bool(browser.run("return document.querySelector('#acts [data-choice=redo]')")), "redo")
    assert not takes_back(browser, "redo")  # the box took it back


def test_a_seat_without_a_figure_to_type_says_why_and_takes_no_other_answer_back(
    browser: Browser, paired: PairedPage
) -> None:
    def told() -> str:
        return browser.find(".elsewhere").text

    paired.do(lambda: begin(paired.box, ("Ann", "Bea", "Aki", "Dai"), "round", "hearts"))
    paired.do(lambda: press(paired.box, "2"))  # Bea deals
    open_phone(browser, paired, "Bea")
    browser.tap('[data-role="seat Bea"]')
    browser.until(lambda: you_are(browser) == "Bea", "Bea")
    assert told() == "Your figure follows from the others. Aki is asked"
    paired.do(lambda: press(paired.box, "5#"))
    browser.until(lambda: told() == "Your figure follows from the others. Dai is asked", "the next one")
    assert not takes_back(browser, "back")  # the figure is Aki's
    paired.do(lambda: press(paired.box, "5#6#"))
    browser.until(lambda: not browser.find(".elsewhere").is_displayed(), "her own field in the next round")


def test_a_player_s_phone_begins_a_game_with_a_typed_name(browser: Browser, paired: PairedPage) -> None:
    open_phone(browser, paired, "Bea")
    browser.tap('[data-role="seat Bea"]')
    browser.until(lambda: you_are(browser) == "Bea", "Bea")
    for choice in ("menu", "row 5"):  # leave the game
        browser.choose(choice)
    for choice in ("row 2", "row 1"):  # a new game of Eternity
        browser.choose(choice)
    number = browser.number
    browser.find(".writing input").click()
    browser.type("Eve")
    browser.tap(".writing [type=submit]")
    browser.until_number_is_not(number)
    browser.until(lambda: "Seat 2" in browser.find("#ask h2").text, "the next seat")


def test_a_page_that_was_opened_before_the_game_has_its_rules_card(browser: Browser) -> None:
    def shown() -> bool:
        return bool(browser.run("return document.querySelector('#rules-card').checkVisibility()"))

    page = PairedPage()
    try:
        open_phone(browser, page, "Bea")
        browser.run("document.querySelector('#more').open = true")
        assert not shown()
        page.do(lambda: begin(page.box))
        browser.until(shown, "the rules card")
    finally:
        page.stop()


def status(browser: Browser) -> str:
    """Return the page's status line."""
    return str(browser.run("return document.querySelector('#status').textContent"))


def test_a_part_of_a_page_may_have_any_character_in_an_attribute(browser: Browser, tmp_path: Path) -> None:
    with simulating(tmp_path) as url:
        browser.open_table(url)
        built = browser.run(
            "return import('/live.js').then(({ built }) => {"
            "  const part = document.createElement('div');"
            '  part.append(built(\'<p title="a > b < c" class="x">1 &gt; <b>0</b><br>end</p>\'));'
            "  return [part.innerHTML, part.firstChild.title, part.textContent];"
            "});"
        )
        assert built == ['<p title="a &gt; b &lt; c" class="x">1 &gt; <b>0</b><br>end</p>', "a > b < c", "1 > 0end"]


def test_a_tap_without_a_network_is_told_until_another_one_counts(browser: Browser, tmp_path: Path) -> None:
    dealt = deal("eternity", 5, **HABITS)
    set_up(tmp_path, dealt)
    with simulating(tmp_path) as url:
        browser.open_table(url)
        tapped(browser, dealt, 1)
        card = next(name for name in browser.choices() if name.startswith("sky"))
        browser.limit_network(offline=True)
        browser.until(lambda: "Connection lost" in status(browser), "that the connection is lost")
        browser.tap(f'[data-choice="{card}"]')
        browser.until(lambda: "was not sent" in status(browser), "that the tap was not sent")
        assert "Connection lost" in status(browser)
        browser.limit_network()
        browser.until(lambda: "Connection lost" not in status(browser), "the connection")
        assert "was not sent" in status(browser)
        browser.choose(card)
        browser.until(lambda: status(browser) == "", "the end of the sentence")


def lay_elsewhere(url: str) -> None:
    """Lay the first card that is offered on another page of this computer."""
    page = httpx.get(f"{url}table").text
    number, card = re.search(r'data-number="(\d+)"', page), re.search(r'data-choice="([a-z]+-\d+)"', page)
    assert number is not None
    assert card is not None
    httpx.post(f"{url}table/tap", json={"number": int(number[1]), "choice": card[1]}).raise_for_status()


def test_a_tap_that_was_not_sent_is_told_for_some_questions_and_then_no_more(browser: Browser, tmp_path: Path) -> None:
    dealt = deal("eternity", 5, **HABITS)
    set_up(tmp_path, dealt, 2)
    with simulating(tmp_path) as url:
        browser.open_table(url)
        browser.limit_network(offline=True)
        browser.tap(f'[data-choice="{next(iter(browser.choices()))}"]')
        browser.until(lambda: "was not sent" in status(browser), "that the tap was not sent")
        browser.limit_network()
        browser.until(lambda: "Connection lost" not in status(browser), "the connection")
        for count in range(5):
            assert "was not sent" in status(browser), count
            number = browser.number
            lay_elsewhere(url)
            browser.until_number_is_not(number)
        browser.until(lambda: status(browser) == "", "the end of the sentence")


def test_a_tap_while_another_one_is_under_way_is_told(browser: Browser, tmp_path: Path) -> None:
    dealt = deal("eternity", 5, **HABITS)
    set_up(tmp_path, dealt)
    with simulating(tmp_path) as url:
        browser.open_table(url)
        tapped(browser, dealt, 1)
        number = browser.number
        browser.run(
            "letPass(500);"
            "const cards = document.querySelectorAll('#ask .card');"
            "for (const card of [cards[0], cards[0], cards[1]]) card.click();"
        )
        browser.until(lambda: browser.number != number, "the next question")
        browser.until(lambda: "was not sent" in status(browser), "that the second card was not sent")


def test_a_second_tap_meets_a_gap_and_a_new_button_does_not_count_at_once(browser: Browser, tmp_path: Path) -> None:
    dealt = deal("eternity", 5, **HABITS)
    set_up(tmp_path, dealt)
    with simulating(tmp_path) as url:
        browser.open_table(url)
        tapped(browser, dealt, 3)
        card = next(name for name in browser.choices() if name.startswith("sky"))
        place = browser.find(f'[data-choice="{card}"]').rect
        number = browser.number
        browser.choose(card)
        after = browser.number
        browser.tap_at(place)
        browser.tap('[data-choice="menu"]')
        browser.until(lambda: browser.number not in (number, after), "the menu")
        menu = browser.number
        browser.run("document.querySelector('[data-choice=\"row 2\"]').click()")
        browser.choose("back")
        assert browser.number == menu + 1
        assert "was not sent" not in status(browser)


def test_a_card_for_a_question_that_somebody_else_has_answered_is_told_and_the_menu_counts_at_once(
    browser: Browser, tmp_path: Path
) -> None:
    dealt = deal("eternity", 5, **HABITS)
    set_up(tmp_path, dealt, 3)
    pale = "return document.querySelector(`main [data-choice='${arguments[0]}']`).ariaDisabled === 'true'"
    click = "document.querySelector(`main [data-choice='${arguments[0]}']`).click()"
    with simulating(tmp_path) as url:
        browser.open_table(url)
        card = next(name for name in reversed(browser.choices()) if name.startswith("sky"))
        number = browser.number
        lay_elsewhere(url)
        browser.until_number_is_not(number)
        number = browser.number
        named = ("entries", "menu", card, "undo")
        assert {name: browser.run(pale, name) for name in named} == {
            "entries": False,
            "menu": False,
            card: True,
            "undo": True,
        }
        browser.run(click, card)
        assert re.fullmatch(r"“Sky \d+” was refused: A phone answered first: .+", status(browser))
        browser.run(click, "undo")
        assert status(browser).startswith("“undo” was refused: A phone answered first: ")
        assert browser.number == number
        browser.run(click, "menu")
        browser.until_number_is_not(number)
        assert status(browser) == ""


def test_the_second_tap_of_a_finger_is_not_told_when_somebody_else_answers_between_them(
    browser: Browser, tmp_path: Path
) -> None:
    dealt = deal("eternity", 5, **HABITS)
    set_up(tmp_path, dealt, 3)
    click = "document.querySelector(`main [data-choice='${arguments[0]}'], main [data-gone='${arguments[0]}']`).click()"
    with simulating(tmp_path) as url:
        browser.open_table(url)
        card = next(name for name in reversed(browser.choices()) if name.startswith("sky"))
        number = browser.number
        browser.run("const now = Date.now(); Date.now = () => now")  # all in one moment
        browser.run(click, card)
        browser.until_number_is_not(number)
        number = browser.number
        lay_elsewhere(url)
        browser.until_number_is_not(number)
        browser.run(click, card)
        assert status(browser) == ""


def test_a_players_own_cards_count_as_soon_as_they_are_back_at_their_places(
    browser: Browser, paired: PairedPage
) -> None:
    open_phone(browser, paired, "Bea")
    browser.tap('[data-role="seat Bea"]')
    pale = "const card = document.querySelector('#ask .card[data-choice=sky-9]');"
    pale += "return card && card.offsetParent && card.ariaDisabled"
    browser.until(lambda: browser.run("return document.body.classList.contains('role-seat')"), "the player's phone")
    browser.let_pass(0.5)
    mine = "return document.body.classList.contains('mine')"
    for key in ("A4", "A5", "A6", "A8", "B6", "B7", "B8", "B9"):  # Bea lays, and the others, until it is her turn again
        number = browser.number
        paired.do(lambda key=key: press(paired.box, key))  # type: ignore[misc]
        browser.until_number_is_not(number)
        if browser.run(mine):
            break
    assert browser.run(mine)
    assert browser.run(pale) is None


def test_the_button_that_steps_back_first_clears_the_sentence_on_a_card_that_is_gone(
    browser: Browser, tmp_path: Path
) -> None:
    dealt = deal("eternity", 5, **HABITS)
    set_up(tmp_path, dealt)
    with simulating(tmp_path) as url:
        browser.open_table(url)
        tapped(browser, dealt, 3)
        number, usual = browser.number, browser.find('main [data-choice="undo"]').text
        browser.run("letPass(500); document.querySelector('[data-gone]').click()")
        browser.until(lambda: status(browser) != "", "who laid the card")
        undo, clears = browser.find('main [data-choice="undo"]'), browser.find(".clears")
        assert (undo.is_displayed(), clears.is_displayed(), clears.text) == (False, True, "back")
        assert usual != "back"
        assert clears.get_attribute("aria-disabled"), "it has just come under the finger"
        browser.run("letPass(500); document.querySelector('.clears').click()")
        assert (status(browser), undo.is_displayed(), clears.is_displayed()) == ("", True, False)
        assert undo.get_attribute("aria-disabled"), "a second tap takes nothing back"
        assert (browser.number, undo.text) == (number, usual)
        browser.run("letPass(500)")
        browser.choose("undo")
        browser.until(lambda: browser.number != number, "the entry taken back")


def test_an_alert_and_its_offers_leave_the_cards_where_they_are(browser: Browser, tmp_path: Path) -> None:
    dealt = deal("eternity", 3, **{**HABITS, "misplay": 0.3})
    set_up(tmp_path, dealt, entered=26)
    with simulating(tmp_path) as url:
        browser.open_table(url)
        places = "return [...document.querySelectorAll('#ask .card')].map((one) => [one.dataset.choice, one.offsetTop])"
        before = dict(browser.run(places))
        assert not browser.find("#offers").is_displayed()
        browser.choose("sky-3")  # a revoke
        browser.until(lambda: browser.run("return document.querySelector('#offers button') !== null"), "the offers")
        after = dict(browser.run(places))
        assert after.keys() < before.keys()
        assert all(before[card] == top for card, top in after.items())
        browser.tap("[data-to=offers]")
        assert browser.run("return document.querySelector('#offers').getBoundingClientRect().bottom <= innerHeight")


def test_the_browsers_back_leads_one_screen_back_and_from_the_table_off_the_page(
    browser: Browser, tmp_path: Path
) -> None:
    dealt = deal("eternity", 5, **HABITS)
    set_up(tmp_path, dealt)
    with simulating(tmp_path) as url:
        browser.go(f"{url}history")
        browser.go(f"{url}table")
        browser.listen()
        browser.choose("menu")
        browser.choose(next(name for name, label in browser.choices().items() if label == "Alerts"))
        for _ in range(2):
            number = browser.number
            browser.run("history.back()")
            browser.until_number_is_not(number)
        assert "menu" in browser.choices()
        browser.run("history.back()")
        browser.until(lambda: browser.run("return location.pathname") == "/history", "the page before")


def test_the_entry_whose_actions_stand_at_the_foot_is_in_sight(browser: Browser, tmp_path: Path) -> None:
    dealt = deal("eternity", 5, **HABITS)
    set_up(tmp_path, dealt)
    with simulating(tmp_path) as url:
        browser.open_table(url)
        tapped(browser, dealt, 30)
        number = browser.number
        browser.choose("entries")
        browser.until_number_is_not(number)
        top, bottom, bar, rows = browser.run(
            "const place = (one) => document.querySelector(one).getBoundingClientRect();"
            "const row = place('#acts .row.chosen'), rows = document.querySelectorAll('#acts .row').length;"
            "return [row.top, row.bottom, place('#acts .bar').top, rows]"
        )
    assert rows > 20
    assert 0 <= top < bottom <= bar


@pytest.mark.parametrize(("width", "height"), [(360, 600), (390, 664)])
def test_all_cards_and_the_buttons_at_the_foot_are_in_sight_on_a_small_phone(
    browser: Browser, tmp_path: Path, width: int, height: int
) -> None:
    dealt = deal("eternity", 5, **HABITS)
    set_up(tmp_path, dealt, entered=3)
    with simulating(tmp_path) as url:
        browser.open_table(url, width, height)
        cards, bar, foot, smallest = browser.run(
            "const place = (one) => one.getBoundingClientRect(), bar = place(document.querySelector('#acts .bar'));"
            "const cards = [...document.querySelectorAll('#ask .usual button, #ask .suit button')].map(place);"
            "return [Math.max(...cards.map((one) => one.bottom)), bar.top, bar.bottom,"
            " Math.min(...cards.map((one) => one.height))]"
        )
    assert cards <= bar
    assert foot == height
    assert smallest >= 44


@pytest.mark.parametrize("language", ["en", "fr", "ja"])
def test_four_suits_of_thirteen_and_the_trick_are_in_sight_and_led_stands_in_its_box(
    browser: Browser, tmp_path: Path, language: str
) -> None:
    header = {"format": 1, "game": "hearts", "players": ["Aki", "Bea", "Cem", "Dai"], "rules": {}}
    set_up(tmp_path, Dealt(0, header, [], Random(0)))
    with simulating(tmp_path) as url:
        browser.open_table(url, 360, 600)
        for choice in ("seat 4", "seat 1", "clubs-3"):  # who deals, who has the lowest club
            browser.choose(choice)
        browser.go(f"{url}table?lang={language}")
        browser.listen()
        cards, bar, top, beyond = browser.run(
            "const place = (one) => one.getBoundingClientRect(), bar = place(document.querySelector('#acts .bar'));"
            "const cards = [...document.querySelectorAll('#ask .suit button')].map((one) => place(one).bottom);"
            "const sign = place(document.querySelector('.led .which .sign'));"
            "const box = place(document.querySelector('.led .which'));"
            "return [Math.max(...cards), bar.top, place(document.querySelector('#seats')).top,"
            " Math.max(box.left - sign.left, sign.right - box.right)]"
        )
        browser.go(f"{url}table?lang=en")  # the browser keeps it, and other tests have the same browser
    assert cards <= bar
    assert top >= 0
    assert beyond <= 0


def test_cards_are_called_what_the_mode_lays(browser: Browser, paired: PairedPage) -> None:
    def called() -> set[bool]:
        return set(
            browser.run(
                "return [...document.querySelectorAll('.usual .card')]"
                ".map((one) => one.getAttribute('aria-label').startsWith('pledge '))"
            )
        )

    open_phone(browser, paired, "")
    assert called() == {False}
    browser.tap(".mode")
    assert called() == {True}
    number = browser.number
    paired.do(lambda: press(paired.box, "A9"))
    browser.until_number_is_not(number)
    assert called() == {False}
    assert browser.find(".mode").get_attribute("aria-pressed") == "false"


def test_pairs_stand_behind_a_button_and_stay_open_once_they_are(browser: Browser, tmp_path: Path) -> None:
    def pairs() -> int:
        return int(
            browser.run("return [...document.querySelectorAll('.pair')].filter((one) => one.offsetParent).length")
        )

    header = {"format": 1, "game": "gear", "players": ["Aki", "Bea"], "rules": {"auction": False}}
    set_up(tmp_path, Dealt(0, header, [{"type": "start", "player": 0}], Random(0)), entered=1)
    with simulating(tmp_path) as url:
        browser.open_table(url)
        assert pairs() == 0
        browser.tap("button.pairs")
        assert pairs() > 0
        assert browser.find("button.pairs").get_attribute("aria-pressed") == "true"
        browser.open_table(url)
        assert pairs() > 0
        browser.tap("button.pairs")
        assert pairs() == 0


def test_a_phone_signals_its_turn_and_an_alert_as_chosen(browser: Browser, paired: PairedPage) -> None:
    open_phone(browser, paired, "Cyr")
    browser.run("window.felt = []; navigator.vibrate = (ms) => felt.push(ms)")
    browser.tap('[data-role="seat Cyr"]')
    browser.until(lambda: you_are(browser) == "Cyr", "Cyr")
    felt = "return felt.length"
    before = browser.run(felt)
    number = browser.number
    paired.do(lambda: press(paired.box, "A9"))  # Cyr is asked now
    browser.until_number_is_not(number)
    assert browser.run("return document.querySelector('#turn .own').offsetParent !== null")
    assert browser.run(felt) == before + 1
    assert browser.run("return [...document.querySelectorAll('[name^=sound]')].every((one) => !one.checked)")
    browser.run("document.querySelector('[name=touch-turn]').click()")
    before = browser.run(felt)
    paired.do(lambda: press(paired.box, "*"))
    browser.until(lambda: browser.find("#turn .other").is_displayed(), "the turn of the one before")
    paired.do(lambda: press(paired.box, "A9"))
    browser.until(lambda: browser.find("#turn .own").is_displayed(), "the own turn")
    assert browser.run(felt) == before


def test_after_a_round_the_cards_are_where_a_page_that_has_not_seen_it_has_them(
    browser: Browser, tmp_path: Path
) -> None:
    dealt = deal("eternity", 29, **{**HABITS, "most_rounds": 3})
    last = next(count for count in range(len(dealt.lines)) if dealt.session(count + 1).progress.round == 2)
    set_up(tmp_path, dealt, last)
    before = dealt.session(last)
    top = "return Math.round(document.querySelector('#ask .card').getBoundingClientRect().top)"
    with simulating(tmp_path) as url:
        browser.open_table(url)
        for choice, _taps in taps_of(before, decode_line(json.dumps(as_shown(dealt.lines[last])), before.header)):
            browser.choose(choice)
        browser.choose(next(iter(browser.choices())))
        while not browser.run("return document.querySelector('#ask .card')"):
            browser.choose(next(iter(browser.choices())))
        seen = browser.run(top)
        browser.go(f"{url}table")
        browser.listen()
        assert browser.run(top) == seen


def test_a_phone_whose_screen_need_not_stay_on_holds_no_lock(browser: Browser, tmp_path: Path) -> None:
    with simulating(tmp_path) as url:
        browser.open_table(url)
        browser.run("""
            window.locks = 0;
            navigator.wakeLock.request = async () => {
              window.locks += 1;
              return { release() { window.locks -= 1; } };
            };
            const awake = document.querySelector("[name=awake]");
            for (const on of [true, true, false]) {
              awake.checked = on;
              awake.dispatchEvent(new Event("change"));
            }
        """)
        browser.until(lambda: browser.run("return window.locks") == 0, "all locks are given back")


def test_five_names_beside_each_other_are_whole(browser: Browser, tmp_path: Path) -> None:
    dealt = deal("gear", 3, **HABITS)
    names = ["Anna-Lena", "Eve", "Cyrillus", "Daisuke", "Bea"]
    set_up(tmp_path, replace(dealt, header={**dealt.header, "players": names}), 8)
    cut = "return [...document.querySelectorAll('#seats .name')].filter((name) => name.scrollWidth > name.clientWidth)"
    with simulating(tmp_path) as url:
        browser.open_table(url, 360, 640)
        assert browser.run(f"{cut}.length") == 0
