"""Prompts of East Rune: the next question, whole rounds as forms, the conversion of answers to events and back."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import chain

from msgspec import UNSET
from msgspec.structs import replace

from companion.core.cards import Card, Suit
from companion.core.game import Event, Start
from companion.core.prompt import AlternateLay, Answer, ChooseSeat, DetailLevel, LayCard, Prompt, Skip, TakeAlternative
from companion.core.text import N_, Glyph, Seat, Text, joined
from companion.games.kit.rounds import Form, agreement, ask_start, lays, numbers, sits, with_others

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
    EndTurn,
    Pass,
    Play,
    Result,
    Reveal,
    State,
    apply,
    chairs_left,
    leaders,
    monarchs_left,
    most_in_hand,
    uncovered,
)
from .shown import CHAIR

CROWN = Glyph("crown")
CHAIR_FIGURES, MONARCH_FIGURES, HAND = Text("{chair}", chair=CHAIR), Text("{crown}", crown=CROWN), Text(N_("hand"))
HEADS = (CHAIR_FIGURES, MONARCH_FIGURES, HAND)
_LAST = {CHAIR_FIGURES: Text(N_("last {chair}"), chair=CHAIR), MONARCH_FIGURES: Text(N_("last {crown}"), crown=CROWN)}
_WHO_LAST = {
    CHAIR_FIGURES: Text(N_("Last {chair}: who?"), chair=CHAIR),
    MONARCH_FIGURES: Text(N_("Last {crown}: who?"), crown=CROWN),
}
NOBODY = Text(N_("nobody"))


def _form(state: State, answers: tuple[Answer, ...] = ()) -> Form:
    heads, title = HEADS[1:] if state.seats == 2 else HEADS, Text(N_("The end"))
    needs_last, check = partial(_needs_last, state), partial(_check, state)
    return Form(title, heads, state.seats, partial(_possible_values, state), needs_last, check).after(answers)


def _check(state: State, form: Form) -> None:
    """Raise if the figures cannot be; a tie that is still to be broken can."""
    result = _result(state, form)
    apply(state, replace(result, last_chair=None) if result.last_chair is UNSET else result)


def _possible_values(state: State, form: Form) -> Sequence[int]:
    """Return the possible values of the next figure; the last seat has the rest, unless something was left over."""
    seat, column = form.cell
    if form.heads[column] is HAND:
        most = most_in_hand(state, seat)
        return range((min(most, form.left(column, VASSALS_IN_ALL)) if state.seats == 2 else most) + 1)
    left = form.left(column, _in_all(state, form, column))
    return range(left if form.last_row else 0, left + 1)


def _in_all(state: State, form: Form, column: int) -> int:
    """Return how many chairs or monarchs the game has, for the column that counts them."""
    return state.rounds if form.heads[column] is CHAIR_FIGURES else MONARCHS_IN_ALL


def _needs_last(state: State, form: Form) -> bool:
    """Return whether a tie is broken by whoever captured the last one; if one was left over, nobody did."""
    return sum(form.column(0)) == _in_all(state, form, 0) and _tied(state, _result(state, form))


def _result(state: State, form: Form) -> Result:
    *chairs, monarchs, hand = (form.column(column) for column in range(len(form.heads)))
    result = Result(chairs[0] if chairs else (0, 0), monarchs, hand, form.who)
    left_over = sum(form.column(0)) < _in_all(state, form, 0)
    follows = form.who is UNSET and left_over and _tied(state, result)
    return replace(result, last_chair=None) if follows else result


def ask_result(state: State, answers: tuple[Answer, ...]) -> Prompt | Result:
    form = _form(state, answers)
    if form.agreed:
        return _result(state, form)
    if form.complete:
        captured = [seat for seat, count in enumerate(form.column(0)) if count]
        return form.ask_whole(_WHO_LAST[form.heads[0]], captured, NOBODY, _LAST[form.heads[0]])
    seat, column = form.cell
    if form.heads[column] is HAND:
        return form.ask(Text(N_("In hand: {player}"), player=Seat(seat)))
    text = Text(N_("{sign}: {player}"), sign=form.heads[column], player=Seat(seat))
    return form.ask(text, extra=None if form.rest_open else Text(N_("not all")))


def _tied(state: State, result: Result) -> bool:
    figures = replace(state, chairs=result.chairs, monarchs=result.monarchs, hand=result.hand)
    return len(leaders(figures)) > 1


def as_whole_round(_before: State, _event: Event, after: State) -> Result:
    """Return the result of a game that ended with a card, as the event that a table enters without cards."""
    return Result(after.chairs, after.monarchs, after.hand, None if after.chairs_up else after.last)


def result_answers(state: State, event: Result) -> tuple[Answer, ...]:
    form = _form(state)
    columns = {CHAIR_FIGURES: event.chairs, MONARCH_FIGURES: event.monarchs, HAND: event.hand}
    figures = tuple(chain.from_iterable(zip(*(columns[head] for head in form.heads), strict=True)))
    captured = {column: sum(columns[head]) for column, head in enumerate(form.heads) if head is not HAND}
    given: tuple[Answer, ...] = ()
    if any(count < _in_all(state, form, column) for column, count in captured.items()):
        given = (TakeAlternative(),)
    given += numbers(_form(state, given), figures)
    form = _form(state, given)
    last = None if event.last_chair is UNSET else Skip() if event.last_chair is None else ChooseSeat(event.last_chair)
    if isinstance(last, Skip) and captured[0] < _in_all(state, form, 0) and _tied(state, event):
        last = None  # it follows from the figures
    return (*given, *agreement(form, last))


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
        return ask_result(state, answers)
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
    return tuple(card for card in MONARCHS if card.keys[0].endswith(str(CHAIR_VIRTUE[chair].key)))


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
    virtue = CHAIR_VIRTUE[chair]
    if not state.hand[seat] or not monarchs_left(state, virtue):
        return ()
    return tuple(card for card in MONARCHS if MONARCH_VIRTUE[card] is virtue)


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
            return Pass(turn) if begins else EndTurn(turn)
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
        case EndTurn() | Pass():
            return (Skip(),)
        case Result():
            return result_answers(state, event)
    raise TypeError(f"not an event of East Rune: {event!r}")
