"""The checks of values that games give: what is at a bound passes, what is one beyond is named."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from msgspec.structs import replace

from companion.core import returned_value_checks as checks
from companion.core.cards import Card, Suit
from companion.core.game import (
    CardSound,
    CountedAction,
    Event,
    EventOutcome,
    GameView,
    Headline,
    PileColumn,
    Piles,
    Progress,
    SeatLine,
    Start,
    Table,
    TextPage,
)
from companion.core.prompt import (
    ChooseItem,
    ChooseSeat,
    EnterNumber,
    LayCard,
    LayPair,
    Prompt,
    Skip,
    TakeAlternative,
    TallySheet,
)
from companion.core.text import GameValueError, Text

Check = Callable[[Any], None]

MOST = checks.MOST_POINTS
OK, BAD = Text("ok"), Text("a\x07")
SEA = Suit("sea", "Sea")
CARD = Card("sea-1", SEA, 1, 1, ("1",))
PROMPT = Prompt(OK, (EnterNumber(1),))
VIEW = GameView(None, OK, (), (SeatLine(OK, OK, leads=False),) * 2)
HEADLINE = Headline("sun", OK, (0, 128, 255))
SHEET = TallySheet(OK, (OK, OK), ((1, None), (-MOST, MOST)), (1, 1))
TABLE = Table(OK, (OK, OK), ((OK, OK),) * 2)
PROGRESS = Progress((0, 0), None)
NO_SEAT = "names a seat that 2 players do not have"
CONTROL = "has a text with control characters"

progress = partial(checks.progress, seats=range(2, 4))
asked = partial(checks.asked, seats=2, events=(Start,))
answer = partial(checks.answer, seats=2)
view = partial(checks.view, seats=2)
outcome = partial(checks.outcome, seats=2)
actions = partial(checks.actions, seats=2, names={"trick"})
rounds = partial(checks.rounds, seats=2)
partition = partial(checks.partition, seats=4)


def points_from(least: int, most: int) -> Check:
    return partial(checks.whole, least=least, most=most, what="points")


def table(seats: int | None) -> Check:
    return partial(checks.table, seats=seats)


RIGHT: list[tuple[Check, Any]] = [
    (points_from(1, 3), 1),
    (points_from(1, 3), 3),
    (partial(checks.seat, seats=2), 0),
    (partial(checks.seat, seats=2), 1),
    (checks.text, "a" * checks.LONGEST_TEXT),
    (checks.text, SEA),
    (checks.text, "\xa0~ é"),
    (checks.texts, ()),
    (checks.kind_of_card, CARD),
    (progress, Progress((MOST, -MOST), (0, 1), 1, checks.MOST_ROUNDS, "play", 0, (0, 1))),
    (progress, replace(PROGRESS, round=0)),
    (progress, Progress((0, 0, 0), (2,))),
    (table(2), TABLE),
    (table(None), replace(TABLE, rows=())),
    (table(2), replace(TABLE, rows=((OK, OK),) * 3, names=(OK,) * 3, marked=(0, 2))),
    (checks.page, replace(TABLE, rows=((OK, OK),) * 5)),
    (checks.page, TextPage(OK, (OK, OK))),
    (view, replace(VIEW, result=OK, headline=HEADLINE, suits=(SEA,), piles=Piles(("sea",), ((0,), (MOST,))))),  # type: ignore[arg-type]
    (view, replace(VIEW, columns=(PileColumn(SEA.sign, 0, 0), PileColumn(SEA.sign, MOST, MOST)))),
    (outcome, EventOutcome((OK,), TABLE, new_trump=0, finished=VIEW, laid_as=CardSound.LEAD)),
    (outcome, EventOutcome(new_trump=3)),
    (answer, ChooseSeat(1)),
    (answer, EnterNumber(-MOST)),
    (answer, EnterNumber(MOST)),
    (answer, ChooseItem(0, OK)),
    (answer, ChooseItem(MOST, OK)),
    (answer, LayCard(CARD)),
    (answer, LayPair(CARD, CARD)),
    (answer, Skip()),
    (answer, TakeAlternative()),
    (asked, None),
    (asked, Start(0)),
    (asked, Prompt(OK, tuple(map(EnterNumber, range(checks.MOST_ANSWERS))))),
    (asked, replace(PROMPT, seat=1, deck=(CARD,), suits=(SEA,) * 4, bare=(SEA,), picks=(ChooseItem(1, OK),))),
    (asked, replace(PROMPT, alike=((SEA, 0), (SEA, checks.MOST_ANSWERS)))),
    (asked, replace(PROMPT, alternative=OK, skip=OK, skip_short=OK, legend=OK, sheet=SHEET)),
    (asked, replace(PROMPT, sheet=replace(SHEET, cell=(0, 0)))),
    (asked, replace(PROMPT, sheet=replace(SHEET, cell=None, told=(OK,)))),
    (rounds, ()),
    (rounds, ((-MOST, MOST), (0, 0))),
    (partial(checks.some_seats, seats=2), ((), (0, 1))),
    (partial(checks.winners, seats=2), (0, 1)),
    (partition, ((0, 2), (1, 3))),
    (actions, (CountedAction("trick", 1, MOST), CountedAction("trick", 0, -MOST))),
    (checks.probability, -0.5),
    (checks.probability, 0),
    (checks.probability, float("-inf")),
]

NOT_POINTS = f"that are not from -{MOST} to {MOST}"
NOT_COUNT = f"that are not from 0 to {MOST}"

WRONG: list[tuple[Check, Any, str]] = [
    (points_from(1, 3), 0, "has points that are not from 1 to 3"),
    (points_from(1, 3), 4, "has points that are not from 1 to 3"),
    (points_from(0, 3), True, "has points that are no whole numbers"),
    (partial(checks.seat, seats=2), -1, NO_SEAT),
    (partial(checks.seat, seats=2), 2, NO_SEAT),
    (partial(checks.seat, seats=2), "0", NO_SEAT),
    (checks.text, "a" * (checks.LONGEST_TEXT + 1), "has a text of more than 400 characters"),
    (checks.text, b"ok", "has a text that is bytes"),
    *((checks.text, f"a{letter}", CONTROL) for letter in ("\0", "\x1f", "\x7f", "\x9f", "\u2028", "\u2029")),
    (checks.texts, [OK], "has no tuple of texts"),
    (checks.texts, (OK, BAD), CONTROL),
    (progress, replace(PROGRESS, totals=(MOST + 1, 0)), f"has totals {NOT_POINTS}"),
    (progress, replace(PROGRESS, totals=(0, -MOST - 1)), f"has totals {NOT_POINTS}"),
    (progress, replace(PROGRESS, totals=(0, 0, 0, 0)), "has totals of 4 seats"),
    (progress, None, "returns NoneType"),
    (progress, replace(PROGRESS, totals=[0, 0]), "has totals that are no tuple"),
    (progress, replace(PROGRESS, winners=()), "has no winners, though the game is over"),
    (progress, replace(PROGRESS, winners=[0]), "has winners that are no tuple"),
    (progress, replace(PROGRESS, may_start=[0]), "has winners that are no tuple"),
    *(
        (progress, replace(PROGRESS, **named), NO_SEAT)
        for named in ({"turn": 2}, {"leader": 2}, {"winners": (0, 2)}, {"may_start": (2,)})
    ),
    (progress, replace(PROGRESS, round=-1), "has rounds that are not from 0 to 10000"),
    (progress, replace(PROGRESS, round=10_001), "has rounds that are not from 0 to 10000"),
    (progress, replace(PROGRESS, phase=None), "has a phase that is no word"),
    (table(2), replace(TABLE, title=BAD), CONTROL),
    (table(2), replace(TABLE, columns=(OK, BAD)), CONTROL),
    (table(2), replace(TABLE, names=(OK, BAD)), CONTROL),
    (table(2), replace(TABLE, rows=((OK, OK), (OK, BAD))), CONTROL),
    (table(2), replace(TABLE, rows=((OK, OK),)), "has no row for each of 2 seats"),
    (table(2), replace(TABLE, names=(OK,)), "has no row for each of 1 seats"),
    (table(None), replace(TABLE, rows=((OK,),)), "has a row of 1 cells under 2 columns"),
    (table(2), replace(TABLE, marked=(2,)), NO_SEAT),
    (checks.page, OK, "returns Text"),
    (checks.page, TextPage(BAD, ()), CONTROL),
    (checks.page, TextPage(OK, (BAD,)), CONTROL),
    (checks.page, replace(TABLE, title=BAD), CONTROL),
    (view, replace(VIEW, status=BAD), CONTROL),
    (view, replace(VIEW, seats=(*VIEW.seats[:1], SeatLine(BAD, OK, leads=False))), CONTROL),
    (view, replace(VIEW, seats=(*VIEW.seats[:1], SeatLine(OK, BAD, leads=False))), CONTROL),
    (view, replace(VIEW, seats=VIEW.seats[:1]), "has no line for each of 2 seats"),
    (view, replace(VIEW, result=BAD), CONTROL),
    (view, replace(VIEW, columns=(PileColumn("\x07", 0),)), CONTROL),  # type: ignore[arg-type]
    (view, replace(VIEW, columns=(PileColumn(SEA.sign, -1),)), f"has piles {NOT_COUNT}"),
    (view, replace(VIEW, columns=(PileColumn(SEA.sign, MOST + 1),)), f"has piles {NOT_COUNT}"),
    (view, replace(VIEW, columns=(PileColumn(SEA.sign, 0, -1),)), f"has piles {NOT_COUNT}"),
    (view, replace(VIEW, columns=(PileColumn(SEA.sign, 0, MOST + 1),)), f"has piles {NOT_COUNT}"),
    (view, replace(VIEW, suits=(SEA, "sky")), "has a suit that is no suit"),
    (view, replace(VIEW, headline="sun"), "returns str"),
    (checks.headline, replace(HEADLINE, picture=1), "has a headline whose picture is no name"),
    (checks.headline, replace(HEADLINE, figure=1), "has a headline whose picture is no name"),
    (checks.headline, replace(HEADLINE, figure="\x07"), CONTROL),
    (checks.headline, replace(HEADLINE, word=BAD), CONTROL),
    (checks.headline, replace(HEADLINE, colour=[0, 0, 0]), "has a colour that is not red, green and blue"),
    (checks.headline, replace(HEADLINE, colour=(0,) * 4), "has a colour that is not red, green and blue"),
    (checks.headline, replace(HEADLINE, colour=(0, 0, -1)), "has colours that are not from 0 to 255"),
    (checks.headline, replace(HEADLINE, colour=(256, 0, 0)), "has colours that are not from 0 to 255"),
    (view, replace(VIEW, piles=()), "returns tuple"),
    (view, replace(VIEW, piles=Piles((), ((),))), "has no piles for each of 2 seats"),
    (view, replace(VIEW, piles=Piles([], ((), ()))), "has no tuple of texts"),  # type: ignore[arg-type]
    (view, replace(VIEW, piles=Piles(("sea",), ((0,), ()))), "has no piles for each of 1 seats"),  # type: ignore[arg-type]
    (view, replace(VIEW, piles=Piles(("sea",), ((0,), (0.5,)))), "has piles that are no whole numbers"),  # type: ignore[arg-type]
    (outcome, EventOutcome((BAD,)), CONTROL),
    (outcome, EventOutcome(table=replace(TABLE, rows=())), "has no row for each of 2 seats"),
    (outcome, EventOutcome(finished=replace(VIEW, status=BAD)), CONTROL),
    (outcome, EventOutcome(new_trump=-1), "has trumps that are not from 0 to 3"),
    (outcome, EventOutcome(new_trump=4), "has trumps that are not from 0 to 3"),
    (outcome, EventOutcome(laid_as=1), "has a sound that is no CardSound"),  # type: ignore[arg-type]
    (answer, OK, "has an answer that is Text"),
    (answer, ChooseSeat(2), NO_SEAT),
    (answer, EnterNumber(MOST + 1), f"has numbers {NOT_POINTS}"),
    (answer, EnterNumber(-MOST - 1), f"has numbers {NOT_POINTS}"),
    (answer, ChooseItem(-1, OK), f"has items {NOT_COUNT}"),
    (answer, ChooseItem(MOST + 1, OK), f"has items {NOT_COUNT}"),
    (answer, ChooseItem(1, BAD), CONTROL),
    (answer, LayCard(3), "has a card that is int"),  # type: ignore[arg-type]
    (answer, LayPair(CARD, 3), "has a card that is int"),  # type: ignore[arg-type]
    (answer, LayPair(3, CARD), "has a card that is int"),  # type: ignore[arg-type]
    (asked, Event(), "returns Event"),
    (asked, replace(PROMPT, text=BAD), CONTROL),
    (asked, replace(PROMPT, answers=[EnterNumber(1)]), "asks a question without answers"),
    (
        asked,
        replace(PROMPT, answers=tuple(map(EnterNumber, range(checks.MOST_ANSWERS + 1)))),
        "asks a question with more than 2500 answers",
    ),
    (asked, replace(PROMPT, answers=(EnterNumber(1), ChooseSeat(2))), NO_SEAT),
    (asked, replace(PROMPT, answers=(EnterNumber(1), Skip(), EnterNumber(1))), "offers an answer twice"),
    (asked, replace(PROMPT, open_numbers=(1, 2)), "takes numbers that are tuple"),
    (asked, replace(PROMPT, picks=(ChooseItem(1, BAD),)), CONTROL),
    (asked, replace(PROMPT, seat=2), NO_SEAT),
    (asked, replace(PROMPT, deck=(CARD, SEA)), "has a card that is Suit"),
    (asked, replace(PROMPT, suits=(SEA,) * 5), "asks for more than 4 suits"),
    (asked, replace(PROMPT, suits=(SEA, "sky")), "has a suit that is no suit"),
    (asked, replace(PROMPT, bare=("sky",)), "has a suit that is no suit"),
    (asked, replace(PROMPT, alike=((SEA, 1, 1),)), "has kinds of cards that are no pairs"),
    (asked, replace(PROMPT, alike=([SEA, 1],)), "has kinds of cards that are no pairs"),
    (asked, replace(PROMPT, alike=((SEA, -1),)), "has cards left that are not from 0 to 2500"),
    (asked, replace(PROMPT, alike=((SEA, 2501),)), "has cards left that are not from 0 to 2500"),
    *((asked, replace(PROMPT, **{label: BAD}), CONTROL) for label in ("alternative", "skip", "skip_short", "legend")),
    *(
        (asked, replace(PROMPT, sheet=replace(SHEET, **{part: wrong})), said)
        for part, wrong, said in (
            ("title", BAD, CONTROL),
            ("columns", (OK, BAD), CONTROL),
            ("told", (BAD,), CONTROL),
            ("rows", ((1, 1),), "has a form without a row for each of 2 seats"),
            ("rows", ((1, 1), (1,)), "has a form with a row of another length"),
            ("rows", ((1, 1), (1, MOST + 1)), f"has figures {NOT_POINTS}"),
            ("rows", ((1, 1), (1, -MOST - 1)), f"has figures {NOT_POINTS}"),
            ("cell", (2, 0), NO_SEAT),
            ("cell", (0, -1), "has cells that are not from 0 to 1"),
            ("cell", (0, 2), "has cells that are not from 0 to 1"),
        )
    ),
    (rounds, [(0, 0)], "returns list"),
    (rounds, ((0, 0), (0,)), "has no points for each of 2 seats"),
    (rounds, ((0, MOST + 1),), f"has points {NOT_POINTS}"),
    (partial(checks.winners, seats=2), (), "names no winners"),
    (partial(checks.winners, seats=2), [0], "names no winners"),
    (partial(checks.winners, seats=2), (0, 2), NO_SEAT),
    (partial(checks.some_seats, seats=2), [(0,)], "returns list"),
    (partial(checks.some_seats, seats=2), ((0,), [1]), "has a side that is no tuple"),
    (partial(checks.some_seats, seats=2), ((0, 2),), NO_SEAT),
    (partition, ((0, 2), (1,)), "does not have each of 4 seats on one side"),
    (partition, ((0, 2), (1, 3), ()), "does not have each of 4 seats on one side"),
    (partition, ((0, 2), (1, 3, 3)), "does not have each of 4 seats on one side"),
    (actions, ("trick",), "has an action that is str"),
    (actions, (CountedAction("price", 0),), "counts 'price', which has no name"),
    (actions, (CountedAction("trick", 2),), NO_SEAT),
    (actions, (CountedAction("trick", 0, MOST + 1),), f"has amounts {NOT_POINTS}"),
    (actions, (CountedAction("trick", 0, -MOST - 1),), f"has amounts {NOT_POINTS}"),
    (checks.probability, float("nan"), "returns nan"),
    (checks.probability, True, "returns True"),
    (checks.probability, "l" * 50, f"returns '{'l' * 39}"),
    (partial(checks.each_of, checks.text), [OK], "returns list"),
    (partial(checks.each_of, checks.text), (OK, 3), "has a text that is int"),
]


@pytest.mark.parametrize(("check", "value"), RIGHT)
def test_a_value_at_its_bounds_passes(check: Check, value: Any) -> None:
    check(value)


@pytest.mark.parametrize(("check", "value", "said"), WRONG)
def test_a_value_beyond_its_bounds_is_named(check: Check, value: Any, said: str) -> None:
    with pytest.raises(GameValueError) as caught:
        check(value)
    assert str(caught.value) == said


def test_the_error_of_a_text_that_cannot_be_written_is_told() -> None:
    with pytest.raises(GameValueError) as caught:
        checks.text(Text("{who}", whom="Aki"))
    assert str(caught.value) == "has a text that cannot be written: KeyError('who')"


def test_a_known_text_is_not_checked_again_and_the_known_ones_are_not_kept_for_ever() -> None:
    written: list[int] = []

    class Label(Text):
        """A text that notes when it is written."""

        __slots__ = ()

        def __init__(self) -> None:
            super().__init__("{it}", it=Noted())

    class Noted:
        """A word that notes when it is written."""

        def __str__(self) -> str:
            written.append(1)
            return "it"

    label = Label()
    checks.texts((label, label))
    checks.texts((label,))
    assert len(written) == 1
    checks.texts(tuple(Text(f"word {number}") for number in range(checks.MOST_CHECKED)))
    checks.texts((label,))
    assert len(written) == 2
