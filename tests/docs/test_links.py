"""The documents lead where they say, and the READMEs are short."""

from __future__ import annotations

from pathlib import Path

import pytest

from .pages import DOCS, PAGES, PICTURES, READMES, anchors, links, name, text

EVERY_PAGE = pytest.mark.parametrize("page", PAGES, ids=map(name, PAGES))


def resolved(page: Path, link: str) -> tuple[Path, str]:
    """Return the file that a link leads to, and the anchor in it."""
    path, _, anchor = link.partition("#")
    return (page.parent / path).resolve() if path else page, anchor


def inside(page: Path) -> list[tuple[Path, str]]:
    """Return where a page's links within the repository lead to."""
    return [resolved(page, link) for link in links(page) if not link.startswith(("http://", "https://"))]


@EVERY_PAGE
def test_every_link_leads_to_a_file_or_folder(page: Path) -> None:
    assert [file for file, _ in inside(page) if not file.exists()] == []


@EVERY_PAGE
def test_every_anchor_is_a_heading_of_the_page_it_leads_to(page: Path) -> None:
    assert [(file, anchor) for file, anchor in inside(page) if anchor and anchor not in anchors(file)] == []


def test_every_document_is_reached_from_the_index() -> None:
    reached, ahead = set[Path](), [DOCS / "README.md"]
    while ahead:
        page = ahead.pop()
        reached.add(page)
        ahead += [file for file, _ in inside(page) if file.suffix == ".md" and file not in reached]
    assert set(DOCS.rglob("*.md")) - reached == set()


def test_every_picture_is_shown_somewhere() -> None:
    shown = {file for page in PAGES for file, _ in inside(page)}
    assert set(PICTURES.iterdir()) - shown == set()


@pytest.mark.parametrize("page", READMES, ids=map(name, READMES))
def test_a_readme_has_at_most_120_lines_of_at_most_120_characters(page: Path) -> None:
    lines = text(page).splitlines()
    assert len(lines) <= 120
    assert [line for line in lines if len(line) > 120] == []
