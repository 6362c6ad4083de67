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
