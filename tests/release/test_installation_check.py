"""``companion doctor --quick`` on the unpacked wheel: it passes whole, and notices what is broken."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from zipfile import ZipFile

import pytest
from PIL import Image

from companion.cli.installation_check import LATER, main
from companion.cli.recorded_samples import SCREENS, screens, sheet
from companion.games import GAMES
from tools import ROOT
from tools.wheels import build
from tools.write_self_check_samples import games

OPTIONAL = {"lgpio", "psycopg", "spidev", "gpiozero.pins.lgpio"}
"""Modules that only some boards need: the plain doctor looks for them; and that only a club's hub does."""

pytestmark = pytest.mark.unmeasured


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the unpacked wheel, with its byte code."""
    made, site = tmp_path_factory.mktemp("made"), tmp_path_factory.mktemp("site")
    with ZipFile(build(made, club=False)) as opened:
        opened.extractall(site)
    here = {"PATH": os.defpath}  # the byte code stands beside its sources, wherever that of the tests is kept
    subprocess.run([sys.executable, "-m", "compileall", "-q", str(site)], env=here, check=True)
    return site


@pytest.fixture
def site(wheel: Path) -> Iterator[Path]:
    """Return a copy of it, in a folder that every user may read."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        copy = Path(folder) / "site"
        shutil.copytree(wheel, copy)
        copy.chmod(0o755)
        yield copy


def asked(site: Path, *become: str) -> tuple[int, str]:
    """Return exit status and output of the check."""
    done = subprocess.run(
        [*become, sys.executable, "-m", "companion", "doctor", "--quick"],
        cwd=site,
        env={"PYTHONPATH": str(site), "PATH": os.defpath, "LANG": "C.UTF-8"},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def test_a_box_says_in_a_sentence_that_it_comes_without_the_club(site: Path) -> None:
    for words in (["serve", "--config", "no-file"], ["evening", "friday.jsonl", "new"]):
        done = subprocess.run(
            [sys.executable, "-m", "companion", "club", *words], cwd=site, capture_output=True, text=True, check=False
        )
        sentence = "a box comes without the club; docs/club.md says how another computer runs it"
        assert (done.returncode, done.stderr) == (1, f"companion: {sentence}\n")


def everything(folder: Path) -> dict[str, tuple[int, int]]:
    return {str(file): (file.stat().st_mtime_ns, file.stat().st_size) for file in folder.rglob("*")}


def test_an_installation_that_is_whole_passes_and_is_not_written_to(site: Path) -> None:
    before = everything(site)
    status, said = asked(site)
    assert (status, said.count("✓")) == (0, 7), said
    assert "Files: all are there, as they were packed." in said
    assert everything(site) == before


def replaced(name: str, old: str, new: str) -> Callable[[Path], None]:
    def change(site: Path) -> None:
        text = (site / name).read_text("utf-8")
        assert old in text
        (site / name).write_text(text.replace(old, new, 1), "utf-8")

    return change


def without(name: str) -> Callable[[Path], None]:
    return lambda site: (site / name).unlink()


def added(name: str, text: str) -> Callable[[Path], None]:
    def change(site: Path) -> None:
        with (site / name).open("a", encoding="utf-8") as file:
            file.write(text)

    return change


BROKEN = {
    "data": (
        (without("hardware/boards/keypad-4x4.toml"), "hardware/boards/keypad-4x4.toml: no such file"),
        (without("companion/ui/translations/ja/LC_MESSAGES/companion.mo"), "companion.mo: no such file"),
        (without("companion/web/templates/table.html"), "templates/table.html: no such file"),
    ),
    "files": (
        (without("companion/ui/fonts/companion-10.pcf"), "companion/ui/fonts/companion-10.pcf: no such file"),
        (without("companion/app/machine/phones.py"), "companion/app/machine/phones.py: no such file"),
        (added("companion/web/page/table.js", "//"), "companion/web/page/table.js is not as it was packed"),
    ),
    "modules": (
        (added("companion/web/wall.py", "\nthis is no Python\n"), "companion/web/wall.py, line"),
        (
            added("hardware/lamp.py", "\nimport no_such_module\n"),
            "ModuleNotFoundError: No module named 'no_such_module'",
        ),
        (added("hardware/gpio_chips.py", "\nraise SystemExit(0)\n"), "hardware/gpio_chips.py, line"),
    ),
    "what they do": (
        (
            replaced("companion/games/hipparchus/rules.py", "return", "return None or"),
            "companion/games/hipparchus/rules.py is not as it was packed",
        ),
        (
            replaced("companion/ui/tables.py", "ROW = ", "ROW = 1 + "),
            "drawn otherwise than they should be: home (en)",
        ),
        (added("hardware/boards/rotary.toml", "\nwrong = 1\n"), "✗ Keys: "),
        (replaced("companion/web/templates/table.html", "{%", "{% nothing %}{%"), "✗ Page: "),
    ),
}
"""What is broken at the same time, and how each of it is named; no more than three files are named."""


@pytest.mark.parametrize("broken", BROKEN.values(), ids=BROKEN)
def test_what_is_broken_is_named(broken: tuple[tuple[Callable[[Path], None], str], ...], site: Path) -> None:
    for change, _said in broken:
        change(site)
    status, output = asked(site)
    assert status == 1
    assert [said for _change, said in broken if said not in output] == [], output


RULES = {
    "eternity": ("companion/games/eternity/rules.py", "won < pledged", "won <= pledged"),
    "gear": ("companion/games/gear/rules.py", "tricks // 3", "tricks // 4"),
    "hipparchus": ("companion/games/hipparchus/rules.py", "lead.count > reply.count", "lead.count < reply.count"),
    "east-rune": (
        "companion/games/east_rune/rules.py",
        "highest(state.totals)",
        "highest([-each for each in state.totals])",
    ),
}
"""A rule of each game, and a wrong one."""


@pytest.mark.needs("another-user")
def test_another_user_may_run_it_but_wrong_modes_are_noticed(site: Path) -> None:
    somebody = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups")
    assert asked(site, *somebody)[0] == 0
    for name in ("companion/ui/fonts/cards-10.pcf", "companion/history/chart.py", "hardware/boards", "companion/cli"):
        mode = (site / name).stat().st_mode
        (site / name).chmod(0)
        status, said = asked(site, *somebody)
        (site / name).chmod(mode)
        assert status == 1
        assert "permission denied" in said.lower() or "cannot import" in said, name


def test_without_a_list_of_files_games_and_screens_are_still_compared(site: Path) -> None:
    for record in site.glob("*.dist-info/RECORD"):
        record.unlink()
    assert asked(site)[0] == 0
    (site / "companion/ui/fonts/cards-10.pcf").unlink()
    status, said = asked(site)
    assert (status, "cards" in said) == (1, True)


def test_a_changed_rule_is_noticed_by_its_game(site: Path) -> None:
    for record in site.glob("*.dist-info/RECORD"):
        record.unlink()
    for game, (name, old, new) in RULES.items():
        text = (site / name).read_text("utf-8")
        assert old in text
        (site / name).write_text(text.replace(old, new), "utf-8")
        status, said = asked(site)
        (site / name).write_text(text, "utf-8")
        assert (status, f"sample game of {game}" in said) == (1, True), said


def test_the_samples_are_up_to_date() -> None:
    """Write them anew with ``python -m tools.write_self_check_samples``."""
    assert {file: file.read_bytes() for file in games()} == games()
    assert {file.parent.name.replace("_", "-") for file in games()} == set(GAMES)
    with Image.open(SCREENS) as opened:
        assert opened.convert("1").tobytes() == sheet(screens()).tobytes()


def test_every_module_of_others_that_is_imported_later_is_tried() -> None:
    later = set()
    for package in ("companion", "hardware"):
        for file in (ROOT / package).rglob("*.py"):
            tree = ast.parse(file.read_text("utf-8"))
            for node in [*ast.walk(tree)]:
                if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
                    node.body = []  # is never imported
            for node in ast.walk(tree):
                if isinstance(node, ast.Import) and node not in tree.body:
                    later |= {name.name for name in node.names}
                elif isinstance(node, ast.ImportFrom) and node not in tree.body and not node.level:
                    later.add(node.module or "")
    own = sys.stdlib_module_names | {"companion", "hardware"}
    others = {name for name in later if name.partition(".")[0] not in own} - OPTIONAL
    imported = {name for name in others if any((each + ".").startswith(name + ".") for each in LATER)}
    packages = {name.partition(".")[0] for name in LATER}
    assert {name for name in others - imported if name.partition(".")[0] not in packages} <= {
        "PIL",
        "anyascii",
        "msgspec",
    }


def test_it_passes_here(capsys: pytest.CaptureFixture[str]) -> None:
    assert main() == 0
    assert capsys.readouterr().out.count("✓") == 7
