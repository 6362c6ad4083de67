"""The bridge passes on what a club's hub sends through the page; nobody else may."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from companion.app.bridge_secret import FILE, drawn, state_of
from companion.bridge.acknowledged import Acknowledged
from companion.bridge.box_page import NO_PAGE, SILENT, BoxPage
from companion.bridge.corrections import Correction, CorrectionPasser
from companion.bridge.hub_news import NewsPasser
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


@pytest.fixture
def bridge(page: PairedPage, tmp_path: Path) -> CorrectionPasser:
    """Return the bridge beside the box."""
    return passer(page, tmp_path)


def passer(page: PairedPage, place: Path) -> CorrectionPasser:
    state = state_of(place / "box")
    state.mkdir(exist_ok=True)
    address = f"http://127.0.0.1:{page.server.port}"
    return CorrectionPasser(BoxPage(address, drawn(state)), Acknowledged(state / "arrived.json"))


def starter(page: PairedPage) -> object:
    assert page.box.game is not None
    return page.box.game.session.head.event


def test_a_correction_of_the_hub_reaches_the_table_once(
    page: PairedPage, bridge: CorrectionPasser, tmp_path: Path
) -> None:
    before = starter(page)
    answer = bridge.take(message(page))
    assert answer is not None
    assert (answer.taken, answer.why) == (True, "")
    assert starter(page) != before
    assert bridge.take(message(page)) == answer
    again = bridge.take(message(page, 2))
    assert again is not None
    assert (again.taken, again.why) == (False, "The entries at the table are others by now")
    page.do(lambda: press(page.box, "*"))  # the table takes it back
    assert starter(page) == before
    assert passer(page, tmp_path).take(message(page)) == answer  # the broker delivers it to the next bridge, too
    assert starter(page) == before


def test_a_number_that_comes_with_another_correction_is_another_correction(
    page: PairedPage, bridge: CorrectionPasser
) -> None:
    bridge.take(message(page))
    other = bridge.take(message(page).replace(b'"player\\":2', b'"player\\":1'))
    assert other is not None
    assert not other.taken


def test_without_a_page_or_an_answer_the_hub_is_told(page: PairedPage, tmp_path: Path) -> None:
    for address, why in {"": NO_PAGE, "http://127.0.0.1:1": SILENT}.items():
        marks = Acknowledged(tmp_path / f"{len(address)}.json")
        answer = CorrectionPasser(BoxPage(address, ""), marks).take(message(page))
        assert answer is not None
        assert (answer.taken, answer.why) == (False, why)


@pytest.mark.parametrize("content", [b"", b"[]", b"\xff", b'{"id":"x"}'])
def test_a_message_that_is_no_correction_is_passed_over(content: bytes, tmp_path: Path) -> None:
    assert CorrectionPasser(BoxPage("", ""), Acknowledged(tmp_path / "arrived.json")).take(content) is None


def test_news_of_the_hub_is_shown_by_the_box_of_a_club(tmp_path: Path) -> None:
    page, state = PairedPage(folder=tmp_path / "box", club=True), state_of(tmp_path / "box")
    state.mkdir()
    box = BoxPage(f"http://127.0.0.1:{page.server.port}", drawn(state))
    try:
        assert box.send("hub", b'{"seats":{"round":2,"table":7,"names":["Aki","Bea"]},"of a later version":1}') == ""
        assert "Table 7, R2" in page.do(lambda: says(page.box))
        for wrong in (b"[]", b'{"seats":{"round":0,"table":7,"names":["Aki","Bea"]}}', b'{"attended":"x"}', b"\xff"):
            assert box.send("hub", wrong).startswith("News is sent as")
        for names in (["Aki", "aki"], ["Aki", "B" * 21], ["Aki", " "], ["Aki", "Bea\u202e"]):
            call = msgspec.json.encode({"seats": {"round": 3, "table": 8, "names": names}})
            assert box.send("hub", call).startswith("A seat call names players as a game does")
        assert "Table 7, R2" in page.do(lambda: says(page.box))
        assert "Only the bridge" in BoxPage(f"http://127.0.0.1:{page.server.port}", "guessed").send("hub", b"{}")
    finally:
        page.stop()


def test_news_waits_until_the_box_is_there() -> None:
    answers, sent, said = [SILENT, SILENT, "", "It is no news."], list[bytes](), list[str]()

    class Page(BoxPage):
        def send(self, route: str, content: bytes) -> str:
            sent.append(content)
            return answers.pop(0)

    news = NewsPasser(Page("", ""), said.append)
    news.take(b"old", now=0.0)
    news.take(b"", now=1.0)  # the broker keeps nothing any more
    assert news.due is not None
    news.send(news.due)
    assert sent == [b"old", b"{}", b"{}"]
    assert not said
    news.take(b"wrong", now=9.0)
    assert said == ["the box does not take what the hub tells: It is no news."]
    assert not answers  # nothing was sent once more


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
