"""The bridge passes on what a club's hub sends through the page; nobody else may."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import msgspec
import pytest

from companion.app.bridge_secret import FILE, drawn, state_of
from companion.bridge.hub_relay import NO_PAGE, BoxClient, BoxSilentError, HubMessages
from companion.bridge.log_line_sender import Acknowledged
from companion.bridge.records import Correction, CorrectionAnswer
from tests.app.boxes import begin, press, says
from tests.web.paired_page import PairedPage


@pytest.fixture
def page(tmp_path: Path) -> Iterator[PairedPage]:
    page = PairedPage(folder=tmp_path / "box")
    page.do(lambda: press(begin(page.box), "1"))
    yield page
    page.stop()


def message(page: PairedPage, number: int = 1) -> bytes:
    assert page.box.game is not None
    line = '{"type":"amend","event":1,"to":{"type":"start","player":2}}'
    was = ('{"type":"start","player":0}',)
    return msgspec.json.encode(Correction(number, page.box.game.name, line, was, "Dora"))


class Passing:
    """The messages that a bridge passes on to a box, with the answers to them and the sentences for the log."""

    def __init__(self, page: BoxClient, marks: Path) -> None:
        self.answers: list[CorrectionAnswer] = []
        self.said: list[str] = []
        self.messages = HubMessages(page, Acknowledged(marks), self.answers.append, self.said.append)

    def correct(self, content: bytes) -> CorrectionAnswer | None:
        """Pass a correction on; return the answer."""
        self.answers.clear()
        self.messages.take_correction(content, now=0.0)
        return self.answers[0] if self.answers else None


@pytest.fixture
def bridge(page: PairedPage, tmp_path: Path) -> Passing:
    """Return the bridge beside the box."""
    return passing(page, tmp_path)


def passing(page: PairedPage, place: Path) -> Passing:
    state = state_of(place / "box")
    state.mkdir(exist_ok=True)
    address = f"http://127.0.0.1:{page.server.port}"
    return Passing(BoxClient(address, drawn(state)), state / "arrived.json")


def starter(page: PairedPage) -> object:
    assert page.box.game is not None
    return page.box.game.session.head.event


def test_a_correction_of_the_hub_reaches_the_table_once(page: PairedPage, bridge: Passing, tmp_path: Path) -> None:
    before = starter(page)
    answer = bridge.correct(message(page))
    assert answer is not None
    assert (answer.taken, answer.why) == (True, "")
    assert starter(page) != before
    assert bridge.correct(message(page)) == answer
    corrected = starter(page)
    again = bridge.correct(message(page, 2))  # as after an answer that did not arrive: it stands there
    assert again is not None
    assert (again.taken, again.why, starter(page)) == (True, "", corrected)
    late = bridge.correct(message(page, 3).replace(b'"player\\":2', b'"player\\":1'))
    assert late is not None
    assert (late.taken, late.why) == (False, "The entries at the table have changed")
    page.do(lambda: press(page.box, "*"))  # the table takes it back
    assert starter(page) == before
    assert passing(page, tmp_path).correct(message(page)) == answer  # the broker delivers it to the next bridge, too
    assert starter(page) == before


def test_a_number_that_comes_with_another_correction_is_another_correction(page: PairedPage, bridge: Passing) -> None:
    bridge.correct(message(page))
    other = bridge.correct(message(page).replace(b'"player\\":2', b'"player\\":1'))
    assert other is not None
    assert not other.taken


def test_without_a_page_the_hub_is_told(page: PairedPage, tmp_path: Path) -> None:
    answer = Passing(BoxClient("", ""), tmp_path / "marks.json").correct(message(page))
    assert answer is not None
    assert (answer.taken, answer.why) == (False, NO_PAGE)


@pytest.mark.parametrize("status", [0, 429, 500, 503])
def test_a_box_that_starts_or_has_not_caught_up_is_asked_again(tmp_path: Path, status: int) -> None:
    class NotNow(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.send_response(status)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Print nothing."""

    with HTTPServer(("127.0.0.1", 0), NotNow) as server:
        thread = Thread(target=server.handle_request)
        thread.start()
        port = server.server_port if status else 1
        passing = Passing(BoxClient(f"http://127.0.0.1:{port}", ""), tmp_path / "marks.json")
        assert passing.correct(b'{"id":1,"game":"","line":"","was":[],"who":""}') is None
        assert passing.messages.due is not None
        if not status:
            socket.create_connection(("127.0.0.1", server.server_port)).close()
        thread.join()


def test_a_correction_that_comes_before_its_box_is_taken_once_the_box_is_there(
    page: PairedPage, tmp_path: Path
) -> None:
    early, before = Passing(BoxClient("http://127.0.0.1:1", ""), tmp_path / "marks.json"), starter(page)
    for _delivery in range(2):
        assert early.correct(message(page)) is None
    early.messages._page = passing(page, tmp_path).messages._page
    assert early.messages.due is not None
    early.messages.send(early.messages.due)
    assert [answer.taken for answer in early.answers] == [True]
    assert starter(page) != before
    assert early.messages.due is None


@pytest.mark.parametrize("content", [b"", b"[]", b"\xff", b'{"id":"x"}'])
def test_a_message_that_is_no_correction_is_passed_over(content: bytes, tmp_path: Path) -> None:
    passing = Passing(BoxClient("", ""), tmp_path / "arrived.json")
    assert (passing.correct(content), passing.messages.due) == (None, None)


def test_news_of_the_hub_is_shown_by_the_box_of_a_club(tmp_path: Path) -> None:
    page, state = PairedPage(folder=tmp_path / "box", club=True), state_of(tmp_path / "box")
    state.mkdir()
    box = BoxClient(f"http://127.0.0.1:{page.server.port}", drawn(state))
    try:
        assert box.send("hub", b'{"seats":{"round":2,"table":7,"names":["Aki","Bea"]},"of a later version":1}') == ""
        assert "Table 7, R2" in page.do(lambda: says(page.box))
        for wrong in (b"[]", b'{"seats":{"round":0,"table":7,"names":["Aki","Bea"]}}', b'{"attended":"x"}', b"\xff"):
            assert box.send("hub", wrong).startswith("News is sent as")
        for names in (["Aki", "aki"], ["Aki", "B" * 21], ["Aki", " "], ["Aki", "Bea\u202e"]):
            call = msgspec.json.encode({"seats": {"round": 3, "table": 8, "names": names}})
            assert box.send("hub", call).startswith("A seat call names players as a game does")
        assert "Table 7, R2" in page.do(lambda: says(page.box))
        family = "👨\u200d👩\u200d👧\u200d👦" * 6  # one name of six characters and 42 code points
        call = msgspec.json.encode({"seats": {"round": 3, "table": 8, "names": [family, "Bea"]}})
        assert box.send("hub", call) == ""
        assert "Only the bridge" in BoxClient(f"http://127.0.0.1:{page.server.port}", "guessed").send("hub", b"{}")
    finally:
        page.stop()


def test_news_waits_until_the_box_is_there(tmp_path: Path) -> None:
    answers, sent = [None, None, "", "It is no news."], list[bytes]()

    class Page(BoxClient):
        def send(self, route: str, content: bytes) -> str:
            sent.append(content)
            answer = answers.pop(0)
            if answer is None:
                raise BoxSilentError
            return answer

    passing = Passing(Page("", ""), tmp_path / "marks.json")
    passing.messages.take_news(b"old", now=0.0)
    passing.messages.take_news(b"", now=1.0)  # the broker keeps nothing any more
    assert passing.messages.due is not None
    passing.messages.send(passing.messages.due)
    assert sent == [b"old", b"{}", b"{}"]
    assert not passing.said
    passing.messages.take_news(b"wrong", now=9.0)
    assert passing.said == ["the box does not take what the hub tells: It is no news."]
    assert not answers  # nothing was sent once more


def test_news_does_not_wait_for_a_correction_that_the_box_cannot_answer(tmp_path: Path) -> None:
    sent = list[str]()

    class Page(BoxClient):
        def send(self, route: str, content: bytes) -> str:
            sent.append(route)
            if route == "correction":
                raise BoxSilentError
            return ""

    passing = Passing(Page("", ""), tmp_path / "marks.json")
    assert passing.correct(b'{"id":1,"game":"","line":"","was":[],"who":""}') is None
    passing.messages.take_news(b"news", now=1.0)
    assert sent == ["correction", "hub", "correction"]


def test_nobody_corrects_but_who_knows_the_bridge_s_secret(page: PairedPage, tmp_path: Path) -> None:
    state = state_of(tmp_path / "box")
    content = {"game": "", "line": "", "was": [], "who": ""}
    here, bridge = page.client(), {"Authorization": "Bearer x"}
    assert here.post("/correction", json=content, headers=bridge).status_code == 403  # there is no bridge
    state.mkdir()
    (state / FILE).touch()
    assert here.post("/correction", json=content, headers=bridge).status_code == 403
    bridge = {"Authorization": f"Bearer {drawn(state)}"}
    assert (state / FILE).stat().st_mode & 0o777 == 0o600
    assert here.post("/correction", json=content).status_code == 403
    assert here.post("/correction", json=content, headers=[(b"Authorization", b"Bearer \xe9")]).status_code == 403
    assert here.post("/correction", json=content, headers={**bridge, "Forwarded": "for=x"}).status_code == 403
    assert here.post("/correction", json={"game": 1}, headers=bridge).status_code == 400
    assert here.post("/correction", data={"game": "1"}, headers=bridge).status_code == 415
    assert here.post("/correction", json=content, headers=bridge).json() == {
        "why": "This game is not open at the table now"
    }
