"""The settings file: its values, and one sentence for every error."""

from __future__ import annotations

import copy
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import example
from hypothesis import given as drawn
from hypothesis import strategies as st

from hardware import owner_settings
from hardware.board import names
from hardware.owner_settings import Settings, SettingsError
from tests.line_tables import Row, cases, given, says

from .settings_documents import FULL, as_document


def english() -> tuple[str, ...]:
    return ("en",)


SHIPPED = Path(__file__).parents[2] / "systemd" / "companion.toml"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "box.toml"


def _load(file: Path, text: str) -> Settings:
    file.write_text(text, "utf-8")
    return owner_settings.load(file, english)


def _fault(file: Path, text: str) -> str:
    with pytest.raises(SettingsError) as caught:
        _load(file, text)
    said = str(caught.value)
    assert said.startswith(f"{file}: ")
    assert "\n" not in said
    return said.removeprefix(f"{file}: ")


def test_the_usual_file_is_read_where_it_is_there(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(owner_settings, "DEFAULT", file)
    file.write_text('board = "rotary"')
    assert owner_settings.load(None, english).board.name == "rotary"


def test_a_file_that_was_asked_for_has_to_be_there(file: Path) -> None:
    with pytest.raises(SettingsError) as caught:
        owner_settings.load(file, english)
    assert str(caught.value) == f"{file}: no such file or directory"


def test_an_empty_file_says_nothing_new(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(owner_settings, "DEFAULT", file)
    assert owner_settings.load(None, english) == owner_settings.defaults() == _load(file, "")


@pytest.mark.parametrize(("name", "rows"), cases("owner-settings", "settings-values"))
def test_of_each_file_is_said_what_was_accepted(name: str, rows: list[Row]) -> None:
    assert [(row.given, says(name)(given(row.given))) for row in rows] == rows


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"x = {'[' * 1900}", "it is not TOML: "),
        (f"x = {'9' * 5000}", "it is not TOML: "),
        (f"sleep.dim = 0x{'f' * 1900}", "sleep.dim has to be a whole number <= 86400"),
        (f"sounds.night = {'[' * 200}{']' * 200}", 'sounds.night has to be "off" or two times of day'),
    ],
    ids=["deep", "long", "large", "nested"],
)
def test_what_is_absurd_is_told_like_any_mistake(file: Path, text: str, said: str) -> None:
    assert _fault(file, text).startswith(said)


def test_a_folder_is_no_settings_file(tmp_path: Path) -> None:
    with pytest.raises(SettingsError) as caught:
        owner_settings.load(tmp_path, english)
    assert str(caught.value) == f"{tmp_path}: is a directory"


# The installed file


def test_the_file_that_is_installed_changes_nothing(file: Path) -> None:
    assert _load(file, SHIPPED.read_text("utf-8")) == _load(file, "")


def test_what_the_file_that_is_installed_shows_is_what_is_so_already(file: Path) -> None:
    shown = re.sub(r"^#(?=\S)", "", SHIPPED.read_text("utf-8"), flags=re.M)
    said = [line for line in shown.splitlines() if line and not line.startswith("#")]
    assert len(said) > 20
    assert _load(file, shown) == _load(file, "")


def test_the_file_that_is_installed_names_every_board_and_every_key() -> None:
    text = SHIPPED.read_text("utf-8")
    assert all(f'"{name}"' in text for name in names())
    assert _keys(FULL) == _declared(owner_settings._File)
    for key in _keys(FULL):
        assert re.search(rf"^# *{re.escape(key)} = |^\[{re.escape(key)}\]", text, re.M), key


# Random files


def _declared(kind: type[msgspec.Struct]) -> set[str]:
    fields = msgspec.structs.fields(kind)
    below = [each.type for each in fields if isinstance(each.type, type) and issubclass(each.type, msgspec.Struct)]
    return {each.encode_name for each in fields}.union(*map(_declared, below))


def _keys(table: dict[str, Any]) -> set[str]:
    below = [_keys(value) for key, value in table.items() if isinstance(value, dict) and key != "pins"]
    return set(table).union(*below)


WORDS = st.sampled_from(
    sorted({*_keys(FULL), *names(), "row1", "row2", "red", "buzzer", "off", "22:00", "spi", "ssd1322", "passive"})
)
PLAIN = st.one_of(
    st.booleans(),
    st.integers(-1, 300),
    st.integers(),
    st.floats(),
    WORDS,
    st.text(st.characters(codec="utf-8"), max_size=8),
)
VALUES = st.recursive(
    PLAIN,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(WORDS | st.text(st.characters(codec="utf-8"), max_size=4), inner, max_size=3)
    ),
    max_leaves=6,
)


@st.composite
def mutations(draw: st.DrawFn) -> str:
    """Draw the complete file with some keys changed, removed, misspelt or added."""
    document = copy.deepcopy(FULL)
    for _ in range(draw(st.integers(1, 3))):
        tables = [document, *(value for value in document.values() if isinstance(value, dict))]
        table = draw(st.sampled_from(tables))
        key = draw((st.sampled_from(sorted(table)) if table else WORDS) | WORDS | st.text(max_size=5).filter(_utf8))
        match draw(st.sampled_from(["set", "drop", "rename"])):
            case "set":
                table[key] = draw(VALUES)
            case "drop":
                table.pop(key, None)
            case "rename":
                table[draw(WORDS)] = table.pop(key, 1)
    return as_document(document).decode()


def _utf8(text: str) -> bool:
    return text.isascii() or text.encode("utf-8", "ignore").decode() == text


def _said(folder: Path, data: bytes) -> None:
    """Load a file; there are either settings or a sentence."""
    file = folder / "any.toml"
    file.write_bytes(data)
    try:
        box = owner_settings.load(file, english)
    except SettingsError as fault:
        said = str(fault)
        assert said.startswith(f"{file}: ")
        assert said.isprintable()
        assert "- at `$" not in said  # msgspec's own path, which owners cannot read
    else:
        assert isinstance(box, Settings)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return one folder for all examples."""
    return tmp_path_factory.mktemp("settings")


@drawn(text=mutations())
def test_any_mutated_file_gives_settings_or_a_sentence(folder: Path, text: str) -> None:
    _said(folder, text.encode())


WHOLE = as_document(FULL)


@drawn(cut=st.integers(0, len(WHOLE)), end=st.integers(0, len(WHOLE)), junk=st.binary(max_size=6))
@example(cut=0, end=2000, junk=b"\x00")
def test_any_spoilt_file_gives_settings_or_a_sentence(folder: Path, cut: int, end: int, junk: bytes) -> None:
    _said(folder, WHOLE[:cut] + junk + WHOLE[end:])
