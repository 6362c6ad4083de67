"""The page for boards with few keys."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from companion.app.state import PANEL
from companion.ui.keys import BUTTONS, KEYPAD, Key, KeyLayout
from companion.web.device_page import with_board_keys
from companion.web.site import PAGE
from tests.app.selecting import JOYSTICK, KNOB, on
from tests.web.loop_double import LoopDouble
from tests.web.test_evening import simulating

if TYPE_CHECKING:
    from tests.web.browser import Browser

LEFT, UP, RIGHT, DOWN = "\ue012", "\ue013", "\ue014", "\ue015"  # as WebDriver writes them
ENTER, BACKSPACE, ESCAPE, SHIFT = "\ue007", "\ue003", "\ue00c", "\ue008"
LABELS = {"<": "Sky", "o": "Sea…", ">": "Earth", "ho": "undo", "#": "pass", "h#": "menu"}
BACK_KNOB = KeyLayout.of("<o>*", knob=True)
HAT = KeyLayout.of("<>^vo#D*")

Opened = Callable[[KeyLayout], tuple["Browser", LoopDouble]]


@pytest.fixture
def opened(browser: Browser) -> Iterator[Opened]:
    served: list[LoopDouble] = []

    def open_(board: KeyLayout) -> tuple[Browser, LoopDouble]:
        standin = LoopDouble(board=board)
        served.append(standin)
        standin.show("hello", labels=LABELS)
        browser.open(standin.server.url)
        browser.until(lambda: browser.label("o") == "Sea…", "the labels")
        browser.console()
        return browser, standin

    yield open_
    for standin in served:
        standin.stop()


def test_the_page_names_the_board_it_is_to_show() -> None:
    page = (PAGE / "index.html").read_bytes()
    assert b'data-board="keypad" data-keys="123A456B789C*0#D"' in with_board_keys(page, KEYPAD)
    assert b'data-board="knob" data-keys="&lt;o&gt;*"' in with_board_keys(page, BACK_KNOB)
    assert with_board_keys(b"other", KNOB) == b"other"


@pytest.mark.browser
@pytest.mark.parametrize("board", [BUTTONS, BACK_KNOB, JOYSTICK, HAT], ids=lambda board: f"{board.kind}{board.keys}")
@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844), (320, 568), (640, 360)])
def test_all_keys_of_a_board_are_seen_and_large(opened: Opened, board: KeyLayout, width: int, height: int) -> None:
    page, _standin = opened(board)
    page.resize(width, height, 2)
    page.until(lambda: page.without_scrolling(len(board.keys)), "the panel and all keys in the window")
    assert page.smallest_key() >= 40
    assert page.console() == []


@pytest.mark.browser
def test_three_buttons_are_pressed_and_say_what_they_do(opened: Opened) -> None:
    page, standin = opened(BUTTONS)
    assert [page.label(key) for key in ("<", "o", ">", "ho")] == ["Sky", "Sea…", "Earth", "undo"]
    assert page.spoken(">") == "right, Earth"
    assert page.spoken("o") == "choose, Sea…; held: undo"
    page.press(">")
    page.press("o", touch=True)
    page.press("o", held=True)
    standin.expect(Key(">"), Key("o"), Key("o", held=True))


@pytest.mark.browser
def test_three_buttons_lie_in_a_row_from_left_to_right(opened: Opened) -> None:
    page, _standin = opened(BUTTONS)
    lefts = [page.find(f'[data-key="{key}"]').rect["x"] for key in "<o>"]
    assert lefts == sorted(lefts)


@pytest.mark.browser
def test_a_computers_arrows_enter_and_backspace_work_three_buttons(opened: Opened) -> None:
    page, standin = opened(BUTTONS)
    page.type(LEFT, RIGHT, UP, DOWN, ENTER, BACKSPACE, ESCAPE, "7")
    page.chord(SHIFT, ENTER)
    held = Key("o", held=True)
    standin.expect(Key("<"), Key(">"), Key("<"), Key(">"), Key("o"), held, held, held)


@pytest.mark.browser
def test_a_computers_keys_work_a_joystick(opened: Opened) -> None:
    page, standin = opened(JOYSTICK)
    page.type(LEFT, RIGHT, UP, DOWN, ENTER, BACKSPACE, "#")
    page.chord(SHIFT, ENTER)
    page.chord(SHIFT, BACKSPACE)
    pressed = (*map(Key, "<>^vo*#"), Key("#", held=True), Key("*", held=True))
    standin.expect(*pressed)


@pytest.mark.browser
def test_an_arrow_kept_down_goes_on_turning(opened: Opened) -> None:
    page, standin = opened(KNOB)
    page.hold("ArrowRight", "ArrowRight", repeats=3)
    standin.expect(*[Key(">")] * 4)


@pytest.mark.browser
def test_a_mouses_wheel_turns_the_knob(opened: Opened) -> None:
    page, standin = opened(KNOB)
    turn = "document.querySelector('.keypad').dispatchEvent(new WheelEvent('wheel', {deltaY: arguments[0]}))"
    for pixels in (120, 30, 30, -60):
        page.run(turn, pixels)
    standin.expect(Key(">"), Key(">"), Key(">"), Key("<"))


@pytest.mark.browser
def test_the_simulator_shows_the_board_that_was_named(browser: Browser, tmp_path: Path) -> None:
    beside = on(BACK_KNOB)
    with simulating(tmp_path, "--board", "rotary") as url:
        browser.open(url)
        browser.type(ENTER, RIGHT, ENTER)
        for key in (Key("o"), Key(">"), Key("o")):
            beside.take(PANEL, key)
        browser.shows(beside.picture)
        assert browser.label("o") == beside.frame.labels["o"]
