"""The bridge passes a director's corrections on through the page; nobody else may."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest

from companion.bridge.corrections import NO_PAGE, Correction, CorrectionPasser
from tests.app.boxes import begin, press
from tests.web.paired_page import PairedPage


@pytest.fixture
def page() -> Iterator[PairedPage]:
    page = PairedPage()
    page.do(lambda: press(begin(page.box), "1"))
    yield page
    page.stop()


def message(page: PairedPage, number: int = 1) -> bytes:
    assert page.box.game is not None
    line = '{"type":"amend","event":1,"to":{"type":"start","player":2}}'
    was = ('{"type":"start","player":0}',)
    return msgspec.json.encode(Correction(number, page.box.game.name, line, was, "Dora"))


def starter(page: PairedPage) -> object:
    assert page.box.game is not None
    return page.box.game.session.head.event


def test_a_correction_of_the_hub_reaches_the_table_once(page: PairedPage) -> None:
    bridge = CorrectionPasser(f"http://127.0.0.1:{page.server.port}")
    before = starter(page)
    answer = bridge.take(message(page))
    assert answer is not None
    assert (answer.taken, answer.why) == (True, "")
    assert starter(page) != before
    assert bridge.take(message(page)) == answer
    again = bridge.take(message(page, 2))
    assert again is not None
    assert (again.taken, again.why) == (False, "The entries at the table are others by now")


def test_without_a_page_or_an_answer_the_hub_is_told(page: PairedPage) -> None:
    for address, why in {"": NO_PAGE, "http://127.0.0.1:1": "The box does not answer."}.items():
        answer = CorrectionPasser(address).take(message(page))
        assert answer is not None
        assert (answer.taken, answer.why) == (False, why)


@pytest.mark.parametrize("content", [b"", b"[]", b"\xff", b'{"id":"x"}'])
def test_a_message_that_is_no_correction_is_passed_over(content: bytes) -> None:
    assert CorrectionPasser("").take(content) is None


def test_another_computer_cannot_correct(page: PairedPage) -> None:
    content = {"game": "", "line": "", "was": [], "who": ""}
    assert page.client().post("/correction", json=content, headers={"Forwarded": "for=x"}).status_code == 403
    assert page.client().post("/correction", json={"game": 1}).status_code == 400
    assert page.client().post("/correction", data={"game": "1"}).status_code == 415
