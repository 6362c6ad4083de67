"""The contents of the wheel."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def names(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """Return the names of the files in a wheel built from this tree."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = folder.iterdir()
    with ZipFile(wheel) as opened:
        return set(opened.namelist())


def test_the_wheel_contains_the_product_alone(names: set[str]) -> None:
    folders = {name.partition("/")[0] for name in names}
    assert {folder for folder in folders if not folder.endswith(".dist-info")} == {"companion", "hardware"}


def test_the_wheel_contains_every_module_of_the_product(names: set[str]) -> None:
    modules = {
        str(file.relative_to(ROOT)) for package in ("companion", "hardware") for file in (ROOT / package).rglob("*.py")
    }
    assert modules == {name for name in names if name.endswith(".py")}


def test_type_checkers_use_the_types_of_an_installed_companion(names: set[str]) -> None:
    assert {"companion/py.typed", "hardware/py.typed"} <= names
