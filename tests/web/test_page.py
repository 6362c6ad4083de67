from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace
from PIL import ImageChops

from companion.app.ports import BoxOutput
from companion.ui.keys import NAMES, Key
from tests.web.loop_double import LoopDouble, frame, picture

if TYPE_CHECKING:
    from tests.web.browser import Browser

pytestmark = pytest.mark.browser

ENTER, BACKSPACE, ESCAPE, SHIFT, TAB = "\ue007", "\ue003", "\ue00c", "\ue008", "\ue004"  # as WebDriver writes them
FILLS_ITS_ROOM = """
const [canvas, glass] = ["canvas", ".glass"].map((name) => document.querySelector(name));
const room = glass.clientWidth * devicePixelRatio;
const dots = canvas.width / (canvas.getBoundingClientRect().width * devicePixelRatio);
return Math.abs(dots - 1) < 0.001 && canvas.width % 128 === 0 && room - 128 < canvas.width && canvas.width <= room;
"""
DOTS_UNLIKE_THEIR_PIXEL = """
const canvas = document.querySelector('canvas.panel');
const [wide, high, size] = [canvas.width, canvas.height, canvas.width / 128];
const dots = new Uint32Array(canvas.getContext('2d').getImageData(0, 0, wide, high).data.buffer);
const middle = (dot) => Math.floor(dot / size) * size + Math.floor(size / 2);
let unlike = 0;
for (let y = 0; y < high; y += 1) {
  for (let x = 0; x < wide; x += 1) unlike += dots[y * wide + x] !== dots[middle(y) * wide + middle(x)];
}
return unlike;
"""
SIZES = [(1280, 800), (1920, 1080), (768, 1024), (390, 844), (360, 640), (320, 568), (844, 390), (640, 360)]


def reversed_frame(text: str) -> BoxOutput:
    """Return a frame that shows a text dark on lit."""
    shown = frame(text)
    return replace(shown, picture=ImageChops.invert(shown.picture))


@pytest.fixture
def page(browser: Browser, standin: LoopDouble) -> Browser:
    standin.show("hello", lamp=(10, 200, 90))
    browser.open(standin.server.url)
    browser.until(lambda: browser.label("#") == "OK", "the labels")
    browser.console()
    return browser


# what is shown


@pytest.mark.parametrize(
    ("width", "height", "scale"), [(1280, 800, 1), (390, 844, 3), (411, 731, 2.625), (360, 640, 1)]
)
def test_the_canvas_shows_exactly_the_frames_picture(
    page: Browser, standin: LoopDouble, width: int, height: int, scale: float
) -> None:
    page.resize(width, height, scale)
    for text in ("TRUMP: hearts", "Chiyo 40"):
        page.shows(standin.show(text).picture)


def test_a_pixel_is_a_square_of_whole_dots_on_any_screen(page: Browser) -> None:
    for width, scale in ((390, 1), (400, 1.5), (411, 2.625), (360, 3)):
        page.resize(width, 844, scale)
        page.until(partial(page.run, FILLS_ITS_ROOM), f"whole dots at {scale}")
        page.shows(picture("hello"))


@pytest.mark.parametrize(
    ("width", "height", "scale"), [(1280, 800, 1), (1920, 1080, 2), (390, 844, 1), (390, 844, 2), (390, 844, 3)]
)
def test_lit_areas_are_solid_so_that_no_gap_cuts_a_dark_letter(
    page: Browser, standin: LoopDouble, width: int, height: int, scale: float
) -> None:
    page.resize(width, height, scale)
    standin.mirror.show(inverse := reversed_frame("hello"))
    page.shows(inverse.picture)
    page.until(lambda: page.run(DOTS_UNLIKE_THEIR_PIXEL) == 0, "every dot as its pixel")


def test_labels_lamp_and_words_change_with_the_frame(page: Browser, standin: LoopDouble) -> None:
    assert page.label("A") == "clubs"
    assert page.label("h#") == "menu"
    assert page.label("9") == ""
    assert page.spoken("#") == "#, OK; held: menu"
    assert page.spoken("7") == "7, seven"
    assert page.spoken("9") == "9"
    assert page.lamp() == (10, 200, 90)
    assert page.words() == ("hello",)
    standin.show("bye", labels={"9": "nine", "h*": "entries"})
    page.until(lambda: page.label("9") == "nine", "the new label")
    assert [page.label(name) for name in ("A", "7", "h#", "*", "h*")] == ["", "", "", "", "entries"]
    assert page.spoken("*") == "*; held: entries"
    assert page.lamp() is None
    assert page.words() == ("bye",)
    assert page.find("canvas").get_attribute("aria-label") == "Panel. bye"
    assert page.find("canvas").get_attribute("role") == "img"


@pytest.mark.parametrize(("width", "height"), [(360, 640), (390, 780), (844, 390), (1280, 800)])
def test_a_label_fits_on_its_key(page: Browser, standin: LoopDouble, width: int, height: int) -> None:
    labels = {"1": "Konstantin-Alexander", "2": "pledge Earth 14, Béatrice", "3": "3", "h#": "Leave the game"}
    page.resize(width, height)
    standin.show("", labels=labels)
    page.until(lambda: page.label("1") == "Konstantin-Alexander", "the new label")
    assert page.spoken("2") == "2, pledge Earth 14, Béatrice"
    assert page.label("3") == ""  # the key shows it already
    over = "return [...document.querySelectorAll('.does')].filter((does) => does.scrollWidth > does.clientWidth + 1)"
    assert page.run(over) == []
    lines = "return Math.round(arguments[0].clientHeight / parseFloat(getComputedStyle(arguments[0]).lineHeight))"
    assert [page.run(lines, page.find(f'[data-key="{key}"] .does')) in (2, 3) for key in "12"] == [True, True]
    beyond = "return [...document.querySelectorAll('.key')].filter((key) => key.scrollHeight > key.clientHeight + 1)"
    assert page.run(beyond) == []


def test_a_box_that_sleeps_says_that_the_next_key_only_wakes_it(page: Browser, standin: LoopDouble) -> None:
    assert page.status() == ""
    standin.mirror.show(replace(frame("hello"), asleep=True))
    page.until(lambda: page.status() == "The box sleeps: the next key only wakes it.", "the sentence")
    standin.show("hello")
    page.until(lambda: page.status() == "", "no sentence")


def test_a_label_is_text_whatever_it_says(page: Browser, standin: LoopDouble) -> None:
    nasty = "<img src=x onerror=alert(1)>"
    standin.show(nasty, labels={"A": nasty})
    page.until(lambda: page.label("A") == nasty, "the label as it is")
    assert page.words() == (nasty,)
    assert page.run("return document.images.length") == 0


def test_two_browsers_show_the_same(page: Browser, second_browser: Browser, standin: LoopDouble) -> None:
    second_browser.open(standin.server.url, 390, 844, 3)
    standin.answer = lambda key: standin.show(f"pressed {key}", lamp=(1, 2, 3))
    second_browser.press("7")
    for one in (page, second_browser):
        one.shows(picture("pressed 7"))
        assert one.lamp() == (1, 2, 3)
    page.press("B")
    for one in (page, second_browser):
        one.shows(picture("pressed B"))


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_everything_is_seen_without_scrolling(page: Browser, width: int, height: int) -> None:
    page.resize(width, height, 2)
    page.until(page.without_scrolling, "the panel and all keys in the window")
    assert page.smallest_key() >= 44


def test_nothing_is_refused_or_missing(page: Browser, standin: LoopDouble) -> None:
    page.press("7")
    page.press("#", held=True)
    page.type("8", ENTER)
    standin.expect(Key("7"), Key("#", held=True), Key("8"), Key("#"))
    assert page.console() == []
    assert page.status() == ""


def test_nothing_moves_for_people_who_want_it_still(page: Browser) -> None:
    moving = (
        "return [...document.querySelectorAll('*')].filter((element) => ['', '::before', '::after'].some((part) =>"
        " getComputedStyle(element, part).transitionDuration.split(', ').some((time) => parseFloat(time) > 0))).length"
    )
    assert page.run(moving) > 0
    with page.still():
        assert page.run(moving) == 0


# keys drawn on the page


def test_a_click_sends_the_key(page: Browser, standin: LoopDouble) -> None:
    for name in NAMES:
        page.press(name)
    standin.expect(*map(Key, NAMES))


def test_a_finger_sends_the_key_once(page: Browser, standin: LoopDouble) -> None:
    page.press("7", touch=True)
    page.press("#", touch=True)
    page.press("B", touch=True)
    standin.expect(Key("7"), Key("#"), Key("B"))


@pytest.mark.parametrize("touch", [True, False])
def test_only_star_and_hash_can_be_held(page: Browser, standin: LoopDouble, touch: bool) -> None:
    for name in "#*7":
        page.press(name, held=True, touch=touch)
    page.press("8")
    standin.expect(Key("#", held=True), Key("*", held=True), Key("7"), Key("8"))


def test_a_key_looks_pressed_while_it_is_down(page: Browser, standin: LoopDouble) -> None:
    page.run(
        "window.looks = []; new MutationObserver(() => looks.push(document.querySelectorAll('.key.down').length))"
        ".observe(document.querySelector('.keypad'), {subtree: true, attributeFilter: ['class']})"
    )
    page.press("7")
    page.until(lambda: page.run("return [Math.max(0, ...looks), looks.at(-1)]") == [1, 0], "down, then up")
    standin.expect(Key("7"))


def test_a_click_without_a_pointer_presses_the_key(page: Browser, standin: LoopDouble) -> None:
    page.run("document.querySelector('[data-key=\"5\"]').click(); document.querySelector('[data-key=\"#\"]').click()")
    standin.expect(Key("5"), Key("#"))


# the computer's keyboard


def test_the_keyboard_presses_keys_in_order_however_fast(page: Browser, standin: LoopDouble) -> None:
    page.type("123A456B789C*0#Dabcd")
    standin.expect(*map(Key, "123A456B789C*0#DABCD"))


def test_enter_is_hash_and_backspace_and_escape_are_star(page: Browser, standin: LoopDouble) -> None:
    page.type(ENTER, BACKSPACE, ESCAPE)
    page.chord(SHIFT, ENTER)
    page.chord(SHIFT, BACKSPACE)
    page.type("x", "+", " ", "7")
    standin.expect(Key("#"), Key("*"), Key("*"), Key("#", held=True), Key("*", held=True), Key("7"))


def test_auto_repeat_sends_nothing(page: Browser, standin: LoopDouble) -> None:
    page.hold("7", "Digit7", repeats=6)
    page.hold("#", "Backslash", repeats=6)
    page.type("8")
    standin.expect(Key("7"), Key("#"), Key("8"))


def test_a_key_of_the_keyboard_can_be_held(page: Browser, standin: LoopDouble) -> None:
    page.hold("#", "Backslash", repeats=3, seconds=0.75)
    page.hold("Backspace", "Backspace", repeats=3, seconds=0.75)
    page.hold("7", "Digit7", repeats=3, seconds=0.75)
    page.type("8")
    standin.expect(Key("#", held=True), Key("*", held=True), Key("7"), Key("8"))


def test_hash_goes_first_when_the_next_key_comes_before_it_is_let_go(page: Browser, standin: LoopDouble) -> None:
    page.run(
        "for (const [type, key, code] of [['keydown', '#', 'Backslash'], ['keydown', '8', 'Digit8'],"
        " ['keyup', '#', 'Backslash'], ['keyup', '8', 'Digit8']])"
        " document.dispatchEvent(new KeyboardEvent(type, {key, code, cancelable: true}))"
    )
    standin.expect(Key("#"), Key("8"))


def test_keyboards_whose_digits_want_shift_work_without(page: Browser, standin: LoopDouble) -> None:
    page.hold("é", "Digit2")
    page.hold("ф", "KeyA")
    page.hold("q", "KeyA")
    page.hold("7", "Numpad7")
    standin.expect(Key("2"), Key("A"), Key("7"))


def test_shortcuts_of_the_browser_are_left_to_it(page: Browser, standin: LoopDouble) -> None:
    page.run(
        "for (const more of [{ctrlKey: true}, {metaKey: true}, {altKey: true}, {}])"
        " for (const type of ['keydown', 'keyup'])"
        " document.dispatchEvent(new KeyboardEvent(type, {key: 'd', code: 'KeyD', cancelable: true, ...more}))"
    )
    standin.expect(Key("D"))


def test_a_key_reached_with_tab_is_pressed_with_enter_or_space(page: Browser, standin: LoopDouble) -> None:
    page.type(TAB, ENTER, " ", TAB, " ")
    page.type("9")
    standin.expect(Key("1"), Key("1"), Key("2"), Key("9"))


COVERED = """
  const sheet = document.querySelector(".sheet").getBoundingClientRect();
  return [...document.querySelectorAll(".key, .window")].filter((key) => {
    const own = key.getBoundingClientRect();
    const beside = own.left >= sheet.right || own.right <= sheet.left;
    return own.top < 0 || !beside && own.top < sheet.bottom && own.bottom > sheet.top;
  }).map((key) => key.dataset.key ?? "the panel");
"""
"""The keys that the help lies on or pushes away, and the panel."""


def room_for_help(page: Browser) -> str:
    """Return the height that the box leaves free for the help, as the page's style has it."""
    return str(page.run("return document.documentElement.style.getPropertyValue('--help')"))


def test_the_help_unfolds_and_folds_and_takes_no_key_with_it(page: Browser, standin: LoopDouble) -> None:
    page.find("summary").click()
    page.until(lambda: page.find(".sheet").is_displayed() and room_for_help(page) != "0px", "the help unfolded")
    page.until(page.without_scrolling, "panel and keys in sight, once the box has moved")
    page.type(ESCAPE)
    # the box moves after the help is folded; a key pressed in between would be missed
    page.until(lambda: not page.find(".sheet").is_displayed() and room_for_help(page) == "0px", "the help folded")
    page.press("7")
    standin.expect(Key("7"))


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (900, 420), (390, 844), (768, 1024)])
def test_the_help_covers_neither_keys_nor_panel(page: Browser, width: int, height: int) -> None:
    page.resize(width, height)
    page.find("summary").click()
    page.until(lambda: page.run(COVERED) == [], "the help stands below the box")


def test_enter_is_hash_after_the_help_was_opened_with_the_mouse(page: Browser, standin: LoopDouble) -> None:
    page.find("summary").click()
    page.until(lambda: page.find(".sheet").is_displayed(), "the help unfolded")
    page.type(ENTER)
    standin.expect(Key("#"))
    page.find("summary").click()
    page.until(lambda: not page.find(".sheet").is_displayed(), "the help folded")
    page.type(ENTER, " ")
    standin.expect(Key("#"), Key("#"))


def test_the_help_reached_with_tab_opens_with_enter(page: Browser, standin: LoopDouble) -> None:
    page.run("document.querySelector('summary').focus()")
    page.type(ENTER)
    page.until(lambda: page.find(".sheet").is_displayed(), "the help unfolded")
    standin.expect()


# when things go wrong


def test_a_lost_connection_is_told_and_recovers(page: Browser, standin: LoopDouble) -> None:
    standin.stop()
    page.until(lambda: page.status() == "Connection lost, trying again.", "the sentence")
    again = LoopDouble(port=standin.port)
    try:
        shown = again.show("back again", lamp=(5, 6, 7))
        page.until(lambda: page.status() == "", "the sentence gone")
        page.shows(shown.picture)
        page.press("7")
        again.expect(Key("7"))
    finally:
        again.stop()


def test_keys_that_find_nobody_are_named(page: Browser, standin: LoopDouble) -> None:
    standin.stop()
    page.until(page.status, "the connection lost")
    page.press("7")
    page.until(lambda: page.status() == "No answer to 7. Connection lost, trying again.", "the sentence")


def test_a_key_that_fails_takes_those_after_it_along_and_says_so(page: Browser, standin: LoopDouble) -> None:
    def fail(key: Key) -> None:
        raise LookupError(key)

    standin.answer = fail
    page.run(
        "for (const name of '7A8') for (const type of ['keydown', 'keyup'])"
        " document.dispatchEvent(new KeyboardEvent(type, {key: name, code: name, cancelable: true}))"
    )
    page.until(page.status, "the sentence")
    assert page.status() == "7 was not taken. A 8 not sent. Internal Server Error"
    standin.answer = lambda _: None
    page.press("9")
    standin.expect(Key("9"))
    page.until(lambda: page.status() == "", "the sentence gone")


def test_a_page_nobody_looks_at_does_not_listen(page: Browser, standin: LoopDouble) -> None:
    page.until(lambda: standin.server.listeners == 1, "one listener")
    with page.another_tab():
        page.until(lambda: standin.server.listeners == 0, "no listener")
    page.shows(standin.show("looked at again").picture)


def test_enter_on_a_link_follows_it(page: Browser, standin: LoopDouble) -> None:
    page.run("document.querySelector('a[href=\"/history\"]').focus()")
    page.type(ENTER)
    page.until(lambda: page.run("return location.pathname") == "/history", "the page of the link")
    assert not standin.keys
