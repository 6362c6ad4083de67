"""Styles and scripts reach browsers without what only people read, and compressed where a browser takes that."""

from __future__ import annotations

import re
from pathlib import Path

import esprima
import pytest

from companion.web import site
from tests.web.paired_page import PairedPage
from tests.web.test_old_browsers import SCRIPTS

STYLES = sorted(site.PAGE.glob("*.css"))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.name)
def test_a_script_says_the_same_without_comments_and_indentation(script: Path) -> None:
    assert str(esprima.parseModule(site.for_browsers(script).decode())) == str(
        esprima.parseModule(script.read_text("utf-8"))
    )


def words(style: str) -> list[str]:
    """Return what a style consists of: words, signs and whole texts, without comments."""
    plain = re.sub(r"/\*.*?\*/", "", style, flags=re.DOTALL)
    return [one for one in re.findall(r'"[^"]*"|[^\s{};]+|[{};]', re.sub(r";\s*\}", "}", plain)) if one]


@pytest.mark.parametrize("style", STYLES, ids=lambda style: style.name)
def test_a_style_says_the_same_without_comments_and_indentation(style: Path) -> None:
    def told(text: str) -> list[str]:
        return "".join(f" {word}" for word in words(text)).replace(", ", ",").split()

    assert told(site.for_browsers(style).decode()) == told(style.read_text("utf-8"))


def test_a_browser_that_takes_compressed_files_is_sent_a_third_of_their_bytes() -> None:
    page = PairedPage()
    try:
        phone = page.paired()
        whole = phone.get("/table.js", headers={"Accept-Encoding": "identity"})
        packed = phone.get("/table.js", headers={"Accept-Encoding": "gzip"})
        assert packed.headers["content-encoding"] == "gzip"
        assert packed.content == whole.content
        assert "content-encoding" not in whole.headers
        assert int(packed.headers["content-length"]) < len(whole.content) / 2
    finally:
        page.stop()
