"""A director runs an evening on the pages, without boxes, broker or database; everybody looks."""

from __future__ import annotations

import csv
import io
import json
import re
import time
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import httpx
import pytest

from companion.club.evening.evening_state import EntrantLeft
from companion.club.evening.evening_store import EveningInHall
from companion.club.evening.read_players import MOST_BYTES
from companion.club.evening_pages import AT_PLAYERS
from companion.club.page_context import Club
from tests.club.running import ELSEWHERE, club_in, serving

NAMES = ("Aki", "Bea", "Cyr", "Dai", "Eve", "Fay", "Gus", "Hal", "Ida")
BEGUN = {"name": "Friday club", "table": "4", "smallest": "3", "largest": "5"}

LEFT, END = "\ue012", "\ue010"
"""Keys of a browser: the arrow to the left, and End."""


def points(*of_seats: int | str) -> dict[str, str]:
    """Return the fields of a form with the points of each seat."""
    return {f"p{seat}": str(each) for seat, each in enumerate(of_seats)}


class Evening:
    """The pages of a club, for a director."""

    def __init__(self, client: httpx.Client, club: Club) -> None:
        self.client, self.club = client, club

    def begin(self, *names: str, **more: str) -> None:
        """Begin an evening with these players."""
        self.does("new", **(BEGUN | more))
        if names:
            self.does("players", list="\n".join(names))

    def does(self, action: str, **form: str) -> None:
        answer = self.client.post(f"/evening/{action}", data=self.own(form))
        at = f"t{form['table']}" if action in ("result", "void", "tell") else AT_PLAYERS.get(action, "")
        back = f"/evening#{at}" if at else "/evening"
        assert answer.status_code == 303, answer.text
        assert answer.headers["location"].replace(f"?round={form.get('round')}", "") == back

    def own(self, form: dict[str, str]) -> dict[str, str]:
        """Return a form with what each form of the page hides: the evening, and the last round."""
        state = self.club.evenings.state()
        return form if state is None else {"evening": state.id, "round": str(state.last)} | form

    def undo(self) -> None:
        """Take back what the page shows."""
        self.does("undo", seen=self.seen)

    @property
    def seen(self) -> str:
        """Return how many events the page knows."""
        found = re.search('action="/evening/undo".*?name="seen" value="([0-9]+)"', self.page(), re.DOTALL)
        return "" if found is None else found[1]

    def page(self, path: str = "/evening") -> str:
        """Return a page, blanks and line ends as one blank."""
        return " ".join(self.client.get(path).text.split())

    def refused(self, action: str, **form: str) -> str:
        answer = self.client.post(f"/evening/{action}", data=self.own(form))
        assert answer.status_code >= 400
        return unescape(re.findall(r'role="alert">(.*)</p>', answer.text)[0])

    def csv(self, what: str) -> list[dict[str, str]]:
        return [*csv.DictReader(io.StringIO(self.client.get(f"/evening/{what}.csv").content.decode("utf-8-sig")))]

    @property
    def state(self) -> EveningInHall:
        state = self.club.evenings.state()
        assert state is not None
        return state

    @property
    def tables(self) -> dict[int, list[str]]:
        """Return the names at each table of the last round, by seat."""
        evening = self.state.moment.evening
        return {each.number: [evening.names[player] for player in each.players] for each in evening.rounds[-1].tables}


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    club = club_in(tmp_path)
    with serving(club) as client:
        yield Evening(client, club)


def test_rounds_are_drawn_played_and_ranked_from_the_first_name_to_the_ranking(evening: Evening) -> None:
    evening.begin(game="Whist", deals="8")
    assert not {"Draw round 1", "Merge"} & {*re.findall("<button>(.*?)</button>", evening.page())}  # nobody is there
    evening.does("players", list="number;name\n" + "\n".join(f";{name}" for name in NAMES))
    assert "Print" not in evening.page()  # a ranking of zeros
    evening.does("players", list="Jan", late="yes")
    evening.does("round", minutes="45")
    tables = evening.tables
    assert sorted(map(len, tables.values())) == [4, 5]
    page = evening.page()
    assert "Friday club, round 1 · Whist · deals: 8</h2>" in page
    assert "Pairs that meet again: 0" in page
    assert "Tables that still play: 2 of 2 · the round ends at" in page
    assert evening.refused("round", minutes="45") == "Round 1 still plays at table 1, 2."
    evening.does("result", table="1", **points(20, "−5", 13, 2, 7))
    evening.does("result", table="1", correct="yes", **points(20, -5, 13, 2, 0))
    for wrong in ("", "12.5", "100000", "x"):
        sentence = evening.refused("result", table="2", **points(wrong, 1, 2, 3))
        assert sentence == "Points are whole numbers from −99999 to 99999."
    evening.does("drop", player=tables[2][0])
    assert evening.tables[2] == tables[2][1:]
    evening.undo()
    assert evening.tables[2] == tables[2]
    evening.does("result", table="2", **points(7, 30, 7, -4))
    assert "Print ranking" in evening.page()
    evening.does("late", player="Jan")
    evening.does("round", minutes="0")
    assert sorted(map(len, evening.tables.values())) == [3, 3, 4]
    ranked = evening.csv("ranking")
    assert {row["player"] for row in ranked} == {*NAMES, "Jan"}
    assert ranked[0]["rank share"] == "1.000"
    assert [row["points"] for row in evening.csv("results")][:5] == ["20", "-5", "13", "2", "0"]
    assert len(evening.csv("seats")) == 10
    for what in ("seats?round=1", "names", "ranking", "results", "cards?round=1", "slips?round=1"):
        assert tables[1][0] in evening.client.get(f"/evening/print/{what}").text
    assert evening.client.get("/evening?round=1").text.count(">Correct<") == 2


def test_players_are_renamed_kept_apart_seated_together_and_fined(evening: Evening) -> None:
    evening.begin(*NAMES[:8])
    evening.does("rename", player="Aki", name="Akiko")
    evening.does("apart", one="Akiko", other="Bea")
    evening.does("team", players="Cyr, Dai")
    evening.does("round", minutes="0")
    at = {name: number for number, names in evening.tables.items() for name in names}
    assert at["Akiko"] != at["Bea"]
    assert at["Cyr"] == at["Dai"]
    assert "sit apart: Akiko, Bea</li>" in evening.page()
    assert "play together: Cyr, Dai</li>" in evening.page()
    assert evening.refused("apart", one="Dai", other="Cyr") == "Dai and Cyr play together."
    assert evening.refused("team", players="Akiko, Eve, Bea") == "Akiko and Bea sit apart."
    many = evening.refused("team", players="Cyr, Dai, Eve, Fay, Gus, Hal")
    assert many == "Too many for a table: 6; up to 5 may sit there."
    evening.does("penalty", player="#8", share="0,25")
    assert "penalty of Hal: 0.250" in evening.page()
    assert "<td>−0.250</td>" in evening.page()
    evening.does("players", list="Jo\nKim")
    assert "Take back: registered: Jo, Kim</button>" in evening.page()
    evening.undo()
    assert {row["player"]: row["penalty"] for row in evening.csv("ranking")}["Hal"] == "0.250"
    evening.does("apart", one="Akiko", other="Bea", together="yes")
    evening.does("team", players="Cyr", alone="yes")
    assert evening.refused("team", players="Cyr") == "Names of players are wanted, with commas between them."
    assert evening.refused("penalty", player="Hal", share="much") == "A penalty is a share such as 0.5."
    assert evening.refused("rename", player="Zoe", name="Ann") == "There is no player “Zoe”."
    assert "1 to 20 characters" in evening.refused("rename", player="Hal", name="")
    for misspelt in ("hall", "Hel"):  # nobody is registered by a slip
        assert evening.refused("late", player=misspelt) == f"There is no player “{misspelt}”. Is it Hal?"


def test_somebody_who_was_registered_by_mistake_is_taken_off_the_list(evening: Evening) -> None:
    evening.begin(*NAMES[:5])
    evening.does("remove", player="Eve")
    assert "Players: 4, present: 4" in evening.page()
    assert "Take back: taken off the list: Eve</button>" in evening.page()
    evening.does("round", minutes="0")
    assert "has had a place" in evening.refused("remove", player="Aki")


def test_a_table_is_void_and_may_still_get_a_result(evening: Evening) -> None:
    evening.begin(*NAMES[:4])
    evening.does("round", minutes="0")
    evening.does("void", table="1")
    assert "void, a half for each" in evening.page()
    assert {row["rank share"] for row in evening.csv("ranking")} == {"0.500"}
    evening.does("result", table="1", correct="yes", **points(4, 3, 2, 1))
    assert evening.csv("ranking")[0]["rank share"] == "1.000"


def test_phones_at_the_tables_tell_results_and_the_director_takes_them(evening: Evening) -> None:
    evening.begin(*NAMES[:8])
    evening.does("round", minutes="0")
    phone = httpx.Client(base_url=evening.client.base_url, headers=ELSEWHERE)
    told = evening.own({"table": "1"})
    assert "Tell the result" in phone.get("/evening").text
    assert phone.post("/evening/tell", data=told | points(9, 8, 7, 6)).status_code == 303
    assert phone.post("/evening/tell", data=told | points(20, 8, 7, 6)).status_code == 303  # it was wrong
    assert "told: 20, 8, 7, 6; the director takes it" in phone.get("/evening").text
    assert "another phone told: 9, 8, 7, 6" in evening.page()
    assert "Take all results" not in evening.page()  # the director looks at this one
    assert not evening.csv("results")
    (seen,) = {unescape(value) for value in re.findall('name="seen" value="([0-9]+ [^"]*)"', evening.page())}
    assert evening.refused("take", seen=seen.replace("20", "21")) == "A game has another result by now."
    assert phone.post("/evening/take", data={"seen": seen}).status_code == 403
    evening.does("take", seen=seen)
    assert [row["points"] for row in evening.csv("results")] == ["20", "8", "7", "6"]
    assert phone.post("/evening/tell", data=told | points(1, 2, 3, 4)).status_code == 409
    assert phone.post("/evening/tell", data=told | {"table": "9"} | points(1)).status_code == 409
    assert phone.post("/evening/tell", data=told | {"evening": ""} | points(1)).status_code == 409
    phone.close()


def test_a_result_that_was_told_is_not_that_of_other_players_at_the_table(evening: Evening) -> None:
    told = "told: 9, 8, 7, 6; the director takes it"

    def tell() -> str:
        assert evening.client.post("/evening/tell", data=evening.own({"table": "1"}) | points(9, 8, 7, 6)).is_redirect
        return evening.client.get("/evening", headers=ELSEWHERE).text

    evening.begin(*NAMES[:4])
    evening.does("round", minutes="0")
    assert told in tell()
    assert "Take back: the draw of round 1</button>" in evening.page()
    evening.undo()
    evening.does("round", minutes="0")
    assert told in evening.client.get("/evening", headers=ELSEWHERE).text  # the same draw
    evening.undo()
    evening.does("rename", player="Aki", name="Ann")
    evening.does("drop", player="Bea")
    evening.does("players", list="Zoe")
    evening.does("round", minutes="0")
    assert told not in evening.client.get("/evening", headers=ELSEWHERE).text
    assert told in tell()
    evening.begin(*NAMES[:4], ended="yes")
    evening.does("round", minutes="0")
    assert told not in evening.client.get("/evening", headers=ELSEWHERE).text


@pytest.mark.parametrize("action", ["result", "tell"])
def test_points_that_were_typed_for_others_than_sit_there_now_are_refused(evening: Evening, action: str) -> None:
    evening.begin(*NAMES[:5])
    evening.does("round", minutes="0")
    form = {"table": "1", "players": re.findall('name="players" value="([0-9,]+)"', evening.page())[0]}
    evening.does("drop", player=evening.tables[1][1])
    refusal = "Others sit at table 1 by now: look again."
    assert evening.refused(action, **form, **points(55, 44, 33, 22, 11)) == refusal
    again = evening.client.post(f"/evening/{action}", data=evening.own(form) | points(55, 44, 33, 22, 11)).text
    assert 'value="44"' not in again  # it would stand beside another name
    form["players"] = re.findall('name="players" value="([0-9,]+)"', evening.page())[0]
    assert evening.client.post(f"/evening/{action}", data=evening.own(form) | points(5, 3, 2, 1)).is_redirect


def test_a_list_of_a_spreadsheet_is_sent_as_its_bytes_in_any_encoding(evening: Evening) -> None:
    evening.begin()

    def sent(data: bytes, **more: str) -> httpx.Response:
        query = {"evening": evening.state.id, **more}
        return evening.client.post(
            "/evening/file", params=query, content=data, headers={"Content-Type": "text/csv", **more}
        )

    assert sent("Vorname;Nachname\r\nJürgen;Müller\r\n".encode("cp1252")).text == ""
    assert sent("氏名\n山田 花子\n".encode("cp932"), late="yes").status_code == 200
    refused = sent(b"Aki\nAki\n")
    assert (refused.status_code, refused.text) == (409, "Line 2: two players are called Aki")
    assert [row["player"] for row in evening.csv("ranking")] == ["Jürgen Müller"]
    assert "山田 花子, late" in evening.page()
    for size, headers, status in ((1, ELSEWHERE, 403), (MOST_BYTES + 1, {}, 413)):
        refused = evening.client.post(
            "/evening/file", content=b"x" * size, headers={"Content-Type": "text/csv", **headers}
        )
        assert refused.status_code == status
        assert "<" not in refused.text  # the page shows it as it is


def test_clock_and_merged_tables(evening: Evening) -> None:
    evening.begin(*NAMES[:4], smallest="2", table="2", lowest="yes")
    evening.does("round", minutes="0")
    evening.does("clock", minutes="10")
    assert evening.state.ends > 0
    evening.does("merge", table="1", into="2")
    assert sorted(evening.tables[2]) == [*NAMES[:4]]
    assert evening.refused("merge", table="1", into="2").startswith("There is no table 1")
    assert evening.refused("merge", table="one", into="2") == "“one” is no whole number."
    assert evening.refused("merge", round="2", table="1", into="2") == "Another round is drawn by now."
    assert evening.refused("dance", x="") == "There is no such action."


def test_what_is_taken_back_is_what_the_director_saw(evening: Evening) -> None:
    evening.begin("Aki", "Bea", "Cyr")
    seen = evening.seen
    evening.does("players", list="Dai")
    assert evening.refused("undo", seen=seen) == "Something has happened since: look again."
    evening.undo()
    assert "Players: 3," in evening.page()


def test_another_evening_is_begun_once_the_one_before_has_ended_and_what_was_typed_stays(evening: Evening) -> None:
    evening.begin()
    assert evening.refused("new", **{**BEGUN, "name": "Saturday"}) == "The evening before has not ended."
    refused = evening.client.post("/evening/players", data=evening.own({"list": "Aki\nAki", "late": "yes"}))
    assert ">Aki\nAki</textarea>" in refused.text
    assert 'name="late" value="yes" checked' in refused.text
    evening.does("new", **{**BEGUN, "name": "Saturday"}, ended="yes")
    assert "Saturday has ended" in evening.page()


def test_an_evening_of_the_season_is_opened_again_by_a_director(evening: Evening) -> None:
    evening.begin(*NAMES[:4])
    evening.does("round", minutes="0")
    evening.does("result", table="1", **points(4, 3, 2, 1))
    first = evening.state.id
    evening.begin(name="By mistake", ended="yes")
    assert "By mistake" in evening.page("/season")
    assert "Open again" not in evening.client.get("/season", headers=ELSEWHERE).text
    evening.does("open", name=first)
    assert "Friday club, round 1" in evening.page()
    assert "By mistake" not in evening.page("/season")  # nobody was there
    evening.does("result", table="1", correct="yes", **points(1, 2, 3, 4))
    assert [row["points"] for row in evening.csv("results")] == ["1", "2", "3", "4"]


def test_the_players_of_an_earlier_evening_are_taken_into_the_next_one(evening: Evening) -> None:
    evening.begin(*NAMES[:4])
    assert "an earlier evening" not in evening.page()
    evening.does("drop", player="Bea")
    first = evening.state.id
    evening.begin("aki", "Zoe", name="Saturday", ended="yes")
    assert f'<option value="{first}">Friday club, ' in evening.page()
    assert "an earlier evening" not in evening.client.get("/evening", headers=ELSEWHERE).text
    evening.does("players", of=first, late="yes")
    entrants = evening.state.moment.evening.entrants
    assert [(each.number, each.name, each.presence.value) for each in entrants] == [
        (1, "aki", "present"),
        (2, "Zoe", "present"),
        (3, "Bea", "late"),  # not "gone", as then
        (4, "Cyr", "late"),
        (5, "Dai", "late"),
    ]
    assert evening.refused("players", of=first) == "There is nobody to register."
    assert evening.refused("players", of="nothing") == "There is no such evening."


def test_what_was_forgotten_at_the_beginning_is_changed_later(evening: Evening) -> None:
    evening.begin(*NAMES[:4])
    evening.does("round", minutes="0")
    evening.does("result", table="1", **points(4, 3, 2, 1))
    assert evening.csv("ranking")[0]["player"] == evening.tables[1][0]
    evening.does("settings", **BEGUN | {"name": "Hearts night", "game": "Hearts", "lowest": "yes"})
    assert "Hearts night, round 1 · Hearts · the fewest points win</h2>" in evening.page()
    assert evening.csv("ranking")[0]["player"] == evening.tables[1][3]
    assert "“four” is no whole number." in evening.refused("settings", **BEGUN | {"table": "four"})
    evening.undo()
    assert "Friday club, round 1</h2>" in evening.page()


def test_phones_find_the_page_by_the_projector_and_by_the_table_cards(evening: Evening) -> None:
    evening.club.address = "http://10.0.0.7:8090/"
    evening.begin(*NAMES[:4])
    assert "With a phone: http://10.0.0.7:8090/" in evening.page("/projector")
    evening.does("round", minutes="0")
    assert 'class="qr"' in evening.page("/projector")
    assert "Tell the result with a phone: http://10.0.0.7:8090/" in evening.page("/evening/print/cards")
    assert "10.0.0.7" not in evening.page("/evening/print/slips")
    evening.does("settings", **BEGUN | {"game": "Whist", "deals": "4"})
    assert "<p>Whist · deals: 4</p>" in evening.page("/evening/print/cards")


def test_the_season_adds_evenings_up_and_keeps_their_lists(evening: Evening) -> None:
    for name, best in (("Friday", 1), ("Saturday", 2)):
        evening.does("new", **BEGUN | {"name": name}, ended="yes")
        evening.does("players", list="Aki\nBea\nCyr")
        evening.does("round", minutes="0")
        own = {"Aki": 5, "Bea": 9 * best, "Cyr": 1}
        evening.does("result", table="1", **points(*(own[player] for player in evening.tables[1])))
    page = evening.page("/season")
    assert "<td>1</td><td>Bea</td><td>2.000</td>" in page
    assert evening.client.get("/season.csv").text.count("\n") == 4
    year = time.localtime().tm_year
    printed = evening.page(f"/season/print?year={year}")
    assert f"<h1>Season {year}</h1>" in printed
    assert "<td>1</td><td>Bea</td><td>2.000</td>" in printed
    french = evening.client.get("/season", headers={"Accept-Language": "fr"}).text
    assert "<td>2,000</td>" in french
    assert f" {year} Friday" in french  # 1 déc. 2026
    assert str(time.strftime("%Y-%m-%d")) not in french
    assert page.index("Saturday") < page.index("Friday")
    (friday,) = re.findall(r'href="(/evening/print/results\?of=000001[^"]*)"', page)
    assert "<td>9</td>" in evening.page(friday)
    assert evening.client.get("/season.csv?year=1999").text.count("\n") == 1
    assert evening.client.get("/evening/print/ranking?of=nothing").status_code == 404


def test_the_projector_shows_players_then_seats_then_the_clock_then_the_ranking(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "No evening is begun." in evening.page("/projector")
    evening.begin(*NAMES[:4])
    assert "Players: 4" in evening.page("/projector")
    evening.does("round", minutes="30")
    page = evening.page("/projector")
    assert all(name in page for name in NAMES[:4])
    assert "data-until=" in page
    assert 'data-over="Time is up"' in page
    assert f'<span class="name">{evening.tables[1][2]},</span> <span class="name">{evening.tables[1][3]}</span>' in page
    monkeypatch.setattr("companion.club.evening_views.SEATS_SHOWN", 0.0)
    evening.does("clock", minutes="20")
    assert "Still playing: table 1" in evening.page("/projector")
    evening.does("result", table="1", **points(4, 3, 2, 1))
    names = evening.tables[1]
    assert f'<b>1</b> <span class="name">{names[0]}</span> <small>1.000</small>' in evening.page("/projector")
    evening.does("result", table="1", correct="yes", **points(4, 4, 2, 1))  # the points share does not part them
    assert f'<b>1</b> <span class="name">{names[0]}</span> <small>0.833 · 0.857</small>' in evening.page("/projector")
    assert f'<b>3</b> <span class="name">{names[2]}</span> <small>0.333</small>' in evening.page("/projector")


def test_lists_on_paper_name_their_round(evening: Evening) -> None:
    evening.begin(*NAMES[:4])
    evening.does("round", minutes="1")
    for what, heading in {
        "seats": "Friday club: seats, round 1",
        "names": "Friday club: names, round 1",
        "ranking": "Friday club: ranking, after round 1",
        "results": "Friday club: results, after round 1",
    }.items():
        assert f"<h1>{heading}</h1>" in evening.client.get(f"/evening/print/{what}").text
    seats = evening.page("/evening/print/seats")
    assert '<th scope="col">round</th>' not in seats
    assert f"<tr><td>1</td><td>1</td><td>{evening.tables[1][0]}</td></tr>" in seats
    assert "No result is entered yet.</p>" in evening.page("/evening/print/results")
    assert "No result is entered yet.</p>" in evening.page("/season")
    assert evening.client.get("/evening/print/nothing").status_code == 404


@pytest.mark.parametrize(("language", "heading", "seat"), [("fr", "Classement", "Place"), ("ja", "順位", "席")])
def test_the_pages_speak_the_language_of_their_reader(evening: Evening, language: str, heading: str, seat: str) -> None:
    evening.begin(*NAMES[:4])
    evening.does("round", minutes="30")
    reader = {"Accept-Language": f"{language}, en;q=0.5"}
    page = evening.client.get("/evening", headers=reader).text
    assert f"<h2>{heading}</h2>" in page
    assert f'<html lang="{language}">' in page
    refused = evening.client.post("/evening/drop", data=evening.own({"player": "Nadir"}), headers=reader)
    assert (refused.status_code, "There is no player" in refused.text, "Nadir" in refused.text) == (409, False, True)
    missing = evening.client.get("/evening/print/nothing", headers=reader)
    assert (missing.status_code, "There is no" in missing.text) == (404, False)
    assert f">{seat}<" in evening.client.get("/evening/print/cards", headers=reader).text
    with evening.client.stream("GET", "/evening/events", headers=reader) as stream:
        assert (
            heading in next(json.loads(line[6:]) for line in stream.iter_lines() if "parts" in line)["parts"]["ranking"]
        )
    saved = evening.client.get("/evening/ranking.csv", headers=reader).content.decode("utf-8-sig")
    assert saved.splitlines()[0].startswith({"fr": "place;numéro;joueur;", "ja": "順位,番号,名前,"}[language])
    assert ("0,000" in saved) == (language == "fr")
    assert "<h2>Ranking</h2>" in evening.client.get("/evening").text


def test_the_page_follows_what_happens(evening: Evening) -> None:
    evening.begin(*NAMES[:8])
    evening.does("round", minutes="0")
    (live,) = re.findall('data-live="([^"]*)"', evening.client.get("/evening").text)
    with evening.client.stream("GET", unescape(live)) as stream:
        events = (json.loads(line[6:])["parts"] for line in stream.iter_lines() if line.startswith("data: {"))
        assert {"state", "round", "ranking", "places"} <= next(events).keys()  # the page may be older
        evening.does("result", table="1", **points(1, 2, 3, 4))
        parts = next(events)
        assert {"t1", "state", "ranking", "actions"} <= parts.keys()
        assert "t2" not in parts
        evening.does("result", table="2", **points(4, 3, 2, 1))
        evening.does("round", minutes="0")
        while "round" not in parts:
            parts = next(events)
        assert "round 2" in parts["heading"]
    for path in ("/evening/events", "/projector/events"):  # the answer ends
        assert evening.client.head(path).headers["content-type"].startswith("text/event-stream")


def test_a_page_without_an_evening_is_told_once_one_begins(evening: Evening) -> None:
    with evening.client.stream("GET", "/evening/events") as stream:
        events = (json.loads(line[6:])["parts"] for line in stream.iter_lines() if line.startswith("data: {"))
        evening.begin()
        assert "Friday club" in next(events)["heading"]


def test_a_refused_correction_of_an_earlier_round_shows_that_round_with_what_was_typed(evening: Evening) -> None:
    evening.begin(*NAMES[:4])
    for _round in (1, 2):
        evening.does("round", minutes="0")
        evening.does("result", table="1", **points(1, 2, 3, 4))
    form = evening.own({"round": "1", "table": "1", "correct": "yes", **points(9, 8, 7, "")})
    page = evening.client.post("/evening/result", data=form).text
    assert "Friday club, round 1</h2>" in page
    assert [re.findall(f'name="p{seat}"[^>]*value="([^"]*)"', page)[0] for seat in range(4)] == ["9", "8", "7", ""]


def test_a_form_of_another_evening_or_round_is_refused(evening: Evening) -> None:
    evening.begin(*NAMES[:4])
    thursday = evening.state.id
    evening.does("new", **{**BEGUN, "name": "Friday"}, ended="yes")
    for action, form in {"new": BEGUN | {"ended": "yes"}, "players": {"list": "Aki"}, "undo": {"seen": "1"}}.items():
        sentence = "Another evening has begun since: look again."
        assert evening.refused(action, **{**form, "evening": thursday}) == sentence
    evening.does("players", list="\n".join(NAMES[:4]))
    evening.does("round", minutes="0")
    for action in ("round", "clock", "boxes"):
        assert evening.refused(action, minutes="5", round="0") == "Another round is drawn by now."


@pytest.mark.parametrize(
    "action", ["new", "round", "result", "void", "merge", "undo", "boxes", "clock", "team", "tell"]
)
def test_a_form_without_its_fields_gets_a_sentence(evening: Evening, action: str) -> None:
    evening.begin(*NAMES[:4])
    evening.does("round", minutes="0")
    answer = evening.client.post(f"/evening/{action}", data={"evening": evening.state.id})
    assert answer.status_code == 409


def test_who_is_elsewhere_sees_everything_and_directs_with_the_password_alone(evening: Evening) -> None:
    evening.begin(*NAMES)
    evening.does("round", minutes="0")
    with httpx.Client(base_url=evening.client.base_url, headers=ELSEWHERE) as other:
        page = other.get("/evening").text
        assert all(name in page for name in NAMES)
        assert {*re.findall('action="/evening/([a-z]+)', page)} == {"tell"}
        assert 'href="/sign-in"' in page
        for action in ("undo", "take", "new", "file", "rename"):
            assert other.post(f"/evening/{action}", data={"x": "y"}).status_code == 403
        assert other.post("/sign-in", data={"password": "wrong"}).status_code == 403
        other.cookies.set("club", "99999999999.0")
        assert other.post("/evening/undo", data={"x": "y"}).status_code == 403
        other.cookies.clear()
        password = evening.club.directors.password.upper().replace("-", " ")
        assert other.post("/sign-in", data={"password": password}).status_code == 303
        assert "Take back" in other.get("/evening").text
        assert 'href="/sign-in">Sign out</a>' in other.get("/evening").text
        assert 'action="/sign-out"' in other.get("/sign-in").text
        assert other.post("/sign-out", data={"x": "y"}).is_redirect
        assert "Take back" not in other.get("/evening").text
        assert other.post("/sign-in", data={"password": password}).status_code == 303
        evening.club.directors.draw()  # whoever has signed in has to do so again
        assert "Take back" not in other.get("/evening").text


def test_a_foreign_page_directs_nothing(evening: Evening) -> None:
    evening.begin()
    for headers in (
        {"Sec-Fetch-Site": "cross-site"},
        {"Origin": "http://elsewhere"},
        {"Origin": "null"},  # a page at another port of the same host, with another referrer policy
        {"Host": "rebound.example"},
    ):
        answer = evening.client.post("/evening/undo", data=evening.own({"seen": "1"}), headers=headers)
        assert answer.status_code == 403
    assert evening.client.get("/", headers={"Host": "rebound.example"}).status_code == 403


def test_an_evening_that_cannot_be_read_is_told_and_another_one_may_begin(tmp_path: Path) -> None:
    club = club_in(tmp_path)
    with serving(club) as client:
        Evening(client, club).begin()
    for file in tmp_path.glob("club/*/*-evening-*.jsonl"):
        file.write_bytes(b"nonsense\n")
    club = club_in(tmp_path)
    with serving(club) as client:
        answer = client.get("/evening")
        assert answer.status_code == 500
        assert "neither of its two files can be read" in answer.text
        assert client.post("/evening/new", data=BEGUN).status_code == 303
        assert "Friday club" in client.get("/evening").text


@pytest.mark.parametrize("path", ["/", "/evening", "/season", "/projector", "/sign-in"])
def test_every_page_can_be_read_and_its_files_are_there(evening: Evening, path: str) -> None:
    answer = evening.client.get(path)
    assert answer.status_code == 200
    assert answer.headers["content-security-policy"].startswith("default-src 'none'")
    for file in re.findall(r'(?:href|src)="(/[\w.-]+\.\w+)"', answer.text):
        assert evening.client.get(file).status_code == 200


def test_pages_behind_a_proxy_have_the_security_headers_too(tmp_path: Path) -> None:
    with serving(club_in(tmp_path), proxy="127.0.0.1") as client:
        for path in ("/", "/nothing"):
            assert client.get(path).headers["content-security-policy"].startswith("default-src 'none'")


def test_what_is_not_there_gets_a_sentence(evening: Evening) -> None:
    for path in ("/nowhere", "/tables", "/games/1"):
        answer = evening.client.get(path)
        assert (answer.status_code, "There is nothing at this address." in answer.text) == (404, True)


@pytest.mark.browser
@pytest.mark.needs("browser")
def test_what_somebody_types_survives_what_others_do(evening: Evening) -> None:
    from tests.web.browser import started

    evening.begin(*NAMES[:8])
    evening.does("round", minutes="0")
    with started() as browser:
        browser.go(f"{evening.client.base_url}/evening")
        browser.find("#t1 input[name=p1]").send_keys("5" + LEFT)
        gone = evening.state.moment.evening.find(evening.tables[1][0])
        assert gone is not None
        evening.club.evenings.add(EntrantLeft(gone.number))  # the row is another one now
        evening.does("result", table="2", **points(1, 2, 3, 4))
        browser.until(lambda: "Correct" in browser.run("return document.querySelector('#t2').innerText"), "the result")
        browser.until(
            lambda: len(browser.run("return document.querySelectorAll('#t1 .names span')")) == 3, "who has gone"
        )
        field = "#t1 input[name=p0]"  # the points stand where their player sits now
        assert browser.run(f"return document.querySelector('{field}').value") == "5"
        assert browser.run(f"return document.activeElement === document.querySelector('{field}')")
        for seat, own in enumerate(("6", "7"), 1):
            browser.find(f"#t1 input[name=p{seat}]").send_keys(own)
        browser.find(field).send_keys("\n")
        browser.until(lambda: browser.run("return document.querySelector('#t1 b') !== null"), "the points")
        assert evening.state.moment.evening.rounds[-1].table(1).points == (5, 6, 7)


@pytest.mark.browser
@pytest.mark.needs("browser")
def test_the_next_result_is_typed_without_a_click_and_waits_while_the_program_is_down(evening: Evening) -> None:
    from tests.web.browser import started

    evening.begin(*NAMES, "Jan", "Kim", "Leo")
    evening.does("round", minutes="0")
    with started() as browser:
        browser.go(f"{evening.client.base_url}/evening")
        browser.find("#t2 input[name=p0]").send_keys("1")
        for seat in ("1", "2"):
            browser.find(f"#t2 input[name=p{seat}]").send_keys(seat)
        browser.find("#t2 input[name=p3]").send_keys("3\n")
        here = "return document.activeElement === document.querySelector('#t%s input[name=p0]')"
        browser.until(lambda: browser.run(here % 3), "the next table")
        for seat in "0123":
            browser.find(f"#t3 input[name=p{seat}]").send_keys(seat)
        browser.limit_network(offline=True)
        browser.run("dispatchEvent(new Event('offline'))")
        browser.until(lambda: not browser.run("return document.getElementById('lost').hidden"), "the loss")
        browser.find("#t3 input[name=p3]").send_keys("\n")
        assert browser.run("return document.querySelector('#t3 input[name=p3]').value") == "3"
        top = "return document.getElementById('lost').getBoundingClientRect().top"
        assert 0 <= browser.run(top) < browser.run("return innerHeight")
        browser.limit_network()
        browser.find("#t3 input[name=p3]").send_keys("\n")
        browser.until(lambda: browser.run(here % 1), "the first table, which is still open")
        assert evening.state.moment.evening.rounds[-1].table(3).points == (0, 1, 2, 3)


@pytest.mark.browser
@pytest.mark.needs("browser")
def test_a_list_is_chosen_on_the_page_and_a_wrong_one_is_refused_there(evening: Evening, tmp_path: Path) -> None:
    from tests.web.browser import started

    evening.begin()
    (tmp_path / "list.csv").write_bytes("Name\r\nJürgen\r\n".encode("cp1252"))
    (tmp_path / "wrong.csv").write_bytes(b"Bea\nBea\n")
    with started() as browser:
        browser.go(f"{evening.client.base_url}/evening")
        browser.find("#file").send_keys(str(tmp_path / "list.csv"))
        browser.until(lambda: "Players: 1" in browser.run("return document.body.innerText"), "the player")
        browser.find("#file").send_keys(str(tmp_path / "wrong.csv"))
        browser.until(lambda: "two players are called Bea" in browser.run("return document.body.innerText"), "why not")
        in_sight = "const { top, bottom } = document.getElementById('refusal').getBoundingClientRect();"
        assert browser.run(f"{in_sight} return top >= 0 && bottom <= innerHeight")


@pytest.mark.browser
@pytest.mark.needs("browser")
def test_boxes_of_results_stand_below_each_other_and_a_phone_shows_the_whole_ranking(evening: Evening) -> None:
    from tests.web.browser import started

    evening.begin("Jean-Christophe", "Margot Œuvrard", "Hans-Peter Weiß", *NAMES[:9])
    evening.does("round", minutes="0")
    evening.does("tell", table="1", **points(1, 20, 300, -5))
    evening.does("void", table="2")
    evening.does("result", table="3", **points(7, 5, 3, 1))
    evening.does("penalty", player="Aki", share="0.5")
    with started() as browser:
        browser.resize(1366, 768)
        browser.go(f"{evening.client.base_url}/evening")
        left = "return [...document.querySelectorAll('input[name=p%s]')].map((one) => one.getBoundingClientRect().left)"
        for seat in range(4):
            assert len({*browser.run(left % seat)}) == 1
        browser.cookie("lang", "fr")
        browser.resize(360, 600)
        hidden = "const box = document.querySelector('.scroll'); return box.scrollWidth - box.clientWidth"
        for path in ("/evening/print/ranking", "/evening/print/results", "/season"):
            browser.go(f"{evening.client.base_url}{path}")
            assert browser.run(hidden) <= 0


@pytest.mark.browser
@pytest.mark.needs("browser")
def test_everybody_s_line_is_in_sight_on_the_projector(evening: Evening) -> None:
    from tests.web.browser import started

    evening.begin(*(f"Player number {number}" for number in range(40)))
    evening.does("round", minutes="45")
    over = "return document.documentElement.scrollHeight - innerHeight"
    letters = "const list = document.querySelector('.seats'); const place = list.getBoundingClientRect();"
    with started() as browser:
        browser.resize(1920, 1080)
        browser.go(f"{evening.client.base_url}/projector")
        assert browser.run(over) <= 0
        assert browser.run("return document.querySelector('h1').innerText") == "Friday club, round 1"
        below = "return document.querySelector('nav').getBoundingClientRect().top"
        assert browser.run(below) >= browser.run(f"{letters} return place.bottom")
        for table in evening.tables:
            evening.does("void", table=str(table))
        lines = "return document.querySelectorAll('.ranking li').length"
        browser.until(lambda: browser.run(lines) == 40, "the ranking")
        assert browser.run(over) <= 0
        evening.begin(*NAMES[:8], ended="yes")
        evening.does("round", minutes="0")
        browser.until(lambda: browser.run("return document.querySelectorAll('.seats li').length") == 2, "the seats")
        assert browser.run(f"{letters} return parseFloat(getComputedStyle(list).fontSize)") > 60
