"""Games whose players were swapped late look everywhere like games that were entered rightly from the start."""

from __future__ import annotations

import json
from contextlib import closing
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from msgspec import to_builtins

from companion.app.box import Box
from companion.cli import main
from companion.cli.imports import read_log
from companion.cli.log_to_keys import LogToKeys
from companion.core.game import Players
from companion.core.prompt import DetailLevel
from companion.gamelog import decode_header, decode_line, read, snapshot
from companion.games import GAMES
from companion.history.history import History
from companion.journal import Journal
from companion.ui.screens.table import PlayScreen
from companion.ui.translations import languages
from companion.web import live_markup, wall
from tests.app.boxes import key_of, new_box, page_in, press
from tests.games.seeds import Dealt, deal
from tests.harness.slips.honest import HABITS

AFTER = (1, 20, 60)
RIGHT = ("Aki", "Bea", "Cyr", "Dai", "Eve")
EVENING = datetime(2026, 11, 20, 20, 0).timestamp()
LOOKS = ("h# 1", "h# 1 #", "h# 2", "h*", "h* A #", "h# 3", "h# 3 B B")
"""Keys that lead from the table to the screens of a game."""


def swapped(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return names with the first and the last swapped."""
    return (names[-1], *names[1:-1], names[0])


@cache
def long_game(game: str, lines: int) -> Dealt:
    """Return a random finished game of more than so many lines, every card entered; none of Hipparchus has over 60."""
    lines = min(lines, 45) if game == "hipparchus" else lines
    found = (deal(game, seed, **{**HABITS, "most_rounds": 6}) for seed in range(100))
    return next(dealt for dealt in found if len(dealt.lines) > lines and dealt.session().progress.over)


def everything(box: Box) -> Any:
    """Return all that panel, pages and wall show."""
    shown = list[object]()
    for content in (page_in(box, language) for language in languages()):
        shown.append((to_builtins(content.question), live_markup.parts(content), live_markup.rules(content)))
        shown.append(wall.parts(content))
    return (*box.frame.words, box.frame.labels, box.picture.tobytes(), shown)


@pytest.mark.unmeasured
@pytest.mark.parametrize("after", AFTER)
@pytest.mark.parametrize("game", GAMES)
def test_a_running_game_shows_what_one_entered_rightly_shows(game: str, after: int) -> None:
    dealt = long_game(game, after + 1)
    after = min(after, len(dealt.lines) - 2)
    names = RIGHT[: len(dealt.header["players"])]
    boxes = []
    for seated in (names, swapped(names)):
        box = new_box(Journal())
        box.begin(decode_header(json.dumps({**dealt.header, "players": seated})), DetailLevel.FULL)
        assert box.game is not None
        keys = LogToKeys(box.game.session)
        for count, line in enumerate(dealt.lines[: after + 1]):
            if count == after and seated != names:
                press(box, keys.spell(Players(names)))
            press(box, keys.spell(decode_line(json.dumps(line), box.game.session.header)))
        boxes.append(box)
    assert boxes[1].lines == boxes[0].lines + 1
    for look in ("", *LOOKS):
        right, mended = (everything(press(at_table(box), look)) for box in boxes)
        assert right == mended, look
    for label in ("Leave the game", "All games"):
        right, mended = (press(box, key_of(box, label)).frame.words for box in map(with_menu, boxes))
        assert right == mended, label


def at_table(box: Box) -> Box:
    """Step back to the table."""
    for _ in range(5):
        if isinstance(box.state.panel.screen, PlayScreen) and box.state.panel.screen.correction is None:
            return box
        press(box, "*")
    raise AssertionError(box.state.panel.screen)


def with_menu(box: Box) -> Box:
    """Open the menu, if a game is open; where corrections are offered they come first."""
    if box.game is not None:
        press(at_table(box), "h#")
        press(box, "" if "Leave the game" in box.frame.labels.values() else "h#")
    return box


def folder_of(place: Path, *, mended: bool) -> None:
    """Fill a journal with finished games, three of each kind; their players are right, or were swapped."""
    with closing(Journal(place)) as journal:
        journal.keep_setting("language", "en")
        for number, (game, after) in enumerate(((game, after) for game in GAMES for after in AFTER), 1):
            dealt = long_game(game, after + 1)
            late = min(after, len(dealt.lines))
            names = RIGHT[: len(dealt.header["players"])]
            header = json.dumps({**dealt.header, "players": swapped(names) if mended else names})
            lines = [*map(json.dumps, dealt.lines)]
            if mended:
                lines.insert(late, json.dumps({"type": "players", "names": names}, separators=(",", ":")))
            log = read_log("log", "".join(f"{line}\n" for line in (header, *lines)).encode())
            begun = EVENING + number * 86_400
            moments = range(len(dealt.lines) + 1)
            times = [moment for moment in moments for _ in range(1 + (mended and moment == late))]
            dated = [
                (text, {**note, "at": begun + 20 * moment})
                for (text, note), moment in zip(log.lines, times, strict=True)
            ]
            journal.add_game(f"{number:06}-{game}-{number:08x}", dated)
        journal.update_index()
        [*History(journal, place, writes=True).each()]


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    right, mended = (tmp_path_factory.mktemp(name) for name in ("right", "mended"))
    folder_of(right, mended=False)
    folder_of(mended, mended=True)
    return right, mended


COMMANDS = (
    "export --csv",
    "export --json",
    "export --bgstats",
    "history",
    "history --json",
    "history --person Aki",
    "stats",
    "stats --json",
    *(f"stats {name}" for name in RIGHT),
    "stats Aki --json",
)


@pytest.mark.parametrize("command", COMMANDS)
def test_statistics_and_exports_tell_the_same(
    command: str, folders: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    told = []
    for folder in folders:
        assert main([*command.split(), "--data", str(folder)]) == 0
        told.append(capsys.readouterr().out)
    assert len(told[0]) > 20
    assert told[0] == told[1]


@pytest.mark.parametrize("number", range(1, 13))
def test_the_snapshot_differs_only_by_the_names(number: int, folders: tuple[Path, Path]) -> None:
    states = []
    for folder in folders:
        with closing(Journal(folder, writes=False)) as journal:
            name = next(name for name in journal.names() if int(name[:6]) == number)
            states.append(json.loads(snapshot(read(journal.log(name).encode()))))
    names = states[1].pop("players")
    assert states[0] == states[1]
    assert tuple(names) == RIGHT[: len(names)]
