"""The markup of the table's page: parts that did not change are not made anew, and those that did are."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace
from PIL import Image

from companion.cli.random_play import random_header
from companion.core.prompt import DetailLevel
from companion.core.session import Session
from companion.gamelog import decode_header, decode_line
from companion.games import GAMES
from companion.games.gear.rules import SUITS
from companion.journal import Journal
from companion.ui.live_page.content import LivePageContent, Question
from companion.ui.live_page.svg import PAPER, ROOM, SIGNS, readable
from companion.ui.screens.phones import Phone, Role
from companion.ui.symbols import GLYPHS
from companion.ui.view import CodeBody, TableBody, colour_code
from companion.web import live_markup, site
from companion.web.access import OPEN_PATHS
from companion.web.page_templates import TEMPLATES
from tests.app.boxes import begin, new_box, page_of, press
from tests.games.seeds import Dealt, deal
from tests.harness.slips.honest import HABITS
from tests.harness.taps.log_to_taps import MENU, taps_of
from tests.harness.taps.tapper import SCORER, Tapper, at_seat
from tests.harness.taps.test_taps import at_the_table

if TYPE_CHECKING:
    from tests.web.browser import Browser


def made_anew(content: LivePageContent) -> dict[str, str]:
    """Return the parts as they are made without any cards that were made before."""
    live_markup._cards.cache_clear()
    return live_markup.parts(content)


@pytest.mark.parametrize("game", GAMES)
def test_the_cards_of_a_part_are_always_those_that_are_asked_for_now(game: str) -> None:
    dealt = deal(game, 5, **{**HABITS, "misplay": 0.3})
    header = decode_header(json.dumps(dealt.header))
    pages = [Tapper(language) for language in ("en", "fr")]
    for page in pages:
        page.box.begin(header, DetailLevel.FULL)
    session = Session(header)
    for written in dealt.lines[:40]:
        line = decode_line(json.dumps(written), header)
        choices = [name for name, _taps in taps_of(session, line)]
        for choice in (MENU, "back", *choices):
            for page in pages:
                page.tap(choice)
                assert live_markup.parts(page.content) == made_anew(page.content)
        session = session.add(line)


def test_jokers_of_a_kind_are_one_button_that_says_how_many_are_left() -> None:
    page = Tapper()
    page.box.begin(decode_header(random_header(GAMES["wizard"], 6, Random(1))), DetailLevel.FULL)
    page.tap("seat 6", "item 1", *["number 0"] * 6)
    wizards = re.compile(r'<button [^>]*aria-label="(Wizard[^"]*)">(.*?)</button>')

    def shown() -> list[tuple[str, str]]:
        return wizards.findall(live_markup.parts(page.content)["ask"])

    assert shown() == [("Wizard ×4", 'Wizard <span class="value">×4</span>')]
    page.tap("wizard-1", "clubs-2", "wizard-2", "wizard-3")
    assert shown() == [("Wizard ×1", 'Wizard <span class="value">×1</span>')]
    page.tap("wizard-4")
    assert shown() == [("Wizard, gone", "Wizard")]


@pytest.mark.parametrize(
    ("led", "follow"),
    [
        ("clubs-9", "Clubs 10, Clubs J, Clubs Q, Clubs K, Clubs A, Spades J"),
        ("spades-9", "Spades 10, Spades Q, Spades K, Spades A"),
        ("hearts-9", ""),  # the row tells it
    ],
)
def test_cards_that_follow_are_marked_where_their_row_does_not_tell_it(led: str, follow: str) -> None:
    page = Tapper()
    header = {"format": 1, "game": "euchre", "players": ["Aki", "Bea", "Cyr", "Dai"], "rules": {"played": 1}}
    page.box.begin(decode_header(json.dumps(header)), DetailLevel.FULL)
    page.tap("seat 4", "seat 1", "item 0", "item 1", led)  # clubs are trump
    marked = re.findall(
        r'class="card follows"[^>]* aria-label="([^"]*), follows"', live_markup.parts(page.content)["ask"]
    )
    assert ", ".join(marked) == follow
    assert [row.led for row in page.content.question.suits].count(True) == 1


def test_laid_cards_have_the_colours_of_their_suits_in_a_dark_room_and_in_a_light_one() -> None:
    page = Tapper()
    header = {"format": 1, "game": "gear", "players": ["Aki", "Bea"], "rules": {"auction": False}}
    page.box.begin(decode_header(json.dumps(header)), DetailLevel.FULL)
    page.tap("seat 1", "red-7")
    seats = live_markup.parts(page.content)["seats"]
    colours = [readable(colour_code(suit.colour), room) for suit in SUITS[:1] for room in (ROOM, PAPER)]
    dark, light = re.findall(r'<use href="#g-[a-z-]+" class="in-(?:dark|light)" fill="(#[0-9a-f]{6})"></use>', seats)
    assert [dark, light] == colours


@pytest.mark.browser
def test_every_drawing_fills_its_box_and_stands_in_its_middle(browser: Browser) -> None:
    browser.go(SIGNS.as_uri())
    boxes = browser.run(
        "return [...document.querySelectorAll('symbol')].map((symbol) => {"
        " const path = document.documentElement.appendChild(symbol.firstChild.cloneNode());"
        " const {x, y, width, height} = path.getBBox();"
        " return [symbol.id, symbol.viewBox.baseVal.width, x, y, width, height]; })"
    )
    assert len(boxes) == len(GLYPHS)
    for name, room, left, top, width, height in boxes:
        assert -0.05 <= left <= left + width <= room + 0.05, name
        assert -0.05 <= top <= top + height <= 24.05, name
        assert abs(left + width / 2 - room / 2) <= 0.8, name
        assert max(width, height) >= 20, name


def test_a_page_names_the_seats_that_a_phone_can_be() -> None:
    page = Tapper()
    before = page.content
    page.box.begin(decode_header(json.dumps(deal("hipparchus", 5, **HABITS).header)), DetailLevel.FULL)
    assert json.loads(live_markup.update(before))["names"] == []
    assert json.loads(live_markup.update(page.content))["names"] == ["Aki", "Zoë-Maria"]
    zoe = Phone(2, "Zoë's", Role.SEAT, "Zoë-Maria")
    for content in (before, page.content):
        assert '<option value="seat Zoë-Maria" selected>Zoë-Maria</option>' in live_markup.page(content, zoe)


def test_a_page_is_told_who_each_phone_is_and_where_that_person_sits() -> None:
    page = at_the_table()
    phones = (
        Phone(1, "Aki's", Role.SEAT, "Bea"),
        Phone(4, "Zoë's", Role.SEAT, "Zoë"),
        Phone(5, "Cyr", Role.SCORER, "Cyr", chosen=False),
        Phone(6, "the wall", Role.SPECTATOR),
    )
    told = json.loads(live_markup.update(replace(page.content, phones=phones)))["phones"]
    assert told == {
        "1": ["seat", "Bea", 1, True],
        "4": ["seat", "Zoë", None, True],
        "5": ["scorer", "Cyr", 2, False],
        "6": ["spectator", "", None, True],
    }


def test_a_phone_on_which_nobody_has_said_who_holds_it_only_shows_the_table_before_its_script_runs() -> None:
    page = at_the_table()
    new = Phone(7, "Phone 7", Role.SCORER, chosen=False)
    assert '<body class="role-spectator"' in live_markup.page(page.content, new)
    assert '<body class="role-scorer"' in live_markup.page(page.content, replace(new, chosen=True))
    assert '<body class="role-scorer"' in live_markup.page(Tapper().content, new)  # it may begin a game


@pytest.mark.parametrize(
    ("least", "most", "offered"),
    [(0, 91, ["0", "91"]), (-999, 999, ["0"]), (0, 999, ["0"]), (1, 50, ["50"]), (400, 900, [])],
)
def test_of_many_numbers_only_none_and_all_are_buttons(least: int, most: int, offered: list[str]) -> None:
    assert [choice.label for choice in live_markup._presets(Question("", numbers=(least, most, 1)))] == offered


def test_a_page_has_the_drawing_of_each_sign_that_it_shows() -> None:
    told = TableBody("", (), (), (), told=(GLYPHS["coin"],))
    content = at_the_table().content
    assert 'id="g-coin"' not in live_markup.parts(content)["symbols"]
    assert 'id="g-coin"' in live_markup.parts(replace(content, body=told))["symbols"]


@pytest.mark.parametrize("template", [file for file in TEMPLATES.iterdir() if not file.name.startswith("history_")])
def test_no_line_of_a_template_is_longer_than_a_reader_follows(template: Path) -> None:
    assert [line for line in template.read_text("utf-8").splitlines() if len(line) > 160] == []


def test_the_code_for_the_next_phone_stands_where_it_is_asked_for_alone() -> None:
    content = replace(at_the_table().content, link="HTTP://192.168.1.7:8080/P/A", address="http://192.168.1.7:8080")
    asked = replace(content, body=CodeBody("Join with a phone", ("#",), ("192.168.1.7:8080",), "123456"))
    for shown, there in ((asked, True), (content, False), (asked, True)):
        assert ('class="asked"' in live_markup.parts(shown)["join"]) is there


def test_other_games_stand_under_the_titles_of_their_families_and_those_played_lately_come_first() -> None:
    journal = Journal()
    begin(new_box(journal), game="hearts")
    page = Tapper("fr", journal=journal).tap("home", "row 2", "row 6")
    markup = live_markup.parts(page.content)["acts"]
    headings = re.findall(r"<h3>(.*?)</h3>", markup)
    assert headings[:3] == ["Joués récemment", "Plis, par équipes", "Plis, camps variables"]
    assert headings == list(dict.fromkeys(headings))
    below = re.search(r"<h3>Joués récemment</h3>\s*<button[^>]*>(.*?)</button>\s*<h3>", markup)
    assert below is not None
    assert below[1] == "<span>Dame de pique</span>"
    tarot = next(choice for choice, label in page.choices.items() if label == "Tarot")
    assert page.tap(tarot).content.body.title.startswith("Tarot · Place 1")  # type: ignore[union-attr]


def test_a_phone_searches_for_a_game_by_its_title_in_any_language() -> None:
    page = Tapper("fr").tap("row 1", "row 5").write("écarte")
    assert page.told() == "No game is called écarte"
    page.write("\ud800")
    assert page.told() == r"No game is called '\ud800'"
    assert next(iter(page.write("ハーツ").choices.values())) == "Dame de pique"
    assert list(page.tap("back").choices.values())[:2] == ["Créer son propre jeu", "Belote"]


def test_rows_that_open_a_page_are_links_and_no_taps() -> None:
    page = tapped(deal("hipparchus", 5, **HABITS)).tap("home")
    home = live_markup.parts(page.content)["acts"]
    assert '<a class="row button" href="/history">History</a>' in home
    assert ">History</button>" not in home
    others = live_markup.parts(page.tap("row 1", "row 5").content)["acts"]
    assert '<a class="row button" href="/games">Make a game of your own</a>' in others


def tapped(dealt: Dealt, lines: int | None = None, rounds: int | None = None, language: str = "en") -> Tapper:
    """Return a page on which so many lines or rounds of a game were tapped; without a number, all of it."""
    page = Tapper(language)
    header = decode_header(json.dumps(dealt.header))
    page.box.begin(header, DetailLevel.FULL)
    session = Session(header)
    for written in dealt.lines[:lines]:
        line = decode_line(json.dumps(written), header)
        page.tap(*[name for name, _taps in taps_of(session, line)])
        session = session.add(line)
        if rounds is not None and session.progress.round == rounds + 1:
            break
    return page


def after_a_revoke() -> Tapper:
    """Return a page on which a round of Eternity has been entered as far as its first revoke."""
    return tapped(deal("eternity", 3, **{**HABITS, "misplay": 0.3}), 26).tap("sky-3")  # a revoke


def test_alerts_count_on_the_menu_until_somebody_has_looked_at_them() -> None:
    page = after_a_revoke()
    assert page.content.alerts == 1
    badge = '<span class="badge"><span class="aloud">Alerts </span>1</span>'
    assert badge in live_markup.parts(page.content)["acts"]
    other = at_seat(1)
    menu = page.tap(MENU, phone=other).shown_to(other).actions
    row = next(action.name for action in menu if action.label == "Alerts")
    assert page.content.alerts == 1
    page.tap(row, phone=other)
    assert page.content.alerts == 0
    assert "badge" not in live_markup.parts(page.content)["acts"]


def test_an_alert_after_one_was_taken_back_counts_again() -> None:
    page = after_a_revoke()
    menu = page.tap(MENU).content.actions
    page.tap(next(action.name for action in menu if action.label == "Alerts"))
    page.tap("back", "back")
    assert page.content.alerts == 0
    page.tap("undo")
    assert page.content.alerts == 0
    page.tap("sky-3")
    assert page.content.alerts == 1


def entered(lines: int | None = None, language: str = "en", rounds: int | None = None) -> Tapper:
    """Return a page on which so much of a game of Eternity of two rounds was tapped; without a number, all of it."""
    return tapped(deal("eternity", 29, **{**HABITS, "most_rounds": 2}), lines, rounds, language)


def bar_of(page: Tapper) -> list[str]:
    """Return the names of the buttons at the thumb, with what stands in place of one that is not there."""
    bar = re.search(r'<div class="bar[^>]*>(.*?)</div>', live_markup.parts(page.content)["acts"], re.DOTALL)
    assert bar is not None
    return re.findall(r'data-choice="(\w+)"|(?=<span class="away"></span>)', bar[1])


def results(page: Tapper) -> list[tuple[str, ...]]:
    """Return place, name and total of each row of the figures of a round or a game."""
    ask = live_markup.parts(page.content)["ask"]
    rows = re.findall(r'<td class="place">(.*?)</td>.*?<span class="name">(.*?)</span>.*?class="total">(.*?)<', ask)
    return [("*" if place.startswith("<svg") else place, name, total) for place, name, total in rows]


def test_a_number_before_a_name_at_a_rounds_end_is_the_place() -> None:
    page = entered(rounds=1)
    assert page.content.table is not None
    totals = [int(total) for _place, _name, total in results(page)]
    assert len(totals) == len(page.content.table.seats)
    assert totals == sorted(totals, reverse=True)
    assert [int(place) for place, _name, _total in results(page)] == [1 + totals.index(each) for each in totals]
    parts = live_markup.parts(page.content)
    assert 'class="columns"' not in parts["head"]
    assert not re.search(r'<span class="round"><span', parts["seats"]), "those of the next round stand there"


def test_whether_the_figures_are_the_same_has_yes_first_and_undo_keeps_its_place() -> None:
    page = entered(rounds=1)
    ask = live_markup.parts(page.content)["ask"]
    assert re.search(
        r'<button class="primary" data-choice="same">yes</button><button class="" data-choice="back">', ask
    )
    assert bar_of(page) == ["", "entries", "menu"]
    page.tap("same")
    assert bar_of(page) == ["undo", "entries", "menu"]


def test_a_games_end_begins_with_the_winner_and_offers_a_quiet_way_to_correct() -> None:
    page = entered()
    parts = live_markup.parts(page.content)
    (first, *others) = results(page)
    assert first[0] == "*"
    assert [place for place, _name, _total in others] == sorted(place for place, _name, _total in others)
    assert "<li" not in parts["seats"]
    assert "picture" not in parts["head"]
    assert '<p class="check">Same on the table? <span class="buttons"><button class="quiet"' in parts["ask"]
    assert parts["ask"].count("primary") == 0


def test_who_starts_may_be_drawn_where_it_is_asked_and_what_ends_a_game_stands_apart() -> None:
    page = Tapper()
    page.box.begin(decode_header(json.dumps(deal("hipparchus", 5, **HABITS).header)), DetailLevel.FULL)
    assert 'data-choice="at random"' in live_markup.parts(page.content)["ask"]
    assert bar_of(page) == ["undo", "entries", "menu"]
    page = entered(10)
    page.tap(MENU)
    acts = live_markup.parts(page.content)["acts"]
    assert bar_of(page)[0] == "back"
    assert acts.index('class="row last loss') > acts.rindex('data-choice="row ')
    assert "end" not in bar_of(page)


def test_a_row_is_marked_only_where_buttons_are_about_it() -> None:
    page = entered(10)
    page.tap(MENU)
    assert "chosen" not in live_markup.parts(page.content)["acts"]
    page.tap("back", "entries")
    assert live_markup.parts(page.content)["acts"].count('class="row chosen"') == 1


@pytest.mark.parametrize(
    ("name", "divided"),
    [
        ("Maximilian von Berg", "Maxi-mi-lian von Berg"),
        ("Zoé Lüdenscheid", "Zoé Lüden-scheid"),
        ("Konstantin-Alexander", "Kons-tan-tin-Ale-xan-der"),
        ("Bernard", "Ber-nard"),
        ("Anna", "Anna"),
        ("はるなさんのともだち", "はるなさんのともだち"),
    ],
)
def test_long_words_of_a_name_may_be_divided_before_syllables(name: str, divided: str) -> None:
    assert live_markup.hyphenated(name).replace(live_markup.HYPHEN, "-") == divided


def test_a_page_can_stand_on_the_home_screen() -> None:
    manifest = json.loads((site.PAGE / "manifest.webmanifest").read_bytes())
    files = {icon["src"]: icon for icon in manifest["icons"]}
    assert {*files, "/manifest.webmanifest"} <= OPEN_PATHS
    assert {"any", "maskable"} <= {purpose for icon in files.values() for purpose in icon["purpose"].split()}
    for path, icon in files.items():
        if path.endswith(".png"):
            with Image.open(site.PAGE / path[1:]) as picture:
                assert "{}x{}".format(*picture.size) == icon["sizes"]
    assert '<link rel="manifest" href="/manifest.webmanifest">' in live_markup.page(Tapper().content, SCORER)


def test_a_newcomer_reads_east_runes_pictures_in_words() -> None:
    """The piles, the chairs, the size of each hand, the attribute of a turn and those of the cards are told."""
    box = press(begin(new_box(), ("Aki", "Bea", "Cyr"), game="east-rune"), "2")
    asked = live_markup.parts(page_of(box))
    assert re.findall("<small>(.*?)</small>", asked["head"]) == ["Chairs", "Monarchs", "Vassals"]
    assert re.findall("<small>(.*?)</small>", asked["ask"]) == ["light", "beauty", "reason"]
    press(box, "6 3A3 5")
    seats = live_markup.parts(page_of(box))["seats"]
    assert re.findall("<span>([0-9])\N{NO-BREAK SPACE}in\N{NO-BREAK SPACE}hand</span>", seats) == ["8", "8", "6"]
    content = page_of(box)
    assert content.table is not None
    assert content.table.status.endswith("5 goes on")
    assert [button.label[1:] for button in content.question.suits[2].deck] == [" 1", " 2", " 3", " 4", " 5"]
