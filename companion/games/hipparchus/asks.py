"""Prompts of Hipparchus: the next question, whole rounds as forms, the conversion of answers to events and back."""

from __future__ import annotations

from itertools import chain

from msgspec import UNSET
from msgspec.structs import replace

from companion.core.game import Event, Start
from companion.core.prompt import Answer, ChooseItem, ChooseSeat, DetailLevel, Prompt, Skip, TakeAlternative
from companion.core.text import N_, IllegalEventError, Seat, Text
from companion.games.kit.rounds import Cell, Figures, Form, Last, Walk, ask_start, with_others

from .rules import (
    DEALT,
    IN_SUIT,
    MOST,
    SUIT_NAMES,
    SUITS,
    End,
    LaidCards,
    Play,
    Round,
    RoundPile,
    State,
    Stuck,
    Trick,
    TrickCards,
    apply,
    cards_text,
    plays_of,
    taker,
    tied,
)

HEADS = {place: Text("{suit}", suit=suit.sign) for place, suit in enumerate(SUITS)}


def _walk(figures: Figures) -> Walk[Cell, Round]:
    """Walk through the captured cards of each suit by player."""
    captured: list[list[int]] = [[], []]
    for seat, pile in enumerate(captured):
        for suit in HEADS:
            in_suit = figures.left(IN_SUIT, (other[suit] for other in captured[:seat]))
            dealt = figures.left(DEALT, chain.from_iterable(captured))
            pile.append((yield Cell(suit, seat, range(min(in_suit, dealt) + 1))))
    ours, theirs = captured
    second = figures.last if isinstance(figures.last, int) else UNSET
    return Round((RoundPile(*ours), RoundPile(*theirs)), second)


def _tied(event: Round) -> bool:
    ours, theirs = event.captured
    return tied((ours.counts, theirs.counts))


def _form(state: State) -> Form[Cell, Round]:
    def check(event: Round) -> None:
        """Raise if the figures cannot be; a tie that is still to be broken can."""
        apply(state, replace(event, second=0) if event.second is UNSET and _tied(event) else event)

    return Form(
        Text(N_("Round {round}"), round=state.round),
        HEADS,
        2,
        _walk,
        lambda cell: Text(N_("{suit}: {player}"), suit=SUITS[cell.column], player=Seat(cell.row)),
        check,
        Last(Text(N_("2nd in the last?")), lambda _made: (0, 1), _tied, extra=Text(N_("laid second"))),
    )


def as_whole_round(before: State, _event: Event, after: State) -> Round:
    """Return the round that a card has ended, as one event."""
    ours, theirs = after.sheets[-1]
    stuck_later = after.sheets[-1] == before.captured
    assert before.leader is not None  # a round that is entered card by card has one
    second = before.second if stuck_later and before.second is not None else 1 - before.leader
    return Round((RoundPile(*ours), RoundPile(*theirs)), second)


# Prompts


STUCK = Text(N_("stuck"))
OVER = Text(N_("round over"))
LEAD = Text(N_("lead only"))
WINNER = Text(N_("winner"))

LEGEND = Text("1{sun} 4{moon} 7{earth}", sun=SUITS[0].sign, moon=SUITS[1].sign, earth=SUITS[2].sign)
"""Legend: the first key of each suit (one card; the next two keys are two and three cards)."""


def pick(place: int, count: int) -> ChooseItem:
    """Return a play as an answer: the digits 1 to 9 stand for suit and number of cards."""
    label = cards_text(count, SUIT_NAMES[place])
    return ChooseItem(MOST * place + count, label, SUITS[place], str(count))


PICKS = tuple(pick(place, count) for place in range(len(SUITS)) for count in range(1, MOST + 1))


def _suit_and_count(value: int) -> tuple[int, int]:
    """Return the index of the suit and the number of cards that a digit stands for."""
    return (value - 1) // MOST, (value - 1) % MOST + 1


def ask(state: State, tracking: DetailLevel, answers: tuple[Answer, ...]) -> Prompt | Event | None:
    if state.phase == "over":
        return None
    if tracking is DetailLevel.ROUND:
        return _form(state).ask(answers)
    if state.leader is None:
        return ask_start(state.may_start, answers)
    if tracking is DetailLevel.QUICK and not state.table:
        return _ask_trick(state, state.leader, answers)
    if answers and isinstance(answers[0], TakeAlternative) and not state.known:
        return _ask_end(state.leader, answers[1:])
    return _ask_play(state, 1 - state.leader if state.table else state.leader, answers)


def _fits(state: State, event: Event) -> bool:
    try:
        apply(state, event)
    except IllegalEventError:
        return False
    return True


# Play by play


def _ask_play(state: State, turn: int, answers: tuple[Answer, ...]) -> Prompt | Event:
    match answers:
        case (ChooseItem(value),):
            return _play(turn, value)
        case (TakeAlternative(),):
            return Stuck(turn)
    offered = tuple(each for each in PICKS if _fits(state, _play(turn, each.value)))
    extra = OVER if not state.known else STUCK if state.table else None
    text = Text(N_("{player}:"), player=Seat(turn))
    return with_others(Prompt(text, offered, seat=turn, picks=PICKS, alternative=extra, legend=LEGEND))


def _play(turn: int, value: int) -> Play:
    place, count = _suit_and_count(value)
    return Play(turn, SUIT_NAMES[place], count)


# Trick by trick: the lead, then the reply; the winner follows from them. The alternative answer leads to the rest: the
# end of the round, a lead that nobody followed, or a trick entered as its winner and both plays in any order.


def _ask_trick(state: State, leader: int, answers: tuple[Answer, ...]) -> Prompt | Event:
    match answers:
        case (ChooseItem(lead), ChooseItem(reply)):
            return _answered(state, leader, lead, reply)
        case (ChooseItem(lead),):
            replies = _replies(state, leader, lead)
            return _asked_other(state, leader, lead, replies, Text(N_("{player} replies:"), player=Seat(1 - leader)))
        case (TakeAlternative(), *rest):
            return _ask_known(state, leader, tuple(rest)) if state.known else _ask_unknown(state, leader, tuple(rest))
    leads = tuple(each for each in PICKS if _replies(state, leader, each.value))
    text = Text(N_("{player} leads:"), player=Seat(leader))
    return with_others(Prompt(text, leads, picks=PICKS, alternative=LEAD if state.known else OVER))


def _ask_known(state: State, leader: int, answers: tuple[Answer, ...]) -> Prompt | Event:
    """Return the prompt for a lead that nobody followed; its alternative answer asks for the winner of a trick."""
    if answers and isinstance(answers[0], TakeAlternative):
        return _ask_winner(state, answers[1:])
    asked = _ask_play(state, leader, answers)
    if not isinstance(asked, Prompt) or not _winners(state):
        return asked
    return replace(asked, answers=(*asked.answers, TakeAlternative()), alternative=WINNER)


def _ask_unknown(state: State, leader: int, answers: tuple[Answer, ...]) -> Prompt | Event:
    """Return the prompt for the end of the round, or else the winner of a trick."""
    if answers and isinstance(answers[0], ChooseSeat):
        return _ask_winner(state, answers)
    asked = _ask_end(leader, answers)
    if not isinstance(asked, Prompt) or not _winners(state):
        return asked
    return replace(asked, text=Text(N_("Winner or:")), answers=(*_winners(state), *asked.answers))


def _ask_winner(state: State, answers: tuple[Answer, ...]) -> Prompt | Event:
    match answers:
        case (ChooseSeat(winner), ChooseItem(first), ChooseItem(other)):
            return _trick(winner, first, other)
        case (ChooseSeat(winner), ChooseItem(first)):
            return _asked_other(state, winner, first, _others(state, winner, first), Text(N_("The other:")))
        case (ChooseSeat(winner),):
            firsts = tuple(each for each in PICKS if _others(state, winner, each.value))
            return Prompt(Text(N_("One play:")), firsts, picks=PICKS)
    return Prompt(Text(N_("Who won?")), _winners(state))


def _asked_other(state: State, winner: int, first: int, others: tuple[Answer, ...], text: Text) -> Prompt:
    if not others:  # any play of another suit raises the error that says why
        apply(state, _trick(winner, first, (first + MOST - 1) % len(PICKS) + 1))
    return Prompt(text, others, picks=PICKS)


def _answered(state: State, leader: int, lead: int, reply: int) -> Trick:
    """Return the trick of a lead and a reply, given as digits."""
    plays = zip((leader, 1 - leader), map(_suit_and_count, (lead, reply)), strict=True)
    one, other = (LaidCards(seat, SUIT_NAMES[place], count) for seat, (place, count) in plays)
    return _trick(taker((one, other), state.captured), lead, reply)


def _trick(winner: int, first: int, other: int) -> Trick:
    if first == other:
        place, count = _suit_and_count(first)
        raise IllegalEventError("same", N_("not {cards} twice in a trick"), cards=cards_text(count, SUIT_NAMES[place]))
    counts = [0] * len(SUITS)
    for place, count in map(_suit_and_count, (first, other)):
        counts[place] += count
    return Trick(winner, TrickCards(*counts))


def _others(state: State, winner: int, first: int) -> tuple[Answer, ...]:
    """Return the plays that can complete a trick with a given play and winner."""
    return tuple(each for each in PICKS if each.value != first and _fits(state, _trick(winner, first, each.value)))


def _replies(state: State, leader: int, lead: int) -> tuple[Answer, ...]:
    others = (each for each in PICKS if each.value != lead)
    return tuple(each for each in others if _fits(state, _answered(state, leader, lead, each.value)))


def _winners(state: State) -> tuple[Answer, ...]:
    """Return the seats that may have won a trick, as answers."""
    return tuple(ChooseSeat(seat) for seat in (0, 1) if any(_others(state, seat, each.value) for each in PICKS))


def _ask_end(leader: int, answers: tuple[Answer, ...]) -> Prompt | Event:
    match answers:
        case (Skip(),):
            return End()
        case (TakeAlternative(),):
            return Stuck(1 - leader)
    return Prompt(Text(N_("It ended:")), (Skip(), TakeAlternative()), skip=Text(N_("hand empty")), alternative=STUCK)


# From an event back to its answers


def answers(state: State, event: Event) -> tuple[Answer, ...]:
    match event:
        case Start(player):
            return (ChooseSeat(player),)
        case Play(_, suit, count):
            return (pick(SUIT_NAMES.index(suit), count),)
        case Stuck():
            return (TakeAlternative(),) if state.known else (TakeAlternative(), TakeAlternative())
        case Trick():
            return tuple(pick(SUIT_NAMES.index(laid.suit), laid.count) for laid in plays_of(state, event))
        case End():
            return (TakeAlternative(), Skip())
        case Round(captured, second):
            ours, theirs = (pile.counts for pile in captured)
            return _form(state).answers({suit: (ours[suit], theirs[suit]) for suit in HEADS}, second)
    raise TypeError(f"not an event of Hipparchus: {event!r}")
