"""A game in a package of its own brings its translations in a file beside it."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.core.text import Text
from companion.games.kit import phrases
from companion.ui.translations import Translator

WORDS = '[fr]\n"Moon shot" = "Grand chelem"\n'


def test_the_words_of_a_game_are_read_from_the_file_in_its_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "moons"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "words.toml").write_text(WORDS)
    monkeypatch.syspath_prepend(tmp_path)
    phrase = phrases("moons")
    assert [Translator(language)(Text(phrase("Moon shot"))) for language in ("en", "fr", "ja")] == [
        "Moon shot",
        "Grand chelem",
        "Moon shot",
    ]
    assert Translator("fr").knows(phrase("Moon shot"))
    assert not Translator("ja").knows(phrase("Moon shot"))
