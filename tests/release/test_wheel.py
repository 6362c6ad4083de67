"""The contents of the wheel."""

from __future__ import annotations

import re
from collections.abc import Iterator
from zipfile import ZipFile

import pytest

from tools import ROOT
from tools.wheels import build

PRODUCT = ("companion", "hardware")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ZipFile]:
    """Yield a wheel built from this tree."""
    with ZipFile(build(tmp_path_factory.mktemp("dist"))) as opened:
        yield opened


@pytest.fixture(scope="module")
def names(wheel: ZipFile) -> set[str]:
    """Return the names of its files, without its metadata."""
    return {name for name in wheel.namelist() if ".dist-info/" not in name}


def test_the_wheel_contains_every_file_of_the_product_and_no_others(names: set[str]) -> None:
    files = [file for package in PRODUCT for file in (ROOT / package).rglob("*") if file.is_file()]
    sources = {file.relative_to(ROOT) for file in files if "__pycache__" not in file.parts and file.suffix != ".mo"}
    packed = {file.with_suffix(".mo") if file.suffix == ".po" else file for file in sources if file.suffix != ".pot"}
    assert {str(file) for file in packed} == names


def test_type_checkers_use_the_types_of_an_installed_companion(names: set[str]) -> None:
    assert {"companion/py.typed", "hardware/py.typed"} <= names


def test_pictures_and_links_of_the_page_on_pypi_lead_to_the_repository(wheel: ZipFile) -> None:
    (metadata,) = (name for name in wheel.namelist() if name.endswith(".dist-info/METADATA"))
    page = wheel.read(metadata).decode()
    pictures, links = re.findall(r"!\[[^]]*\]\((.*?)\)", page), re.findall(r"(?<!!)\[[^]]*\]\((.*?)\)", page)
    assert pictures
    assert links
    assert not [each for each in pictures if not re.fullmatch(r"https://\S+/raw/main/docs/pictures/\S+\.png", each)]
    assert not [each for each in links if not re.fullmatch(r"https://\S+/blob/main/\S+", each)]
