"""Settings made once: the language is kept, and asked for only once."""

from __future__ import annotations

from companion.app.box import Box
from companion.app.memory_panel import MemoryPanel
from companion.app.output_devices import Outputs
from companion.journal import Journal
from companion.ui.keys import Key
from tests.app.boxes import begin, key_of, new_box, press, says
from tests.fakes.clock import FixedClock


def new(journal: Journal, language: str | None = None) -> Box:
    """Return an application that has just started, with or without a given language."""
    clock = FixedClock()
    return Box(journal, Outputs(MemoryPanel(), clock), clock, language=language)


def test_a_new_box_asks_for_the_language_first_and_only_once() -> None:
    journal = Journal()
    box = new(journal)
    assert says(box).startswith("Language")
    press(box, key_of(box, "Français"))
    assert "Nouvelle partie" in says(box)
    assert "Nouvelle partie" in says(new(journal))


def test_there_is_no_way_around_the_first_question() -> None:
    box = new(Journal())
    for key in "*", "A", "C", "0", "h#":
        press(box, key)
        assert "日本語" in says(box)


def test_a_language_that_is_set_is_not_asked_for() -> None:
    assert "Nouvelle partie" in says(new(Journal(), "fr"))


def test_what_was_chosen_on_the_box_counts_more_than_what_is_set() -> None:
    journal = Journal()
    box = new(journal, "fr")
    press(box, key_of(box, "Réglages"))
    press(box, key_of(box, "Langue"))
    press(box, key_of(box, "English"))
    assert "Settings" in says(box)
    assert "New game" in says(new(journal, "fr"))


def test_the_language_changes_in_the_middle_of_a_game_and_nothing_is_lost() -> None:
    box = begin(new_box())
    press(box, "1 A3 A5 A7 h#")
    press(box, key_of(box, "Settings"))
    press(box, key_of(box, "Language"))
    press(box, key_of(box, "日本語"))
    press(box, "* *")
    assert box.lines == 3
    assert "切り札" in says(box) or "海" in says(box)
    box.press(Key("9"))
    assert box.lines == 4


def test_every_language_is_listed_by_its_own_name_whatever_is_spoken() -> None:
    for language in ("en", "fr", "ja"):
        box = new_box()
        press(box, key_of(box, "Settings"))
        press(box, key_of(box, "Language"))
        if language != "en":
            press(box, key_of(box, {"fr": "Français", "ja": "日本語"}[language]))
            press(box, "1")
        assert {"English", "Français", "日本語"} <= set(box.frame.labels.values())


def test_what_glyphs_are_called_is_said_in_the_language_spoken() -> None:
    box = begin(new(Journal(), "fr"))
    press(box, "1 A3 B9 A4 DB11 h*")
    said = " ".join((*box.frame.labels.values(), *box.frame.words))
    assert "engagement" in said
    assert "pledge" not in said
