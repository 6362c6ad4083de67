"""Names typed on the page: the texts the server accepts, and the field that appears when a name is asked for."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import httpx
import pytest
from grapheme import graphemes
from msgspec.structs import replace

from companion.app.inputs import TypedAnswer
from companion.ui.keys import Key
from companion.web.device_page import read_text
from companion.web.requests import LONGEST_TEXT
from companion.web.site import PAGE
from tests.waiting import LAST_RESORT
from tests.web.loop_double import JSON, LoopDouble, frame

if TYPE_CHECKING:
    from tests.web.browser import Browser

ENTER, BACKSPACE, ESCAPE = "\ue007", "\ue003", "\ue00c"  # as WebDriver writes them
FIELD = "return document.querySelector('.writing').hidden"


def post(standin: LoopDouble, content: str | bytes, **headers: str) -> httpx.Response:
    with httpx.Client(base_url=standin.server.url, timeout=LAST_RESORT, trust_env=False, verify=False) as one:
        return one.post("/text", content=content, headers=JSON | headers)


@pytest.mark.parametrize("text", ["Aki", "春菜", "Жанна d'Arc", "عائشة", "🂡", " ", "", "x" * 80])
def test_a_text_of_any_script_is_put_as_it_was_written(lasting: LoopDouble, text: str) -> None:
    assert post(lasting, json.dumps({"text": text})).status_code == 204
    lasting.expect(TypedAnswer(text))


@pytest.mark.parametrize(
    "body",
    ["", "Aki", '"Aki"', "{}", '{"text": 7}', '{"text": null}', '{"text": "a", "key": "7"}', b'{"text": "\xff"}'],
)
def test_what_is_no_text_is_refused_in_a_sentence(lasting: LoopDouble, body: str | bytes) -> None:
    answer = post(lasting, body)
    assert (answer.status_code, answer.text) == (400, 'A text is sent as {"text": "Aki"}.')
    assert lasting.keys == []


def test_the_field_takes_as_much_as_a_text_may_have() -> None:
    (characters,) = re.findall(r'maxlength="(\d+)"', (PAGE / "index.html").read_text(encoding="utf-8"))
    assert int(characters) == 2 * LONGEST_TEXT  # a browser counts an emoji as two
    assert read_text(json.dumps({"text": "🦊" * LONGEST_TEXT}).encode()) == TypedAnswer("🦊" * LONGEST_TEXT)


@pytest.mark.parametrize("text", ["x" * 81, "x" * 2000])
def test_a_text_too_long_is_refused(lasting: LoopDouble, text: str) -> None:
    assert post(lasting, json.dumps({"text": text})).status_code == 413
    assert lasting.keys == []


@pytest.mark.parametrize(
    "headers", [{"Host": "evil.example"}, {"Origin": "http://evil.example"}, {"Origin": "null"}], ids=str
)
def test_another_host_or_origin_may_write_nothing(lasting: LoopDouble, headers: dict[str, str]) -> None:
    assert post(lasting, '{"text": "Aki"}', **headers).status_code == 403
    assert lasting.keys == []


# the field


def value_of(page: Browser) -> str:
    """Return the text in the field."""
    return str(page.run("return document.querySelector('.writing input').value"))


def in_the_field(page: Browser) -> bool:
    """Return whether the field has the focus."""
    return bool(page.run("return document.activeElement === document.querySelector('.writing input')"))


@pytest.fixture
def asked(browser: Browser, standin: LoopDouble) -> Browser:
    """Yield a page on which the name of seat 1 is asked for."""
    standin.mirror.show(replace(frame("names"), expected_text="Name of seat 1"))
    browser.open(standin.server.url)
    browser.until(lambda: browser.run(FIELD) is False, "the field")
    return browser


@pytest.mark.browser
def test_no_field_is_there_while_nothing_is_asked_that_is_written(browser: Browser, standin: LoopDouble) -> None:
    standin.show("cards")
    browser.open(standin.server.url)
    assert browser.run(FIELD) is True


@pytest.mark.browser
def test_a_name_is_written_and_sent_whole(asked: Browser, standin: LoopDouble) -> None:
    asked.run("document.querySelector('.writing input').focus()")
    asked.type("Dab 7#", ENTER)
    standin.expect(TypedAnswer("Dab 7#"))
    standin.mirror.show(replace(frame("names"), expected_text="Name of seat 2"))
    asked.until(lambda: asked.run("return document.querySelector('.writing input').value") == "", "an empty field")
    standin.show("cards")
    asked.until(lambda: asked.run(FIELD) is True, "no field")
    asked.type("7")
    standin.expect(TypedAnswer("Dab 7#"), Key("7"))


@pytest.mark.browser
def test_letters_of_the_keyboard_go_into_the_name_and_enter_settles_it(asked: Browser, standin: LoopDouble) -> None:
    asked.type("Dab", " ", "7#", ENTER)
    standin.expect(TypedAnswer("Dab 7#"))


@pytest.mark.browser
def test_after_the_name_digits_are_keys_again_and_the_next_letter_begins_the_next_name(
    asked: Browser, standin: LoopDouble
) -> None:
    asked.type("Cyr", ENTER)
    standin.expect(TypedAnswer("Cyr"))
    standin.mirror.show(replace(frame("names"), expected_text="Name of seat 2"))
    asked.until(lambda: not in_the_field(asked), "the focus elsewhere")
    asked.type("2", ENTER, BACKSPACE)
    standin.expect(TypedAnswer("Cyr"), Key("2"), Key("#"), Key("*"))
    asked.type("Ада", ENTER)
    standin.expect(TypedAnswer("Cyr"), Key("2"), Key("#"), Key("*"), TypedAnswer("Ада"))


@pytest.mark.browser
def test_a_field_that_was_clicked_keeps_the_focus_from_name_to_name(asked: Browser, standin: LoopDouble) -> None:
    asked.find(".writing input").click()
    asked.type("3PO", ENTER)
    standin.expect(TypedAnswer("3PO"))
    standin.mirror.show(replace(frame("names"), expected_text="Name of seat 2"))
    asked.until(lambda: value_of(asked) == "", "an empty field")
    assert in_the_field(asked)


@pytest.mark.browser
def test_escape_leaves_the_field_and_what_was_begun(asked: Browser, standin: LoopDouble) -> None:
    asked.type("Cy", ESCAPE)
    assert value_of(asked) == ""
    assert not in_the_field(asked)
    asked.type(ESCAPE)
    standin.expect(Key("*"))


@pytest.mark.browser
def test_a_name_settled_with_the_mouse_leaves_the_keys_to_the_keyboard(asked: Browser, standin: LoopDouble) -> None:
    asked.type("Cyr")
    asked.find(".writing button").click()
    standin.expect(TypedAnswer("Cyr"))
    standin.show("cards")
    asked.until(lambda: asked.run(FIELD) is True, "no field")
    asked.type("a7", ENTER)
    standin.expect(TypedAnswer("Cyr"), Key("A"), Key("7"), Key("#"))


@pytest.mark.browser
def test_a_digit_of_a_keyboard_that_wants_shift_for_it_is_a_key_while_a_name_is_asked(
    asked: Browser, standin: LoopDouble
) -> None:
    asked.hold("é", "Digit2")
    standin.expect(Key("2"))
    assert value_of(asked) == ""


@pytest.mark.browser
def test_enter_in_an_empty_field_is_ok(asked: Browser, standin: LoopDouble) -> None:
    asked.run("document.querySelector('.writing input').focus()")
    asked.type(ENTER)
    standin.expect(Key("#"))


@pytest.mark.browser
def test_a_text_that_is_not_taken_stays_in_the_field_and_the_page_says_why(asked: Browser, standin: LoopDouble) -> None:
    asked.run("const field = document.querySelector('.writing input'); field.focus(); field.value = 'x'.repeat(81)")
    asked.type(ENTER)
    asked.until(lambda: "was not taken. A text has up to 80 characters." in asked.status(), "the sentence")
    assert asked.run("return document.querySelector('.writing input').value.length") == 81


@pytest.mark.browser
@pytest.mark.parametrize("name", ["Maximilian von Bergen", "👩\u200d🚀" * 21])
def test_a_name_is_refused_at_its_twenty_first_letter_and_nothing_is_lost(
    name: str, asked: Browser, standin: LoopDouble
) -> None:
    letters = list(graphemes(name))
    said = "return document.querySelector('.writing input').validationMessage"
    asked.until(lambda: asked.run("return document.querySelector('.writing input').dataset.tooLong"), "the sentence")
    write = """
        const field = document.querySelector('.writing input');
        field.focus();
        document.execCommand('insertText', false, arguments[0]);
    """
    asked.run(write, "".join(letters[:-1]))
    assert asked.run(said) == ""
    asked.run(write, letters[-1])
    assert asked.run(said) == "A name has 1 to 20 characters"
    asked.type(ENTER)
    assert value_of(asked) == name
    assert standin.keys == []
    asked.type(BACKSPACE, ENTER)
    standin.expect(TypedAnswer("".join(letters[:-1])))


@pytest.mark.browser
@pytest.mark.parametrize("size", [(1280, 800), (390, 844), (320, 568), (844, 390)], ids=str)
def test_the_field_leaves_every_key_and_the_panel_in_sight(asked: Browser, size: tuple[int, int]) -> None:
    asked.resize(*size)
    asked.until(asked.without_scrolling, "everything in sight")
