"""The place and the notes of a game: what counts, and how they leave and come back."""

from __future__ import annotations

import csv
import json
from io import StringIO
from urllib.parse import unquote

import pytest
from msgspec import to_builtins

from companion.history.bgstats import LONGEST_LINK, bgsplay, play_link, read_bgstats
from companion.history.exports import csv_of, json_of
from companion.history.plays import (
    LONGEST_NOTES,
    LONGEST_PLACE,
    NOTHING,
    Remark,
    Remarks,
    imported_results,
    play_id,
)
from companion.history.renamed_and_hidden import People
from tests.history.made import made

CAFE = Remark("Café “Zur Post”", "Rain all day.\nDai learned the rules.")
REMARKS = Remarks({play_id(made()): to_builtins(CAFE)})


@pytest.mark.parametrize(
    ("place", "notes", "kept"),
    [
        ("", " \n ", NOTHING),
        ("a\0b\nc", "x\x1by\r\n\r\n  z", Remark("a b c", "x y\n\nz")),
        ("p" * 99, "n" * 2000, Remark("p" * LONGEST_PLACE, "n" * LONGEST_NOTES)),
        ("👨‍👩‍👧 家", "", Remark("👨‍👩‍👧 家")),
    ],
)
def test_a_remark_can_be_shown_and_is_not_too_long(place: str, notes: str, kept: Remark) -> None:
    assert Remark.of(place, notes) == kept


def test_what_was_written_here_counts_more_than_what_was_imported() -> None:
    play = play_id(made())
    imported = {play: {"place": "Rome"}, "B": {"place": "Oslo"}}
    assert Remarks({}, imported).of(made()) == Remark("Rome")
    assert Remarks({play: to_builtins(NOTHING)}, imported).of(made()) == NOTHING
    assert Remarks({play: ["damaged"]}).of(made()) == NOTHING
    assert Remarks({"C": {"place": "Lyon"}, "D": {"place": "Oslo"}}, imported).places() == ["Oslo", "Lyon", "Rome"]


def test_a_game_keeps_its_remark_under_another_number() -> None:
    assert REMARKS.of(made(name="000099-eternity-7f3a9c21", number=99)) == CAFE
    assert REMARKS.of(made(name="000012-eternity-00000000")) == NOTHING


def test_json_and_csv_have_place_and_notes() -> None:
    whole, other = json.loads(json_of([made(), made(name="000013-gear-00000000")], People(), REMARKS))["games"]
    assert (whole["place"], whole["notes"]) == (CAFE.place, CAFE.notes)
    assert not {"place", "notes"} & other.keys()
    row, *_others = csv.DictReader(StringIO(csv_of([made()], People(), REMARKS).decode("utf-8-sig"), newline=""))
    assert (row["place"], row["notes"]) == (CAFE.place, CAFE.notes)


def test_bg_stats_has_the_place_and_the_notes_above_the_rounds() -> None:
    file = json.loads(bgsplay([made(), made(name="000013-eternity-00000000")], People(), REMARKS))
    [place] = file["locations"]
    first, second = file["plays"]
    assert (place["name"], first["locationRefId"]) == (CAFE.place, place["id"])
    assert first["comments"] == f"{CAFE.notes}\nRounds: 2/-3/4/4, 3/0/8/8"
    assert "locationRefId" not in second
    link = unquote(play_link(made(), People(), CAFE) or "")
    assert f'"location":"{CAFE.place}"' in link


@pytest.mark.parametrize("sign", ["👍", "👨‍👩‍👧", "家", '"', "n"])
def test_the_link_to_bg_stats_cuts_long_notes_and_the_file_has_them_whole(sign: str) -> None:
    noted = Remark.of("", sign * 1000)
    link = play_link(made(), People(), noted) or ""
    play = json.loads(unquote(link.partition("=")[2]))
    ours = f"{noted.notes}\nRounds: 2/-3/4/4, 3/0/8/8"
    if sign in ("n", '"'):
        assert play["comments"] == ours
    else:
        begins = play["comments"].removesuffix("…")
        assert (len(begins) % len(sign), ours.startswith(begins), begins != play["comments"]) == (0, True, True)
        assert 7900 < len(link) <= LONGEST_LINK
    file = json.loads(bgsplay([made()], People(), Remarks({play_id(made()): to_builtins(noted)})))
    assert file["plays"][0]["comments"] == ours


def test_place_and_notes_come_back_from_bg_stats_without_our_own_line() -> None:
    exported = bgsplay([made(), made(name="000013-eternity-00000000", ended_early=True)], People(), REMARKS)
    file = json.loads(exported)
    file["plays"][1]["ignored"] = False
    plays = read_bgstats(json.dumps(file).encode()).plays
    assert [Remark(play.place, play.notes) for play in plays.values()] == [CAFE, NOTHING]
    kept = {play: to_builtins(each) for play, each in plays.items()}
    remarks = Remarks({}, kept)
    assert [remarks.of(result) for result in imported_results(kept)[0]] == [CAFE, NOTHING]
    assert remarks.of(made()) == CAFE  # the game itself, whose log is here


@pytest.mark.parametrize(
    ("comments", "notes"),
    [
        ("Ended early because of rain", "Ended early because of rain"),
        ("Great game\nRounds: we lost count", "Great game\nRounds: we lost count"),
        ("Rounds: 3/4", "Rounds: 3/4"),
        ("Rounds: 3/4 or so, 5/6", "Rounds: 3/4 or so, 5/6"),
        ("Great game\nEnded early", "Great game"),
        ("Great game\nRounds: 2/-3*/40, 3/0*/8", "Great game"),
        ("Ended early. Rounds: 2*/-3*/4/4, 3/0/8/8, 0/0/0/0", ""),
    ],
)
def test_a_comment_loses_our_own_line_alone(comments: str, notes: str) -> None:
    file = json.loads(bgsplay([made()], People()))
    file["plays"][0]["comments"] = comments
    [play] = read_bgstats(json.dumps(file).encode()).plays.values()
    assert play.notes == notes


def test_files_without_places_are_read_as_before() -> None:
    file = json.loads(bgsplay([made()], People()))
    del file["locations"]
    file["plays"][0] |= {"locationRefId": 7, "comments": None}
    [play] = read_bgstats(json.dumps(file).encode()).plays.values()
    assert (play.place, play.notes) == ("", "")
