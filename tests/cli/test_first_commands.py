"""The first commands: `make run` in a fresh clone, with each fault, and a second time."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from companion.cli.simulate import running_page
from tools import ROOT

COPIED = ("Makefile", "tools/environment", "tests/packages.txt")
"""What the first command needs of a clone, beside the settings of the project."""


def outer_environment() -> dict[str, str]:
    """The environment without what a `make test` around the tests hands to a `make` inside them."""
    return {
        name: value
        for name, value in os.environ.items()
        if name not in ("MAKEFLAGS", "MAKEOVERRIDES", "MFLAGS", "VENV")
    }


def made(clone: Path, *words: str, python: str = "exit 0", pip: str = "exit 0", venv: bool = True) -> tuple[int, str]:
    """Run ``make run`` in a folder with a Python and a virtual environment of scripts; return status and output."""
    for name in COPIED:
        (clone / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, clone / name)
    (clone / "pyproject.toml").touch()
    scripts = {"python3": python} | ({".venv/bin/python": pip, ".venv/bin/companion": 'echo "$@"'} if venv else {})
    for name, script in scripts.items():
        file = clone / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"#!/bin/sh\n{script}\n")
        file.chmod(0o755)
    command = ["make", "-C", str(clone), "run", f"PYTHON={clone}/python3", *words]
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, env=outer_environment()
    )
    return done.returncode, done.stdout


def test_it_says_what_it_installs_and_how_long_and_starts_with_the_folder(tmp_path: Path) -> None:
    status, said = made(tmp_path, "DATA=other games")
    assert status == 0
    assert "Installing the simulator and what it needs into .venv, from PyPI" in said
    assert "a minute the first time" in said
    assert "simulate --host 127.0.0.1 --port 8080 --open --data other games" in said
    command = ["make", "-C", str(tmp_path), "run", f"PYTHON={tmp_path}/python3"]
    again = subprocess.run(command, capture_output=True, text=True, check=True, env=outer_environment())
    assert "Installing" not in again.stdout


@pytest.mark.parametrize(
    ("faults", "sentence"),
    [
        ({"python": '[ "$2" = "${2#*version}" ]', "venv": False}, "needs Python 3.11 or newer: sudo apt install"),
        ({"python": '[ "$2" = "${2#*ensurepip}" ]', "venv": False}, "venv is missing: sudo apt install python3-venv"),
        ({"pip": "echo 'Temporary failure in name resolution' >&2; exit 1"}, "PyPI cannot be reached: connect this"),
        ({"pip": "echo 'error: no space left' >&2; exit 1"}, "build/pip.log says why"),
    ],
)
def test_each_fault_is_one_sentence_with_the_next_thing_to_do(
    faults: dict[str, str | bool], sentence: str, tmp_path: Path
) -> None:
    status, said = made(tmp_path, **faults)  # type: ignore[arg-type]
    assert status == 2
    assert sentence in said
    assert "Traceback" not in said
    assert "name resolution" not in said


def test_what_cannot_start_is_told_with_make_s_own_options(tmp_path: Path) -> None:
    made(tmp_path)
    (tmp_path / ".venv/bin/companion").write_text("#!/bin/sh\necho 'companion: port 8080 is taken' >&2\nexit 1\n")
    command = ["make", "-C", str(tmp_path), "run"]
    said = subprocess.run(command, capture_output=True, text=True, check=False, env=outer_environment()).stderr
    assert "port 8080 is taken" in said
    assert "Another port or folder: make run PORT=8090 DATA=FOLDER" in said


def test_a_second_start_tells_the_page_of_the_first(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "companion", "simulate", "--open", "--data", str(tmp_path)]
    env = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    with subprocess.Popen([*command, "--port", "0"], stdout=subprocess.PIPE, text=True, env=env) as first:
        try:
            assert first.stdout is not None
            url = next(word for word in first.stdout.readline().split() if word.startswith("http"))
            port = url.rstrip("/").rpartition(":")[2]
            assert running_page("0.0.0.0", int(port)) == url
            second = subprocess.run([*command, "--port", port], capture_output=True, text=True, check=False, env=env)
            assert (second.returncode, second.stdout) == (0, f"Tabletop Companion runs already: {url}\n")
        finally:
            first.terminate()
    third = subprocess.run([*command, "--port", "99999"], capture_output=True, text=True, check=False, env=env)
    assert third.returncode != 0
    assert running_page("127.0.0.1", int(port)) is None
