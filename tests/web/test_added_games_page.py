"""The page of added games: a game is written, looked over, added and removed, by this computer alone."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import pytest
from PIL import Image

from companion.games import GAMES, shipped
from companion.games.toml_games import beginning, load
from companion.journal import added_game_files
from companion.web.added_games_page import preview
from tests.web.paired_page import PairedPage
from tests.web.test_accessibility import faults
from tests.web.test_evening import simulating

if TYPE_CHECKING:
    from tests.web.browser import Browser

WIDTH = "return document.querySelector('#picture').naturalWidth"
OURS = beginning("our-game", "Our game")


@pytest.fixture
def served(tmp_path: Path) -> Iterator[PairedPage]:
    page = PairedPage(folder=tmp_path)
    try:
        yield page
    finally:
        page.stop()


@pytest.fixture
def own(served: PairedPage) -> httpx.Client:
    """Return a browser on this computer."""
    return served.client(served.pairing.own_secret, host="127.0.0.1", Accept="text/html")


def file_in(folder: Path, name: str = "our-game") -> Path:
    return folder / added_game_files.FOLDER / f"{name}.toml"


def test_a_file_is_looked_over_and_its_first_question_is_shown(own: httpx.Client, tmp_path: Path) -> None:
    found = own.post("/games/look", json={"text": OURS}).json()
    assert found["wrong"] == []
    assert found["told"] == "Our game: 2 players or more, 1 question a round"
    assert Image.open(BytesIO(own.get(found["picture"]).content)).size == (384, 192)
    assert own.post("/games/look", json={"text": OURS}).json()["picture"] != found["picture"]
    assert not file_in(tmp_path).exists()


def test_the_picture_shows_the_first_question_where_it_is_who_and_nobody_deals() -> None:
    text = (Path(shipped.__file__).parent / "uno.toml").read_text("utf-8")
    shown = preview(load(text, "uno.toml"), "en")
    assert preview(load(text.replace("Held by all others", "What the others hold"), "uno.toml"), "en") == shown
    assert preview(load(text.replace('"Out first"', '"Winner"'), "uno.toml"), "en") != shown


@pytest.mark.parametrize("name", shipped.names())
def test_every_game_of_the_program_has_a_picture_of_its_first_question(own: httpx.Client, name: str) -> None:
    text = (Path(shipped.__file__).parent / f"{name}.toml").read_text("utf-8")
    other = text.replace(f'name = "{name}"', f'name = "my-{name}"', 1)
    found = own.post("/games/look", json={"text": other}).json()
    assert found["wrong"] == []
    assert found["told"].startswith(GAMES[name].title)


def test_all_that_is_wrong_is_said_with_its_line(own: httpx.Client, tmp_path: Path) -> None:
    wrong = OURS.replace("best =", "beast =").replace("most = 200", "most = twenty")
    found = own.post("/games/add", json={"text": wrong}).json()
    assert found["wrong"][0].startswith("line ")
    wrong = OURS.replace('points = "points"', 'points = "point * luck"')
    found = own.post("/games/add", json={"text": wrong}, headers={"Accept-Language": "fr"}).json()
    assert found["wrong"][0].startswith("ligne ")
    assert not file_in(tmp_path).exists()


@pytest.mark.parametrize("text", ["", "\0", 'name = "gear"', "\ud800", "x" * 300_000, OURS.replace("our-game", "skat")])
def test_what_cannot_be_a_game_is_refused_with_a_sentence(own: httpx.Client, tmp_path: Path, text: str) -> None:
    content = text.encode("utf-8", "surrogatepass")
    body = b'{"text":"' + content.replace(b"\0", b"\\u0000").replace(b'"', b'\\"').replace(b"\n", b"\\n") + b'"}'
    answer = own.post("/games/add", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == 400 or answer.json()["wrong"]
    assert not (tmp_path / added_game_files.FOLDER).exists()


def test_a_game_is_added_changed_and_removed(own: httpx.Client, tmp_path: Path) -> None:
    assert own.post("/games/add", json={"text": OURS}).json()["name"] == "our-game"
    assert file_in(tmp_path).read_text("utf-8") == OURS
    shown = own.get("/games?edit=our-game").text
    assert "Our game</a>" in shown
    assert "Added" not in shown
    assert "Added: Our game. A new game at the table offers it" in own.get("/games?added=our-game").text
    assert "Added" not in own.get("/games?added=nothing").text
    own.post("/games/add", json={"text": OURS.replace("Our game", "Their game")})
    assert "Their game</a>" in own.get("/games").text
    assert own.post("/games/remove", data={"name": "../../settings"}).headers["location"] == "/games"
    own.post("/games/remove", data={"name": "our-game", "sure": "yes"})
    assert not file_in(tmp_path).exists()
    assert "Their game" not in own.get("/games?edit=our-game").text


def test_a_game_is_removed_only_after_a_question_and_that_is_said(own: httpx.Client, tmp_path: Path) -> None:
    own.post("/games/add", json={"text": OURS})
    asks = own.post("/games/remove", data={"name": "our-game"}).headers["location"]
    assert file_in(tmp_path).exists()
    assert "Remove Our game for good?" in own.get(asks).text
    assert "for good?" not in own.get("/games").text
    done = own.post("/games/remove", data={"name": "our-game", "sure": "yes"}).headers["location"]
    assert not file_in(tmp_path).exists()
    assert "Removed: Our game. Games of it that were played stay" in own.get(done).text
    own.post("/games/add", json={"text": OURS})
    assert "Removed" not in own.get(done).text
    assert "Removed" not in own.get("/games?removed=other").text


def test_the_place_of_the_first_finding_is_sent(own: httpx.Client) -> None:
    lines = OURS.replace('points = "points"', 'points = "point * luck"').split("\n")
    found = own.post("/games/look", json={"text": "\n".join(lines)}).json()
    assert lines[found["line"] - 1][found["column"] :].startswith("point * luck")


def test_a_game_that_seems_not_to_end_is_said_and_can_be_added(own: httpx.Client, tmp_path: Path) -> None:
    far = OURS.replace("round == rounds", "min(total) >= 1000000")
    found = own.post("/games/add", json={"text": far}).json()
    assert found["wrong"] == []
    said = "with 2 players, no game ended in 200 rounds, whatever was entered: can this become true?"
    assert found["doubtful"] == [f"line {found['line']}: {said}"]
    assert far.split("\n")[found["line"] - 1] == 'when = "min(total) >= 1000000"'
    assert file_in(tmp_path).exists()


def test_a_damaged_file_is_told_and_can_be_removed(own: httpx.Client, tmp_path: Path) -> None:
    file_in(tmp_path).parent.mkdir()
    file_in(tmp_path).write_bytes(b"\xff")
    assert own.get("/games").status_code == 200
    assert "no text in UTF-8" in own.get("/games?edit=our-game").text


def test_a_full_disk_is_said(own: httpx.Client, tmp_path: Path) -> None:
    (tmp_path / added_game_files.FOLDER).write_text("no folder")
    assert "It cannot be written" in own.post("/games/add", json={"text": OURS}).json()["wrong"][0]


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/games"),
        ("GET", "/games/picture"),
        ("POST", "/games/look"),
        ("POST", "/games/add"),
        ("POST", "/games/remove"),
    ],
)
def test_no_phone_and_no_other_computer_changes_games(served: PairedPage, method: str, path: str) -> None:
    scorer = served.paired("Aki")
    elsewhere = served.client(served.pairing.own_secret, host="192.168.0.9")
    for client in (scorer, elsewhere):
        assert client.request(method, path, json={"text": OURS}).status_code == 403


def test_another_site_can_neither_add_nor_remove(own: httpx.Client, tmp_path: Path) -> None:
    own.post("/games/add", json={"text": OURS})
    form = own.post("/games/remove", data={"name": "our-game"}, headers={"Sec-Fetch-Site": "cross-site"})
    assert form.status_code == 403
    assert own.post("/games/add", content=OURS, headers={"Content-Type": "text/plain"}).status_code == 415
    assert file_in(tmp_path).exists()


def test_a_box_that_keeps_nothing_has_no_place_for_games() -> None:
    page = PairedPage(folder=None)
    try:
        assert page.client(page.pairing.own_secret, host="127.0.0.1").get("/games").status_code == 404
    finally:
        page.stop()


@pytest.mark.browser
def test_a_game_is_written_in_a_browser_and_played(browser: Browser, tmp_path: Path) -> None:
    with simulating(tmp_path) as address:
        browser.go(f"{address}games")
        assert faults(browser) == ""
        browser.run("document.querySelector('#text').value = arguments[0]", OURS.replace("Our game", "Marbles") + "bad")
        browser.find("#look").click()
        browser.until(lambda: browser.find("#wrong").is_displayed(), "what is wrong is shown")
        assert not browser.find("#add").is_displayed()
        browser.run("document.querySelector('#text').value = arguments[0]", OURS.replace("Our game", "Marbles"))
        browser.find("#look").click()
        browser.until(lambda: browser.run(WIDTH) == 384, "the picture is shown")
        assert faults(browser) == ""
        browser.find("#add").click()
        browser.until(
            lambda: browser.run("return document.querySelector('.row a')?.innerText") == "Marbles", "it is listed"
        )
        assert "Added: Marbles" in browser.find("#done").text
    assert file_in(tmp_path).exists()


@pytest.mark.browser
def test_on_a_phone_what_was_found_is_on_the_screen(browser: Browser, tmp_path: Path) -> None:
    seen = """
      const box = document.querySelector(arguments[0]).getBoundingClientRect();
      return box.height > 0 && box.top >= 0 && box.bottom <= innerHeight;
    """
    wrong = OURS.replace('points = "points"', 'points = "point * luck"')
    browser.be_a_phone()
    with simulating(tmp_path) as address:
        browser.go(f"{address}games")
        browser.run("document.querySelector('#text').value = arguments[0]", wrong)
        browser.find("#look").click()
        browser.until(lambda: browser.run(seen, "#wrong"), "what is wrong is on the screen")
        text = "const text = document.querySelector('#text'); "
        assert browser.run(f"{text} return text.value.slice(text.selectionStart)").startswith('"point * luck')
        browser.run("document.querySelector('#text').value = arguments[0]", OURS)
        browser.find("#look").click()
        browser.until(lambda: browser.run(seen, "#told") and browser.run(seen, "#picture"), "the picture is")
        assert browser.run(seen, "#add")
        browser.find("#add").click()
        browser.until(lambda: browser.run("return !!document.querySelector('#done')"), "it is added")
        assert browser.run(seen, "#done")
        browser.find(".quiet").click()
        browser.until(lambda: browser.run("return !!document.querySelector('.sure')"), "it asks")
        assert file_in(tmp_path).exists()
        events = "return getComputedStyle(document.querySelector('.sure')).pointerEvents"
        browser.until(lambda: browser.run(events) != "none", "the question counts")
        browser.find(".sure").click()
        text = "return document.querySelector('main')?.textContent ?? ''"
        browser.until(lambda: "Removed: Our game" in browser.run(text), "it is removed")
    assert not file_in(tmp_path).exists()
