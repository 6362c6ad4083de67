"""The wall: what the page for a television shows, and that its markup is safe to rebuild."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser

import pytest
from msgspec.structs import replace

from companion.core.prompt import DetailLevel
from companion.ui.live_page.content import LivePageContent, Question, RoundCheck
from companion.ui.view import ListBody, TableBody
from companion.web import wall
from companion.web.live_markup import course_chart
from companion.web.site import PAGE
from tests.app.boxes import begin, new_box, press
from tests.scenes.scenes import FOUR, ROUND_ONE, ROUND_THREE, ROUND_TWO, RUNES, RUNES_TABLE, Scene
from tests.scenes.screenshots import box_at
from tests.web.live_page_samples import FOLDER, MOMENTS, empty, sample

ADDRESS, PIN = "http://192.168.178.123:8080", "483921"
LINK = f"{ADDRESS}/p/MZXW6YTBOI3TAMJSGQZTQNJWG4".upper()
NAMED = {moment.name: moment for moment in MOMENTS}
NASTY = "<b>&\"'</b>"

VOID = {"meta", "link"}
PARTS = {"layout", "symbols", "head", "trump", "columns", "seats", "course", "notice", "join"}


class Markup(HTMLParser):
    """Reads markup strictly: every element is closed, every attribute is in double quotes."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.hidden: list[bool] = []  # for each open element whether it is for eyes alone
        self.roots: list[dict[str, str | None]] = []
        self.ids: list[str] = []
        self.said: list[str] = []
        self.feed(html)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        written = self.get_starttag_text() or ""
        assert re.fullmatch(r'<[\w]+(\s+[\w-]+(="[^"<>]*")?)*\s*/?>', written), written
        assert not {"style", "onclick", "onload"} & {name for name, _value in attrs}
        found = dict(attrs)
        if not self.open:
            self.roots.append(found)
        if found.get("id"):
            self.ids.append(str(found["id"]))
        if tag not in VOID:
            self.open.append(tag)
            self.hidden.append(found.get("aria-hidden") == "true")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag
        self.hidden.pop()

    def handle_data(self, data: str) -> None:
        if not any(self.hidden):
            self.said.append(data)

    @property
    def text(self) -> str:
        """Return the text without markup, and without what is for eyes alone."""
        return " ".join(" ".join(self.said).split())


def text(content: LivePageContent, part: str) -> str:
    """Return the text of a part."""
    return Markup(wall.parts(content)[part]).text


CONTENTS = [
    *((f"{moment.name}-{language}", sample(moment, language)) for moment in MOMENTS for language in ("en", "fr", "ja")),
    ("empty", empty("fr", ADDRESS)),
    ("empty-pairing", empty("ja", ADDRESS, PIN)),
    ("pairing", sample(NAMED["eternity"], "en", ADDRESS, PIN)),
]


@pytest.mark.parametrize("content", [content for _name, content in CONTENTS], ids=[name for name, _content in CONTENTS])
def test_each_part_is_one_element_with_its_id(content: LivePageContent) -> None:
    made = wall.parts(content)
    assert set(made) == PARTS
    for name, html in made.items():
        read = Markup(html)
        assert "/>" not in html  # every element is closed by its name, also in SVG
        assert [root.get("id") for root in read.roots] == [name]
        assert len(read.ids) == len(set(read.ids))
        assert set(re.findall(r'href="#g-(\w+)"', html)) <= set(re.findall(r'id="g-(\w+)"', made["symbols"]))
    page = wall.render(content)
    assert all(html in page for html in made.values())
    whole = Markup(page.removeprefix("<!DOCTYPE html>"))
    assert len(whole.ids) == len(set(whole.ids))
    files = re.findall('(?:href|src)="/([\\w.]+)"', page)
    assert len(page.encode()) + sum((PAGE / name).stat().st_size for name in [*files, "live.js"]) < 60_000


def test_the_page_runs_without_a_script_and_says_its_language() -> None:
    page = wall.render(sample(NAMED["gear"], "ja"))
    assert '<html lang="ja" data-light="dark">' in page
    assert '<noscript><meta http-equiv="refresh" content="10"></noscript>' in page
    assert not re.search(r"<script[^>]*>[^<]", page)


def test_the_wall_is_dark_and_its_only_control_changes_that() -> None:
    page = wall.render(sample(NAMED["gear"], "fr"))
    assert '<html lang="fr" data-light="dark">' in page
    assert re.findall("<(?:button|a|input|form)\\b[^>]*>", page) == [
        # hidden until there is a script
        '<button type="button" id="light" class="quiet" aria-label="clair" aria-pressed="false" hidden>'
    ]


def test_trump_columns_forecast_trick_and_scores_are_shown() -> None:
    content = sample(NAMED["eternity"])
    assert text(content, "trump") == "Earth"
    assert text(content, "columns") == "earth 2 sea 2 trump in 1 sky 0 trump in 3"
    assert text(content, "seats") == (
        "Aki earth 2 0 tricks 0 trees 3 turn Béatrice 0 tricks 0 trees 2 Cyr 0 tricks 1 trees 0"
        " はるな 1 tricks 0 trees 0 Émile-Gustave lead earth 8 1 tricks 0 trees 3"
    )
    assert '<tr class="turn " data-seat="1">' in wall.parts(content)["seats"]
    assert '"aloud"> sea <' in wall.parts(content)["columns"]
    assert "Aki: 0, 1, 3" in text(content, "course")


def test_the_rank_to_beat_is_shown_beside_the_led_colour() -> None:
    assert text(sample(NAMED["gear"]), "trump") == "Black 9"


def test_a_game_without_trump_has_the_whole_width_below_the_state_of_play() -> None:
    content = sample(NAMED["hipparchus"])
    assert "wide" in wall.parts(content)["layout"]
    assert text(content, "trump") == ""
    assert text(content, "head").startswith("Hipparchus Rounds won 1:1 Bea takes 3")


def test_the_round_is_told_in_words_whatever_stands_beside_it() -> None:
    assert text(sample(NAMED["east-rune"]), "head").startswith("East Rune Round ")


def test_an_upright_screen_has_a_chart_of_its_own_shape() -> None:
    across, upright = re.findall(
        r'<svg class="chart" viewBox="0 0 (\d+) (\d+)"', wall.parts(sample(NAMED["eternity-over"]))["course"]
    )
    assert int(across[0]) / int(across[1]) > 3 > int(upright[0]) / int(upright[1])


def test_at_the_end_the_result_and_the_chart_are_shown() -> None:
    content = sample(NAMED["eternity-over"])
    made = wall.parts(content)
    assert 'class="over seats-5 charted"' in made["layout"]
    assert text(content, "head") == "Eternity Aki wins the game"
    assert made["seats"].count('class="won"') == 1
    assert '<svg class="chart" viewBox="0 0 426 112"' in made["course"]
    assert text(content, "columns") == ""


def shown(scene: Scene, language: str = "en") -> LivePageContent:
    """Return what a box in the state of a scene shows on its wall."""
    box = box_at(scene, language)
    return box._live_pages.contents((("wall", language),), box.state, None)["wall", language]


def rows(content: LivePageContent) -> list[str]:
    """Return the text of each row of players."""
    return [Markup(row).text for row in re.findall("(?s)<tr[ >].*?</tr>", wall.parts(content)["seats"])]


def test_when_a_round_is_over_gains_places_and_totals_are_shown_until_the_next_entry() -> None:
    content = shown(Scene("round", "", FOUR, (ROUND_ONE, ROUND_TWO)))
    assert 'class="ended seats-4 charted"' in wall.parts(content)["layout"]
    assert text(content, "head") == "Eternity Round 2 is over"
    assert rows(content) == [
        "tricks trees pts total",
        "1 Aki 1 1 +5 10",
        "1 Cyr 2 2 +6 10",
        "3 Béatrice 4 2 +2 6",
        "4 はるな 3 4 0 0",
    ]
    assert 'data-before="5"' in wall.parts(content)["seats"]
    assert "Béatrice: 0, 4, 6" in text(content, "course")
    assert text(content, "trump") == text(content, "columns") == ""
    begun = shown(Scene("next", "h#51 A3", FOUR, (ROUND_ONE, ROUND_TWO)))
    assert 'class="play ' in wall.parts(begun)["layout"]
    assert rows(begun)[0].startswith("Aki ")


def test_where_a_rounds_figures_are_many_they_take_the_place_of_the_chart() -> None:
    header, *lines = (FOLDER / "spades/a-side-falls-below-minus-250.jsonl").read_text("utf-8").splitlines()
    content = shown(Scene("spades", "", json.loads(header), tuple(lines[:3])))
    assert 'class="ended seats-4"' in wall.parts(content)["layout"]
    assert rows(content)[1] == "1 Aki 4 5 2 +61 122"


def test_while_the_figures_of_a_round_are_compared_the_wall_shows_them_with_the_question() -> None:
    header, *lines = (FOLDER / "eternity/whole-game-of-five-fr.jsonl").read_text("utf-8").splitlines()
    content = shown(Scene("compared", "", json.loads(header), tuple(lines[:42])))
    assert content.check is not None
    assert text(content, "head") == "Eternity Round 1 is over"
    assert text(content, "notice") == content.check.text
    assert rows(content)[1] == "1 Eve sky 1 1 1 +3 3"


def test_the_bids_of_a_round_stand_beside_the_names_while_it_is_played() -> None:
    box = press(begin(new_box(), ("Aki", "Bea", "Cyr"), "round", "wizard"), "1 1 0 1")
    content = box._live_pages.contents([("wall", "en")], box.state, None)["wall", "en"]
    assert content.question.text == "Tricks: Bea"
    assert rows(content) == ["Aki Bid 1 0", "turn Bea Bid 1 0", "Cyr Bid 0 0"]


def test_everybody_has_their_face_before_the_name_and_the_winner_in_large() -> None:
    content = shown(Scene("over", "", FOUR, (ROUND_ONE, ROUND_TWO, ROUND_THREE)))
    made = wall.parts(content)
    assert re.findall(r'class="face p\d" aria-hidden="true">(\w)<', made["seats"]) == ["A", "C", "は", "B"]
    assert re.findall(r'class="face p\d" aria-hidden="true">(\w)<', made["trump"]) == ["A", "C"]


def test_captured_cards_are_not_the_end_of_a_round() -> None:
    content = shown(Scene("runes", "", RUNES, RUNES_TABLE))
    assert isinstance(content.body, TableBody)
    assert 'class="play ' in wall.parts(content)["layout"]


def test_when_the_game_is_over_who_won_stands_large_and_all_by_their_places() -> None:
    content = shown(Scene("over", "", FOUR, (ROUND_ONE, ROUND_TWO, ROUND_THREE)))
    assert text(content, "head") == "Eternity The win is shared"
    assert text(content, "trump") == "Aki Cyr"
    assert rows(content) == ["winner Aki 19", "winner Cyr 19", "3 はるな 11", "4 Béatrice 7"]


def test_the_fewest_points_come_first_where_they_are_the_best() -> None:
    hearts = {**FOUR, "game": "hearts", "players": ["Anna", "Bernard", "Céline", "Dario"]}
    content = shown(Scene("hearts", "1 5# 8# 13#", hearts, tracking=DetailLevel.ROUND))
    assert [row.split(" ")[:2] for row in rows(content)[1:]] == [
        ["1", "Anna"],
        ["2", "Bernard"],
        ["3", "Céline"],
        ["4", "Dario"],
    ]


def test_the_minutes_left_in_a_clubs_round_stand_at_the_top() -> None:
    content = shown(Scene("club", "1 A3", FOUR, club=True))
    assert text(content, "head").endswith("43 min")
    assert text(shown(Scene("club", "", club=True)), "head").endswith("43 min")


def test_a_game_entered_by_its_result_alone_ends_with_its_score_sheet() -> None:
    content = sample(NAMED["east-rune-result"])
    assert text(content, "course") == "chair monarch hand total Aki 2 3 3 4 Bea 2 1 1 4 Cyr 1 2 4 0"


def test_without_a_game_title_and_address_are_shown() -> None:
    content = empty("fr", ADDRESS)
    assert text(content, "head") == "Tabletop Companion Aucune partie ouverte"
    assert text(content, "join") == f"Rejoindre avec un téléphone {ADDRESS}"
    assert text(empty(), "join") == ""


def test_an_open_pairing_shows_code_address_and_pin_in_the_corner() -> None:
    content = sample(NAMED["gear"], "en", ADDRESS, PIN, LINK)
    assert text(content, "join") == f"Join with a phone {ADDRESS} PIN 483 921"
    assert '<svg class="qr" viewBox="0 0 37 37"' in wall.parts(content)["join"]
    assert text(replace(content, pin=""), "join") == f"Join with a phone {ADDRESS}"
    assert "pairing" in wall.parts(content)["layout"]
    assert text(sample(NAMED["gear"], "en", ADDRESS), "join") == ""


def test_notices_and_alerts_replace_the_question() -> None:
    content = replace(sample(NAMED["gear"]), question=Question("Who takes it?", begun="Aki"), unsaved="1 not saved")
    assert text(content, "notice") == "Who takes it? Aki 1 not saved"
    said = replace(content, notice=("Bea may have revoked", "Look again"), alert=True)
    assert text(said, "notice") == "alert Bea may have revoked · Look again 1 not saved"
    assert 'id="notice" class="alert"' in wall.parts(said)["notice"]
    assert '"aloud"> alert <' in wall.parts(said)["notice"]


def test_the_wall_tells_what_is_asked_about_the_figures_of_a_round() -> None:
    content = replace(sample(NAMED["gear"]), check=RoundCheck("Same on the table?", ()))
    assert text(content, "notice") == "Same on the table?"


def test_a_question_that_names_only_the_player_or_belongs_to_a_menu_is_not_shown() -> None:
    content = sample(NAMED["eternity"])
    assert content.question.text == "Béatrice:"
    assert text(content, "notice") == ""
    menu = replace(content, question=Question("Which?"), body=ListBody("Menu", (("a", ""),)))
    assert text(menu, "notice") == ""
    assert text(menu, "trump") == "Earth"


def test_all_texts_are_escaped() -> None:
    content = sample(replace(NAMED["gear"], names=(NASTY, "Bea")), "en", f"http://{NASTY}", PIN, LINK)
    assert content.table is not None
    trump = replace(content.table.symbol, word=NASTY) if content.table.symbol else None
    table = replace(content.table, game=NASTY, status=NASTY, outcome=NASTY, symbol=trump)
    nasty = replace(content, table=table, notice=(NASTY,), unsaved=NASTY)
    for name, html in wall.parts(nasty).items():
        assert "<b>&" not in html
        read = Markup(html)
        if name in {"head", "trump", "seats", "notice", "join"}:
            assert NASTY in read.text


@pytest.mark.parametrize(
    ("text", "begun", "expected"),
    [("Béatrice:", "", ""), ("Béatrice\u202f:", "Sea", "Béatrice"), ("Who takes it?", "", "Who takes it?")],
)
def test_a_question_is_shown_unless_it_only_names_a_player(text: str, begun: str, expected: str) -> None:
    content = sample(MOMENTS[0])
    asked = replace(content, question=replace(content.question, text=text, begun=begun))
    assert wall.question_shown(asked) == expected
    assert wall.question_shown(replace(asked, body=ListBody("Menu", (("a", ""),)))) == ""
    assert wall.question_shown(empty()) == ""


@pytest.mark.parametrize(("language", "text"), [("en", "Bea:"), ("fr", "Bea\u202f:"), ("ja", "Beaの番")])
def test_whose_turn_it_is_stands_at_the_seat_alone_in_every_language(language: str, text: str) -> None:
    moment = next(each for each in MOMENTS if each.name == "hipparchus")
    content = sample(replace(moment, names=("Aki", "Bea")), language)
    assert wall.question_shown(replace(content, question=Question(text, 1))) == ""


def test_the_chart_says_totals_only_while_they_are_those_of_the_table() -> None:
    content = sample(next(each for each in MOMENTS if each.name == "gear-over"))
    assert content.table is not None
    assert content.table.course is not None
    first = content.table.seats[0]
    assert f">{first.name} {first.total}</text>" in course_chart(content, (320, 160))
    seats = (replace(first, total="−7"), *content.table.seats[1:])
    within = course_chart(replace(content, table=replace(content.table, seats=seats)), (320, 160))
    assert f">{first.name}</text>" in within
    assert f">{first.name} {first.total}</text>" not in within
