"""Figures typed in the score sheet on several phones: what one shows is what the box has, or it says why not."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest

from companion.journal import Journal
from companion.ui.keys import Key
from companion.ui.screens.phones import Role
from tests.app.boxes import begin, press
from tests.games.seeds import Dealt
from tests.web.paired_page import PairedPage
from tests.web.tapped_evening import set_up

if TYPE_CHECKING:
    from selenium.webdriver.remote.webelement import WebElement

    from tests.web.browser import Browser

pytestmark = pytest.mark.browser

NAMES = ("Aki", "Bea", "Cem", "Dai")
ENTER = "\ue007"
BACKSPACE = "\ue003"
HOLD_TAPS = "window.waiting = []; const real = fetch; window.fetch = (...all) => new Promise((go, no) =>"
HOLD_TAPS += " waiting.push(() => real(...all).then(go, no)));"
"""From now on what is sent waits until `LET_GO`."""

LET_GO = "for (const go of waiting.splice(0)) go()"
SLEEPS = "Object.defineProperty(document, 'hidden', { configurable: true, get: () => %s });"
SLEEPS += "document.dispatchEvent(new Event('visibilitychange'))"


class Table:
    """A box on which four play for points, with phones beside it."""

    def __init__(self, folder: Path, rounds: Sequence[Sequence[int]]) -> None:
        header = {"format": 1, "game": "tally", "players": list(NAMES), "rules": {}}
        lines = [{"type": "points", "figures": list(figures)} for figures in rounds]
        set_up(folder, Dealt(0, header, lines, Random(0)), entered=len(lines))
        self.journal = Journal(folder)
        self.page = PairedPage(journal=self.journal, folder=folder)

    def phone(self, browser: Browser, name: str, role: Role = Role.SCORER, laptop: bool = False) -> Phone:
        """Pair a phone, and open the table on it; or on a laptop, which has a keyboard and a mouse."""
        page = self.page
        secret = str(page.do(lambda: page.pairing.claim(page.pairing.open(), name)))
        page.do(page.box.show_machine)
        told = {"role": "seat", "person": name} if role is Role.SEAT else {"role": role.value}
        assert page.client(secret).post("/me", json=told).is_success
        browser.go(f"http://127.0.0.1:{page.server.port}/join")
        browser.cookie("companion", secret)
        opened = browser.open_table_on_laptop if laptop else browser.open_table
        opened(f"http://127.0.0.1:{page.server.port}/")
        return Phone(browser)

    @property
    def lines(self) -> list[str]:
        return self.journal.lines(self.journal.games()[0].name)

    @property
    def figures(self) -> list[object]:
        """Return the figures given so far in the running round."""
        answers = self.page.do(lambda: self.page.box.state.entry.answers)
        return [getattr(answer, "value", None) for answer in answers]


class Phone:
    """A phone at the table."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser

    def until(self, condition: Callable[[], object], what: str) -> None:
        self.browser.until(condition, what)

    def give(self, seat: int, *keys: str) -> None:
        """Go to the field of a seat, and press keys."""
        from selenium.common.exceptions import StaleElementReferenceException

        def clicked() -> bool:
            with suppress(StaleElementReferenceException):  # the page was just drawn anew
                self.browser.run("arguments[0].scrollIntoView({ block: 'center' })", self.field(seat))
                self.field(seat).click()
                return True
            return False

        self.until(clicked, "the field")
        self.browser.type(*keys)

    def field(self, seat: int) -> WebElement:
        return self.browser.find(f'input[name="figure {seat} 1"]')

    def agree(self) -> None:
        """Click *yes* at the end of a round with the mouse."""
        self.until(self.is_whole, "the whole round")
        self.browser.let_pass(0.6)
        self.browser.find("#ask [data-choice='skip']").click()

    def is_whole(self) -> bool:
        """Return whether it is asked if all figures are right."""
        script = "return document.querySelector('form.filling') && !document.querySelector('form.filling .asked')"
        return bool(self.browser.run(f"{script} && document.querySelector('#ask [data-choice=skip]') !== null"))

    def has_choice(self, choice: str) -> bool:
        """Return whether a button has the focus."""
        return bool(self.browser.run("return document.activeElement.dataset.choice === arguments[0]", choice))

    def tap_figure(self, number: int, seat: int) -> None:
        """Tap a figure of an old round."""
        self.browser.run(
            "document.querySelector(`.sheet tr[data-round='${arguments[0]}']`).cells[arguments[1]].click()",
            number,
            seat,
        )

    def values(self) -> str:
        """Return what stands in the fields."""
        script = "return [...document.querySelectorAll('form.filling input')].map((one) => one.value || '_').join(' ')"
        return str(self.browser.run(script))

    def focus(self) -> str:
        """Return the field that has the focus, or the element."""
        return str(self.browser.run("return document.activeElement.name || document.activeElement.tagName"))

    def selected(self) -> str:
        return str(self.browser.run("return String(getSelection())"))

    def face(self) -> str:
        """Return the letters of the face beside the field that says whom the phone belongs to."""
        return str(self.browser.run("return document.querySelector('#role').previousElementSibling?.textContent"))

    def sentence(self) -> str:
        """Return the sentence beside the fields."""
        return str(self.browser.run("return document.querySelector('.sheet .refusal').textContent"))

    def round(self) -> str:
        return str(
            self.browser.run("const one = document.querySelector('form.filling'); return one && one.dataset.round")
        )

    def row(self, number: int) -> str:
        return str(
            self.browser.run("return document.querySelectorAll('.sheet tbody tr')[arguments[0] - 1].innerText", number)
        )


@contextmanager
def at_table(folder: Path, *rounds: Sequence[int]) -> Iterator[Table]:
    with ExitStack() as after:
        table = Table(folder, rounds)
        after.callback(table.page.stop)
        yield table


def test_a_figure_that_was_tapped_is_never_typed_in_the_running_round(
    browser: Browser, second_browser: Browser, tmp_path: Path
) -> None:
    with at_table(tmp_path, [1, 2, 3, 4], [5, 6, 7, 8]) as table:
        aki, cem = table.phone(browser, "Aki"), table.phone(second_browser, "Cem")
        aki.browser.run(HOLD_TAPS)
        aki.tap_figure(1, 2)
        cem.give(1, "5", ENTER)
        aki.until(lambda: aki.values() == "5 _ _ _", "what Cem has entered")
        assert aki.focus() == "INPUT"  # the figure of the first round is typed
        aki.browser.run(LET_GO)
        aki.until(lambda: aki.focus() == "BODY", "the refusal of the tap")
        aki.browser.type("60", ENTER)
        assert table.figures == [5]
        assert "somebody" not in aki.browser.status_text()


def test_what_is_typed_before_the_field_is_there_comes_into_it(browser: Browser, tmp_path: Path) -> None:
    with at_table(tmp_path, [1, 2, 3, 4], [5, 6, 7, 8]) as table:
        aki = table.phone(browser, "Aki")
        aki.browser.run(HOLD_TAPS)
        aki.tap_figure(1, 2)
        aki.browser.type("4")
        aki.browser.run(LET_GO)
        aki.until(lambda: aki.values() == "1 4 3 4", "the field")
        aki.browser.type("2", ENTER)
        aki.browser.run(LET_GO)
        aki.until(lambda: "42" in aki.row(1), "the corrected figure")


def test_a_tapped_figure_is_typed_over_while_the_other_phone_corrects_its_own(
    browser: Browser, second_browser: Browser, tmp_path: Path
) -> None:
    with at_table(tmp_path, [1, 2, 3, 4], [5, 6, 7, 8]) as table:
        aki, cem = table.phone(browser, "Aki"), table.phone(second_browser, "Cem")
        cem.tap_figure(2, 1)
        cem.until(lambda: cem.focus() == "figure 1 1", "the field")
        aki.tap_figure(2, 2)
        aki.until(lambda: aki.focus() == "figure 2 1", "the field")
        aki.browser.type("60")
        assert aki.values() == "5 60 7 8"


def test_the_digits_of_two_phones_never_mix_in_a_field(
    browser: Browser, second_browser: Browser, tmp_path: Path
) -> None:
    with at_table(tmp_path, [1, 2, 3, 4]) as table:
        aki, bea = table.phone(browser, "Aki"), table.phone(second_browser, "Bea")
        bea.give(1, "1")
        aki.give(1, "5", ENTER)
        bea.until(lambda: bea.sentence() == f"{FIVE} Enter, pressed twice, replaces it.", "the sentence")
        assert bea.values() == "1 _ _ _"
        bea.give(1)
        assert bea.sentence() == f"{FIVE} Enter replaces it."  # who taps the field has read it
        bea.give(2)  # who leaves it has the figure of the other
        assert (bea.values(), bea.sentence()) == ("5 _ _ _", "")
        assert f"{FIVE} “1” was not sent." in bea.browser.status_text()
        assert table.figures == [5]
        bea.give(1, "7")
        bea.browser.type(ENTER)
        bea.until(lambda: table.figures == [7], "the figure that Bea insists on")
        assert bea.sentence() == ""


FIVE = "Aki has entered 5 (Aki, Points)."


def test_enter_replaces_the_figure_of_somebody_else_only_once_it_is_pressed_again(
    browser: Browser, second_browser: Browser, tmp_path: Path
) -> None:
    with at_table(tmp_path, [1, 2, 3, 4]) as table:
        aki, bea = table.phone(browser, "Aki"), table.phone(second_browser, "Bea", laptop=True)
        bea.give(1, "1")
        aki.give(1, "5", ENTER)
        bea.until(lambda: bea.sentence() == f"{FIVE} Enter, pressed twice, replaces it.", "the sentence")
        bea.browser.type(ENTER)
        assert (bea.sentence(), bea.focus()) == (f"{FIVE} Enter replaces it.", "figure 1 1")
        assert table.figures == [5]
        bea.browser.type(ENTER)
        bea.until(lambda: table.figures == [1], "the figure that takes its place")
        assert bea.sentence() == ""


@pytest.mark.parametrize("laptop", [True, False])
def test_the_focus_goes_on_from_a_field_that_somebody_else_has_filled(
    browser: Browser, second_browser: Browser, tmp_path: Path, laptop: bool
) -> None:
    with at_table(tmp_path, [1, 2, 3, 4]) as table:
        aki, bea = table.phone(browser, "Aki"), table.phone(second_browser, "Bea", laptop=laptop)
        bea.give(1)
        aki.give(1, "5", ENTER)
        bea.until(lambda: bea.values() == "5 _ _ _", "the figure")
        assert bea.focus() == "figure 2 1"
        bea.browser.let_pass(0.5)
        bea.browser.type("6", ENTER)
        bea.until(lambda: table.figures == [5, 6], "the figure of the next player")
        bea.give(4)
        aki.give(3, "7", ENTER)
        bea.until(lambda: bea.values() == "5 6 7 _", "the figure")
        assert bea.focus() == "figure 4 1"  # nobody has filled it
        bea.browser.type("8", ENTER)
        bea.until(lambda: table.figures == [5, 6, 7, 8], "all figures")


@pytest.mark.parametrize("chosen", [True, False])
def test_a_digit_for_a_field_that_was_filled_at_that_moment_is_told_and_typed_nowhere(
    browser: Browser, second_browser: Browser, tmp_path: Path, chosen: bool
) -> None:
    with at_table(tmp_path, [1, 2, 3, 4]) as table:
        aki, bea = table.phone(browser, "Aki"), table.phone(second_browser, "Bea", laptop=True)
        if chosen:
            bea.give(1)
        aki.give(1, "5", ENTER)
        bea.until(lambda: bea.values() == "5 _ _ _", "the figure")
        bea.browser.type("1", "6", ENTER)
        assert bea.browser.status_text().startswith(f"{FIVE} “16” was not sent.")
        assert bea.values() == "5 _ _ _"
        bea.browser.let_pass(0.5)
        bea.browser.type("7", ENTER)
        bea.until(lambda: table.figures == [5, 7], "the figure of the next player")


def test_enter_after_a_digit_for_the_last_field_does_not_say_that_all_are_right(
    browser: Browser, second_browser: Browser, tmp_path: Path
) -> None:
    with at_table(tmp_path, [1, 2, 3, 4]) as table:
        aki, bea = table.phone(browser, "Aki"), table.phone(second_browser, "Bea", laptop=True)
        for place, figure in enumerate("678", 1):
            aki.give(place, figure, ENTER)
        bea.until(lambda: bea.values() == "6 7 8 _", "the first figures")
        bea.give(4)
        aki.give(4, "9", ENTER)
        bea.until(lambda: bea.values() == "6 7 8 9", "the last figure")
        bea.browser.type("1", "6")
        bea.browser.let_pass(0.5)
        bea.browser.type(ENTER)
        bea.browser.let_pass(0.5)
        assert bea.values() == "6 7 8 9"
        assert table.figures == [6, 7, 8, 9]


def test_a_given_figure_that_is_being_corrected_keeps_the_focus_and_is_told_when_somebody_else_corrects_it(
    browser: Browser, second_browser: Browser, tmp_path: Path
) -> None:
    with at_table(tmp_path, [1, 2, 3, 4]) as table:
        aki, bea = table.phone(browser, "Aki"), table.phone(second_browser, "Bea")
        bea.give(1, "2", ENTER)
        bea.until(lambda: table.figures == [2], "the figure")
        bea.give(1)
        aki.until(lambda: aki.values() == "2 _ _ _", "the figure")
        aki.give(1, "5", ENTER)
        bea.until(lambda: bea.values() == "5 _ _ _", "the other figure")
        assert (bea.focus(), bea.sentence()) == ("figure 1 1", f"{FIVE} Enter, pressed twice, replaces it.")
        bea.browser.type("6", ENTER)
        assert table.figures == [5]
        bea.browser.type(ENTER)
        bea.until(lambda: table.figures == [6], "the figure that takes its place")


@pytest.mark.parametrize("laptop", [True, False])
def test_the_focus_goes_on_to_the_first_field_of_the_next_question(
    browser: Browser, tmp_path: Path, laptop: bool
) -> None:
    with at_table(tmp_path) as table:
        table.page.do(lambda: press(begin(table.page.box, NAMES, "full", "skull-king"), "1"))  # Aki deals
        aki = table.phone(browser, "Aki", laptop=laptop)
        assert "Bid" in aki.row(1)
        aki.give(2, "1", ENTER, "0", ENTER, "0", ENTER)
        aki.until(lambda: table.figures == [1, 0, 0], "all bids but one")
        aki.browser.run(HOLD_TAPS)
        aki.browser.type("1", ENTER)
        assert aki.focus() == "INPUT"  # a keyboard closes where nothing has the focus
        aki.browser.type("1", ENTER, "0")
        aki.browser.run(LET_GO)
        aki.until(lambda: aki.focus() == "figure 3 2", "the second field of the next question")
        aki.browser.run(LET_GO)
        aki.until(lambda: table.figures == [1], "the figure that was typed ahead")


def test_the_keyboard_that_waits_for_the_next_question_leaves_a_refused_figure_in_its_field(
    browser: Browser, tmp_path: Path
) -> None:
    with at_table(tmp_path) as table:
        table.page.do(lambda: press(begin(table.page.box, NAMES, "full", "skull-king"), "1"))
        aki = table.phone(browser, "Aki")
        aki.give(2, "1", ENTER, "0", ENTER, "0", ENTER, "7", ENTER)
        aki.until(lambda: aki.sentence() != "", "the refusal")
        assert aki.focus() == "figure 1 1"
        aki.browser.type("1", ENTER)
        aki.until(lambda: aki.focus() == "figure 2 2", "the next question")


def test_a_figure_for_a_question_that_is_asked_no_more_is_sent_again_by_itself(
    browser: Browser, second_browser: Browser, tmp_path: Path
) -> None:
    with at_table(tmp_path, [1, 2, 3, 4]) as table:
        aki, bea = table.phone(browser, "Aki", Role.SEAT), table.phone(second_browser, "Bea", Role.SEAT)
        aki.give(1, "5", ENTER)
        bea.until(lambda: bea.values() == "5 _ _ _", "what Aki has entered")
        aki.until(lambda: table.figures == [5], "what Aki has entered")
        aki.browser.run(SLEEPS % "true")
        bea.give(2, "7", ENTER)
        bea.until(lambda: table.figures == [5, 7], "what Bea has entered")
        aki.give(1, "6", ENTER)
        aki.until(lambda: aki.browser.run("return !document.body.dataset.sending"), "the refusal")
        assert table.figures == [5, 7]
        assert aki.sentence() == ""
        aki.browser.run(SLEEPS % "false")
        aki.until(lambda: table.figures == [6, 7], "the figure")


def test_a_refused_figure_is_sent_again_and_its_sentence_outlives_what_others_enter(
    browser: Browser, second_browser: Browser, tmp_path: Path
) -> None:
    with at_table(tmp_path, [1, 2, 3, 4]) as table:
        aki, bea = table.phone(browser, "Aki"), table.phone(second_browser, "Bea")
        aki.give(1, "1234567", ENTER)
        sentence = "From −99999 to 99999"
        aki.until(lambda: aki.sentence() == sentence, "the sentence")
        bea.give(1, "5", ENTER)
        aki.until(lambda: aki.sentence() != sentence, "what Bea has entered")
        assert aki.values() == "1234567 _ _ _"
        bea.give(2, "8", ENTER)
        aki.until(lambda: aki.values() == "1234567 8 _ _", "what Bea has entered")
        assert aki.sentence() == "Bea has entered 5 (Aki, Points). Enter, pressed twice, replaces it."
        aki.browser.type(ENTER, ENTER)
        aki.until(lambda: aki.sentence() == sentence, "the sentence again")
        aki.browser.type("9", ENTER)
        aki.until(lambda: table.figures == [9, 8], "the figure")


def test_figures_that_wait_are_seen_and_outlive_the_menu_but_not_their_round(
    browser: Browser, second_browser: Browser, tmp_path: Path
) -> None:
    with at_table(tmp_path, [1, 2, 3, 4]) as table:
        aki, bea = table.phone(browser, "Aki"), table.phone(second_browser, "Bea")
        aki.give(3, "33", ENTER)
        assert aki.browser.run("return document.querySelector('.waits').name") == "figure 3 1"
        assert aki.browser.find(".sheet .waiting").is_displayed()
        aki.browser.choose("menu")
        aki.until(lambda: aki.round() == "None", "the menu")
        aki.browser.choose("back")
        aki.until(lambda: aki.values() == "_ _ 33 _", "what waits")
        bea.tap_figure(1, 1)
        bea.until(lambda: bea.round() == "1", "the correction")
        bea.browser.type("10", ENTER)
        aki.until(lambda: "10" in aki.row(1), "the correction")
        assert aki.values() == "_ _ 33 _"
        bea.until(lambda: bea.round() == "2", "the table")
        bea.browser.choose("undo")
        bea.browser.choose("undo")
        aki.until(lambda: "“33” was not sent." in aki.browser.status_text(), "the sentence")


def test_while_a_figure_waits_the_rest_cannot_be_given_0_and_enter_leads_to_what_is_blank(
    browser: Browser, tmp_path: Path
) -> None:
    with at_table(tmp_path, [1, 2, 3, 4]) as table:
        aki = table.phone(browser, "Aki")
        rest = aki.browser.find("#ask [data-choice='skip']").is_displayed
        assert rest()
        aki.give(4, "44", ENTER)
        assert not rest()
        assert aki.focus() == "figure 1 1"
        aki.browser.type("11", ENTER, "22", ENTER, "33", ENTER)
        aki.until(lambda: table.figures == [11, 22, 33, 44], "all figures")


def test_what_is_no_whole_number_is_told_and_stays(browser: Browser, tmp_path: Path) -> None:
    with at_table(tmp_path, [1, 2, 3, 4]) as table:
        aki = table.phone(browser, "Aki")
        for typed in ("1.5", "1-2", "1e"):
            aki.give(1, typed, ENTER)
            assert (typed, aki.sentence(), aki.focus()) == (typed, "A whole number, please", "figure 1 1")
            aki.browser.type(BACKSPACE * 4)
        aki.browser.type("12345678901", ENTER)
        aki.until(lambda: aki.sentence() == "From −99999 to 99999", "the sentence")
        aki.browser.type("5", ENTER)
        aki.until(lambda: table.figures == [5], "the figure")
        aki.give(1, BACKSPACE)
        aki.give(2)
        assert aki.values() == "5 _ _ _"


def test_a_figure_under_way_is_sent_once_when_the_question_changes_meanwhile(
    browser: Browser, second_browser: Browser, tmp_path: Path
) -> None:
    with at_table(tmp_path, [1, 2, 3, 4]) as table:
        aki, bea = table.phone(browser, "Aki"), table.phone(second_browser, "Bea")
        aki.browser.run(HOLD_TAPS)
        aki.give(1, "5", ENTER)
        bea.tap_figure(1, 2)
        bea.until(lambda: bea.round() == "1", "the correction")
        bea.browser.type("20", ENTER)
        aki.until(lambda: "20" in aki.row(1), "the correction")
        assert aki.browser.run("return waiting.length") == 1
        aki.browser.run(LET_GO)
        aki.until(lambda: aki.browser.run("return waiting.length") == 1, "the figure for the question of now")
        aki.browser.run(LET_GO)
        aki.until(lambda: table.figures == [5], "the figure")


def test_the_fields_of_the_document_are_closed_until_the_script_opens_them(tmp_path: Path) -> None:
    with at_table(tmp_path, [1, 2, 3, 4]) as table:
        text = table.page.paired("Aki").get("/table").text
        assert text.count('<input type="number"') == text.count(" readonly ") == 4


def test_on_a_laptop_figures_typed_after_yes_come_into_the_next_round(browser: Browser, tmp_path: Path) -> None:
    with at_table(tmp_path, [1, 2, 3, 4]) as table:
        aki = table.phone(browser, "Aki", laptop=True)
        aki.give(1, "11", ENTER, "12", ENTER, "13", ENTER, "14", ENTER)
        aki.agree()
        aki.until(lambda: aki.round() == "3", "the next round")
        assert aki.focus() == "figure 1 1"
        aki.browser.type("21", ENTER, "22", ENTER, "23", ENTER, "24", ENTER)
        aki.until(lambda: table.figures == [21, 22, 23, 24], "the figures")


def test_enter_after_the_last_figure_says_yes_and_leads_to_the_next_round(browser: Browser, tmp_path: Path) -> None:
    with at_table(tmp_path, [1, 2, 3, 4]) as table:
        aki = table.phone(browser, "Aki", laptop=True)
        aki.give(1, "11", ENTER, "12", ENTER, "13", ENTER, "14", ENTER)
        aki.until(lambda: aki.is_whole() and aki.has_choice("skip"), "the focus on yes")
        aki.browser.let_pass(0.6)
        aki.browser.type(ENTER)
        aki.until(lambda: aki.round() == "3" and aki.focus() == "figure 1 1", "the first field")
        assert "11" in table.lines[-1]


def test_figures_typed_while_yes_is_under_way_come_into_the_next_round(browser: Browser, tmp_path: Path) -> None:
    with at_table(tmp_path, [1, 2, 3, 4]) as table:
        aki = table.phone(browser, "Aki", laptop=True)
        aki.give(1, "11", ENTER, "12", ENTER, "13", ENTER, "14", ENTER)
        aki.until(aki.is_whole, "the whole round")
        aki.browser.run(HOLD_TAPS)
        aki.agree()
        aki.browser.type("21", ENTER, "22")
        aki.browser.run(LET_GO)
        aki.until(lambda: aki.values() == "21 22 _ _" and aki.focus() == "figure 2 1", "what was typed")
        aki.browser.run(LET_GO)
        aki.until(lambda: table.figures == [21], "the figure that was finished")


def test_figures_typed_while_yes_is_under_way_are_kept_when_the_focus_leaves_them(
    browser: Browser, tmp_path: Path
) -> None:
    with at_table(tmp_path, [1, 2, 3, 4]) as table:
        aki = table.phone(browser, "Aki", laptop=True)
        aki.give(1, "11", ENTER, "12", ENTER, "13", ENTER, "14", ENTER)
        aki.until(aki.is_whole, "the whole round")
        aki.browser.run(HOLD_TAPS)
        aki.agree()
        aki.browser.type("21", ENTER, "2")
        aki.browser.run("document.activeElement.blur()")
        aki.browser.type("2")
        assert aki.browser.run("return document.querySelectorAll('#keyboard').length") == 1
        aki.browser.run(LET_GO)
        aki.until(lambda: aki.values() == "21 22 _ _", "what was typed")


def test_a_figure_typed_before_yes_is_said_gives_no_answer(browser: Browser, tmp_path: Path) -> None:
    with at_table(tmp_path, [1, 2, 3, 4]) as table:
        aki = table.phone(browser, "Aki", laptop=True)
        aki.give(1, "11", ENTER, "12", ENTER, "13", ENTER, "14", ENTER)
        aki.until(lambda: aki.is_whole() and aki.has_choice("skip"), "the focus on yes")
        aki.browser.let_pass(0.6)
        aki.browser.type("2", ENTER)
        assert aki.browser.status_text().startswith("“2” was not sent.")
        assert len(table.lines) == 1  # the round before


def filled_in(table: Table, browser: Browser, *more: str) -> Phone:
    """Type a round of Wizard on a laptop, where the trick that one player makes leaves the others none."""
    table.page.do(lambda: press(begin(table.page.box, NAMES, "round", "wizard"), "1"))  # Aki deals
    aki = table.phone(browser, "Aki", laptop=True)
    aki.give(2, *"1\n0\n1\n0\n1\n".replace("\n", ENTER), *more)
    aki.until(lambda: aki.is_whole() and aki.has_choice("skip"), "the focus on yes")
    aki.browser.let_pass(0.6)
    return aki


def test_figures_that_are_typed_on_after_the_rest_was_filled_in_leave_the_focus_on_yes(
    browser: Browser, tmp_path: Path
) -> None:
    with at_table(tmp_path) as table:
        aki = filled_in(table, browser)
        for _rest in range(3):
            aki.browser.type("0", ENTER)
            assert (aki.browser.status_text(), aki.has_choice("skip"), aki.round()) == ("", True, "1")
        aki.browser.type("5", ENTER)
        assert aki.browser.status_text().startswith("“5” was not sent.")
        assert aki.has_choice("skip")
        aki.browser.type(ENTER)
        aki.until(lambda: aki.round() == "2" and aki.focus() == "figure 3 1", "the next round")


def test_figures_typed_into_fields_that_are_filled_in_meanwhile_are_not_told_and_say_no_yes(
    browser: Browser, tmp_path: Path
) -> None:
    with at_table(tmp_path) as table:
        aki = filled_in(table, browser, "0", ENTER, "0")  # faster than the box answers
        aki.browser.type(ENTER)
        assert aki.round() == "1"
        aki.browser.type(ENTER)
        aki.until(lambda: aki.round() == "2", "the next round")
        assert aki.browser.status_text() == ""


def test_a_sentence_on_a_laptop_leaves_the_question_in_sight(browser: Browser, tmp_path: Path) -> None:
    with at_table(tmp_path) as table:
        aki = filled_in(table, browser)
        aki.browser.type("5")
        aki.until(lambda: aki.browser.status_text() != "", "the sentence")
        lowest, sentence = browser.run(
            "const place = (one) => document.querySelector(one).getBoundingClientRect();"
            "return [place('#ask [data-choice=skip]').bottom, place('#status').top]"
        )
        assert lowest < sentence


@pytest.mark.parametrize("laptop", [True, False])
def test_enter_never_gives_the_rest_0_after_yes(browser: Browser, tmp_path: Path, laptop: bool) -> None:
    with at_table(tmp_path, [1, 2, 3, 4]) as table:
        aki = table.phone(browser, "Aki", laptop=laptop)
        for seat in (1, 2, 3, 4):
            aki.give(seat, "7", ENTER)
        aki.agree()
        aki.until(lambda: aki.round() == "3", "the next round")
        assert aki.focus() == ("figure 1 1" if laptop else "BODY")  # a phone's keyboard does not open by itself
        aki.browser.let_pass(0.6)
        aki.browser.type(ENTER, ENTER)
        assert table.figures == []
        aki.browser.type("8", ENTER)  # a tablet may have a keyboard, too
        aki.until(lambda: table.figures == [8], "the figure")


def test_a_phone_keeps_the_face_of_its_person_while_that_person_is_asked(browser: Browser, tmp_path: Path) -> None:
    with at_table(tmp_path, [1, 2, 3, 4]) as table:
        bea = table.phone(browser, "Bea", Role.SEAT)
        assert bea.face() == "B"
        for key in "7#":
            table.page.press(Key(key))
        bea.until(lambda: bea.browser.run("return document.querySelector('#ask').dataset.seat") == "1", "the question")
        assert bea.face() == "B"
