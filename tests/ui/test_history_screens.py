"""The history where keys do not lead: games that cannot be read, figures that are not known, pages of text.

What keys show of it is in `tests/transcripts/box/history.txt`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import to_builtins
from msgspec.structs import replace

from companion.app.box import Box
from companion.app.outputs import MemoryPanel, Outputs
from companion.core.prompt import DetailLevel
from companion.gamelog import decode_header
from companion.history.plays import ImportedGame
from companion.history.renamed_and_hidden import People
from companion.history.reports import person_report
from companion.history.results import GameResult
from companion.history.statistics import rated
from companion.journal import Journal
from companion.ui.fonts import LINES, face, page_lines, text_pages
from companion.ui.keys import Key
from companion.ui.saved_games import GameList, HistoryReader, ListedGame, StillReading
from companion.ui.screens.context import Screen, ScreenContext
from companion.ui.screens.history_pages import (
    EveningsScreen,
    FinishedGameScreen,
    FinishedGamesScreen,
    LeagueScreen,
    PersonByKindScreen,
    PersonFiguresScreen,
    PlayersScreen,
)
from companion.ui.screens.home import HomeScreen
from companion.ui.tables import WIDTH
from companion.ui.translations import Translator, _
from companion.ui.view import TextBody
from tests.app.boxes import key_of, press, says, view_of
from tests.fakes.clock import FixedClock
from tests.scenes.past_games import play

HEADER = json.dumps({"format": 1, "game": "eternity", "players": ["Aki", "Bea", "Cyr"]})
HOME = HomeScreen()


def history_of(journal: Journal) -> Box:
    """Return an application on the evening of 22 November 2026, at its history."""
    clock = FixedClock()
    clock.time = datetime(2026, 11, 22, 20, 15).timestamp()
    box = Box(journal, Outputs(MemoryPanel(), clock), clock)
    return press(box, key_of(box, "History"))


def test_a_game_that_cannot_be_read_stays_in_the_list_and_says_so() -> None:
    journal = Journal()
    name = journal.name_for("eternity")
    journal.begin(name, HEADER, "round", 0.0)
    journal.append(name, '{"type":"nonsense"}', now=0.0, tracking="round", over=True)
    box = history_of(journal)
    assert "unreadable" in says(press(box, "1"))
    assert "This game cannot be read" in says(press(box, "1"))
    assert "unreadable" in says(press(box, "*"))
    assert "No finished game has a date" in says(press(box, "* 2"))


# Imported plays


@pytest.mark.parametrize(
    ("ways", "words"),
    [
        (("By game", "Go", "Games"), ["Go 3 May winner Cyr Fri", "Go winner Cyr"]),
        (("Games", "Older games"), ["Chess 3 May winner Aki +1 Fri", "Go winner Cyr"]),
        (("By game", "Chess", "Games"), ["Chess 3 May", "Points", "Aki, winner: +1, 1", "Cyr: 0", "* back A B 1/2"]),
        (
            ("By game", "Chess", "Games", "B"),
            ["Friday 3 May 2024, 20:30", "Imported: only its result is known", "* back A B 2/2"],
        ),
        (("By game", "Go", "Games", "2"), ["Go", "Points", "Cyr, winner: –", "Aki: –"]),
    ],
)
def test_imported_plays_stand_among_the_games_with_their_results_and_no_entries(
    ways: tuple[str, ...], words: list[str]
) -> None:
    journal, evening = Journal(), datetime(2024, 5, 3, 20, 30).timestamp()
    play(journal)
    plays = [
        ImportedGame("Chess", ("Aki", "Cyr"), (1, 0), (0,), (1, 2), begun=evening),
        ImportedGame("Go", ("Aki", "Cyr"), (None, None), (1,), (2, 1)),
        ImportedGame("Go", ("Aki", "Cyr"), (0, 0), (1,), (2, 1), begun=evening + 7200),
    ]
    journal.keep_imported({f"A-{number}": to_builtins(each) for number, each in enumerate(plays)})
    box = history_of(journal)
    for way in ("People", "Aki", *ways):
        press(box, way if len(way) == 1 else next(key for key, label in box.frame.labels.items() if way in label))
    said = [" ".join(line.removeprefix("> ").split()) for line in box.frame.words]
    assert [line for line in words if line not in said] == []


# Contexts without an application


RESULT = GameResult(
    "1",
    1,
    "eternity",
    ("Aki", "Bea", "Cyr"),
    "{}",
    0.0,
    0.0,
    600.0,
    "full",
    0,
    (9, 4, 6),
    (0,),
    ((4, 4, 0), (5, 0, 6)),
    ((0, 0, 0), (4, 4, 0), (9, 4, 6)),
    {"tricks": (4, 0, 2)},
    12,
)
BARE: dict[str, Any] = {"counts": {}, "begun": 0.0, "seconds": 0.0}
SIX = tuple(f"{letter}{'o' * 15}" for letter in "ABCDEF")


class Known(HistoryReader):
    """A history of one game, or one that is still being read or cannot be."""

    def __init__(self, result: GameResult = RESULT, reading: StillReading | None = None) -> None:
        self.result, self.reading = result, reading

    def results(self, _names: Sequence[str]) -> Mapping[str, GameResult]:
        return {self.result.name: self.result}

    def league(self) -> Any:
        return self.reading or super().league()

    def person(self, name: str) -> Any:
        return self.reading or super().person(name)


def context(result: GameResult, begun: datetime | None) -> ScreenContext:
    listed = (ListedGame("1", 1, HEADER, DetailLevel.FULL, True, decode_header, begun),)
    return ScreenContext(Translator(), GameList(lambda: listed), history=Known(result))


def page(result: GameResult, at: int, begun: datetime | None = datetime(2026, 11, 20, 20, 5)) -> Any:
    """Return a page about a game."""
    return view_of(FinishedGameScreen(HOME, "1", at=at), context(result, begun)).body


def test_round_points_of_three_letters_are_on_more_pages() -> None:
    result = replace(RESULT, rounds=((1, 2, -10),) * 5, course=((0, 0, 0),) * 6)
    assert [len(page(result, at).heads) for at in (2, 3, 4)] == [2, 2, 1]


def test_names_in_a_deed_are_cut_to_one_letter_at_most() -> None:
    result = replace(RESULT, players=SIX, scores=(9,) * 6, counts={"pledges": (123_456,) * 6}, rounds=(), course=())
    assert page(result, 1).sentences[0].startswith("Cards pledged: A 123456, B 123456")


@pytest.mark.parametrize(
    ("rounds", "entries", "told"),
    [(1, 1, "1 round, 1 entry"), (2, 12, "2 rounds, 12 entries"), (0, 2, "2 entries")],
)
def test_a_game_without_deeds_and_without_a_date_has_no_pages_for_them(rounds: int, entries: int, told: str) -> None:
    result = replace(RESULT, **BARE, rounds=((4, 4, 0),) * rounds, entries=entries)
    assert page(result, 99, begun=None) == page(result, 2 + (rounds > 1), begun=None) == TextBody("Eternity", (told,))
    assert page(result, 0, begun=None).title == "Eternity"


NOTHING, READ = ScreenContext(Translator()), context(RESULT, None)
READING, FAULTY = (
    ScreenContext(Translator(), history=Known(reading=reading))
    for reading in (StillReading(1200), StillReading(0, True))
)


@pytest.mark.parametrize(
    ("screen", "known", "sentence"),
    [
        (FinishedGamesScreen(HOME, _("Games")), NOTHING, "No game is finished yet"),
        (EveningsScreen(HOME), NOTHING, "No finished game has a date"),
        (PlayersScreen(HOME), NOTHING, "No game is finished yet"),
        (LeagueScreen(HOME), NOTHING, "No game is finished yet"),
        (PersonFiguresScreen(HOME, "Zoë"), NOTHING, "No game is finished yet"),
        (PersonByKindScreen(HOME, "Zoë", kind="gear"), NOTHING, "No game is finished yet"),
        (FinishedGameScreen(HOME, "gone"), READ, "This game cannot be read; it is kept as it is"),
        (PlayersScreen(HOME), READING, "Games still to be read: 1200"),
        (LeagueScreen(HOME), READING, "Games still to be read: 1200"),
        (PersonFiguresScreen(HOME, "Aki"), READING, "Games still to be read: 1200"),
        (LeagueScreen(HOME), FAULTY, "Something went wrong; every game is kept"),
    ],
)
def test_a_screen_that_has_nothing_to_show_says_why(screen: Screen, known: ScreenContext, sentence: str) -> None:
    shown, body = screen.show(known), view_of(screen, known).body
    assert isinstance(body, TextBody)
    assert body.sentences == (sentence,)
    assert shown.press(Key("*")).screen == HOME
    assert shown.press(Key("5")).refused


def test_somebody_of_whom_no_round_is_known_has_no_best_one() -> None:
    played = [replace(RESULT, rounds=())]
    found = person_report(played, People(), "Aki", rated(played, People()))
    assert found is not None
    screen = PersonByKindScreen(HOME, "Aki", kind="eternity")
    labels = [str(figure.label) for figure, _opens in screen.figures(found)]
    assert "Best game" in labels
    assert "Best round" not in labels


# Pages of text


@given(st.lists(st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")), max_size=150), max_size=8))
def test_pages_of_text_hold_every_word_and_fit(sentences: list[str]) -> None:
    found = text_pages(sentences)
    assert found
    for shown in found:
        assert sum(len(page_lines(sentence)) for sentence in shown) <= LINES
    lines = [line for sentence in sentences for line in face("text").wrap(sentence, WIDTH - 6)]
    assert [line for shown in found for each in shown for line in face("text").wrap(each, WIDTH - 6)] == lines
