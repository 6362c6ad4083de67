"""`companion suggest`: likely corrections of a log as lines, the best first."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.cli import main
from companion.gamelog import decode_line, encode
from tests.app.test_suggestions import case_of
from tests.harness.slips.case import Case, Slip


def log_of(found: Case, folder: Path) -> tuple[str, str]:
    """Write a case as a log and a file of keys; return their names."""
    log, keys = folder / "log.jsonl", folder / "keys.txt"
    log.write_bytes(b"\n".join((found.header.written.encode(), *map(encode, found.entries), b"")))
    rows = {**found.typed, len(found.entries) + 1: found.refused_keys}
    keys.write_text("".join(f"{number + 1}\t{typed}\n" for number, typed in rows.items() if typed))
    return str(log), str(keys)


@pytest.mark.parametrize(("alarm", "slip"), [("alert", "suit"), ("refused", "doubled")])
def test_the_command_prints_whole_splices_the_best_first_with_their_weights(
    alarm: str, slip: Slip, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    found = case_of("eternity", alarm, slip)
    log, keys = log_of(found, tmp_path)
    refused = ["--refused", encode(found.refused).decode()] if found.refused else []
    assert main(["suggest", log, "--keys", keys, *refused]) == 0
    printed = [json.loads(line) for line in capfd.readouterr().out.splitlines()]
    weights = [each.pop("weight") for each in printed]
    assert weights == sorted(weights, reverse=True)
    assert 0 < sum(weights) <= 1
    assert {each["type"] for each in printed} == {"splice"}
    line = decode_line(json.dumps(printed[0]), found.header)
    assert tuple(step.event for step in found.session.add(line).steps())[::-1] == found.truth


@pytest.mark.parametrize(
    ("arguments", "status", "error"),
    [
        ([], 0, ""),
        (["--refused", '{"type":"undo"}'], 1, "an event is wanted"),
        (["--refused", "{"], 1, "--refused: this is not JSON"),
        (["--refused", '{"type":"start","player":0}'], 0, ""),
        (["--keys", "missing"], 1, "missing: no such file"),
        (["--keys", "LOG"], 1, "a line number, a tab and keys are wanted"),
    ],
)
def test_the_command_says_what_is_wrong_and_prints_nothing_where_nothing_fits(
    arguments: list[str], status: int, error: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text('{"format":1,"game":"eternity","players":["Aki","Bea","Cyr"]}\n')
    assert main(["suggest", str(log), *(str(log) if each == "LOG" else each for each in arguments)]) == status
    out, err = capfd.readouterr()
    assert out == ""
    assert error in err


def test_the_command_names_the_line_of_a_log_that_is_wrong(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text('{"format":1,"game":"eternity","players":["Aki","Bea","Cyr"]}\n{"type":"undo"}\n')
    assert main(["suggest", str(log)]) == 1
    assert capfd.readouterr().err == f"{log}:2: there is nothing to take back\n"
