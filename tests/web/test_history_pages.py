"""The pages of the history: what they show, who sees them, and that reading never writes."""

from __future__ import annotations

import asyncio
import errno
import html
import json
import logging
import os
import re
import shutil
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, NoReturn
from unittest.mock import Mock
from urllib.parse import quote, unquote

import httpx
import pytest
from msgspec import to_builtins
from msgspec.structs import replace

from companion.cli import main
from companion.core.text import Text
from companion.gamelog import read
from companion.history.plays import ImportedGame
from companion.history.renamed_and_hidden import People, written
from companion.history.results import GameResult, by_side, counted_actions
from companion.history.score_other_rules import rescored
from companion.history.statistics import RECENT, Ratings, rated
from companion.journal import Journal, JournalError, disk
from companion.ui.screens.phones import AllowGuests
from companion.ui.translations import languages
from companion.web import history_worker
from companion.web.error_answers import RequestError
from companion.web.history_markup import person_path
from companion.web.history_worker import WAITING, HistoryAccess, Kept, OpenHistory, game_paths
from companion.web.site import PAGE
from tests.app.boxes import new_box, press, says
from tests.games.seeds import Dealt
from tests.web.history_folder import FIRST, NAMES, add, fill, fill_declared, finished
from tests.web.paired_page import PairedPage
from tests.web.test_accessibility import faults
from tests.web.test_evening import simulating

if TYPE_CHECKING:
    from tests.web.browser import Browser

LISTS = ("/history", "/history/evenings", "/history/league", "/history/league?game=eternity", "/history/people")
MOST = 60_000
"""The most bytes of a page with its styles and scripts."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("history")
    fill(path)
    return path


@pytest.fixture(scope="module")
def page(folder: Path) -> Iterator[httpx.Client]:
    """Return a browser on the computer that serves the history."""
    with serving(folder) as served:
        yield local(served)


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have every game read before a page answers, however busy the machine is."""
    monkeypatch.setattr(history_worker, "PATIENCE", 60.0)


@contextmanager
def serving(folder: Path | None) -> Iterator[PairedPage]:
    served = PairedPage(folder=folder)
    try:
        yield served
    finally:
        served.stop()


def local(served: PairedPage) -> httpx.Client:
    return served.client(served.pairing.own_secret, host="127.0.0.1", Accept="text/html")


def links(page: str) -> list[str]:
    """Return the addresses of the history that a page links to."""
    return [
        html.unescape(link).partition("#")[0]
        for link in re.findall(r'<a [^>]*?href="([^"]*)"', page)
        if "/history" in link
    ]


def text(page: str) -> str:
    """Return the words of a page, without the letters of faces, which are for eyes alone."""
    words = re.sub(r'<i class="face p\d" aria-hidden="true">[^<]*</i>|<[^>]*>', " ", page)
    return html.unescape(" ".join(words.split()))


# What the pages show


def every_page(page: httpx.Client, numbers: Sequence[int] = (), moments: int = 15) -> set[str]:
    """Follow every link from the lists and the games of some numbers; return the paths. Each leads to a light page.

    Args:
        moments: The pages of a game after which no other of its moments is opened.
    """
    styles = sum(
        (PAGE / name).stat().st_size for name in ("design.css", "history.css", "chart.css", "history.js", "share.js")
    )
    seen, waiting = set[str](), [*LISTS, *(f"/history/games/{number}" for number in numbers)]
    while waiting:
        path = waiting.pop()
        stem = re.sub(r"(step|seat|deed)=\w+", "", path)
        if path in seen or (stem != path and sum(other.startswith(path.partition("?")[0]) for other in seen) > moments):
            continue
        seen.add(path)
        answer = page.get(path)
        while answer.status_code == 503 and "Refresh" in answer.headers:  # games are still read: it follows by itself
            answer = page.get(path)
        assert answer.status_code == 200, (path, answer.text)
        assert len(answer.content) + styles < MOST, path
        if "text/html" in answer.headers["content-type"]:
            waiting += links(answer.text)
    return seen


def test_every_link_leads_to_a_page_and_no_page_is_heavy(page: httpx.Client) -> None:
    seen = every_page(page, range(1, 6))
    kinds = (
        "/history/people/",
        "/history/evenings/2026",
        ".jsonl",
        "games.csv",
        "games.json",
        "games.bgsplay",
        "deed=",
    )
    assert all(any(kind in path for path in seen) for kind in kinds), seen


def test_games_of_text_files_have_all_pages_and_exports(tmp_path: Path) -> None:
    fill_declared(tmp_path)
    with serving(tmp_path) as served:
        seen = every_page(local(served), moments=3)
    assert {"/history/games.json", "/history/games.bgsplay", "/history/games.csv"} <= seen
    assert len([path for path in seen if re.fullmatch(r"/history/games/\d+", path)]) > 12


@pytest.mark.parametrize("language", languages())
def test_every_page_is_in_every_language(page: httpx.Client, language: str) -> None:
    for path in (
        *LISTS,
        "/history/games/1",
        "/history/people/Aki",
        "/history/evenings/2026-09-04",
        "/history/games/99",
    ):
        answer = page.get(path, headers={"Accept-Language": language})
        assert f'<html lang="{language}">' in answer.text
        assert "{" not in text(answer.text).replace("{}", ""), path


def test_a_game_begun_after_midnight_belongs_to_the_evening_and_has_its_date(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    dealt = finished("hipparchus", 105)
    for hours in (0, 5):
        add(journal, dealt, FIRST + timedelta(hours=hours))
    journal.close()
    with serving(tmp_path) as served:
        said = text(local(served).get("/history").text)
    assert "Friday 4 September 2026" in said
    assert " 19:30" in said
    assert "5 Sep 2026, 00:30" in said


def test_games_are_listed_newest_first_with_their_people_and_winners(page: httpx.Client, folder: Path) -> None:
    markup = page.get("/history").text
    days = [text(markup).index(day) for day in ("Friday 11 September 2026", "Friday 4 September 2026")]
    assert days == sorted(days)
    listed = re.findall(r'<p class="what"><a href="/history/games/(\d)">.*?</p>\s*<p>(.*?)</p>', markup, re.DOTALL)
    results = {result.number: result for result in OpenHistory(folder).results}
    assert [int(number) for number, _people in listed] == sorted(results, reverse=True)
    for number, people in listed:
        result = results[int(number)]
        shown = [([result.players[seat] for seat in side.seats], side.points, side.won) for side in by_side(result)]
        found = re.findall(r'<span class="(won|)">(.*?)(?:, </span>|</span>$)', people)
        assert len(found) == len(shown)
        for (won, words), (names, points, wins) in zip(found, shown, strict=True):
            assert text(words).endswith(f"{names[-1]} {points}".replace(" -", " −"))
            assert [words.count(f"</i>{html.escape(name, quote=False)}") for name in names] == [1] * len(names)
            assert bool(won) == wins


def test_games_are_chosen_by_kind_person_and_days(page: httpx.Client) -> None:
    def count(query: str) -> int:
        return page.get(f"/history?{query}").text.count('class="what"')

    assert [count(query) for query in ("", "game=eternity", "person=aki", "game=gear&person=Nobody")] == [5, 2, 5, 0]
    assert [count(query) for query in ("since=2026-09-05", "until=2026-09-04", "since=2026-09-05&game=gear")] == [
        2,
        3,
        0,
    ]
    assert "No finished game is like this" in page.get("/history?person=Nobody").text
    exported = page.get("/history/games.csv?game=gear").content.decode("utf-8-sig")
    assert exported.count("\r\n") == 1 + 4
    assert len(page.get("/history/games.json?until=2026-09-04").json()["games"]) == 3
    assert len(page.get("/history/games.bgsplay").json()["plays"]) == 5


def test_a_year_is_chosen_as_its_days_are(page: httpx.Client) -> None:
    chosen = page.get("/history?year=2026&since=2026-09-05").text
    assert chosen.count('class="what"') == 2
    assert 'name="since" value="2026-09-05"' in chosen
    assert page.get("/history?year=2025").text.count('class="what"') == 0
    whole = page.get("/history?since=2026-01-01&until=2026-12-31").text
    assert ("<option selected>2026" in whole, 'name="since" value=""' in whole) == (True, True)
    assert "since=2026-01-01&amp;until=2026-12-31" in whole  # what is downloaded is chosen, too
    assert (page.get("/history?year=x").status_code, page.get("/history?year=0").status_code) == (400, 400)


def test_a_persons_page_begins_with_four_figures_and_their_course(tmp_path: Path) -> None:
    fill(tmp_path, [("hipparchus", 105)] * 12 + [("gear", 107)])
    with serving(tmp_path) as served:
        page = local(served)
        whole, kind = page.get("/history/people/Aki").text, page.get("/history/people/Aki?game=hipparchus").text
        nobody = page.get("/history/people/Aki?year=2025")
    four = [re.findall(r"<dt>(.*?)</dt><dd><b>(.*?)</b>", each.partition("</dl>")[0]) for each in (whole, kind)]
    assert [name for name, _value in four[0]] == ["Games", "Win rate", "Rating", "Most wins in a row"]
    assert (four[0][0][1], four[1][0][1]) == ("13", "12")
    [rating, share] = re.findall(r'data-name="(?:Rating|Rank share)" data-values="(.*?)"', kind)
    rows = re.findall(r"<td>([^<]*)</td><td>([^<]*)</td></tr>", kind.partition("<details>")[2])
    assert [rating.split("|"), share.split("|")] == [[*column] for column in zip(*rows[:12], strict=True)]
    assert rating.split("|")[:4] == ["–"] * 4
    assert ("Hipparchus" in text(whole.partition("By game")[2]), "By game" in kind) == (True, False)
    assert "Best round" in text(kind)
    assert (nobody.status_code, "No finished game is like this" in nobody.text) == (200, True)


def test_a_person_is_compared_with_others_in_bars(tmp_path: Path) -> None:
    fill(tmp_path, [("hipparchus", 105)] * 3)
    with serving(tmp_path) as served:
        row = re.search(
            r'<tr><th scope="row">(?:(?!</tr>).)*Zoë.*?</tr>', local(served).get("/history/people/Aki").text
        )
    assert row is not None
    figures = list(map(int, re.findall(r"<td>(\d+)</td>", row[0])))
    assert sum(figures) == 3
    assert re.findall(r'd="M\d 0h-?(\d)', row[0]) == [str(figures[0]), str(figures[1])]


def test_a_long_list_has_pages(tmp_path: Path) -> None:
    fill(tmp_path, [("hipparchus", 105)] * 27)
    with serving(tmp_path) as served:
        page = local(served)
        first, second = page.get("/history?game=hipparchus").text, page.get("/history?game=hipparchus&page=2").text
        assert "1 to 25 of 27" in first
        assert "26 to 27 of 27" in second
        assert "/history?game=hipparchus&page=2" in links(first)
        assert "/history?game=hipparchus&page=1" in links(second)
        assert "26 to 27 of 27" in page.get("/history?page=99").text
        assert "1 to 9 of 9" in page.get("/history/evenings").text


def test_names_are_escaped_and_every_person_has_a_page(page: httpx.Client) -> None:
    for path in (*LISTS, "/history/games/1", "/history/evenings/2026-09-04", f"/history?person={quote('<i>')}"):
        markup = page.get(path).text
        assert "<b>Bo" not in markup
        assert "<i>" not in markup
    for name in NAMES[:4]:
        assert f"<h1>{html.escape(name)}</h1>".replace("&#x27;", "&#39;") in page.get(person_path(name)).text
        assert unquote(person_path(name)) == f"/history/people/{name}"


def test_people_called_like_folders_have_pages(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    dealt = finished("hipparchus", 105)
    header = {**dealt.header, "players": ["..", "A/B?#%41"]}
    name = journal.name_for("hipparchus")
    journal.begin(name, json.dumps(header), "full", FIRST.timestamp())
    for place, line in enumerate(dealt.lines, 1):
        journal.append(name, json.dumps(line), now=0.0, tracking="full", over=place == len(dealt.lines))
    journal.close()
    with serving(tmp_path) as served:
        page = local(served)
        found = [path for path in links(page.get("/history/people").text) if "people" in path]
        assert [
            f"<h1>{name}</h1>" in page.get(path).text for path, name in zip(found[1:], ("..", "A/B?#%41"), strict=True)
        ]
        assert all(page.get(path).status_code == 200 for path in found)


@pytest.mark.parametrize("number", range(1, 6))
def test_every_step_of_a_game_is_shown(page: httpx.Client, folder: Path, number: int) -> None:
    opened = OpenHistory(folder)
    result = next(result for result in opened.results if result.number == number)
    session = opened.history.session(result.name)
    game = session.header.game
    path = f"/history/games/{number}"
    for step in (0, 1, session.head.number // 2, session.head.number):
        markup = page.get(f"{path}?step={step}").text
        totals = re.findall(r'<td class="total">(.*?)</td>', markup)
        sheet = game.score_sheet(session.step(step).state)
        assert [text(total) for total in totals] == [str(row[-1]) for row in sheet.rows]
        moves = [link for link in links(markup) if re.fullmatch(rf"{path}\?step=(0|{step - 1}|{step + 1})", link)]
        assert moves
    assert page.get(f"{path}?step={session.head.number + 1}").status_code == 404
    ends = re.findall(rf'<th scope="col"><a href="{path}\?step=(\d+)#steps">', page.get(path).text)
    finished = game.optional.finished_rounds
    wanted = [
        str(step.number)
        for step in reversed(list(session.steps()))
        if step.before is not None and finished(step.state) > finished(step.before.state)
    ]
    assert ends[: len(wanted)] == wanted
    assert f"Entry {wanted[0]} of" in page.get(f"{path}?round=1").text


def test_each_amount_of_a_deed_leads_to_the_steps_that_show_it(page: httpx.Client, folder: Path) -> None:
    opened = OpenHistory(folder)
    result = opened.results[0]
    session = opened.history.session(result.name)
    counted = list(counted_actions(session))
    for what, amounts in result.counts.items():
        for seat, amount in enumerate(amounts):
            if amount:
                markup = page.get(f"/history/games/1?deed={what}&seat={seat + 1}").text
                trail = re.search(r'<p class="trail">(.*?)</p>', markup)
                assert trail is not None
                wanted = dict.fromkeys(
                    str(each.entry) for each in counted if (each.action.what, each.action.seat) == (what, seat)
                )
                assert re.findall(r">(\d+)</a>", trail[1]) == [*wanted]
    assert 'class="trail"' not in page.get("/history/games/1?deed=none&seat=1").text


def test_the_trump_of_each_trick_is_told_with_who_changed_it(page: httpx.Client, folder: Path) -> None:
    opened = OpenHistory(folder)
    session = opened.history.session(opened.results[0].name)
    shown = re.findall(
        r'step=(\d+)#steps"><svg class="sign".*?<b>(\w+)</b>(.*?)</a>', page.get("/history/games/1").text
    )
    told = {int(step): (word, text(rest)) for step, word, rest in shown}
    before: object = None
    wanted = {}
    for step in [session.step(number) for number in range(session.head.number)]:
        trump = session.header.game.snapshot(step.state)["trump"]
        if trump is not None and trump != before:
            wanted[step.number] = trump
        before = trump
    assert {step: word.lower() for step, (word, _rest) in told.items()} == wanted
    changes = {
        each.entry: session.header.players[each.action.seat]
        for each in counted_actions(session)
        if each.action.what == "changes"
    }
    assert all(name in told[entry][1] for entry, name in changes.items())
    assert 'class="timeline"' not in page.get("/history/games/2").text


def test_a_game_is_scored_by_other_rules(page: httpx.Client, folder: Path) -> None:
    opened = OpenHistory(folder)
    gear = next(result for result in opened.results if result.game == "gear")
    made = rescored(opened.history.session(gear.name), {"ending": {"target": 9}})
    markup = page.get("/history/games/2?rule-ending=1&number-ending=9").text
    answer = markup.partition('<div role="status">')[2]
    found = re.findall(r'<th scope="row">.*?</th><td[^>]*>(.*?)</td><td[^>]*>(.*?)</td>', answer)
    points = [tuple(int(text(cell).split()[-1].replace("−", "-")) for cell in row) for row in found]
    assert points == list(zip(made.recorded.totals, made.other.totals, strict=True))
    assert "These are the rules that were played by" in page.get("/history/games/2?rule-auction=").text
    assert "target is 1 or more" in page.get("/history/games/2?rule-ending=1&number-ending=0").text
    assert 'id="what-if"' not in page.get("/history/games/3").text


def test_a_rule_that_no_set_up_offers_stays_as_it_was_recorded(tmp_path: Path) -> None:
    log = (
        '{"format":1,"game":"gear","players":["Ann","Bo"],"rules":{"ending":{"rounds":1},"teams":false}}\n'
        '{"type":"round","tricks":[5,3],"aces":[2,1],"last":0,"prices":[9,0]}'
    )
    read(log.encode())
    header, line = log.split("\n")
    journal = Journal(tmp_path)
    name = journal.name_for("gear")
    journal.begin(name, header, "strange", 0.0)
    journal.append(name, line, now=0.0, tracking="strange", over=True)
    journal.close()
    with serving(tmp_path) as served:
        page = local(served)
        assert "the game goes on after round 1" in page.get("/history/games/1?rule-ending=1&number-ending=20").text
        listed = page.get("/history").text
        assert "Date not known" in listed
        assert page.get("/history/people/ann").status_code == 200
        assert page.get("/history/league?game=gear").status_code == 200


def test_an_evening_is_summed_up_and_leads_to_the_next(page: httpx.Client) -> None:
    markup = page.get("/history/evenings/2026-09-04").text
    assert "Friday 4 September: 3 games" in text(markup)
    assert "/history/evenings/2026-09-11" in links(markup)
    assert "/history/evenings/2026-09-04" in links(page.get("/history/evenings/2026-09-11").text)
    assert re.search(r'<p class="share" hidden><button type="button" data-text="Friday 4 September: 3 games', markup)


def test_panel_page_and_command_line_tell_the_same_of_an_evening(
    page: httpx.Client, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    box = press(new_box(Journal(folder, writes=False)), "5 2 2")
    panel = says(box)
    shown = text(page.get("/history/evenings/2026-09-04").text)
    assert "3 games, 37 min" in panel
    assert "3 games, 37 min" in shown
    assert "Most wins: Aki, 2 of 3" in shown
    assert "Most wins: Aki, 2 of 3" in says(press(box, "B"))
    day = ("--since", "2026-09-04", "--until", "2026-09-04")
    assert main(["history", "--data", str(folder), *day]) == 0
    _head, *lines = capsys.readouterr().out.splitlines()
    assert sum(int(re.findall(r"([0-9]+) min", line)[0]) for line in lines) == 37
    assert sum("Aki" in line.split("min")[1].split("  ")[1] for line in lines) == 2


def test_a_log_is_downloaded_as_it_is(page: httpx.Client, folder: Path) -> None:
    answer = page.get("/history/games/3.jsonl")
    result = next(result for result in OpenHistory(folder).results if result.number == 3)
    assert answer.headers["content-disposition"] == f'attachment; filename="{result.name}.jsonl"'
    assert read(answer.content).header.players == result.players


def test_a_game_leads_to_bg_stats(page: httpx.Client) -> None:
    assert 'href="https://app.bgstatsapp.com/createPlay.html?data=%7B' in page.get("/history/games/1").text


# The place and the notes of a game


def test_who_scores_writes_down_where_a_game_was_played(folder: Path, tmp_path: Path) -> None:
    place = tmp_path / "journal"
    shutil.copytree(folder, place)
    log = sorted((place / "games").iterdir())[0].read_bytes()
    served = PairedPage(folder=place, journal=Journal(place))
    try:
        page, phone = local(served), served.paired()
        assert phone.post("/me", json={"role": "scorer"}).status_code == 204
        assert 'action="/history/games/1/remark"' in phone.get("/history/games/1").text
        filled = {"place": " Café <Post> ", "notes": "Rain.\r\nWe laughed."}
        answer = phone.post("/history/games/1/remark", data=filled, follow_redirects=False)
        assert (answer.status_code, answer.headers["location"]) == (303, "/history/games/1#remark")
        shown = page.get("/history/games/1").text
        assert ("<b>Café &lt;Post&gt;</b>" in shown, '<p class="notes">Rain.\nWe laughed.</p>' in shown) == (True, True)
        assert '<option value="Café &lt;Post&gt;">' in page.get("/history/games/2").text
        assert "Café &lt;Post&gt;" in page.get("/history").text
        assert page.get("/history/games.json").json()["games"][0]["place"] == "Café <Post>"
        assert phone.post("/history/games/1/remark", data={"place": "", "notes": ""}).status_code == 303
        assert "Café" not in page.get("/history/games/1").text.partition("<form")[0]
        missing = phone.post("/history/games/99/remark", data=filled, headers={"Accept-Language": "fr"})
        assert (missing.status_code, missing.text) == (404, "Il n’y a pas de partie finie 99.")
    finally:
        served.stop()
    assert sorted((place / "games").iterdir())[0].read_bytes() == log


@pytest.mark.parametrize("role", ["seat", "spectator"])
def test_who_does_not_score_sees_place_and_notes_and_changes_nothing(folder: Path, role: str) -> None:
    with serving(folder) as served:
        phone = served.paired()
        assert phone.post("/me", json={"role": role, "person": "Aki" if role == "seat" else ""}).status_code == 204
        assert "/remark" not in phone.get("/history/games/1").text
        assert phone.post("/history/games/1/remark", data={"place": "Rome"}).status_code == 403
        other = {"Origin": "http://elsewhere.example"}
        assert local(served).post("/history/games/1/remark", data={"place": "Rome"}, headers=other).status_code == 403


# Sentences


@pytest.mark.parametrize(
    ("path", "status", "sentence"),
    [
        ("/history/games/99", 404, "There is no finished game 99."),
        ("/history/games/x", 404, "There is no finished game x."),
        ("/history/games/0", 404, "There is no finished game 0."),
        ("/history/games/99.jsonl", 404, "There is no finished game 99."),
        ("/history/games/1?step=x", 400, "“x” is no number."),
        ("/history?page=-1", 400, "“-1” is no number."),
        ("/history?since=yesterday", 400, "“yesterday” is no date; a date is written 2026-11-22."),
        ("/history?since=31/11/2026", 400, "There is no day “31/11/2026”."),
        ("/history?game=chess", 400, "There is no game “chess”."),
        ("/history/games.csv?game=chess", 400, "There is no game “chess”."),
        ("/history/evenings/2026-09-05", 404, "No game of 5 Sep 2026 is finished."),
        ("/history/evenings/today", 400, "“today” is no date"),
        ("/history/people/Akki", 404, "Nobody called Akki has finished a game. Did you mean: Aki"),
        ("/history/people?name=%20Akki", 404, "Nobody called Akki has finished a game."),
        ("/history/people/{0}", 404, "Nobody called {0} has finished a game."),
    ],
)
def test_what_there_is_not_is_said_in_a_sentence(page: httpx.Client, path: str, status: int, sentence: str) -> None:
    answer = page.get(path)
    assert (answer.status_code, sentence in text(answer.text)) == (status, True), text(answer.text)


@pytest.mark.parametrize(
    ("path", "sentence", "kept"),
    [
        ("/history?since=2026-02-30&until=3/1/2026&person=Aki", "There is no day", ("Aki", "2026-02-30", "3/1/2026")),
        ("/history/league?until=today&least=7", "is no date", ("today", "7")),
    ],
)
def test_a_wrong_date_stays_in_the_form_with_the_rest_of_it(
    page: httpx.Client, path: str, sentence: str, kept: Sequence[str]
) -> None:
    answer = page.get(path)
    assert (answer.status_code, sentence in answer.text) == (400, True)
    fields = r'<input type="(?:date|number)" [^>]*value="([^"]+)"|<option selected>([^<]+)\n'
    assert ["".join(each) for each in re.findall(fields, answer.text)] == [*kept]
    assert f'action="{path.partition("?")[0]}"' in answer.text


@pytest.mark.parametrize(
    "written", ["2026-11-08", "8-11-2026", " 8/11/2026 ", "08.11.2026", "2026/11/8", "2026年11月8日"]
)
def test_a_date_is_read_as_people_write_it(page: httpx.Client, written: str) -> None:
    assert 'name="since" value="2026-11-08"' in page.get("/history", params={"since": written}).text


def test_without_a_folder_there_is_no_history() -> None:
    with serving(None) as served:
        answer = local(served).get("/history")
        assert (answer.status_code, "has no history" in answer.text) == (404, True)


def test_an_empty_folder_has_empty_lists(tmp_path: Path) -> None:
    Journal(tmp_path).close()
    with serving(tmp_path) as served:
        for path in ("/history", "/history/evenings", "/history/people", "/history/league"):
            assert local(served).get(path).status_code == 200
        assert "No game is finished yet." in local(served).get("/history").text


def test_a_journal_that_cannot_be_read_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise JournalError("the disk fails")

    monkeypatch.setattr("companion.web.history_worker.Journal", refuse)
    with serving(tmp_path) as served:
        answer = local(served).get("/history")
        assert (answer.status_code, "The journal cannot be read: the disk fails" in answer.text) == (503, True)


def test_games_with_the_same_number_are_told_apart(tmp_path: Path) -> None:
    fill(tmp_path, [("hipparchus", 105)])
    journal = Journal(tmp_path)
    add(journal, finished("gear", 107), FIRST, "000001-gear-0123abcd")
    journal.close()
    with serving(tmp_path) as served:
        page = local(served)
        found = [path for path in links(page.get("/history").text) if path.startswith("/history/games/")]
        assert "/history/games/000001-gear-0123abcd" in found
        assert all(page.get(path).status_code == 200 for path in found if "." not in path)
        several = page.get("/history/games/1")
        assert (several.status_code, "Several games have the number 1." in several.text) == (404, True)
        assert "/history/games/000001-gear-0123abcd" in links(several.text)


# Who sees them


def test_paired_phones_of_every_role_see_the_history_and_nobody_else(folder: Path) -> None:
    paths = ("/history", "/history/games/1", "/history/games.csv", "/history/people/Aki", "/history/games/1.jsonl")
    with serving(folder) as served:
        phone = served.paired()
        for role in ({"role": "seat", "person": "Aki"}, {"role": "scorer"}, {"role": "spectator"}):
            assert phone.post("/me", json=role).status_code == 204
            assert [phone.get(path).status_code for path in paths] == [200] * len(paths)
        served.do(lambda: served.pairing.do(AllowGuests(True)))
        stranger = served.client(Accept="text/html")
        assert stranger.get("/table").status_code == 200
        assert "/history" not in links(stranger.get("/table").text)
        assert "/history" in links(phone.get("/table").text)
        for path in paths:
            assert (stranger.get(path).status_code, stranger.get(path).headers["location"]) == (303, "/join")
            assert stranger.get(path, headers={"Accept": "*/*"}).status_code == 401
            assert phone.post(path).status_code == 405


# Reading beside the box


def contents(folder: Path) -> dict[str, tuple[bytes, int]]:
    return {str(file): (file.read_bytes(), file.stat().st_mtime_ns) for file in folder.rglob("*") if file.is_file()}


def damage(file: Path) -> None:
    content = bytearray(file.read_bytes())
    content[len(content) // 3] ^= 1
    file.write_bytes(content)


def test_reading_writes_and_repairs_nothing(folder: Path, tmp_path: Path) -> None:
    place = tmp_path / "journal"
    shutil.copytree(folder, place)
    for file in sorted((place / "games").iterdir())[:2]:
        damage(file)
    damage(place / "settings.jsonl")
    (place / "history.db").write_bytes(b"damaged")
    before = contents(place)
    with serving(place) as served:
        for path in (*LISTS, "/history/games/1", "/history/people/Aki", "/history/evenings/2026-09-04"):
            assert local(served).get(path).status_code == 200
    assert contents(place) == before


@pytest.mark.parametrize("garbage", [b"", b"SQLite format 3\0" + bytes(2000), b"damaged" * 500])
def test_a_damaged_index_changes_no_page(page: httpx.Client, folder: Path, tmp_path: Path, garbage: bytes) -> None:
    place = tmp_path / "journal"
    shutil.copytree(folder, place)
    (place / "history.db").write_bytes(garbage)
    with serving(place) as served:
        for path in ("/history", "/history/league", "/history/people/Aki"):
            assert local(served).get(path).text == page.get(path).text


@pytest.mark.parametrize(("moment", "status"), [(0, 500), (2e9, 404)], ids=["before the index", "since the index"])
def test_a_game_that_cannot_be_read_is_told(folder: Path, tmp_path: Path, moment: float, status: int) -> None:
    place = tmp_path / "journal"
    shutil.copytree(folder, place)
    name = next(result.name for result in OpenHistory(folder).results if result.number == 3)
    with serving(place) as served:
        for where in ("games", "copies"):
            file = place / where / f"{name}.jsonl"
            file.write_bytes(b"gone\n")
            os.utime(file, (moment, moment))
        for path in ("/history/games/3", "/history/games/3.jsonl"):
            answer = local(served).get(path)
            assert (answer.status_code, "game 3" in answer.text.lower()) == (status, True)
        assert local(served).get("/history").status_code == 200


def test_a_game_that_the_box_has_just_finished_is_there(folder: Path, tmp_path: Path) -> None:
    place = tmp_path / "journal"
    shutil.copytree(folder, place)
    dealt = finished("hipparchus", 105)
    header, last = {**dealt.header, "players": ["Aki", "Newcomer"]}, len(dealt.lines)
    with serving(place) as served:
        journal = Journal(place)
        name = journal.name_for("hipparchus")
        journal.begin(name, json.dumps(header), "full", FIRST.timestamp())
        journal.append(name, json.dumps(dealt.lines[0]), now=0.0, tracking="full")
        journal.update_index()  # it knows the game as unfinished
        for number, line in enumerate(dealt.lines[1:], 2):
            journal.append(name, json.dumps(line), now=0.0, tracking="full", over=number == last)
        journal.set_open_game(None)
        assert local(served).get("/history/people/Newcomer").status_code == 200
        journal.append(name, '{"type":"undo"}', now=0.0, tracking="full")
        assert local(served).get("/history/people/Newcomer").status_code == 404
        journal.close()


def test_games_are_rated_again_only_after_a_new_one_or_a_renaming(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(tmp_path)
    times = list[int]()

    def counted(results: Sequence[GameResult], people: People) -> Ratings:
        times.append(len(results))
        return rated(results, people)

    monkeypatch.setattr(history_worker, "rated", counted)
    journal = Journal(tmp_path)
    with serving(tmp_path) as served:
        page = local(served)

        def rated_by_requests() -> int:
            times.clear()
            assert {page.get(path).status_code for path in ("/history/league", "/history/league?game=gear")} == {200}
            return len(times)

        assert [rated_by_requests(), rated_by_requests()] == [1, 0]
        add(journal, finished("gear", 107), FIRST)
        assert [rated_by_requests(), rated_by_requests()] == [1, 0]
        journal.keep_setting("roster", written(People().rename("Aki", "Akira", 9)))
        assert [rated_by_requests(), rated_by_requests()] == [1, 0]
    journal.close()


def test_the_journal_is_read_again_only_after_a_change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(tmp_path)
    reads = list[str]()

    class Counted(Journal):
        def read_recent(self) -> None:
            reads.append(str(self.path))
            super().read_recent()

    monkeypatch.setattr(history_worker, "Journal", Counted)
    journal = Journal(tmp_path)
    changes: list[Callable[[], object]] = [
        lambda: add(journal, finished("gear", 107), FIRST),
        lambda: journal.append(journal.names()[-1], '{"type":"undo"}', now=0.0, tracking="full"),
        lambda: journal.keep_setting("roster", written(People().rename("Aki", "Akira", 9))),
        lambda: journal.keep_remark("A-1", {"place": "Rome"}),
        lambda: journal.keep_imported({"A-1": to_builtins(ImportedGame("Go", ("Ann", "Bo"), (3, 0), (0,), (1, 2)))}),
        lambda: journal.put_away(journal.names()[0]),
    ]
    with serving(tmp_path) as served:
        page = local(served)
        for change in (lambda: None, *changes):
            change()
            reads.clear()
            assert {page.get(path).status_code for path in LISTS} == {200}
            assert len(reads) == 1
    journal.close()


def test_an_earlier_game_that_goes_on_is_read_again(tmp_path: Path) -> None:
    dealt = finished("hipparchus", 105)
    with closing(Journal(tmp_path)) as journal, serving(tmp_path) as served:
        first, *_others = [add(journal, dealt, FIRST) for _game in range(history_worker.LATEST + 1)]
        journal.update_index()
        games = [local(served).get("/history/games.csv").text.count(first)]
        journal.set_open_game(first)
        games.append(local(served).get("/history/games.csv").text.count(first))
        journal.append(first, '{"type":"undo"}', now=0.0, tracking="full")
        games.append(local(served).get("/history/games.csv").text.count(first))
    assert games == [2, 2, 0]


def test_a_page_after_one_that_read_no_game_is_as_new(tmp_path: Path) -> None:
    played(tmp_path, 1)
    with serving(tmp_path) as served:
        assert local(served).get("/history/evenings/nonsense").status_code == 400
        played(tmp_path, 1)
        assert local(served).get("/history/games.csv").text.count("hipparchus-") == 4  # a line for each seat


def test_what_could_not_be_read_is_read_once_more_after_a_while(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, *_others = played(tmp_path, 3)
    read, refused = disk.read, {f"{first}.jsonl"}

    def refusing(file: Path) -> tuple[bytes, disk.FileStatus] | None:
        if file.name in refused:
            raise OSError(errno.EIO, "the card fails")
        return read(file)

    monkeypatch.setattr(disk, "read", refusing)
    monkeypatch.setattr(history_worker, "RETRIED", 0.0)
    with serving(tmp_path) as served:
        assert "left out here: 1" in local(served).get("/history").text
        refused.clear()
        assert "left out here" not in local(served).get("/history").text


def test_no_figure_is_shown_after_games_could_not_be_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    played(tmp_path, 3)
    opened = OpenHistory(tmp_path)
    monkeypatch.setattr(opened.journal, "names", Mock(side_effect=[MemoryError, opened.journal.names()]))
    with pytest.raises(MemoryError):
        opened.results  # noqa: B018
    assert len(opened.results) == 3


def test_requests_are_answered_one_at_a_time_and_few_wait(folder: Path) -> None:
    entered, go = threading.Event(), threading.Event()
    under_way: list[int] = []

    def question(_opened: OpenHistory) -> int:
        under_way.append(1)
        count = len(under_way)
        entered.set()
        assert go.wait(60)
        under_way.pop()
        return count

    async def ask() -> list[int]:
        access = HistoryAccess(folder)
        asked = [asyncio.create_task(access.ask(question)) for _ in range(WAITING)]
        await asyncio.to_thread(entered.wait)
        with pytest.raises(RequestError) as refused:
            await access.ask(question)
        assert refused.value.status == 503
        go.set()
        counts = await asyncio.gather(*asked)
        assert await access.ask(question) == 1
        access.close()
        return counts

    assert asyncio.run(ask()) == [1] * WAITING


def test_plays_without_a_log_have_no_address(folder: Path) -> None:
    results = OpenHistory(folder).results
    assert list(game_paths(results).values()) == [f"/history/games/{result.number}" for result in results]
    assert game_paths([replace(results[0], number=0, name="imported-1")]) == {}


# In a browser


@pytest.mark.browser
def test_the_checker_finds_nothing_on_the_pages(browser: Browser, folder: Path, tmp_path: Path) -> None:
    place = tmp_path / "journal"
    shutil.copytree(folder, place)
    paths = (
        *LISTS,
        "/history/games/1?step=20&deed=tricks&seat=1",
        "/history/games/2?rule-ending=1&number-ending=9",
        "/history/games/4",
        "/history/people/Aki",
        "/history/people/Aki?game=hipparchus&since=2026-01-01",
        "/history/evenings/2026-09-04",
        "/history/people/Akki",
    )
    with simulating(place) as url:
        for path in paths:
            browser.go(url.rstrip("/") + path)
            for width in (390, 1024):
                browser.resize(width, 844)
                assert faults(browser) == "", path
                assert browser.run("return document.documentElement.scrollWidth <= innerWidth"), path
            with browser.preferring("prefers-color-scheme", "dark"):  # which changes colours alone, of buttons slowly
                browser.run("for (const each of document.getAnimations()) each.finish()")
                assert faults(browser, "color-contrast") == "", path


@pytest.mark.browser
def test_a_chart_tells_its_values_where_it_is_touched_and_by_keys(browser: Browser, tmp_path: Path) -> None:
    place = tmp_path / "journal"
    fill(place, [("hipparchus", 105)] * 8)
    event = "const {left} = drawn.getBoundingClientRect(); drawn.dispatchEvent(new %s)"
    touch = event % "MouseEvent('mousemove', {clientX: left})"
    key = event % "KeyboardEvent('keydown', {key: '%s'})"
    says = "[document.querySelector('.values').textContent, drawn.getAttribute('aria-valuetext')]"
    row = "[...document.querySelectorAll('details tbody tr')].slice(arguments[0])[0].cells"

    def told(act: str = "") -> list[str]:
        return list(browser.run(f"const drawn = document.querySelector('.plot .lines'); {act}; return {says}"))

    with simulating(place) as url:
        browser.console()
        browser.go(f"{url}history/people/Aki")
        browser.until(lambda: browser.run("return !!document.querySelector('.plot .values')"), "the values")
        last, first = told(), told(touch)
        assert [told(key % name) for name in ("End", "Home")] == [last, first]
        told(key % "End")
        assert told(key % "ArrowLeft") not in (first, last)
        for shown, number in ((first, 0), (last, -1)):
            figures = browser.run(f"return [...{row}].map(cell => cell.textContent)", number)
            assert all(figure in said for said in shown for figure in figures), (shown, figures)
        assert browser.console() == []


@pytest.mark.browser
def test_the_summary_of_an_evening_is_copied(browser: Browser, folder: Path, tmp_path: Path) -> None:
    place = tmp_path / "journal"
    shutil.copytree(folder, place)
    with simulating(place) as url:
        browser.console()
        browser.go(f"{url}history/evenings/2026-09-04")
        browser.until(lambda: browser.run("return !document.querySelector('.share').hidden"), "the button")
        browser.tap(".share button")
        browser.until(
            lambda: browser.run("return document.querySelector('.share [role=status]').textContent"), "the sentence"
        )
        assert browser.console() == []


def test_imported_plays_of_other_games_are_shown_with_their_time(tmp_path: Path) -> None:
    with closing(Journal(tmp_path)) as journal:
        evening = FIRST.replace(year=2024).timestamp()
        plays = [
            ImportedGame("Go {9x9}", ("Ann", "Bo"), (3, 0), (0,), (1, 2), begun=evening),
            ImportedGame("Games", ("Ann", "Bo"), (1, 0), (0,), (1, 2)),
        ]
        journal.keep_imported({f"A-{number}": to_builtins(each) for number, each in enumerate(plays)})
    with serving(tmp_path) as served:
        page = local(served)
        assert "Go {9x9} 19:30 · won by 3 winner Ann 3, Bo 0" in text(page.get("/history").text)
        assert "Go {9x9}: Ann won by 3 (Ann 3, Bo 0)" in text(page.get("/history/evenings/2024-09-04").text)
        shown = page.get("/history/people/Ann").text
        person = text(shown)
        assert 'href="None"' not in shown, "a play without a log has no page"
        assert "imported" in text(page.get("/history/people/Ann?game=Games").text)
        assert "4 Sep 2024, 19:30" in person
        french = page.get("/history", headers={"Accept-Language": "fr"}).text
        assert re.search(r'class="what">\s*Games', french), "a title of another game is not translated"


def test_games_that_were_played_can_be_chosen_imported_ones_too(tmp_path: Path) -> None:
    with closing(Journal(tmp_path)) as journal:
        add(journal, finished("hipparchus", 105), FIRST)
        plays = [
            ImportedGame("Go {9x9}", ("Ann", "Bo"), (None, None), (0,), (1, 2)),
            ImportedGame("Azul", ("Ann", "Bo"), (42, None), (0,), (1, 2)),
        ]
        journal.keep_imported({f"A-{number}": to_builtins(each) for number, each in enumerate(plays)})
    with serving(tmp_path) as served:
        page = local(served)
        shown = page.get("/history", params={"game": "Go {9x9}"}).text
        choice = shown.partition('<select name="game">')[2].partition("</select>")[0]
        assert re.findall(r'<option value="(.*?)"( selected)?>', choice) == [
            ("", ""),
            ("Azul", ""),
            ("Go {9x9}", " selected"),
            ("hipparchus", ""),
        ]
        assert ("winner Ann –, Bo –" in text(shown), "Azul" in text(shown.partition("</form>")[2])) == (True, False)
        assert "Ann 42, Bo –" in text(page.get("/history", params={"game": "azul"}).text)
        assert (
            "Best game 42" in text(page.get("/history/people/Ann?game=Azul").text),
            page.get("/history/people/Bo").status_code,
        ) == (
            True,
            200,
        )


def test_names_from_right_to_left_do_not_move_the_figures_beside_them(tmp_path: Path) -> None:
    with closing(Journal(tmp_path)) as journal:
        evening = FIRST.replace(year=2024).timestamp()
        play = ImportedGame("Go", ("משה", "Ben", "نوا"), (12, 7, -5), (0,), (1, 2, 3), begun=evening)
        journal.keep_imported({"A-1": to_builtins(play)})
    with serving(tmp_path) as served:
        page = local(served)
        shared = "Go: \u2068משה\u2069 won by 5 (\u2068משה\u2069 12, Ben 7, \u2068نوا\u2069 −5)"
        shown = page.get("/history/evenings/2024-09-04").text
        assert shown.count(shared) == 2  # the page's line, and what is shared
        assert "\u2068משה\u2069 12" in text(page.get("/history").text)
        assert "\u2068משה\u2069, Ben, \u2068نوا\u2069" in page.get("/history/evenings").text
        chosen = page.get("/history", params={"person": "משה"}).text
        assert "<option selected>משה\n" in chosen  # what is sent back has no signs


def test_an_evening_without_a_day_is_told(page: httpx.Client) -> None:
    answer = page.get("/history/evenings/%20")
    assert (answer.status_code, "is no date" in answer.text) == (404, True)


# Not all games are read, or can be


def played(folder: Path, count: int) -> list[str]:
    """Write finished games into a folder without any index; return their names."""
    dealt = finished("hipparchus", 105)
    with closing(Journal(folder)) as journal:
        names = [add(journal, dealt, FIRST) for _game in range(count)]
    (folder / "index.jsonl").unlink()
    return names


@pytest.mark.parametrize("path", [*LISTS, "/history/games.csv", "/history/people/Aki"])
def test_no_figure_is_shown_before_every_game_is_read(
    tmp_path: Path, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    played(tmp_path, 35)
    monkeypatch.setattr(history_worker, "PATIENCE", -1.0)
    with serving(tmp_path) as served:
        browser = local(served)
        first = browser.get(path)
        assert first.status_code == 503
        assert "Games still to be read: 35." in first.text
        assert (first.headers["Refresh"], first.headers["Retry-After"]) == ("2", "2")
        assert "Aki" not in first.text
        answers = [browser.get(path) for _time in range(40)]
    assert any("still to be read: 3." in each.text for each in answers)
    whole = next(each for each in answers if each.status_code == 200)
    if path == "/history":
        assert "1 to 25 of 35" in whole.text


def test_what_is_noted_before_every_game_is_read_can_be_saved_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    played(tmp_path, 3)
    monkeypatch.setattr(history_worker, "PATIENCE", -1.0)
    with serving(tmp_path) as served:
        phone = served.paired()
        assert phone.post("/me", json={"role": "scorer"}).status_code == 204
        answer = phone.post("/history/games/1/remark", data={"place": "Rome"})
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "2")
    assert answer.text == "Games still to be read: 2. Go back and save again in a moment."


def test_a_journal_that_cannot_be_read_is_told_to_who_saves_notes(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ask(*_of: object) -> NoReturn:
        raise JournalError(Text("disk full"))

    monkeypatch.setattr(history_worker.HistoryAccess, "ask", ask)
    with serving(folder) as served:
        phone = served.paired()
        assert phone.post("/me", json={"role": "scorer"}).status_code == 204
        answer = phone.post("/history/games/1/remark", data={"place": "Rome"})
    assert (answer.status_code, answer.text) == (503, "The journal cannot be read: disk full")


def test_places_of_people_are_kept_until_a_game_is_added(tmp_path: Path) -> None:
    played(tmp_path, 1)
    kept = Kept()
    first = OpenHistory(tmp_path, kept=kept).places
    assert OpenHistory(tmp_path, kept=kept).places is first
    fill(tmp_path, [("gear", 107)])
    later = OpenHistory(tmp_path, kept=kept).places
    assert later == OpenHistory(tmp_path).places
    assert len(later) > len(first)


def test_games_read_for_a_page_long_ago_are_read_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    played(tmp_path, 3)
    monkeypatch.setattr(history_worker, "PATIENCE", -1.0)
    monkeypatch.setattr(history_worker, "STAYS_OPEN", -1.0)
    with serving(tmp_path) as served:
        browser = local(served)
        answers = [browser.get("/history") for _time in range(3)]
    assert all("still to be read: 2." in each.text for each in answers)


def test_pages_say_how_many_games_they_leave_out_and_log_each_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    first, *_others = played(tmp_path, 3)
    for kept in ("games", "copies"):
        (tmp_path / kept / f"{first}.jsonl").write_bytes(b"damaged\n")
    with serving(tmp_path) as served:
        browser = local(served)
        for path in (*LISTS, "/history/people/Aki", f"/history/evenings/{FIRST.date()}"):
            assert "left out here: 1" in browser.get(path).text
    assert len(caplog.records) == len({record.getMessage() for record in caplog.records}) > 0


def test_warnings_of_many_games_are_not_all_remembered(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    log, access = logging.getLogger("companion.history.history"), HistoryAccess(tmp_path)
    log.warning("of another thread")
    log.warning("of another thread")

    def warn(_opened: OpenHistory) -> None:
        for number in range(history_worker.LOGGED + 1):
            log.warning("game %d", number)
            log.warning("game %d", number)
        log.warning("game 0")

    asyncio.run(access.ask(warn))
    access.close()
    assert len(caplog.records) == 2 + history_worker.LOGGED + 2


# Ended early, and somebody else in a seat


@pytest.fixture(scope="module")
def early(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """Return a browser that sees a whole game, and one that the table ended when Cyr had taken the second seat."""
    path = tmp_path_factory.mktemp("early")
    sheets = ({"sun": 3, "moon": 0, "earth": 5}, {"sun": 4, "moon": 3, "earth": 2})
    first, second = ([{"type": "round", "captured": captured}] for captured in (sheets, sheets[::-1]))
    lines: list[dict[str, Any]] = [
        *first,
        {"type": "substitute", "player": 1, "name": "Cyr"},
        *second,
        {"type": "finish"},
    ]
    header: dict[str, Any] = {"format": 1, "game": "hipparchus", "players": [*NAMES[:2]]}
    with closing(Journal(path)) as journal:
        journal.keep_setting("language", "en")
        for place, of_game in enumerate(([*second, *second], lines)):
            add(journal, Dealt(0, header, of_game, Random(0)), FIRST + timedelta(hours=place))
        journal.update_index()
    with serving(path) as served:
        yield local(served)


def test_a_game_that_the_table_ended_early_counts_and_one_tap_leaves_it_out(early: httpx.Client) -> None:
    assert "ended early" in text(early.get("/history").text)
    assert "Hipparchus: ended early (Aki 1, Cyr 1)" in text(early.get("/history/evenings/2026-09-04").text)
    league = early.get("/history/league?game=hipparchus").text
    assert ("Games found: 2" in text(league), "Cyr" in text(league)) == (True, True)
    assert "Ended early, and counted as they stood: 1 · leave them out" in text(league)
    assert "/history/league?game=hipparchus&early=0" in links(league)
    without = early.get("/history/league?game=hipparchus&early=0").text
    assert ("Games found: 1" in text(without), "Cyr" in text(without)) == (True, False)
    assert "Ended early, and not counted: 1 · count them" in text(without)
    assert "/history/league?game=hipparchus" in links(without)
    for chosen in ("early=0", "early=0&since=x"):  # the bar keeps it
        assert 'name="early" value="0"' in early.get(f"/history/league?{chosen}").text


def test_people_are_listed_with_the_games_that_count(early: httpx.Client) -> None:
    page, without = (early.get(f"/history/people{query}").text for query in ("", "?early=0"))
    assert "Name Games Aki 2 Cyr 1 Zoë-Maria 1" in text(page)
    assert "Ended early, and counted as they stood: 1 · leave them out" in text(page)
    assert "Name Games Aki 1 Zoë-Maria 1" in text(without)
    assert "Ended early, and not counted: 1 · count them" in text(without)


def test_people_and_league_say_that_everybody_is_hidden(tmp_path: Path) -> None:
    fill(tmp_path, [("hipparchus", 105)])
    with closing(Journal(tmp_path)) as journal:
        journal.keep_setting("roster", written(People(hidden=NAMES)))
    with serving(tmp_path) as served:
        for path in ("/history/people", "/history/league"):
            shown = text(local(served).get(path).text)
            assert ("Everybody who played is hidden" in shown, "no round was finished" in shown) == (True, False)


def test_a_season_of_few_games_says_that_one_is_enough_for_a_place(page: httpx.Client) -> None:
    few, every = (text(page.get(f"/history/league{query}").text) for query in ("?since=2026-09-11", ""))
    assert "Nobody has 3 games yet, so one is enough for a place." in few
    assert ("stand below" in few, "Nobody has" in every) == (False, False)


def test_a_persons_page_says_of_how_many_games_the_rank_share_is(page: httpx.Client) -> None:
    assert RECENT == 10
    assert "the mean of the latest ten games" in text(page.get("/history/people/Aki").text)


def test_a_persons_page_counts_games_ended_early_unless_they_are_left_out(early: httpx.Client) -> None:
    page, without = (early.get(f"/history/people/Aki{query}").text for query in ("", "?early=0"))
    assert "/history/people/Aki?early=0" in links(page)
    assert "Ended early, and counted as they stood: 1 · leave them out" in text(page)
    assert "/history/people/Aki" in links(without)
    assert "Ended early, and not counted: 1 · count them" in text(without)
    shown = [re.search(r"Games ([0-9]+)", text(each)) for each in (page, without)]
    assert [found and found[1] for found in shown] == ["2", "1"]
    assert "Games 1 All games of Aki: 2" in text(without)  # the list has both
    assert ("All games of Aki" in text(page), "All games of Aki:" in text(page)) == (True, False)
    assert "Games 1" in text(early.get("/history/people/Cyr").text)
    only = text(early.get("/history/people/Cyr?early=0").text)
    assert "Ended early, and not counted: 1 · count them" in only
    assert "No finished game is like this" in only


def test_the_page_of_a_game_ended_early_says_so_and_who_sat_there_before(early: httpx.Client) -> None:
    page = text(early.get("/history/games/2").text)
    assert "Ended early" in page
    assert "Before Cyr Zoë-Maria, until the end of round 1" in page
    assert "End ended early" in page
