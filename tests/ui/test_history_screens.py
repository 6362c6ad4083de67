"""The history on the panel: games, evenings, people and the league, and the way from a figure to its games."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from PIL import Image, ImageChops

from companion.app.box import Box
from companion.app.outputs import MemoryPanel, Outputs
from companion.core.prompt import DetailLevel
from companion.gamelog import decode_header
from companion.history.imported import ImportedGame, stored
from companion.history.renamed_and_hidden import People
from companion.history.results import GameResult
from companion.history.statistics import statistics
from companion.journal import Journal
from companion.ui import tables
from companion.ui.fonts import LINES, face, page_lines, text_pages
from companion.ui.keys import KEYPAD, Key, KeyLayout
from companion.ui.panel import _above_foot, draw
from companion.ui.saved_games import GameList, ListedGame, NoHistory, PersonHistory, StillReading
from companion.ui.screens.context import Screen, ScreenContext
from companion.ui.screens.history import HistoryScreen
from companion.ui.screens.history_pages import (
    EveningScreen,
    EveningsScreen,
    FinishedGameScreen,
    FinishedGamesScreen,
    LeagueScreen,
    PersonByKindScreen,
    PersonFiguresScreen,
    PlayersScreen,
)
from companion.ui.screens.home import HomeScreen
from companion.ui.symbols import GLYPHS
from companion.ui.tables import BODY, FOOT, WIDTH
from companion.ui.translations import Translator, _
from companion.ui.view import ListBody, TableBody, TextBody, View
from tests.app.boxes import key_of, press, says, view_of
from tests.fakes.clock import FixedClock
from tests.scenes.past_games import PAST, play

HEADER = json.dumps({"format": 1, "game": "eternity", "players": ["Aki", "Bea", "Cyr"]})


def box_with(journal: Journal, board: KeyLayout = KEYPAD, language: str = "en") -> Box:
    """Return an application on the evening of 22 November 2026."""
    clock = FixedClock()
    clock.time = datetime(2026, 11, 22, 20, 15).timestamp()
    return Box(journal, Outputs(MemoryPanel(), clock), clock, language=language, board=board)


@pytest.fixture
def box() -> Box:
    """Return an application with nine games of four Fridays, at its history."""
    journal = Journal()
    play(journal)
    box = box_with(journal)
    return press(box, key_of(box, "History"))


def chosen(box: Box, *labels: str) -> Box:
    """Choose rows of lists by their labels."""
    for label in labels:
        press(box, next(key for key, words in box.frame.labels.items() if label in words))
    return box


def rows(box: Box) -> list[tuple[str, ...]]:
    """Return the rows of the list on the panel, each with the line below it."""
    body = box.view().body
    assert isinstance(body, ListBody)
    below = (*body.below, *((),) * len(body.rows))
    return [(*row, *under) for row, under in zip(body.rows, below, strict=False)]


def pages(box: Box) -> list[TableBody | TextBody]:
    """Return all pages of a game or an evening."""
    found: list[TableBody | TextBody] = []
    while (body := box.view().body) not in found:
        assert isinstance(body, TableBody | TextBody)
        found.append(body)
        press(box, "B")
    return found


# Games


def test_a_game_that_cannot_be_read_stays_in_the_list_and_says_so() -> None:
    journal = Journal()
    name = journal.name_for("eternity")
    journal.begin(name, HEADER, "round", 0.0)
    journal.append(name, '{"type":"nonsense"}', now=0.0, tracking="round", over=True)
    box = box_with(journal)
    press(box, key_of(box, "History") + "1")
    assert rows(box) == [("Eternity", "", "unreadable", "")]
    assert "This game cannot be read" in says(press(box, "1"))
    assert "unreadable" in says(press(box, "*"))
    assert "No finished game has a date" in says(press(box, "* 2"))


def test_a_game_that_everybody_won_is_a_tie() -> None:
    result = replace(RESULT, scores=(5, 5, 5), winners=(0, 1, 2))
    view = view_of(FinishedGamesScreen(HomeScreen(), _("Games")), context(result))
    assert isinstance(view.body, ListBody)
    assert view.body.below[0][0].endswith("Aki·Bea·Cyr =")
    page = view_of(FinishedGameScreen(HomeScreen(), "1"), context(result)).body
    assert isinstance(page, TableBody)
    assert page.rows == (("=", "5"), ("=", "5"), ("=", "5"))
    assert page.marked == (0, 1, 2)


# One game


def test_round_points_of_three_letters_are_on_more_pages() -> None:
    result = replace(RESULT, rounds=((1, 2, -10),) * 5, course=((0, 0, 0),) * 6)
    found = [game_page(result, at) for at in range(5)]
    assert [len(page.heads) for page in found[2:5] if isinstance(page, TableBody)] == [2, 2, 1]


def test_names_in_a_deed_are_cut_to_one_letter_at_most() -> None:
    players = tuple(f"{letter}{'o' * 15}" for letter in "ABCDEF")
    result = replace(RESULT, players=players, scores=(9,) * 6, counts={"pledges": (123_456,) * 6})
    page = game_page(replace(result, rounds=(), course=()), 1)
    assert isinstance(page, TextBody)
    assert page.sentences[0].startswith("Cards pledged: A 123456, B 123456")


def test_a_game_without_deeds_and_without_a_date_has_no_pages_for_them() -> None:
    result = replace(RESULT, counts={}, begun=0.0, seconds=0.0)
    last = game_page(result, 99, begun=None)
    assert last == TextBody("Eternity", ("2 rounds, 12 entries",))
    assert game_page(result, 3, begun=None) == last
    first = game_page(result, 0, begun=None)
    assert isinstance(first, TableBody)
    assert first.title == "Eternity"


def test_players_have_their_current_names() -> None:
    known = context(RESULT)
    known = replace(known, people=known.people.rename("Bea", "Béatrice", 1))
    page = view_of(FinishedGameScreen(HomeScreen(), "1"), known).body
    assert isinstance(page, TableBody)
    assert "Béatrice" in page.names


def test_a_game_that_is_gone_from_the_list_is_told_about() -> None:
    view = view_of(FinishedGameScreen(HomeScreen(), "gone"), context(RESULT))
    assert isinstance(view.body, TextBody)
    assert view.body.sentences == ("This game cannot be read; it is kept as it is",)


# Evenings


def test_a_game_after_midnight_belongs_to_the_evening_before() -> None:
    known = context(RESULT, datetime(2026, 11, 21, 1, 30))
    body = view_of(EveningsScreen(HomeScreen()), known).body
    assert isinstance(body, ListBody)
    assert body.rows == (("Fri 20 Nov", "1"),)


@pytest.mark.parametrize(
    ("rounds", "entries", "told"),
    [(1, 1, "1 round, 1 entry"), (2, 12, "2 rounds, 12 entries"), (0, 2, "2 entries")],
)
def test_rounds_and_entries_are_counted_in_words(rounds: int, entries: int, told: str) -> None:
    result = replace(RESULT, counts={}, begun=0.0, seconds=0.0, rounds=((4, 4, 0),) * rounds, entries=entries)
    assert game_page(result, 99, begun=None) == TextBody("Eternity", (told,))


def test_many_evenings_are_on_pages() -> None:
    days = [datetime(2026, 11, day, 20, 0) for day in range(1, 13)]
    listed = tuple(listed_game(str(number), day) for number, day in enumerate(days, 1))
    known = ScreenContext(Translator(), GameList(lambda: listed))
    screen: Screen = EveningsScreen(HomeScreen())
    body = view_of(screen, known).body
    assert isinstance(body, ListBody)
    assert body.rows[9] == ("Older evenings", "")
    older = screen.show(known).press(Key("0")).screen
    body = view_of(older, known).body
    assert isinstance(body, ListBody)
    assert body.rows == (("Tue 3 Nov", "1"), ("Mon 2 Nov", "1"), ("Sun 1 Nov", "1"))
    assert older.show(known).press(Key("*")).screen == replace(screen, chosen=9)
    evening = older.show(known).press(Key("1")).screen
    assert isinstance(evening, EveningScreen)
    assert "No game of this evening can be read" in str(view_of(evening, known).body)


# People


def test_somebody_who_played_too_little_has_no_rating_and_nobody_to_be_compared_with() -> None:
    journal = Journal()
    play_some(journal, 1)
    box = box_with(journal)
    press(box, key_of(box, "History"))
    chosen(box, "People", "Béatrice")
    labels = [row[0] for row in rows(box)]
    assert "Rating" not in labels
    assert "Against others" not in labels
    assert "Won as starter" not in labels


def test_somebody_without_a_finished_game_has_no_figures(box: Box) -> None:
    for screen in (PersonFiguresScreen(HomeScreen(), "Zoë"), PersonByKindScreen(HomeScreen(), "Zoë", kind="gear")):
        view = view_of(screen, box.state.table)
        assert isinstance(view.body, TextBody)
        assert view.body.sentences == ("No game is finished yet",)
    view = view_of(PersonByKindScreen(HomeScreen(), "Aki", kind="gear"), box.state.table)
    assert "No game is finished yet" in str(view.body)


def test_somebody_of_whom_no_round_is_known_has_no_best_one() -> None:
    found = statistics([replace(RESULT, rounds=())], People(), "Aki")
    assert found is not None
    screen = PersonByKindScreen(HomeScreen(), "Aki", kind="eternity")
    labels = [str(figure.label) for figure in screen.figures(PersonHistory(found, None, {}))]
    assert "Best game" in labels
    assert "Best round" not in labels


# League


def test_six_people_are_on_two_pages_of_the_league() -> None:
    journal = Journal()
    play_some(journal, 1, ("Aki", "Bea"))
    play_some(journal, 1, ("Cyr", "Dai"))
    play_some(journal, 1, ("Eve", "Flo"))
    box = box_with(journal)
    press(box, key_of(box, "History") + "4")
    assert [len(page.names) for page in pages(box) if isinstance(page, TableBody)] == [5, 1]


# While games are read, and if they cannot be


class Slow(NoHistory):
    """A history that is still being read, or cannot be read."""

    def __init__(self, reading: StillReading) -> None:
        self.reading = reading

    def league(self) -> StillReading:
        return self.reading

    def person(self, _name: str) -> StillReading:
        return self.reading


@pytest.mark.parametrize(
    ("reading", "sentence"),
    [
        (StillReading(1200), "Games still to be read: 1200"),
        (StillReading(failed=True), "Something went wrong; every game is kept"),
    ],
)
def test_a_screen_says_that_games_are_being_read_or_cannot_be(reading: StillReading, sentence: str) -> None:
    known = ScreenContext(Translator(), history=Slow(reading))
    screens = PlayersScreen(HomeScreen()), LeagueScreen(HomeScreen()), PersonFiguresScreen(HomeScreen(), "Aki")
    for screen in screens:
        shown = screen.show(known)
        assert isinstance(shown.view.body, TextBody)
        assert [*map(str, shown.view.body.sentences)] == [sentence]
        assert shown.press(Key("*")).screen == HomeScreen()
        assert shown.press(Key("5")).refused


def test_without_any_game_every_screen_says_so() -> None:
    known = ScreenContext(Translator())
    screens = (
        FinishedGamesScreen(HomeScreen(), _("Games")),
        EveningsScreen(HomeScreen()),
        PlayersScreen(HomeScreen()),
        LeagueScreen(HomeScreen()),
        PersonFiguresScreen(HomeScreen(), "Aki"),
    )
    for screen in screens:
        assert isinstance(view_of(screen, known).body, TextBody)
    assert isinstance(view_of(HistoryScreen(HomeScreen()), known).body, ListBody)


# Pages of text


@given(st.lists(st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")), max_size=150), max_size=8))
def test_pages_of_text_hold_every_word_and_fit(sentences: list[str]) -> None:
    found = text_pages(sentences)
    assert found
    for page in found:
        assert sum(len(page_lines(sentence)) for sentence in page) <= LINES
    lines = [line for sentence in sentences for line in face("text").wrap(sentence, WIDTH - 6)]
    assert [line for page in found for each in page for line in face("text").wrap(each, WIDTH - 6)] == lines


def test_a_sentence_longer_than_a_page_goes_on_on_the_next() -> None:
    first, second = text_pages(["word " * 30])
    assert len(first) == LINES
    assert second


# Drawing


@pytest.mark.parametrize("count", range(2, 6))
def test_a_line_has_its_pixel_columns_for_itself(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    names = ("Aki", "Béatrice", "はるな", "Dai", "Émile-Gustave")[:count]
    lines = tuple((seat, -20, 50 * seat, 7) for seat in range(count))
    figures = tuple((str(line[0]), str(line[-1])) for line in lines)
    body = TableBody("Course", ("R1", "end"), names, figures, (1,), lines=lines)
    whole = draw(View(body))
    monkeypatch.setattr(tables, "_sparklines", lambda *_given: None)
    _above_foot.cache_clear()
    bare = draw(View(body))
    _above_foot.cache_clear()
    left, right = _columns(ImageChops.difference(whole, bare))
    assert right - left >= 32
    assert bare.crop((left - 1, BODY, right + 1, FOOT - 1)).getbbox() is None


def test_totals_that_never_change_are_a_level_line() -> None:
    body = TableBody("Course", ("R1", "end"), ("Aki",), (("0", "0"),), lines=((0, 0, 0),))
    picture = draw(View(replace(body, heads=("", ""), names=("",), rows=(("", ""),))))
    left, top, right, bottom = picture.crop((0, BODY, WIDTH, FOOT - 1)).getbbox() or (0, 0, 0, 0)
    assert right - left > 60
    assert bottom - top == 3


def _columns(picture: Image.Image) -> tuple[int, int]:
    left, _top, right, _bottom = picture.getbbox() or (0, 0, 0, 0)
    return left, right


def test_every_game_for_pictures_is_over_with_its_last_line() -> None:
    journal = Journal()
    play(journal)
    box = box_with(journal)
    assert len(box.state.table.history.results([game.name for game in journal.games()])) == len(PAST)


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


class Known(NoHistory):
    """A history of one game."""

    def __init__(self, result: GameResult) -> None:
        self.result = result

    def results(self, _names: Sequence[str]) -> Mapping[str, GameResult]:
        return {self.result.name: self.result}


def listed_game(name: str, begun: datetime | None) -> ListedGame:
    return ListedGame(name, int(name), HEADER, DetailLevel.FULL, True, decode_header, begun)


def context(result: GameResult, begun: datetime | None = datetime(2026, 11, 20, 20, 5)) -> ScreenContext:
    listed = (listed_game("1", begun),)
    return ScreenContext(Translator(), GameList(lambda: listed), history=Known(result))


def game_page(result: GameResult, at: int, begun: datetime | None = datetime(2026, 11, 20, 20, 5)) -> object:
    """Return a page about a game."""
    return view_of(FinishedGameScreen(HomeScreen(), "1", at=at), context(result, begun)).body


def play_some(journal: Journal, count: int, players: tuple[str, ...] = ("Aki", "Béatrice")) -> None:
    """Enter the first games of the past; all of Hipparchus."""
    for past in PAST[:count]:
        header = json.dumps({"format": 1, "game": past.game, "players": players})
        name = journal.name_for(past.game)
        journal.begin(name, header, "round", 0.0)
        for line in past.lines:
            journal.append(name, line, now=0.0, tracking="round", over=line == past.lines[-1])


# Imported plays


@pytest.fixture
def with_plays() -> Box:
    """Return an application with the games of four Fridays, and plays of other games that were imported."""
    journal = Journal()
    play(journal)
    evening = datetime(2024, 5, 3, 20, 30).timestamp()
    plays = [
        ImportedGame("Chess", ("Aki", "Cyr"), (1, 0), (0,), (1, 2), begun=evening),
        ImportedGame("Go", ("Aki", "Cyr"), (None, None), (1,), (2, 1)),
        ImportedGame("Go", ("Aki", "Cyr"), (0, 0), (1,), (2, 1), begun=evening + 7200),
    ]
    journal.keep_imported({f"A-{number}": stored(each) for number, each in enumerate(plays)})
    return chosen(box_with(journal), "History", "People")


def test_a_figure_lists_the_imported_plays_that_it_is_from(with_plays: Box) -> None:
    chosen(with_plays, "Aki", "By game", "Go", "Games")
    star = GLYPHS["winner"]
    assert rows(with_plays) == [("Go", "3 May", f"{star} Cyr", "Fri"), ("Go", "", f"{star} Cyr", "")]


def test_imported_plays_stand_among_the_games_by_their_dates(with_plays: Box) -> None:
    chosen(with_plays, "Aki", "Games", "Older games")
    assert [row[:2] for row in rows(with_plays)] == [("Chess", "3 May"), ("Go", "")]


def test_an_imported_play_has_a_result_and_no_entries(with_plays: Box) -> None:
    chosen(with_plays, "Aki", "By game", "Chess", "Games")
    assert "# open" not in says(with_plays)
    scores, details = pages(with_plays)
    assert isinstance(scores, TableBody)
    assert (scores.title, scores.names, scores.rows) == ("Chess 3 May", ("Aki", "Cyr"), (("+1", "1"), ("", "0")))
    assert details == TextBody("Chess", ("Friday 3 May 2024, 20:30", "Imported: only its result is known"))


def test_points_that_an_imported_play_does_not_tell_are_a_dash(with_plays: Box) -> None:
    chosen(with_plays, "Aki", "By game", "Go", "Games")
    press(with_plays, "2")
    scores, _details = pages(with_plays)
    assert isinstance(scores, TableBody)
    assert (scores.names, scores.rows) == (("Cyr", "Aki"), (("", "–"), ("", "–")))
