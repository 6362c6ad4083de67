"""`make club` starts a whole club with one command, and leaves nothing behind."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.bridge.mosquitto import Mosquitto, Onlooker
from tests.harness.club import __main__ as club
from tests.harness.club import killed
from tests.harness.club.simulated_tables import SimulatedTable, TablePages
from tests.waiting import LAST_RESORT, until


@contextmanager
def club_of(*words: str) -> Iterator[str]:
    """Run the club; yield the address of its pages. It ends by Ctrl-C, and leaves nothing."""
    command = (sys.executable, "-m", "tests.harness.club", "--pace", "0.1", *words)
    with tempfile.TemporaryDirectory() as kept:
        Path(kept).chmod(0o755)  # PostgreSQL reads in it as another user
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, text=True, env={**os.environ, "TMPDIR": kept}
        ) as process:
            assert process.stdout is not None
            said = next(line for line in process.stdout if "http" in line)
            yield re.findall(r"http\S+", said)[0].removesuffix("/evening")
            process.send_signal(signal.SIGINT)
            assert "nothing is kept" in process.stdout.read()
            assert process.wait(LAST_RESORT) == 0
        assert not [*Path(kept).iterdir()]


def page(address: str) -> str:
    with urllib.request.urlopen(address, timeout=LAST_RESORT) as answer:
        return str(answer.read().decode())


def test_an_evening_runs_whose_phones_tell_results_without_anything_installed() -> None:
    with club_of() as address:
        until(lambda: "Take all results that were told: 6" in page(f"{address}/evening"))
        assert "Aki A." in page(f"{address}/projector")


@pytest.mark.needs("mosquitto", "postgresql")
def test_boxes_play_the_round_that_was_drawn() -> None:
    with club_of("--tables", "2") as address:
        until(lambda: re.search(r"Table 1</a>.*Table 2</a>", page(f"{address}/tables"), re.DOTALL))
        until(lambda: page(f"{address}/tables").count("<time") >= 2)
        until(lambda: "Take all results that were told: 2" in page(f"{address}/evening"))


def test_a_missing_program_gets_a_sentence_with_the_command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(club, "PROGRAM", str(tmp_path / "mosquitto"))
    monkeypatch.setattr("tests.harness.club.database_server.PROGRAMS", tmp_path)
    assert club.missing() == "The club needs mosquitto and postgresql: sudo apt install mosquitto postgresql"


@pytest.mark.needs("mosquitto")
def test_a_table_plays_a_game_of_the_people_whom_the_hub_calls(tmp_path: Path) -> None:
    broker = Mosquitto(tmp_path)
    hub, pages = Onlooker(broker), TablePages()
    table = SimulatedTable(tmp_path / "table", 1, broker.access, 0.01, pages)
    table.start()
    try:
        first = hub.wait_for(lambda messages: next((one for one in messages if one[0].endswith("/lines")), None))
        hub.publish(
            first[0].replace("/lines", "/hub"), {"seats": {"round": 1, "table": 1, "names": ["Ann", "Bob", "Cid"]}}
        )
        hub.wait_for(lambda messages: any('"Ann"' in str(content) for topic, content in messages if "/lines" in topic))
    finally:
        table.stop()
        pages.close()
        hub.close()
        broker.stop()


@pytest.mark.needs("mosquitto", "postgresql")
def test_no_line_is_lost_or_doubled_while_a_program_of_the_hub_is_killed() -> None:
    assert killed.measure(tables=2, seconds=3, pace=0.1) == 0
