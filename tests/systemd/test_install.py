"""Installing and uninstalling, into a folder that stands for a machine, with a stand-in for Python and pip."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.waiting import LAST_RESORT

FOLDER = Path(__file__).parents[2] / "systemd"

# Makes a virtual environment as far as the scripts look at one; FAKE_PIP=fail makes pip fail.
PYTHON = """#!/bin/sh
case "$*" in
    "-m venv --system-site-packages --prompt companion "*)
        mkdir -p "$6/bin" "$6/lib" && cp "$0" "$6/bin/python" && echo "command = $6" > "$6/pyvenv.cfg"
        printf '#!%s/bin/python\\n' "$6" > "$6/bin/companion" ;;
    "-m pip install "*) [ "${FAKE_PIP:-}" != fail ] ;;
    "-c import sys"*) [ "${FAKE_PYTHON:-}" != old ] ;;
    "-c import ensurepip"*) [ "${FAKE_VENV:-}" != missing ] ;;
    "-m compileall "*) ;;
    *) echo "unexpected: $*" >&2; exit 9 ;;
esac
"""

SYSTEMCTL = """#!/bin/sh
[ "$2 $3 $4" = "enable --quiet companion.service" ] && echo "$1" >> "$(dirname "$0")/enabled"
"""

KEPT = {"etc/companion.toml", "var/lib/companion/games/000001-gear-7f3a9c21.jsonl"}


class Machine:
    """A folder that stands for a machine, and what is run to change it."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "root"
        self.programs = folder / "programs"
        self.programs.mkdir()
        for name, text in (("python3", PYTHON), ("systemctl", SYSTEMCTL)):
            (self.programs / name).write_text(text, encoding="utf-8")
            (self.programs / name).chmod(0o755)

    def run(self, script: str, **variables: str) -> subprocess.CompletedProcess[str]:
        path = f"{self.programs}:{os.environ['PATH']}"
        return subprocess.run(
            ("sh", str(FOLDER / script)),
            env={"PATH": path, "DESTDIR": str(self.root), **variables},
            capture_output=True,
            text=True,
            timeout=LAST_RESORT,
            check=False,
        )

    def files(self) -> dict[str, str]:
        """Return what every file says, by its path."""
        return {
            str(path.relative_to(self.root)): path.read_text(encoding="utf-8")
            for path in sorted(self.root.rglob("*"))
            if path.is_file() and not path.is_symlink()
        }


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """Give a folder that every user may look into, unlike pytest's own."""
    with tempfile.TemporaryDirectory() as made:
        Path(made).chmod(0o755)
        yield Path(made)


def test_everything_is_put_where_it_belongs(machine: Machine) -> None:
    done = machine.run("install.sh")
    assert done.returncode == 0, done.stderr
    files = machine.files()
    for name, path in {
        "companion.service": "etc/systemd/system/companion.service",
        "companion-wifi.service": "etc/systemd/system/companion-wifi.service",
        "own-wifi.sh": "usr/local/lib/companion/own-wifi",
        "companion.sysusers.conf": "etc/sysusers.d/companion.conf",
        "companion.rules": "etc/polkit-1/rules.d/50-companion.rules",
        "companion.udev.rules": "etc/udev/rules.d/90-companion.rules",
        "companion.toml": "etc/companion.toml",
    }.items():
        assert files[path] == (FOLDER / name).read_text(encoding="utf-8")
    assert os.readlink(machine.root / "usr/local/bin/companion") == "/opt/companion/bin/companion"
    assert (machine.programs / "enabled").read_text() == f"--root={machine.root}\n"


def test_the_unit_starts_what_is_installed(machine: Machine) -> None:
    machine.run("install.sh")
    unit = (FOLDER / "companion.service").read_text(encoding="utf-8")
    (program,) = re.findall(r"^ExecStart=(\S+) run$", unit, re.MULTILINE)
    assert (machine.root / program.lstrip("/")).exists()


def test_nothing_in_the_program_names_the_place_it_was_made_in(machine: Machine) -> None:
    machine.run("install.sh")
    files = machine.files()
    assert files["opt/companion/bin/companion"] == "#!/opt/companion/bin/python\n"
    assert not [path for path, text in files.items() if "companion.new" in text or str(machine.root) in text]


def test_installing_again_changes_nothing_and_leaves_nothing_behind(machine: Machine) -> None:
    machine.run("install.sh")
    before = machine.files()
    (machine.root / "opt/companion/stale").write_text("of an older version")
    assert machine.run("install.sh").returncode == 0
    assert machine.files() == before


def test_every_user_may_read_what_was_installed_whatever_roots_habits_are(machine: Machine) -> None:
    before = os.umask(0o077)
    try:
        machine.run("install.sh")
    finally:
        os.umask(before)
    hidden = [path for path in machine.root.rglob("*") if not path.is_symlink() and not path.stat().st_mode & 0o004]
    assert hidden == []


@pytest.mark.parametrize(
    ("page", "port"),
    [
        ('on = true\nhost = "0.0.0.0"', "8080"),
        ('host = "::"\nport = 8090\non = true', "8090"),
        ('on = false\nhost = "0.0.0.0"', None),
        ("on = true", None),
        ('on = true\nhost = "127.0.0.1"', None),
    ],
)
def test_the_page_is_announced_where_others_may_reach_it(machine: Machine, page: str, port: str | None) -> None:
    (machine.root / "etc").mkdir(parents=True)
    (machine.root / "etc/companion.toml").write_text(f"[page]\n{page}\n[hdmi]\non = true\n")
    machine.run("install.sh")
    announced = machine.files().get("etc/avahi/services/companion.service")
    assert (announced and re.findall("<port>(.*)</port>", announced)) == (port and [port])


def test_a_page_that_was_switched_off_is_announced_no_more(machine: Machine) -> None:
    (machine.root / "etc").mkdir(parents=True)
    (machine.root / "etc/companion.toml").write_text('[page]\non = true\nhost = "0.0.0.0"\n')
    machine.run("install.sh")
    (machine.root / "etc/companion.toml").write_text("[page]\non = false\n")
    machine.run("install.sh")
    assert "etc/avahi/services/companion.service" not in machine.files()


def test_settings_that_are_there_stay(machine: Machine) -> None:
    (machine.root / "etc").mkdir(parents=True)
    (machine.root / "etc/companion.toml").write_text('board = "rotary"\n')
    done = machine.run("install.sh")
    assert "stay as they are" in done.stdout
    assert machine.files()["etc/companion.toml"] == 'board = "rotary"\n'


def test_an_installation_that_fails_leaves_the_one_before(machine: Machine) -> None:
    machine.run("install.sh")
    before = machine.files()
    done = machine.run("install.sh", FAKE_PIP="fail")
    assert done.returncode == 1
    assert "could not be installed" in done.stderr
    assert machine.files() == before


@pytest.mark.parametrize(
    ("variables", "sentence"),
    [
        ({"FAKE_PYTHON": "old"}, "Python 3.11 or newer is needed: sudo apt install python3 python3-venv"),
        ({"FAKE_VENV": "missing"}, "Python's venv is missing: sudo apt install python3-venv"),
        ({"PYTHON": "no-such-python"}, "Python 3.11 or newer is needed"),
    ],
)
def test_what_is_missing_is_said_before_anything_is_done(
    machine: Machine, variables: dict[str, str], sentence: str
) -> None:
    done = machine.run("install.sh", **variables)
    assert done.returncode == 1
    assert sentence in done.stderr
    assert not machine.root.exists()


@pytest.mark.parametrize("target", ["install", "uninstall"])
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_without_roots_rights_there_is_one_sentence(open_folder: Path, target: str) -> None:
    (open_folder / "systemd").mkdir()
    script = shutil.copy(FOLDER / f"{target}.sh", open_folder / "systemd")
    done = subprocess.run(
        ("sh", script), user=65534, env={"PATH": os.environ["PATH"]}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert f"sudo make {target}" in done.stderr


def test_uninstalling_keeps_games_and_settings_alone(machine: Machine) -> None:
    machine.run("install.sh")
    games = machine.root / "var/lib/companion/games"
    games.mkdir(parents=True)
    (games / "000001-gear-7f3a9c21.jsonl").write_text("a game")
    done = machine.run("uninstall.sh")
    assert done.returncode == 0, done.stderr
    assert "Kept: the games in" in done.stdout
    assert set(machine.files()) == KEPT
    assert not list(machine.root.rglob("usr/local/bin/*"))


def test_uninstalling_what_is_not_there_is_no_fault(machine: Machine) -> None:
    assert machine.run("uninstall.sh").returncode == 0
    assert machine.run("uninstall.sh").returncode == 0
