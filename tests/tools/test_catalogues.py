"""The catalogues of translations: what is said is found, has its place in each, and is compiled."""

from __future__ import annotations

import gettext
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from time import time

import pytest
from babel.messages.pofile import PoFileError

from companion.ui.translations import CATALOGUES, DOMAIN, catalogue, languages
from tools import extract_words
from tools.catalogues import CONTEXT, PLURAL, compile_all, read
from tools.extract_words import HEAD, LIST, head_of, marked, templates, written

SPOKEN = {
    language: read(CATALOGUES / language / "LC_MESSAGES" / f"{DOMAIN}.po")
    for language in languages()
    if language != "en"
}
EACH = pytest.mark.parametrize("language", SPOKEN)


def test_the_list_for_translators_holds_every_template_there_is() -> None:
    assert LIST.read_text(encoding="utf-8") == written(), "make words writes it anew"


@EACH
def test_a_catalogue_says_how_many_forms_a_plural_has(language: str) -> None:
    """Babel's own number changes with its version: French had two forms until 2.18, and has three since."""
    assert "Plural-Forms: nplurals=" in head_of(CATALOGUES / language / "LC_MESSAGES" / f"{DOMAIN}.po")


@EACH
def test_a_catalogue_stands_as_make_words_writes_it(language: str) -> None:
    place = CATALOGUES / language / "LC_MESSAGES" / f"{DOMAIN}.po"
    assert place.read_text(encoding="utf-8") == written(SPOKEN[language], head_of(place))


@pytest.mark.parametrize(
    ("found_in", "source", "templates"),
    [
        (
            marked,
            """f"{words(_('Fault'))}: {N_('Loose')}"; NC_("verb", "open"); words("plain"); _(name)""",
            {"Fault", "Loose", f"verb{CONTEXT}open"},
        ),
        (
            marked,
            """_(NN_("{count} day", "{count} days")); NN_("tree", "trees", "glyph")""",
            {f"{{count}} day{PLURAL}{{count}} days", f"glyph{CONTEXT}tree{PLURAL}trees"},
        ),
        (
            extract_words.said,
            """{{ say("Lost") }} {{ page.say("{count}", count=2) }} {{ say(NC_("verb", "open")) }}{{ say(name) }}""",
            {"Lost", "{count}", f"verb{CONTEXT}open"},
        ),
    ],
)
def test_what_is_said_in_code_and_in_the_template_of_a_page_is_found(
    found_in: Callable[[str], Iterable[str]], source: str, templates: set[str]
) -> None:
    assert {*found_in(source)} == templates


def test_what_is_new_gets_a_place_without_words_and_what_nobody_says_any_more_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    place = tmp_path / "fr" / "LC_MESSAGES" / f"{DOMAIN}.po"
    place.parent.mkdir(parents=True)
    head = 'msgid ""\nmsgstr "Language: fr\\n"\n'
    place.write_text(f'{head}\nmsgid "OK"\nmsgstr "OK"\n\nmsgid "said of old"\nmsgstr "dit jadis"\n')
    monkeypatch.setattr(extract_words, "CATALOGUES", tmp_path)
    monkeypatch.setattr(extract_words, "LIST", tmp_path / LIST.name)
    extract_words.main()
    words = read(place)
    assert (tmp_path / LIST.name).read_text() == written()
    assert head_of(place) == head
    assert words.keys() == templates().keys()
    assert {template for template, said in words.items() if said} == {"OK"}
    assert f"fr: {len(templates()) - 1} without words" in capsys.readouterr().out


@EACH
def test_a_catalogue_says_the_same_compiled(language: str, tmp_path: Path) -> None:
    made = {place: file for file, place in compile_all(CATALOGUES, tmp_path)}
    file = made[Path(language) / "LC_MESSAGES" / f"{DOMAIN}.mo"]
    both = gettext.translation(DOMAIN, tmp_path, [language]), catalogue(language)
    assert file.is_file()
    for template, words in SPOKEN[language].items():
        if words:
            one, _mark, many = template.partition(PLURAL)
            for count in range(3):
                found = {each.ngettext(one, many, count) if many else each.gettext(one) for each in both}
                assert len(found & {*words.split(PLURAL)}) == len(found) == 1, template


def test_a_catalogue_is_compiled_again_once_it_has_changed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    place = tmp_path / "fr" / "LC_MESSAGES" / f"{DOMAIN}.po"
    place.parent.mkdir(parents=True)
    monkeypatch.setattr("companion.ui.translations.CATALOGUES", tmp_path)
    for age, words in ((100, "Mer"), (50, "Océan"), (50, "never read")):
        place.write_text(f'{HEAD}\nmsgid "Sea"\nmsgstr "{words}"\n', encoding="utf-8")
        os.utime(place, (time() - age, time() - age))
        ((made, _place),) = compile_all(tmp_path)
        os.utime(made, (time() - age + 1, time() - age + 1))
        assert languages.__wrapped__() == ("en", "fr")
        assert catalogue.__wrapped__("fr").gettext("Sea") == ("Mer" if words == "Mer" else "Océan")


def test_a_compiled_catalogue_has_the_same_bytes_whenever_it_is_compiled(tmp_path: Path) -> None:
    for compiled, _place in compile_all(CATALOGUES, tmp_path):
        assert b"POT-Creation-Date: 2026-01-01 00:00+0000" in compiled.read_bytes()


def test_a_catalogue_with_a_broken_line_is_not_compiled(tmp_path: Path) -> None:
    place = tmp_path / "fr" / "LC_MESSAGES" / f"{DOMAIN}.po"
    place.parent.mkdir(parents=True)
    place.write_text(f'{HEAD}\nmsgid "Sea"\nmsgstr "Mer"\nbroken\n')
    with pytest.raises(PoFileError):
        compile_all(tmp_path)
    assert not place.with_suffix(".mo").exists()
