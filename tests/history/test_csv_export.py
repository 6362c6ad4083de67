"""Results as CSV and JSON: what a spreadsheet and a program read."""

from __future__ import annotations

import csv
import json
import subprocess
import zipfile
from datetime import datetime
from io import StringIO
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.history.exports import csv_of, json_of
from companion.history.renamed_and_hidden import People
from companion.history.results import EarlierPlayer, GameResult
from tests.waiting import LAST_RESORT

from .made import EVENING, made

NOBODY = People()


def rows(results: list[GameResult], people: People = NOBODY) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(csv_of(results, people).decode("utf-8-sig"), newline="")))


def test_a_row_has_every_column() -> None:
    third = rows([made()])[2]
    assert third == {
        "game number": "12",
        "id": "000012-eternity-7f3a9c21",
        "game": "Eternity",
        "begun": str(datetime.fromtimestamp(EVENING)),
        "minutes": "45",
        "edition": "fr",
        "rules": '{"edition":"fr","tokens":"limited"}',
        "ended early": "0",
        "place": "",
        "notes": "",
        "seat": "3",
        "player": "Cyr",
        "started": "1",
        "score": "12",
        "rank": "1",
        "won": "1",
        "r1": "4",
        "r2": "8",
        "did tricks": "5",
    }


def test_the_file_begins_with_a_byte_order_mark_and_its_lines_end_as_rfc_4180_wants() -> None:
    content = csv_of([made()], NOBODY)
    assert content.startswith(b"\xef\xbb\xbfgame number,")
    assert content.count(b"\r\n") == content.count(b"\n") == 5


def test_there_is_a_row_for_each_game_and_seat() -> None:
    other = made(name="000013-gear-0123abcd", number=13, game="gear", rules="{}", rounds=(), counts={}, starter=None)
    found = rows([made(), other])
    assert [(row["game number"], row["seat"]) for row in found] == [(g, s) for g in ("12", "13") for s in "1234"]
    assert [found[-1][name] for name in ("r1", "r2", "did tricks", "started", "edition")] == [""] * 5


def test_people_have_their_current_names() -> None:
    assert [row["player"] for row in rows([made()], People().rename("Bea", "Beatrix", 12))] == [
        "Aki",
        "Beatrix",
        "Cyr",
        "Dai",
    ]


def test_a_game_of_an_unset_clock_has_no_date() -> None:
    unset = made(begun=0, ended=0, seconds=0)
    assert {(row["begun"], row["minutes"]) for row in rows([unset])} == {("", "")}
    assert [json.loads(json_of([unset], NOBODY))["games"][0][key] for key in ("begun", "ended")] == [None, None]


@pytest.mark.parametrize("sign", ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "－"])
def test_a_formula_is_defused_wherever_it_stands(sign: str) -> None:
    formula = f'{sign}HYPERLINK("http://x","y")'
    result = made(players=(formula, "Bea", "Cyr", "Dai"), game=formula, name=formula, rules="{}")
    found = rows([result])[0]
    assert [found[name] for name in ("player", "game", "id")] == [f"'{formula}"] * 3


@pytest.mark.parametrize("blanks", [" ", "\u3000 ", "\xa0", " \t"])
def test_blanks_in_front_do_not_keep_a_formula(blanks: str) -> None:
    name = f"{blanks}=HYPERLINK(1)"
    (row, *_others) = list(csv.DictReader(StringIO(csv_of([made(players=(name, "Bo"))], People()).decode("utf-8-sig"))))
    assert row["player"] == f"'{name}"


def test_negative_points_stay_numbers() -> None:
    second = rows([made()])[1]
    assert (second["score"], second["r1"]) == ("-3", "-3")


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"])), min_size=4, max_size=4))
def test_every_name_comes_back(names: list[str]) -> None:
    found = [row["player"] for row in rows([made(players=tuple(names))])]
    assert [one.removeprefix("'") if one[1:] == name else one for one, name in zip(found, names, strict=True)] == names
    assert not [one for one in found if one.startswith(("=", "+", "-", "@", "\t", "\r"))]


def test_json_has_the_documented_keys() -> None:
    whole = json.loads(json_of([made(), made(number=13)], People().rename("Aki", "Akiko", 12)))
    assert whole["format"] == 1
    assert whole["games"][0] == {
        "id": "000012-eternity-7f3a9c21",
        "number": 12,
        "game": "eternity",
        "title": "Eternity",
        "players": ["Akiko", "Bea", "Cyr", "Dai"],
        "played_as": ["Aki", "Bea", "Cyr", "Dai"],
        "rules": {"edition": "fr", "tokens": "limited"},
        "begun": "2026-11-22T18:30:00Z",
        "ended": "2026-11-22T19:20:00Z",
        "seconds": 2700,
        "tracking": "full",
        "starter": 2,
        "scores": [5, -3, 12, 12],
        "ranks": [3, 4, 1, 2],
        "winners": [2],
        "rounds": [[2, -3, 4, 4], [3, 0, 8, 8]],
        "course": [[0, 0, 0, 0], [2, -3, 4, 4], [5, -3, 12, 12]],
        "deeds": {"tricks": [3, 0, 5, 4]},
        "entries": 80,
    }
    assert whole["games"][1]["players"][0] == "Aki"
    described = {
        key
        for line in (json_of.__doc__ or "").splitlines()
        if line.strip().startswith("| `")
        for key in line.split("|")[1].replace("`", "").replace(" ", "").split(",")
    }
    assert (
        described - {"declarers", "ended_early", "left", "place", "notes"} == whole["games"][0].keys()
    )  # these games have none


LEFT = EarlierPlayer(1, "Eva", 1, 1, {"tricks": 2})
"""Eva sat where Bea was at the end, and finished the first round."""


def test_a_game_that_the_table_ended_early_is_told_apart() -> None:
    assert [row["ended early"] for row in rows([made(ended_early=True)])] == ["1"] * 4
    assert json.loads(json_of([made(ended_early=True)], NOBODY))["games"][0]["ended_early"] is True


def test_who_left_a_seat_has_a_row_with_what_they_made() -> None:
    result = made(earlier=(LEFT,), counts={"tricks": (3, 5, 5, 4)})
    found = rows([result], People().rename("Eva", "Evi", 12))
    assert [(row["seat"], row["player"]) for row in found] == [
        ("1", "Aki"),
        ("2", "Evi"),
        ("2", "Bea"),
        ("3", "Cyr"),
        ("4", "Dai"),
    ]
    columns = ("started", "score", "rank", "won", "r1", "r2", "did tricks")
    assert [[row[name] for name in columns] for row in found[1:3]] == [
        ["", "", "", "", "-3", "", "2"],
        ["0", "-3", "4", "0", "", "0", "3"],
    ]


def test_json_says_who_left_a_seat_and_what_they_made() -> None:
    found = json.loads(json_of([made(earlier=(LEFT,))], People().rename("Eva", "Evi", 12)))["games"][0]
    assert found["left"] == [{"seat": 1, "player": "Evi", "played_as": "Eva", "rounds": [1], "deeds": {"tricks": 2}}]
    assert found["players"] == ["Aki", "Bea", "Cyr", "Dai"]


# A spreadsheet

_TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"


def cells(sheet: Path) -> list[list[tuple[str | None, Any]]]:
    """Return type and value of each cell of an OpenDocument table; a formula fails the test."""
    with zipfile.ZipFile(sheet) as archive:
        table = ElementTree.fromstring(archive.read("content.xml")).iter(f"{_TABLE}table-row")
    read = []
    for row in table:
        line: list[tuple[str | None, Any]] = []
        for cell in row.iter(f"{_TABLE}table-cell"):
            assert f"{_TABLE}formula" not in cell.attrib
            kind, value = cell.get(f"{_OFFICE}value-type"), "".join(cell.itertext())
            value = cell.get(f"{_OFFICE}value") or cell.get(f"{_OFFICE}date-value") or value
            line += [(kind, value)] * int(cell.get(f"{_TABLE}number-columns-repeated", "1"))
        read.append(line)
    return read


@pytest.mark.needs("soffice")
def test_libreoffice_reads_names_dates_and_negative_points(tmp_path: Path) -> None:
    result = made(players=("=1+1", "Zoë, the «2nd»", "李", "@Dai"), rules="{}")
    (tmp_path / "results.csv").write_bytes(csv_of([result], NOBODY))
    home = f"-env:UserInstallation=file://{tmp_path}/home"
    utf_8 = (
        "--infilter=CSV:44,34,76,1"  # its window for CSV finds this from the byte order mark; without it, it is said
    )
    command = ["soffice", home, "--headless", utf_8, "--convert-to", "ods", "--outdir", str(tmp_path), "results.csv"]
    subprocess.run(command, check=True, capture_output=True, timeout=LAST_RESORT, cwd=tmp_path)
    head, *seats = cells(tmp_path / "results.ods")
    place = {name: column for column, (_, name) in enumerate(head)}
    assert [row[place["player"]][1] for row in seats[:4]] == ["'=1+1", "Zoë, the «2nd»", "李", "'@Dai"]
    assert [row[place["score"]] for row in seats[:4]] == [("float", str(score)) for score in result.scores]
    assert {row[place["begun"]] for row in seats[:4]} == {("date", datetime.fromtimestamp(EVENING).isoformat())}
