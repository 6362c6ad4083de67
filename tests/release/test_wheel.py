"""The contents of the wheel."""

from __future__ import annotations

from zipfile import ZipFile

import pytest

from tools import ROOT
from tools.wheels import build

PRODUCT = ("companion", "hardware")


@pytest.fixture(scope="module")
def names(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """Return the names of the files in a wheel built from this tree, without its metadata."""
    with ZipFile(build(tmp_path_factory.mktemp("dist"))) as opened:
        return {name for name in opened.namelist() if ".dist-info/" not in name}


def test_the_wheel_contains_every_file_of_the_product_and_no_others(names: set[str]) -> None:
    files = [file for package in PRODUCT for file in (ROOT / package).rglob("*") if file.is_file()]
    sources = {file.relative_to(ROOT) for file in files if "__pycache__" not in file.parts and file.suffix != ".mo"}
    packed = {file.with_suffix(".mo") if file.suffix == ".po" else file for file in sources if file.suffix != ".pot"}
    assert {str(file) for file in packed} == names


def test_type_checkers_use_the_types_of_an_installed_companion(names: set[str]) -> None:
    assert {"companion/py.typed", "hardware/py.typed"} <= names
