"""The trick or turn that has just ended stays on the panel in full until the next key."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Final

import pytest
from msgspec import structs
from PIL import Image

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


def rows_of(picture: Image.Image) -> list[int]:
    """Return the pixel rows of a picture as integers, one bit a pixel."""
    dots = picture.convert("L").point(lambda shade: 255 if shade else 0).tobytes()
    return [
        int("".join("1" if dot else "0" for dot in dots[at : at + picture.width]), 2)
        for at in range(0, len(dots), picture.width)
    ]


def stands(picture: list[int], text: str, name: FaceName) -> bool:
    """Return whether a text is drawn in a panel's body, lit or dark, with nothing else in its box."""
    wide = face(name).width(text)
    alone = Image.new("1", (wide, face(name).height))
    face(name).draw(alone, (0, 0), text)
    wanted, mask = rows_of(alone), (1 << wide) - 1
    for top in range(FOOT - len(wanted) + 1):
        for shift in range(128 - wide + 1):
            if any(
                all((picture[top + row] >> shift & mask) ^ paper == bits for row, bits in enumerate(wanted))
                for paper in (0, mask)
            ):
                return True
    return False


def cards_of(view: View) -> Iterator[str]:
    """Yield the cards that each seat laid in the trick that has just ended."""
    match view.body:
        case OpenGame(seats=seats):
            yield from (seat.laid for seat in seats)
        case TableBody(laid=cards):
            yield from cards


@pytest.mark.unmeasured
@pytest.mark.parametrize("names", [SHORT, LONG], ids=["short", "long"])
@pytest.mark.parametrize("game", ["eternity", "gear", "hipparchus"])
def test_every_card_of_the_trick_is_on_the_panel_and_the_winners_with_its_sign(
    game: str, names: tuple[str, ...]
) -> None:
    for kind, session, report in endings(game):
        view, words = view_of(session, report, names, "en")
        assert report.finished is not None
        seats: tuple[SeatRow, ...] = words.told(tuple(seat_rows(report.finished)))
        wanted = [seat.laid for seat in seats]
        assert [*cards_of(view)] == wanted
        picture = rows_of(draw(view))
        tight = report.alert or report.table is not None  # a sentence or figures share the panel
        for cards in filter(None, wanted):
            large = len(wanted) <= LARGEST and stands(picture, cards, "cards")
            assert large or ((tight or len(wanted) > LARGEST) and stands(picture, cards, "small")), (kind, cards)


@pytest.mark.parametrize("game", ["eternity", "gear", "hipparchus"])
def test_an_alert_or_the_figures_of_a_round_seldom_cost_the_large_cards(game: str) -> None:
    tight, large = [], []
    for _kind, session, report in endings(game):
        if (report.alert or report.table is not None) and len(session.header.players) <= LARGEST:
            view, _words = view_of(session, report, SHORT, "en")
            view = structs.replace(view, offers=())  # what is offered beside an alert takes the room of large cards
            picture = rows_of(draw(view))
            tight.append(view)
            large += [view] if all(stands(picture, cards, "cards") for cards in cards_of(view) if cards) else []
    assert len(large) > 0.7 * len(tight)


def under_way(symbol: str, seats: tuple[SeatRow, ...]) -> OpenGame:
    """Return a table under way, with a large symbol."""
    return OpenGame("", "R1 T1", LargeSymbol(symbol, symbol.title(), "#0046ff"), (), (), seats)


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_an_alert_in_the_middle_of_a_trick_hides_no_card(seats: int) -> None:
    cards = tuple(f"{GLYPHS['pledge']}{GLYPHS['earth']}1{seat}" for seat in range(seats))
    players = tuple(SeatRow(SHORT[seat], cards[seat], "0 0") for seat in range(seats))
    body = under_way("sea", players)
    picture = rows_of(draw(View(body, notice=("R1 T6: はるな revoked, Earth 11 shows it",), alert=True)))
    for each in cards:
        assert stands(picture, each, "small" if seats > LARGEST else "cards")


def mid_trick(sentence: str) -> list[int]:
    """Return the picture of a trick under way below an alert."""
    players = tuple(SeatRow(name, f"{GLYPHS['sea']}1{seat}", "0") for seat, name in enumerate(SHORT[:4]))
    return rows_of(draw(View(under_way("sea", players), notice=(sentence,), alert=True)))


@pytest.mark.parametrize(("words", "width", "cards"), [(10, 120, True), (13, 121, False)])
def test_a_long_alert_is_whole_above_small_cards_and_a_longer_one_without_them(
    words: int, width: int, cards: bool
) -> None:
    sentence = " ".join(["enough"] * words)
    picture = mid_trick(sentence)
    for line in face("small").wrap(f"{GLYPHS['alert']} {sentence}", width):
        assert stands(picture, line, "small")
    assert all(stands(picture, f"{GLYPHS['sea']}1{seat}", "small") for seat in range(4)) is cards


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_an_alert_that_does_not_fit_below_the_figures_of_a_round_hides_no_card(seats: int) -> None:
    cards = tuple(f"{GLYPHS['earth']}1{seat}" for seat in range(seats))
    body = TableBody("R1 over", ("pts", "total"), SHORT[:seats], (("+3", "12"),) * seats, laid=cards)
    sentences = tuple(f"R1 T{trick}: はるな revoked, Earth 11 shows it" for trick in (2, 6)[: 1 + (seats < 4)])
    picture = rows_of(draw(View(body, notice=sentences, alert=True)))
    for each in cards:
        assert any(stands(picture, each, name) for name in ("cards", "text", "small"))
    lines = [line for sentence in sentences for line in face("small").wrap(f"{GLYPHS['alert']} {sentence}", 120)]
    assert any(stands(picture, lines[0], name) for name in FACES)


def test_a_suit_without_a_drawing_is_written_in_letters() -> None:
    players = tuple(SeatRow(name, "Lava 7", "0") for name in SHORT[:3])
    picture = rows_of(draw(View(OpenGame("", "R1", None, (), (), players))))
    assert stands(picture, "Lava 7", "text")


def test_a_long_chain_in_east_rune_is_whole_in_the_small_face() -> None:
    chain = "".join(f"{GLYPHS[name]}3" for name in ("noon", "dusk", "night", "dawn", "noon"))
    players = tuple(SeatRow(name, chain * (name == "Bea"), "7") for name in SHORT[:3])
    picture = rows_of(draw(View(under_way("noon", players))))
    assert stands(picture, chain, "small")


@pytest.mark.parametrize("cards", ["10", "1010", "A"])
def test_a_name_keeps_its_room_beside_large_cards_and_the_figures_give_way(cards: str) -> None:
    laid_cards = "".join(GLYPHS["red"] + cards[at : at + 2] for at in range(0, len(cards), 2))
    players = tuple(SeatRow("Maximilian", laid_cards, "12 0A", leads=True) for _seat in range(4))
    picture = rows_of(draw(View(under_way("red", players))))
    name = face("text").fit("Maximilian", 34 - face("text").width(GLYPHS["lead"]))
    assert stands(picture, laid_cards, "cards")
    assert stands(picture, name[:3], "text")


@pytest.mark.parametrize("game", ["eternity", "gear", "hipparchus"])
def test_exactly_one_seat_has_won_it(game: str) -> None:
    for _kind, _session, report in endings(game):
        assert report.finished is not None
        assert sum(place.won for place in report.finished.seats) == 1


@pytest.mark.unmeasured
@pytest.mark.parametrize("game", ["eternity", "gear", "hipparchus"])
def test_beside_the_cards_every_column_of_a_result_is_still_seen(game: str) -> None:
    for kind, session, report in endings(game):
        view, _words = view_of(session, report, LONG, "en")
        if isinstance(view.body, TableBody):
            columns = [*zip(view.body.heads, *view.body.rows, strict=True)]
            picture = rows_of(draw(structs.replace(view, notice=())))
            for figure in {figure for column in columns for figure in column[1:]}:
                assert stands(picture, figure, "text") or stands(picture, figure, "small"), (kind, figure)


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("game", GAMES)
def test_an_alert_that_comes_with_the_last_card_is_whole_above_the_cards(game: str, language: str) -> None:
    for kind, session, report in endings(game):
        view, _words = view_of(session, report, SHORT, language)
        if isinstance(view.body, OpenGame) and not view.body.pile_signs and len(view.notice) == 1:
            picture = rows_of(draw(view))
            sentence = f"{GLYPHS['alert']} {view.notice[0]}"
            assert any(all(stands(picture, line, name) for line in face(name).wrap(sentence, 120)) for name in FACES), (
                kind,
                sentence,
            )


@pytest.mark.parametrize("language", languages())
def test_the_new_trump_and_who_won_fit_the_head_line(language: str) -> None:
    for kind, session, report in endings("eternity"):
        view, _words = view_of(session, report, SHORT, language)
        if isinstance(view.body, OpenGame) and not view.body.pile_signs and not view.notice:
            assert stands(rows_of(draw(view)), view.body.outcome, "small"), (kind, view.body.outcome)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_capture_leaves_room_for_what_was_laid_last(seats: int) -> None:
    names = SHORT[:seats]
    body = TableBody("Cyr captures 1", ("1", "2"), names, (("a", "b"),) * seats)
    sentence = f"{GLYPHS['noon']}3{GLYPHS['dusk']}4, Gigi"
    picture = rows_of(draw(View(body, notice=(sentence,))))
    assert stands(picture, sentence, "text")
    for name in names:
        assert stands(picture, name, "text") or stands(picture, name, "small")


def scores(*rows: tuple[str, ...], heads: tuple[str, ...], sheet: bool = True) -> View:
    """Return the view of a score sheet."""
    return View(TableBody("Aki wins", heads, ("Maximilian", "Konstantin")[: len(rows)], rows, scores=sheet))


HEADS = ("start", "R1", "R2", "R3", "R4", "R5", "total")


@pytest.mark.parametrize(("cells", "summed"), [(("5", "12", "10"), "27"), (("5", "−12", "3*"), "−4")])
def test_rounds_that_have_no_room_are_drawn_as_their_sum(cells: tuple[str, ...], summed: str) -> None:
    rest = ("6", "8", "10")
    total = str(int(summed.replace("−", "-")) + 24)
    whole = scores((*cells, *rest, total), (*cells, *rest, total), heads=HEADS)
    short = scores((summed, *rest, total), (summed, *rest, total), heads=("…", *HEADS[3:]))
    assert draw(whole).tobytes() == draw(short).tobytes()


@pytest.mark.parametrize(
    ("row", "sheet"),
    [
        (("5", "12", "10", "6", "8", "10", "50"), True),
        (("5", "★1", "1", "6", "8", "10", "1"), True),
        (("5", "12", "10", "6", "8", "10", "51"), False),
    ],
)
def test_figures_that_do_not_add_up_are_never_summed(row: tuple[str, ...], sheet: bool) -> None:
    whole = draw(scores(row, row, heads=HEADS, sheet=sheet))
    assert whole.tobytes() == draw(scores(row[2:], row[2:], heads=HEADS[2:], sheet=False)).tobytes()


def test_rounds_whose_sum_has_no_room_either_are_left_out() -> None:
    row, heads = ("1" * 14, "2" * 14, "3" * 14), ("start", "R1", "total")
    left_out = scores(row[2:], row[2:], heads=heads[2:], sheet=False)
    assert draw(scores(row, row, heads=heads)).tobytes() == draw(left_out).tobytes()


def test_the_points_of_pairs_stand_after_a_total_that_adds_up() -> None:
    row, heads = ("5", "12", "10", "6", "8", "10", "51", "99"), (*HEADS, "pair")
    short = ("41", "10", "51", "99")
    summed = scores(short, short, heads=("…", *heads[5:]), sheet=False)
    assert draw(scores(row, row, heads=heads)).tobytes() == draw(summed).tobytes()
