"""Prompts of East Rune: the next question, whole rounds as forms, the conversion of answers to events and back."""

from __future__ import annotations

from functools import partial

from msgspec import UNSET
from msgspec.structs import replace

from companion.core.cards import Card, Suit
from companion.core.game import Event, Start
from companion.core.prompt import AlternateLay, Answer, ChooseSeat, DetailLevel, LayCard, Prompt, Skip, TakeAlternative
from companion.core.text import N_, Glyph, Seat, Text, joined
from companion.games.kit.rounds import Cell, Figures, Form, Last, Walk, ask_start, lays, sits, with_others

from .rules import (
    BLANK,
    BLANK_CHAIR,
    CHAIR_VIRTUE,
    CHAIRS,
    DOMAINS,
    MONARCH_VIRTUE,
    MONARCHS,
    MONARCHS_IN_ALL,
    SEATING,
    VASSALS,
    VASSALS_IN_ALL,
    VIRTUES,
    Claim,
    Pass,
    Play,
    Result,
    Reveal,
    State,
    Stop,
    apply,
    chairs_left,
    leaders,
    monarchs_left,
    most_in_hand,
    uncovered,
)
from .shown import CHAIR

CROWN = Glyph("crown")
CHAIRS_TAKEN, MONARCHS_TAKEN, HAND = range(3)
HEADS = {
    CHAIRS_TAKEN: Text("{chair}", chair=CHAIR),
    MONARCHS_TAKEN: Text("{crown}", crown=CROWN),
    HAND: Text(N_("hand")),
}
_LAST = {CHAIRS_TAKEN: Text(N_("last {chair}"), chair=CHAIR), MONARCHS_TAKEN: Text(N_("last {crown}"), crown=CROWN)}
_WHO_LAST = {
    CHAIRS_TAKEN: Text(N_("Last {chair}: who?"), chair=CHAIR),
    MONARCHS_TAKEN: Text(N_("Last {crown}: who?"), crown=CROWN),
}
NOBODY = Text(N_("nobody"))


def _most(state: State) -> dict[int, int]:
    """Return how many chairs and monarchs the game has, by the columns that count them."""
    in_all = {CHAIRS_TAKEN: state.rounds, MONARCHS_TAKEN: MONARCHS_IN_ALL}
    return {MONARCHS_TAKEN: MONARCHS_IN_ALL} if state.seats == 2 else in_all


def _walk(state: State, figures: Figures) -> Walk[Cell, Result]:
    """Walk through what each seat captured, and has in hand; the last seat has the rest, unless some was left over."""
    most, not_all = _most(state), None if figures.free else Text(N_("not all"))
    said: dict[int, list[int]] = {column: [] for column in HEADS}
    for seat in range(state.seats):
        for column, in_all in most.items():
            able = figures.able(figures.left(in_all, said[column]), last=seat == state.seats - 1)
            said[column].append((yield Cell(column, seat, able, not_all)))
        in_hand = most_in_hand(state, seat)
        if state.seats == 2:
            in_hand = min(in_hand, figures.left(VASSALS_IN_ALL, said[HAND]))
        said[HAND].append((yield Cell(HAND, seat, range(in_hand + 1))))
    chairs, monarchs, hand = (tuple(said[column]) or (0, 0) for column in HEADS)
    result = Result(chairs, monarchs, hand, figures.last)
    follows = figures.last is UNSET and _left_over(state, result) and _tied(state, result)
    return replace(result, last_chair=None) if follows else result


def _counted(state: State, result: Result) -> tuple[int, ...]:
    """Return what was captured of the cards whose last one breaks a tie."""
    return result.monarchs if state.seats == 2 else result.chairs


def _left_over(state: State, result: Result) -> bool:
    """Return whether one of those cards was left over, so that nobody captured the last one."""
    return sum(_counted(state, result)) < next(iter(_most(state).values()))


def _tied(state: State, result: Result) -> bool:
    figures = replace(state, chairs=result.chairs, monarchs=result.monarchs, hand=result.hand)
    return len(leaders(figures)) > 1


def _form(state: State) -> Form[Cell, Result]:
    most = _most(state)
    first = next(iter(most))

    def text(cell: Cell) -> Text:
        if cell.column == HAND:
            return Text(N_("In hand: {player}"), player=Seat(cell.row))
        return Text(N_("{sign}: {player}"), sign=HEADS[cell.column], player=Seat(cell.row))

    def check(result: Result) -> None:
        """Raise if the figures cannot be; a tie that is still to be broken can."""
        apply(state, replace(result, last_chair=None) if result.last_chair is UNSET else result)

    def captured(result: Result) -> list[int]:
        return [seat for seat, count in enumerate(_counted(state, result)) if count]

    def breaks_tie(result: Result) -> bool:
        return not _left_over(state, result) and _tied(state, result)

    heads = {column: HEADS[column] for column in (*most, HAND)}
    last = Last(_WHO_LAST[first], captured, breaks_tie, NOBODY, _LAST[first])
    return Form(Text(N_("The end")), heads, state.seats, partial(_walk, state), text, check, last)


def as_whole_round(_before: State, _event: Event, after: State) -> Result:
    """Return the result of a game that ended with a card, as the event that a table enters without cards."""
    return Result(after.chairs, after.monarchs, after.hand, None if after.chairs_up else after.last)


def _result_answers(state: State, event: Result) -> tuple[Answer, ...]:
    columns = {CHAIRS_TAKEN: event.chairs, MONARCHS_TAKEN: event.monarchs, HAND: event.hand}
    not_all = any(sum(columns[column]) < in_all for column, in_all in _most(state).items())
    last = event.last_chair
    if last is None and _left_over(state, event) and _tied(state, event):
        last = UNSET  # it follows from the figures
    return _form(state).answers(columns, last, free=not_all)


# Prompts


FRONT = AlternateLay(Text(N_("from the front")), Glyph("front"))

LEGEND = joined(Text(" {key}{sign}", key=virtue.key, sign=virtue.sign) for virtue in VIRTUES)
"""Legend: the key of each virtue."""


def ask(state: State, tracking: DetailLevel, answers: tuple[Answer, ...]) -> Prompt | Event | None:
    if state.phase == "over":
        return None
    if state.phase == "start":
        return ask_start(state.may_start, answers, N_("Who deals first?"))
    if tracking is DetailLevel.ROUND:
        return _form(state).ask(answers)
    if state.phase == "reveal":
        return _ask_reveal(state, answers)
    if state.phase == "claim":
        return _ask_claim(state, answers)
    return _ask_turn(state, answers)


def _ask_reveal(state: State, answers: tuple[Answer, ...]) -> Prompt | Event:
    match answers:
        case (LayCard(card),):
            return Reveal(card)
    if state.seats == 2:
        monarchs = lays(card for card in MONARCHS if monarchs_left(state, MONARCH_VIRTUE[card]))
        return Prompt(Text(N_("Monarch:")), monarchs, seat=state.turn, deck=MONARCHS, suits=DOMAINS)
    deck = (*CHAIRS, BLANK_CHAIR) if state.rules.blank_chair else CHAIRS
    chairs = lays(card for card in deck if chairs_left(state, card))
    return Prompt(
        Text(N_("Chair:")), chairs, seat=state.turn, deck=deck, suits=(SEATING,), bare=(SEATING,), legend=LEGEND
    )


def _ask_claim(state: State, answers: tuple[Answer, ...]) -> Prompt | Event:
    chair = state.chairs_up[-1]
    match answers:
        case (Skip(),):
            return Claim(None)
        case (ChooseSeat(player), LayCard(card)):
            return Claim(player, card)
        case (ChooseSeat(player),):
            return Prompt(
                Text(N_("{player} lays:"), player=Seat(player)),
                lays(_claiming(state, chair, player)),
                seat=player,
                deck=_vassals(state) if chair is BLANK_CHAIR else _monarchs(chair),
                suits=DOMAINS,
            )
    able = sits(seat for seat in range(state.seats) if _claiming(state, chair, seat))
    question = (
        Text(N_("Blank {chair}: who?"), chair=CHAIR)
        if chair is BLANK_CHAIR
        else Text(N_("Who claims {virtue}?"), virtue=CHAIR_VIRTUE[chair].sign)
    )
    return with_others(Prompt(question, able, skip=Text(N_("nobody"))))


def _monarchs(chair: Card) -> tuple[Card, ...]:
    """Return the monarchs with a chair's virtue; the virtue need not be typed."""
    return tuple(card for card in MONARCHS if MONARCH_VIRTUE[card] is CHAIR_VIRTUE[chair])


def _vassals(state: State) -> tuple[Card, ...]:
    return (*VASSALS, BLANK) if state.rules.blank_character else VASSALS


def _vassals_in_hand(state: State, seat: int) -> tuple[Card, ...]:
    if not state.hand[seat]:
        return ()
    known = VASSALS if state.vassals_seen < VASSALS_IN_ALL else ()
    return (*known, BLANK) if state.blank_hidden else known


def _claiming(state: State, chair: Card, seat: int) -> tuple[Card, ...]:
    if chair is BLANK_CHAIR:
        return _vassals_in_hand(state, seat)
    return _monarchs(chair) if state.hand[seat] and monarchs_left(state, CHAIR_VIRTUE[chair]) else ()


def _needed(state: State) -> tuple[Suit, ...]:
    return () if state.follows is None else (state.follows,)


def _fits(state: State, card: Card) -> bool:
    return card is BLANK or state.follows in (None, card.suit)


def _ask_turn(state: State, answers: tuple[Answer, ...]) -> Prompt | Event:
    turn = state.turn
    assert turn is not None  # these phases always have a player to act
    begins = state.phase in ("play", "extra")
    monarchs = _monarchs_in_hand(state, turn)
    match answers:
        case (Skip(),):
            return Pass(turn) if begins else Stop(turn)
        case (TakeAlternative(), LayCard(card)):
            return Play(turn, card, "hand")
        case (TakeAlternative(),):
            return Prompt(
                Text(N_("{player}, {crown}:"), player=Seat(turn), crown=Glyph("crown")),
                lays(monarchs),
                seat=turn,
                deck=MONARCHS,
                suits=DOMAINS,
                bare=_needed(state),
            )
        case (LayCard(card, aside),):
            return Play(turn, card, "front" if aside else "hand")
    hand = lays(card for card in _vassals_in_hand(state, turn) if _fits(state, card))
    front = lays((card for card in uncovered(state, turn) if _fits(state, card)), aside=True)
    others: tuple[Answer, ...] = (Skip(), TakeAlternative()) if monarchs else (Skip(),)
    return Prompt(
        _QUESTIONS[state.phase](Seat(turn)),
        (*hand, *front, *others),
        seat=turn,
        deck=_vassals(state),
        suits=DOMAINS,
        bare=_needed(state),
        led=state.follows,
        alternate=FRONT,
        alternative=Text(N_("a monarch")) if monarchs else None,
        skip=Text(N_("pass")) if begins else Text(N_("stop")),
    )


_QUESTIONS = {
    "play": lambda turn: Text(N_("{player}:"), player=turn),
    "chain": lambda turn: Text(N_("{player}, another:"), player=turn),
    "extra": lambda turn: Text(N_("{player}, extra:"), player=turn),
    "extra-chain": lambda turn: Text(N_("{player}, another:"), player=turn),
}


def _monarchs_in_hand(state: State, seat: int) -> tuple[Card, ...]:
    """Return the monarchs that a hand may hold and that may now be laid like any character."""
    if state.rules.monarchs == "claimed" or not state.hand[seat]:
        return ()
    return tuple(card for card in MONARCHS if _fits(state, card) and monarchs_left(state, MONARCH_VIRTUE[card]))


def answers(state: State, event: Event) -> tuple[Answer, ...]:
    match event:
        case Start(player):
            return (ChooseSeat(player),)
        case Reveal(card):
            return (LayCard(card),)
        case Claim(int(player), Card() as card):
            return (ChooseSeat(player), LayCard(card))
        case Claim():
            return (Skip(),)
        case Play(_, card, source):
            return (TakeAlternative(), LayCard(card)) if card in MONARCH_VIRTUE else (LayCard(card, source == "front"),)
        case Stop() | Pass():
            return (Skip(),)
        case Result():
            return _result_answers(state, event)
    raise TypeError(f"not an event of East Rune: {event!r}")
