"""The trick or turn that has just ended stays on the panel in full until the next key."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, Final

import pytest
from msgspec import structs

from companion.core.game import EventOutcome
from companion.core.prompt import DetailLevel
from companion.core.session import Session
from companion.games import GAMES
from companion.ui.fonts import FaceName, face
from companion.ui.panel import draw
from companion.ui.screens.context import CurrentGame, ScreenContext
from companion.ui.screens.table import PlayScreen
from companion.ui.symbols import GLYPHS
from companion.ui.tables import FOOT
from companion.ui.translations import Translator, languages
from companion.ui.view import LargeSymbol, OpenGame, SeatRow, TableBody, View, seat_rows
from tests.app.boxes import view_of as shown
from tests.games.seeds import deal
from tests.ui.pixels import rows_of, stands

SHORT = ("Aki", "Bea", "Cyr", "はるな", "Eve")
LONG = ("Maximilian-Alexander", "Gigi Béjart-Quigley", "なまえのながいひとです", "Élodie Jacquemin-Pey", "W" * 20)
FACES: Final[tuple[FaceName, ...]] = ("text", "small")
LARGEST = 4
"""Most seats whose cards are drawn large."""


# Complete in the picture


@cache
def endings(game: str) -> tuple[tuple[str, Session, EventOutcome], ...]:
    """Return sessions that end a trick or turn, one of each kind for each number of players."""
    found: dict[tuple[object, ...], tuple[Session, EventOutcome]] = {}
    for seed in range(60):
        session = deal(game, seed, misplay=0.15, edits=0.0, most_rounds=2).session()
        for step in [*session.steps()][::-1]:
            assert step.before is not None
            assert step.event is not None
            report = session.header.game.outcome(step.before.state, step.event, step.state)
            if report.finished is not None:
                over = session.header.game.ask(step.state, DetailLevel.FULL, ()) is None
                kind = len(session.header.players), report.table is None, report.alert, report.new_trump is None, over
                found.setdefault(kind, (Session(session.header, step), report))
    return tuple((" ".join(map(str, kind)), *ending) for kind, ending in sorted(found.items()))


def view_of(session: Session, report: EventOutcome, names: tuple[str, ...], language: str) -> tuple[View, Translator]:
    """Return the view just after an entry, and its translator."""
    words = Translator(language, names[: len(session.header.players)])
    return shown(
        PlayScreen(), ScreenContext(words, game=CurrentGame("", session, DetailLevel.FULL), report=report)
    ), words


def body_of(view: View) -> list[bytes]:
    """Return the rows of pixels above the bottom line."""
    return rows_of(draw(view))[:FOOT]


def cards_of(view: View) -> Iterator[str]:
    """Yield the cards that each seat laid in the trick that has just ended."""
    match view.body:
        case OpenGame(seats=seats):
            yield from (seat.laid for seat in seats)
        case TableBody(laid=cards):
            yield from cards


PLAYED = pytest.mark.parametrize("game", ["eternity", "gear", "hipparchus"])


@pytest.mark.unmeasured
@pytest.mark.parametrize("names", [SHORT, LONG], ids=["short", "long"])
@PLAYED
def test_every_card_of_the_trick_is_on_the_panel_and_the_winners_with_its_sign(
    game: str, names: tuple[str, ...]
) -> None:
    for kind, session, report in endings(game):
        view, words = view_of(session, report, names, "en")
        assert report.finished is not None
        assert sum(place.won for place in report.finished.seats) == 1
        seats: tuple[SeatRow, ...] = words.told(tuple(seat_rows(report.finished)))
        wanted = [seat.laid for seat in seats]
        assert [*cards_of(view)] == wanted
        picture = body_of(view)
        tight = report.alert or report.table is not None  # a sentence or figures share the panel
        for cards in filter(None, wanted):
            large = len(wanted) <= LARGEST and stands(picture, cards, "cards")
            assert large or ((tight or len(wanted) > LARGEST) and stands(picture, cards, "small")), (kind, cards)


@PLAYED
def test_an_alert_or_the_figures_of_a_round_seldom_cost_the_large_cards(game: str) -> None:
    tight = [
        structs.replace(view_of(session, report, SHORT, "en")[0], offers=())  # offers take the room of large cards
        for _kind, session, report in endings(game)
        if (report.alert or report.table is not None) and len(session.header.players) <= LARGEST
    ]
    large = [view for view in tight if all(stands(body_of(view), cards, "cards") for cards in cards_of(view) if cards)]
    assert len(large) > 0.7 * len(tight)


@pytest.mark.unmeasured
@PLAYED
def test_beside_the_cards_every_column_of_a_result_is_still_seen(game: str) -> None:
    for kind, session, report in endings(game):
        view, _words = view_of(session, report, LONG, "en")
        if isinstance(view.body, TableBody):
            columns = [*zip(view.body.heads, *view.body.rows, strict=True)]
            picture = body_of(structs.replace(view, notice=()))
            for figure in {figure for column in columns for figure in column[1:]}:
                assert stands(picture, figure, *FACES), (kind, figure)


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("game", GAMES)
def test_an_alert_that_comes_with_the_last_card_or_who_won_is_whole_above_the_cards(game: str, language: str) -> None:
    for kind, session, report in endings(game):
        view, _words = view_of(session, report, SHORT, language)
        if isinstance(view.body, OpenGame) and not view.body.pile_signs and len(view.notice) == 1:
            assert wrapped(body_of(view), f"{GLYPHS['alert']} {view.notice[0]}", *FACES), (kind, view.notice)
        if game == "eternity" and isinstance(view.body, OpenGame) and not view.notice:
            assert stands(body_of(view), view.body.outcome, "small"), (kind, view.body.outcome)


def wrapped(picture: list[bytes], sentence: str, *names: FaceName, width: int = 120) -> bool:
    """Return whether all lines of a sentence are drawn in one of some faces."""
    return any(all(stands(picture, line, name) for line in face(name).wrap(sentence, width)) for name in names)


# Tables that are made for it


def under_way(symbol: str, *seats: SeatRow, alert: str = "") -> list[bytes]:
    """Return the picture of a table under way, with a large symbol, below an alert."""
    body = OpenGame("", "R1 T1", LargeSymbol(symbol, symbol.title(), "#0046ff"), (), (), seats)
    return body_of(View(body, notice=(alert,) if alert else (), alert=bool(alert)))


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_an_alert_in_the_middle_of_a_trick_or_below_the_figures_of_a_round_hides_no_card(seats: int) -> None:
    cards = tuple(f"{GLYPHS['pledge']}{GLYPHS['earth']}1{seat}" for seat in range(seats))
    players = [SeatRow(SHORT[seat], cards[seat], "0 0") for seat in range(seats)]
    sentences = tuple(f"R1 T{trick}: はるな revoked, Earth 11 shows it" for trick in (2, 6)[: 1 + (seats < 4)])
    picture = under_way("sea", *players, alert=sentences[-1])
    assert all(stands(picture, each, "small" if seats > LARGEST else "cards") for each in cards)
    body = TableBody("R1 over", ("pts", "total"), SHORT[:seats], (("+3", "12"),) * seats, laid=cards)
    picture = body_of(View(body, notice=sentences, alert=True))
    assert all(stands(picture, each, "cards", *FACES) for each in cards)
    assert stands(picture, face("small").wrap(f"{GLYPHS['alert']} {sentences[0]}", 120)[0], *FACES)


@pytest.mark.parametrize(("words", "width", "cards"), [(10, 120, True), (13, 121, False)])
def test_a_long_alert_is_whole_above_small_cards_and_a_longer_one_without_them(
    words: int, width: int, cards: bool
) -> None:
    sentence = " ".join(["enough"] * words)
    players = (SeatRow(name, f"{GLYPHS['sea']}1{seat}", "0") for seat, name in enumerate(SHORT[:4]))
    picture = under_way("sea", *players, alert=sentence)
    assert wrapped(picture, f"{GLYPHS['alert']} {sentence}", "small", width=width)
    assert all(stands(picture, f"{GLYPHS['sea']}1{seat}", "small") for seat in range(4)) is cards


def test_a_long_chain_in_east_rune_is_whole_in_the_small_face() -> None:
    chain = "".join(f"{GLYPHS[name]}3" for name in ("noon", "dusk", "night", "dawn", "noon"))
    assert stands(under_way("noon", *(SeatRow(name, chain, "7") for name in SHORT[:3])), chain, "small")


def test_a_suit_without_a_drawing_is_written_in_letters() -> None:
    players = tuple(SeatRow(name, "Lava 7", "0") for name in SHORT[:3])
    assert stands(body_of(View(OpenGame("", "R1", None, (), (), players))), "Lava 7", "text")


@pytest.mark.parametrize("cards", ["10", "1010", "A"])
def test_a_name_keeps_its_room_beside_large_cards_and_the_figures_give_way(cards: str) -> None:
    laid_cards = "".join(GLYPHS["red"] + cards[at : at + 2] for at in range(0, len(cards), 2))
    picture = under_way("red", *[SeatRow("Maximilian", laid_cards, "12 0A", leads=True)] * 4)
    name = face("text").fit("Maximilian", 34 - face("text").width(GLYPHS["lead"]))
    assert stands(picture, laid_cards, "cards")
    assert stands(picture, name[:3], "text")


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_capture_leaves_room_for_what_was_laid_last(seats: int) -> None:
    body = TableBody("Cyr captures 1", ("1", "2"), SHORT[:seats], (("a", "b"),) * seats)
    sentence = f"{GLYPHS['noon']}3{GLYPHS['dusk']}4, Gigi"
    picture = body_of(View(body, notice=(sentence,)))
    assert stands(picture, sentence, "text")
    assert all(stands(picture, name, *FACES) for name in SHORT[:seats])


HEADS = "start R1 R2 R3 R4 R5 total"


def scores(heads: str, row: str, sheet: bool = True) -> bytes:
    """Return the picture of a score sheet of two rows that are alike."""
    names, figures = ("Maximilian", "Konstantin"), tuple(row.split())
    return draw(View(TableBody("Aki wins", tuple(heads.split()), names, (figures, figures), scores=sheet))).tobytes()


@pytest.mark.parametrize(
    ("whole", "short"),
    [
        # Rounds that have no room are drawn as their sum
        ((HEADS, "5 12 10 6 8 10 51"), ("… R3 R4 R5 total", "27 6 8 10 51")),
        ((HEADS, "5 −12 3* 6 8 10 20"), ("… R3 R4 R5 total", "−4 6 8 10 20")),
        (("start R1 R2 R3 R4 R5 total pair", "5 12 10 6 8 10 51 99"), ("… R5 total pair", "41 10 51 99", False)),
        # but never figures that do not add up, or are no scores; or a sum that has no room either
        ((HEADS, "5 12 10 6 8 10 50"), ("R2 R3 R4 R5 total", "10 6 8 10 50", False)),
        ((HEADS, "5 ★1 1 6 8 10 1"), ("R2 R3 R4 R5 total", "1 6 8 10 1", False)),
        ((HEADS, "5 12 10 6 8 10 51", False), ("R2 R3 R4 R5 total", "10 6 8 10 51", False)),
        (("start R1 total", f"{'1' * 14} {'2' * 14} {'3' * 14}"), ("total", "3" * 14, False)),
    ],
)
def test_rounds_that_have_no_room_are_drawn_as_their_sum_where_they_add_up(
    whole: tuple[Any, ...], short: tuple[Any, ...]
) -> None:
    assert scores(*whole) == scores(*short)
