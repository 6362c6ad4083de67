"""The pages of added games: a game is filled in or written, checked, added and removed, by this computer alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from html.parser import HTMLParser
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote_from_bytes, urlencode

import httpx
import pytest
from msgspec import Struct
from PIL import Image

from companion.app.games import GameFinder
from companion.games import GAMES, shipped
from companion.games.toml_games import beginning, load
from companion.journal import added_game_files
from companion.ui.translations import languages
from companion.web.owner_pages import preview
from tests.web.paired_page import PairedPage
from tests.web.test_accessibility import faults
from tests.web.test_evening import simulating

if TYPE_CHECKING:
    from tests.web.browser import Browser

OURS = beginning("our-game", "Our game")


class Shown(Struct):
    """What the page says of a game."""

    wrong: list[str]
    told: str
    picture: str
    line: str
    column: str
    text: str
    page: str

    def has(self, name: str) -> str:
        """Return the value of a field."""
        found = re.search(rf'<input id="{name}"[^>]* value="([^"]*)"', self.page)
        return unescape(found[1]) if found else ""

    @property
    def hidden(self) -> dict[str, str]:
        """Return what the form sends unseen."""
        return dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', self.page))

    @property
    def fields(self) -> dict[str, str]:
        """Return what a browser sends of the form, without its text."""
        return FormFields(self.page).fields

    @property
    def points(self) -> list[str]:
        """Return the points of the worked round."""
        return re.findall(r'<td class="won">(.*?)</td>', self.page)


def shown(answer: httpx.Response) -> Shown:
    """Return what an answer shows."""
    page = answer.text

    def first(pattern: str) -> str:
        found = re.search(pattern, page, re.DOTALL)
        return unescape(found[1]) if found else ""

    wrong = [unescape(each) for each in re.findall(r'<a href="#text"[^>]*>(.*?)</a>', page)]
    told, picture = first(r'id="told">(.*?)<'), first(r'id="picture" src="([^"]*)"')
    line, column = first(r'data-line="([^"]*)" data-column'), first(r'data-column="([^"]*)"')
    return Shown(wrong, told, picture, line, column, first(r"<textarea[^>]*>\n(.*?)</textarea>"), page)


def sent(own: httpx.Client, text: str, do: str = "text", **headers: str) -> httpx.Response:
    """Send a text as the page does, as if it were written by hand."""
    return own.post("/games/game", data={"text": text, "do": do}, headers=headers)


def filled_in(own: httpx.Client, page: Shown, do: str = "check", **fields: str) -> Shown:
    """Send the page's form with some of its fields changed, and return what it shows then."""
    named = {name.replace("_", "-"): value for name, value in fields.items()}
    return shown(own.post("/games/game", data={**page.fields, "text": page.text, "do": do, **named}))


class FormFields(HTMLParser):
    """Collects what a browser sends of a page's form that nobody has changed."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.fields: dict[str, str] = {}
        self._choice = ""  # the name of the list whose options are read
        self._option: str | None = None  # what one without a value of its own says
        self.feed(page)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        """Take the value of a field; a list has that of its first option, until another is the chosen one."""
        said = {name: value or "" for name, value in attributes}
        name = said.get("name", "")
        if tag == "input" and (said.get("type") not in ("radio", "checkbox") or "checked" in said):
            self.fields[name] = said.get("value", "on" if said.get("type") == "checkbox" else "")
        elif tag == "select":
            self._choice = name
        elif tag == "option":
            chosen = "selected" in said or self._choice not in self.fields
            if chosen:
                self.fields[self._choice] = said.get("value", "")
            self._option = "" if chosen and "value" not in said else None

    def handle_data(self, data: str) -> None:
        """Take the words of an option without a value."""
        if self._option is not None:
            self._option += data
            self.fields[self._choice] = self._option

    def handle_endtag(self, tag: str) -> None:
        """Leave an option."""
        if tag == "option":
            self._option = None


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
    found = shown(sent(own, OURS))
    assert found.wrong == []
    assert found.told == "Our game: 2 players or more, 1 question a round"
    assert Image.open(BytesIO(own.get(found.picture).content)).size == (384, 192)
    assert shown(sent(own, OURS)).picture != found.picture
    assert not file_in(tmp_path).exists()


def test_the_picture_shows_the_first_question_where_it_is_who_and_nobody_deals() -> None:
    text = shipped.text("uno")
    drawn = preview(load(text, "uno.toml"), "en")
    assert preview(load(text.replace("Held by all others", "What the others hold"), "uno.toml"), "en") == drawn
    assert preview(load(text.replace('"Out first"', '"Winner"'), "uno.toml"), "en") != drawn


def test_a_game_that_was_just_added_is_played_with_one_tap(
    own: httpx.Client, served: PairedPage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(GAMES, "found", GameFinder(lambda: tmp_path))
    added = sent(own, OURS, "add")
    page = own.get(added.headers["location"]).text
    assert '<button class="primary" name="name" value="our-game">Play it now</button>' in page
    assert "Play it now" not in own.get("/games").text
    played = own.post("/games/play", data={"name": "our-game"})
    assert (played.status_code, played.headers["location"]) == (303, "/table")
    assert "Our game · Seat 1: who?" in own.get("/table").text
    other = own.post("/games/play", data={"name": "bridge"})
    assert (other.status_code, other.headers["location"]) == (303, "/games")
    assert served.paired().post("/games/play", data={"name": "our-game"}).status_code == 403


@pytest.mark.parametrize("name", shipped.names())
def test_every_game_of_the_program_is_a_beginning(own: httpx.Client, name: str) -> None:
    assert f'href="/games/game?from={name}"' in own.get("/games").text
    found = shown(own.get(f"/games/game?from={name}"))
    assert found.wrong == []
    assert found.has("title") in (f"Our {GAMES[name].title}", "Our game")
    assert found.told.startswith(found.has("title"))
    again = filled_in(own, found)
    assert (again.wrong, again.text) == ([], found.text)


FOUR, SUM, HUNDRED = {"f-players": "4", "l-players": "4"}, {"points": "sum"}, {"ends": "points", "end-points": "100"}


@pytest.mark.parametrize(
    ("name", "fields"),
    [("hearts", FOUR), ("briscola", FOUR), ("doppelkopf", FOUR), ("coinche", SUM), ("skat", SUM), ("tarot", HUNDRED)],
)
def test_worked_rounds_that_no_longer_hold_can_be_removed(own: httpx.Client, name: str, fields: dict[str, str]) -> None:
    page = filled_in(own, shown(own.get(f"/games/game?from={name}")), **fields)
    assert page.wrong
    assert 'id="add"' not in page.page
    page = filled_in(own, page, "drop-examples")
    assert 'id="add"' in page.page
    assert "drop-examples" not in page.page


def test_a_game_is_filled_in_without_a_word_of_its_text(own: httpx.Client, tmp_path: Path) -> None:
    page = shown(own.get("/games/game"))
    page = filled_in(own, page, title="Küchen-Rommé", f_players="3", l_players="5", best="lowest", label_new="Bonus")
    assert page.has("label-1") == "Bonus"
    page = filled_in(own, page, most_1="50", per_1="round", ends="points", end_points="120")
    assert page.wrong == []
    assert page.told == "Küchen-Rommé: 3 to 5 players, 2 questions a round, the fewest points win"
    page = filled_in(own, page, worked_points_0="12", worked_points_1="0", worked_points_2="7", worked_bonus_0="5")
    assert page.points == ["17", "5", "12"]
    page = filled_in(own, page, do="keep")
    assert "score = [17, 5, 12]" in page.text
    added = own.post("/games/game", data={"text": page.text, "do": "add", **page.hidden})
    assert added.headers["location"] == "/games?added=kuchen-romme"
    game = load(file_in(tmp_path, "kuchen-romme").read_text("utf-8"), "x")
    assert (game.title, [*game.seats]) == ("Küchen-Rommé", [3, 4, 5])


def test_a_game_keeps_its_file_when_its_title_changes(own: httpx.Client, tmp_path: Path) -> None:
    sent(own, OURS, "add")
    page = shown(own.get("/games/game?edit=our-game"))
    own.post("/games/game", data={"text": page.text, **page.hidden, "title": "Marbles", "dealer": "on", "do": "add"})
    assert [file.name for file in file_in(tmp_path).parent.iterdir()] == ["our-game.toml"]
    page = shown(own.get("/games/game"))
    page = filled_in(own, page, title="Our game, too")
    assert 'name = "our-game-too"' in page.text


def test_a_game_is_never_written_over_another(own: httpx.Client, tmp_path: Path) -> None:
    for _time in range(2):
        page = shown(own.get("/games/game"))
        own.post("/games/game", data={"text": page.text, **page.hidden, "do": "add"})
    assert sorted(file.stem for file in file_in(tmp_path).parent.iterdir()) == ["our-game", "our-game-2"]
    page = shown(own.get("/games/game?edit=our-game-2"))
    text = page.text.replace('"our-game-2"', '"our-game"').replace("Our game", "Theirs")
    for edit in ("our-game-2", ""):
        refused = shown(own.post("/games/game", data={"text": text, "edit": edit, "do": "add"}))
        assert refused.wrong == ["line 1: another of your games is our-game: give this one another name"]
        assert refused.text == text
    assert "Theirs" not in file_in(tmp_path).read_text("utf-8")


def test_a_text_that_was_changed_by_hand_counts_more_than_the_fields(own: httpx.Client) -> None:
    page = shown(own.get("/games/game"))
    page.text = page.text.replace("Our game", "Marbles")
    assert filled_in(own, page, title="Something else").has("title") == "Marbles"


def test_what_the_form_cannot_show_stays_and_is_named(own: httpx.Client) -> None:
    page = shown(own.get("/games/game?from=hearts"))
    named = re.search(r"they stay as they are: (.*?)\.</p>", page.page)
    assert named is not None
    assert {"the rules card", "playing card by card", "statistics", "translations"} <= {*named[1].split(", ")}
    page = filled_in(own, page, least_0="1")
    assert "[tricks.deck" in page.text
    remarked = shown(sent(own, OURS + "# as Aunt Zoé plays it\n"))
    assert "so the text stands alone" in remarked.page
    assert (remarked.has("title"), remarked.wrong) == ("", [])
    assert remarked.text.endswith("# as Aunt Zoé plays it\n")


WORKED = {"worked_points_0": "12", "worked_points_1": "", "worked_points_2": "-5"}


def test_a_round_that_gives_other_points_than_before_is_told(own: httpx.Client) -> None:
    page = filled_in(own, shown(own.get("/games/game")), f_players="3")
    page = filled_in(own, page, "keep", **WORKED)
    assert page.points == ["12", "0", "−5"]
    page = filled_in(own, page, points="formula", formula="2*points", **WORKED)
    assert page.wrong == ["line 22: score: the rules give 24 0 -10"]
    assert page.points == ["24", "0", "−10"]
    refused = filled_in(own, page, **WORKED | {"worked_points_1": "-500"})
    assert "from −100 to 200, not" in refused.page


def test_the_field_of_what_is_wrong_is_marked(own: httpx.Client) -> None:
    page = shown(own.get("/games/game"))
    assert "aria-invalid" not in page.page
    page = filled_in(own, page, points="formula", formula="point * luck", most_0="twenty", label_new="Bonus")
    marked = re.findall(r'<input id="([\w-]+)" aria-invalid="true" aria-describedby="wrong"', page.page)
    assert marked == ["most-0", "formula"]


def test_a_number_that_cannot_be_is_said_and_the_one_before_stays(own: httpx.Client) -> None:
    page = filled_in(own, shown(own.get("/games/game")), ends="points", end_points="120")
    for field, typed in (("end-points", "−50"), ("end-points", "0"), ("end-points", "1e9"), ("f-players", "two")):
        found = filled_in(own, page, **{field: typed})
        assert f"“{typed}” is no whole number from 1 to 99999, so the number before it stays" in found.page
        assert re.search(f'id="{field}" aria-invalid="true"', found.page)
        assert found.text == page.text
    assert "so the number before" not in page.page
    assert filled_in(own, page, ends="rounds", end_rounds="-3").fields["end-rounds"] == "10"


def test_a_cell_of_the_worked_round_without_a_number_is_named(own: httpx.Client) -> None:
    page = shown(own.get("/games/game"))
    for typed in ("1 2", "abc"):
        found = filled_in(own, page, worked_points_1=typed)
        assert f"“{typed}” is no whole number" in found.page
        assert re.findall(r'id="(worked-[\w-]+)"[^>]* aria-invalid', found.page) == ["worked-points-1"]


def test_the_formula_of_the_next_dealer_comes_back_with_the_box(own: httpx.Client) -> None:
    beginning = shown(own.get("/games/game")).text
    page = shown(sent(own, beginning.replace('best = "highest"', 'dealer = "seat == 1"\nbest = "highest"')))
    fields = {name: value for name, value in page.fields.items() if name != "dealer"}
    without = shown(own.post("/games/game", data={**fields, "text": page.text, "do": "check"}))
    assert "dealer =" not in without.text
    assert 'dealer = "seat == 1"' in filled_in(own, without, dealer="on").text


@pytest.mark.parametrize("language", languages())
def test_the_help_is_served_in_each_language(own: httpx.Client, language: str) -> None:
    help_ = own.get("/games/help", headers={"Accept-Language": language})
    assert help_.status_code == 200
    assert f'<html lang="{language}">' in help_.text


def test_all_that_is_wrong_is_said_with_its_line(own: httpx.Client, tmp_path: Path) -> None:
    wrong = OURS.replace("best =", "beast =").replace("most = 200", "most = twenty")
    assert shown(sent(own, wrong, "add")).wrong[0].startswith("line ")
    wrong = OURS.replace('points = "points"', 'points = "point * luck"')
    found = shown(sent(own, wrong, "add", **{"Accept-Language": "fr"}))
    assert found.wrong[0].startswith("ligne ")
    assert f"<mark>{found.line}</mark>" in found.page
    assert not file_in(tmp_path).exists()


@pytest.mark.parametrize("text", ["", "\0", 'name = "gear"', "\ud800", "x" * 300_000, OURS.replace("our-game", "skat")])
def test_what_cannot_be_a_game_is_refused_with_a_sentence(own: httpx.Client, tmp_path: Path, text: str) -> None:
    content = f"do=add&text={quote_from_bytes(text.encode('utf-8', 'surrogatepass'))}".encode()
    answer = own.post("/games/game", content=content, headers={"Content-Type": "application/x-www-form-urlencoded"})
    assert answer.status_code == 200
    assert shown(answer).wrong
    assert not (tmp_path / added_game_files.FOLDER).exists()


def test_a_form_with_more_fields_than_any_is_refused(own: httpx.Client) -> None:
    assert own.post("/games/game", data={f"x{number}": "1" for number in range(500)}).status_code == 400


def test_a_game_is_added_changed_and_removed(own: httpx.Client, tmp_path: Path) -> None:
    assert sent(own, OURS, "add").headers["location"] == "/games?added=our-game"
    assert file_in(tmp_path).read_text("utf-8") == OURS
    assert shown(own.get("/games/game?edit=our-game")).text == OURS
    listed = own.get("/games").text
    assert "Our game</a>" in listed
    assert "Added" not in listed
    assert "Added: Our game. A new game at the table offers it" in own.get("/games?added=our-game").text
    assert "Added" not in own.get("/games?added=nothing").text
    own.post("/games/game", data={"text": OURS.replace("Our game", "Their game"), "do": "add", "edit": "our-game"})
    assert "Their game</a>" in own.get("/games").text
    assert own.post("/games/remove", data={"name": "../../settings"}).headers["location"] == "/games"
    own.post("/games/remove", data={"name": "our-game", "sure": "yes"})
    assert not file_in(tmp_path).exists()
    assert "Their game" not in own.get("/games/game?edit=our-game").text


def test_a_game_is_removed_only_after_a_question_and_that_is_said(own: httpx.Client, tmp_path: Path) -> None:
    sent(own, OURS, "add")
    asks = own.post("/games/remove", data={"name": "our-game"}).headers["location"]
    assert file_in(tmp_path).exists()
    assert "Remove Our game for good?" in own.get(asks).text
    assert "for good?" not in own.get("/games").text
    done = own.post("/games/remove", data={"name": "our-game", "sure": "yes"}).headers["location"]
    assert not file_in(tmp_path).exists()
    assert "Removed: Our game. Games of it that were played stay" in own.get(done).text
    sent(own, OURS, "add")
    assert "Removed" not in own.get(done).text
    assert "Removed" not in own.get("/games?removed=other").text


def test_the_place_of_the_first_finding_is_sent(own: httpx.Client) -> None:
    lines = OURS.replace('points = "points"', 'points = "point * luck"').split("\n")
    found = shown(sent(own, "\n".join(lines)))
    assert lines[int(found.line) - 1][int(found.column) :].startswith("point * luck")


def test_a_game_that_seems_not_to_end_is_said_and_can_be_added(own: httpx.Client, tmp_path: Path) -> None:
    far = OURS.replace("round == rounds", "min(total) >= 1000000")
    found = shown(sent(own, far))
    assert found.told
    said = "with 2 players, no game ended in 200 rounds, whatever was entered: can this become true?"
    assert found.wrong == [f"line {found.line}: {said}"]
    assert far.split("\n")[int(found.line) - 1] == 'when = "min(total) >= 1000000"'
    sent(own, far, "add")
    assert file_in(tmp_path).exists()


def test_a_damaged_file_is_told_and_can_be_removed(own: httpx.Client, tmp_path: Path) -> None:
    file_in(tmp_path).parent.mkdir()
    file_in(tmp_path).write_bytes(b"\xff")
    assert own.get("/games").status_code == 200
    assert "no text in UTF-8" in own.get("/games/game?edit=our-game").text


def test_a_full_disk_is_said(own: httpx.Client, tmp_path: Path) -> None:
    (tmp_path / added_game_files.FOLDER).write_text("no folder")
    assert "It cannot be written" in shown(sent(own, OURS, "add")).wrong[0]


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/games"),
        ("GET", "/games/picture"),
        ("GET", "/games/help"),
        ("GET", "/games/game"),
        ("POST", "/games/game"),
        ("POST", "/games/remove"),
    ],
)
def test_no_phone_and_no_other_computer_changes_games(served: PairedPage, method: str, path: str) -> None:
    scorer = served.paired("Aki")
    elsewhere = served.client(served.pairing.own_secret, host="192.168.0.9")
    for client in (scorer, elsewhere):
        assert client.request(method, path, data={"text": OURS, "do": "add"}).status_code == 403


def test_another_site_can_neither_add_nor_remove(own: httpx.Client, tmp_path: Path) -> None:
    sent(own, OURS, "add")
    elsewhere = {"Sec-Fetch-Site": "cross-site"}
    assert own.post("/games/remove", data={"name": "our-game"}, headers=elsewhere).status_code == 403
    assert sent(own, OURS.replace("Our game", "Theirs"), "add", **elsewhere).status_code == 403
    body = urlencode({"text": OURS, "do": "add"})
    refused = own.post("/games/game", content=body, headers={"Content-Type": "text/plain"})
    assert (refused.status_code, "A form is sent as" in refused.text) == (415, True)
    assert file_in(tmp_path).read_text("utf-8") == OURS


def test_a_box_that_keeps_nothing_has_no_place_for_games() -> None:
    page = PairedPage(folder=None)
    try:
        assert page.client(page.pairing.own_secret, host="127.0.0.1").get("/games").status_code == 404
    finally:
        page.stop()


WIDTH = "return document.querySelector('#picture')?.naturalWidth"
WRITE = """
    const text = document.querySelector("#text");
    document.querySelector("#advanced").open = true;
    text.value = arguments[0];
    text.dispatchEvent(new Event("input", { bubbles: true }));
"""
ALL = "\ue009a\ue009"
"""Ctrl+A, which selects what stands in a field."""
ADDED = "return document.querySelector('.row a')?.innerText"


@pytest.mark.browser
def test_a_game_is_written_in_a_browser_and_played(browser: Browser, tmp_path: Path) -> None:
    with simulating(tmp_path) as address:
        browser.go(f"{address}games")
        assert faults(browser) == ""
        browser.find("a.primary").click()
        browser.until(lambda: browser.run(WIDTH) == 384, "the picture is shown")
        assert faults(browser) == ""
        browser.run(WRITE, OURS.replace("Our game", "Marbles") + "bad")
        browser.find("#look").click()
        browser.until(lambda: browser.run("return !!document.querySelector('#wrong')"), "what is wrong is shown")
        assert browser.run("return document.querySelector('#add')") is None
        assert faults(browser) == ""
        browser.run(WRITE, OURS.replace("Our game", "Marbles"))
        browser.find("#look").click()
        browser.until(lambda: browser.run(WIDTH) == 384, "the picture is shown")
        browser.find("#add").click()
        browser.until(lambda: browser.run(ADDED) == "Marbles", "it is listed")
        assert "Added: Marbles" in browser.find("#done").text
    assert file_in(tmp_path).exists()


@pytest.mark.browser
def test_each_change_of_a_field_is_checked_at_once_and_the_focus_stays(browser: Browser, tmp_path: Path) -> None:
    value = "return document.getElementById(arguments[0])?.value"
    with simulating(tmp_path) as address:
        browser.go(f"{address}games/game")
        browser.find("#title").send_keys(ALL, "Marbles\t")
        browser.until(
            lambda: browser.run("return document.querySelector('h1').innerText") == "Marbles", "it is checked"
        )
        assert browser.run("return document.activeElement.id") == "f-players"
        points = "return [...document.querySelectorAll('td.won')].map((cell) => cell.innerText).join()"
        browser.find("#worked-points-0").send_keys("12")  # without leaving the field
        assert browser.run(points) == "–,–"
        browser.let_pass(0.5)
        browser.until(lambda: browser.run(points) == "12,0", "the first player's points come out")
        browser.find("#worked-points-1").send_keys("-5\t")
        browser.until(lambda: browser.run(points) == "12,−5", "the points come out")
        browser.find("button[value=keep]").click()
        browser.until(lambda: not browser.run("return !!document.querySelector('button[value=keep]')"), "it is kept")
        browser.find("#formula").send_keys(ALL, "3*points\t")
        browser.until(lambda: browser.run(points) == "36,−15", "the formula's points come out")
        assert browser.run("return document.querySelector('#points-formula').checked")
        assert "the rules give 36 -15" in browser.find("#wrong").text
        browser.find("button[value=keep]").click()
        browser.until(lambda: browser.run("return !document.querySelector('#wrong')"), "they are right")
        browser.find("#label-new").send_keys("Bonus")
        browser.find("button[value=check]:not([hidden])").click()
        browser.until(lambda: browser.run(value, "label-1") == "Bonus", "there is a second question")
        browser.find("button[name=drop][value='1']").click()
        browser.until(lambda: browser.run(value, "label-1") is None, "it is gone")
        browser.until(lambda: browser.run("return !!document.querySelector('#add')"), "it can be added")
        browser.find("#add").click()
        browser.until(lambda: browser.run(ADDED) == "Marbles", "it is listed")
    assert file_in(tmp_path, "marbles").exists()


@pytest.mark.browser
def test_on_a_phone_what_was_found_is_on_the_screen(browser: Browser, tmp_path: Path) -> None:
    seen = """
      const part = document.querySelector(arguments[0]);
      const box = part ? part.getBoundingClientRect() : { height: 0 };
      return box.height > 0 && box.top >= 0 && box.bottom <= innerHeight;
    """
    wrong = OURS.replace('points = "points"', 'points = "point * luck"')
    browser.be_a_phone()
    with simulating(tmp_path) as address:
        browser.go(f"{address}games/game")
        browser.run(WRITE, wrong)
        browser.find("#look").click()
        browser.until(lambda: browser.run(seen, "#wrong"), "what is wrong is on the screen")
        text = "const text = document.querySelector('#text'); "
        assert browser.run(f"{text} return text.value.slice(text.selectionStart)").startswith('"point * luck')
        browser.run(WRITE, OURS)
        browser.find("#look").click()
        browser.until(lambda: browser.run(seen, "#told") and browser.run(seen, "#picture"), "the picture is")
        assert browser.run(seen, "#add")
        browser.find("#add").click()
        browser.until(lambda: browser.run("return !!document.querySelector('#done')"), "it is added")
        assert browser.run(seen, "#done")
        browser.find(".row .loss").click()
        browser.until(lambda: browser.run("return !!document.querySelector('.sure')"), "it asks")
        assert file_in(tmp_path).exists()
        events = "return getComputedStyle(document.querySelector('.sure')).pointerEvents"
        browser.until(lambda: browser.run(events) != "none", "the question counts")
        browser.find(".sure").click()
        text = "return document.querySelector('main')?.textContent ?? ''"
        browser.until(lambda: "Removed: Our game" in browser.run(text), "it is removed")
    assert not file_in(tmp_path).exists()
