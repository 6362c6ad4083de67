"""The contents of the wheel and the source archive."""

from __future__ import annotations

from zipfile import ZipFile

import pytest

from tools.release import PRODUCT, ROOT, build, expected


@pytest.fixture(scope="module")
def names(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """Return the names of the files in a wheel built from this tree."""
    with ZipFile(build("wheel", tmp_path_factory.mktemp("dist"))) as opened:
        return set(opened.namelist())


def test_the_wheel_contains_the_product_alone(names: set[str]) -> None:
    folders = {name.partition("/")[0] for name in names}
    assert {folder for folder in folders if not folder.endswith(".dist-info")} == set(PRODUCT)


def test_the_wheel_contains_every_file_of_the_product(names: set[str]) -> None:
    files = [file for package in PRODUCT for file in (ROOT / package).rglob("*") if file.is_file()]
    sources = {str(file.relative_to(ROOT)) for file in files if "__pycache__" not in file.parts}
    assert expected(sources) == {name for name in names if ".dist-info/" not in name}


def test_type_checkers_use_the_types_of_an_installed_companion(names: set[str]) -> None:
    assert {"companion/py.typed", "hardware/py.typed"} <= names
