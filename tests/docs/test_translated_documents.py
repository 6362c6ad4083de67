"""The documents in French and Japanese say what the English ones say: the same sections, commands and keys."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from .pages import DOCS, READMES, links, name, text

MANUALS = tuple(DOCS / file for file in ("play.md", "play.fr.md", "play.ja.md"))
TRANSLATED = [(group[0], other) for group in (READMES, MANUALS) for other in group[1:]]
EACH = pytest.mark.parametrize(("english", "other"), TRANSLATED, ids=[name(other) for _english, other in TRANSLATED])
PLACE = re.compile(r"DATA=\S+")
"""The name of a folder, which is a word of the language."""


def sections(page: Path) -> list[str]:
    """Return the parts of a page that its headings begin."""
    return re.split(r"^(?=##+ )", text(page), flags=re.MULTILINE)


def typed(section: str) -> set[str]:
    """Return the commands and keys of a section: what stands between backticks, or is indented."""
    marked = re.findall(r"`([^`\n]+)`", section)
    indented = re.findall(r"^ {4,}((?:make|git|sudo) [^#\n]+)", section, re.MULTILINE)
    return {PLACE.sub("DATA=", command.strip()).removesuffix(" held") for command in (*marked, *indented)}


@EACH
def test_a_translated_document_has_the_same_headings(english: Path, other: Path) -> None:
    levels = [[section.partition(" ")[0] for section in sections(page)[1:]] for page in (english, other)]
    assert levels[0] == levels[1]


@EACH
def test_a_translated_document_has_the_same_commands_and_keys_in_each_section(english: Path, other: Path) -> None:
    for told, translated in zip(sections(english), sections(other), strict=True):
        assert typed(told) == typed(translated), translated.partition("\n")[0]


@EACH
def test_a_translated_document_has_as_many_rows_in_its_tables(english: Path, other: Path) -> None:
    rows = [[len(re.findall(r"^\|", section, re.MULTILINE)) for section in sections(page)] for page in (english, other)]
    assert rows[0] == rows[1]


@pytest.mark.parametrize("other", READMES[1:], ids=map(name, READMES[1:]))
def test_a_translated_readme_leads_to_the_same_pages(other: Path) -> None:
    led = [{re.sub(r"\.(fr|ja)\.md", ".md", link) for link in links(page)} for page in (READMES[0], other)]
    assert led[0] == led[1]
