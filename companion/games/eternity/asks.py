"""Prompts of Eternity: the next question, whole rounds as forms, the conversion of answers to events and back."""

from __future__ import annotations

from functools import partial

from msgspec import UNSET

from companion.core.cards import Suit
from companion.core.game import Event, Start
from companion.core.prompt import AlternateLay, Answer, ChooseSeat, DetailLevel, LayCard, Prompt, Skip, TakeAlternative
from companion.core.text import N_, Glyph, IllegalEventError, Seat, Text
from companion.games.kit.rounds import Cell, Figures, Form, Last, Walk, ask_start, cards_of, lays, sits, with_others
from companion.games.kit.tricks import gainer

from .rules import (
    DECK,
    SUITS,
    Deal,
    Play,
    Pledge,
    PledgeInTrick,
    Reveal,
    Round,
    State,
    Trick,
    apply,
    most_trees,
    most_trees_of_seat,
    seen_with,
    tricks_in_round,
)

TRICKS, TREES = range(2)
HEADS = {TRICKS: Text(N_("tricks")), TREES: Text(N_("trees"))}
QUESTIONS = (N_("Tricks: {player}"), N_("Trees: {player}"))


def _walk(state: State, figures: Figures) -> Walk[Cell, Round]:
    """Walk through the tricks and trees of each seat."""
    all_tricks, all_trees = tricks_in_round(state.seats), most_trees(state.seats, state.rules.tokens == "limited")
    tricks, trees = list[int](), list[int]()
    for seat in range(state.seats):
        able = figures.able(figures.left(all_tricks, tricks), last=seat == state.seats - 1)
        tricks.append((yield Cell(TRICKS, seat, able)))
        most = min(figures.left(all_trees, trees), most_trees_of_seat(state.seats, tricks[seat]))
        trees.append((yield Cell(TREES, seat, range(most + 1))))
    return Round(tuple(tricks), tuple(trees), UNSET if figures.last is None else figures.last)


def _form(state: State) -> Form[Cell, Round]:
    def starter_unknown(event: Round) -> bool:
        """Return whether the next starter stays unknown unless the winner of the last trick is given."""
        return state.rules.edition == "jp" and apply(state, event).phase == "start"

    def winners(event: Round) -> list[int]:
        return [seat for seat, won in enumerate(event.tricks) if won]

    return Form(
        Text(N_("Round {round}"), round=state.round),
        HEADS,
        state.seats,
        partial(_walk, state),
        lambda cell: Text(QUESTIONS[cell.column], player=Seat(cell.row)),
        partial(apply, state),
        Last(Text(N_("Who won last?")), winners, starter_unknown, Text(N_("unknown")), Text(N_("last trick"))),
    )


def as_whole_round(before: State, _event: Event, after: State) -> Round:
    """Return the round that a card has ended, as one event."""
    tricks, trees = after.sheets[-1]
    return Round(tricks, trees, int(gainer(before.tricks, tricks)))


# Prompts


CARDS = partial(Prompt, deck=DECK.cards, suits=SUITS, highest=True)
"""The question for cards."""
PLEDGE = AlternateLay(Text(N_("pledge")), Glyph("pledge"))
OPEN_CARD = N_("Open {number}/10:")
NEUTRAL = Text(N_("neutral"))


def ask(state: State, tracking: DetailLevel, answers: tuple[Answer, ...]) -> Prompt | Event | None:
    if state.phase == "over":
        return None
    seen_with(state.seen, cards_of(answers))  # raise for a card seen before, before asking more about it
    if tracking is DetailLevel.ROUND:
        return _form(state).ask(answers)
    if state.phase == "start":
        return ask_start(state.may_start, answers)
    if state.phase == "deal":
        return _ask_deal(state, answers)
    if state.phase == "reveal":
        return _ask_pair(state, answers)
    if answers and isinstance(answers[0], TakeAlternative):
        return _ask_pair(state, answers[1:])
    if tracking is DetailLevel.QUICK and not state.table:
        return _ask_trick(state, answers)
    return _ask_card(state, answers)


def _card_prompt(state: State, text: Text, answers: tuple[Answer, ...], skip: Text | None = None) -> Prompt:
    """Return the prompt for any card that was neither seen in this round nor given in this entry."""
    given = sum(card.bit for card in cards_of(answers))
    cards = lays(DECK.outside(state.seen | given))
    return with_others(CARDS(text, cards, skip=skip))


def _ask_deal(state: State, answers: tuple[Answer, ...]) -> Prompt | Event:
    if len(answers) < 2:
        return _card_prompt(state, Text(N_("Column card {number}:"), number=len(answers) + 1), answers)
    first, second, *shown = cards_of(answers)
    if state.seats != 3 or isinstance(answers[-1], Skip):
        return Deal((first, second))
    if not shown:
        return _card_prompt(state, Text(OPEN_CARD, number=1), answers, Text(N_("none")))
    if len(shown) < 10:
        return _card_prompt(state, Text(OPEN_CARD, number=len(shown) + 1), answers)
    return Deal((first, second), tuple(shown))


def _ask_pair(state: State, answers: tuple[Answer, ...]) -> Prompt | Event:
    match answers:
        case (LayCard(first), LayCard(second)):
            return Reveal((first, second))
    return _card_prompt(state, Text(N_("Neutral {number}:"), number=len(answers) + 1), answers)


def _may_turn_up(state: State) -> bool:
    """Return whether a neutral pair may, but need not, be entered now."""
    return state.seats == 2 and not state.table and not state.turned


def _bare(state: State, turn: int) -> tuple[Suit, ...]:
    """Return the order of suits tried for a rank typed without a suit.

    It is led suit, trump, the others; suits that the hand is known to lack come last.
    """
    first = (state.table[0].card.suit,) if state.table else ()
    trump = () if state.trump is None else (state.trump,)
    lacking = {suit for doubt in state.doubts[turn] for suit in doubt.suits}
    return tuple(sorted(dict.fromkeys((*first, *trump, *SUITS)), key=lambda suit: suit in lacking))


def _ask_card(state: State, answers: tuple[Answer, ...]) -> Prompt | Event:
    turn = state.turn
    assert turn is not None  # this phase always has a player to act
    match answers:
        case (LayCard(card, aside),):
            return Pledge(turn, card) if aside else Play(turn, card)
    bare = _bare(state, turn)
    left = DECK.outside(state.seen)
    unseen = [card for suit in bare for card in left if card.suit is suit]
    pledges = lays(unseen, aside=True) if state.table and state.pledges_left else ()
    return with_others(
        CARDS(
            Text(N_("{player}:"), player=Seat(turn)),
            lays(unseen) + pledges,
            seat=turn,
            bare=bare,
            led=state.table[0].card.suit if state.table else None,
            alternate=PLEDGE,
            alternative=NEUTRAL if _may_turn_up(state) else None,
        )
    )


def _ask_trick(state: State, answers: tuple[Answer, ...]) -> Prompt | Event:
    pledges: list[PledgeInTrick] = []
    rest = list(answers)
    while rest:
        match rest:
            case [LayCard(card), ChooseSeat(player), *rest]:
                pledges.append(PledgeInTrick(player, card))
            case [ChooseSeat(winner)]:
                return Trick(winner, tuple(pledges))
            case _:
                break
    pledgers = {pledge.player for pledge in pledges}
    seats = tuple(seat for seat in range(state.seats) if state.seats == 2 or seat not in pledgers)
    match rest:
        case [LayCard(card)]:
            if len(pledges) >= state.pledges_left:
                raise IllegalEventError("no-pledge-left", N_("no more pledges are allowed in this trick"))
            able = [seat for seat in seats if seat not in pledgers and (state.seats == 2 or seat != state.leader)]
            return Prompt(Text(N_("{pledge}{card}: who?"), pledge=PLEDGE.sign, card=card.sign), sits(able))
    given = sum(pledge.card.bit for pledge in pledges)
    cards = lays(DECK.outside(state.seen | given), aside=True) if len(pledges) < state.pledges_left else ()
    return with_others(
        CARDS(
            Text(N_("Trick {trick}: who?"), trick=state.trick),
            sits(seats) + cards,
            alternate=PLEDGE,
            alternative=NEUTRAL if _may_turn_up(state) and not answers else None,
        )
    )


def answers(state: State, event: Event) -> tuple[Answer, ...]:
    """Return the answers that people give for an event: the opposite of `ask`."""
    match event:
        case Start(player):
            return (ChooseSeat(player),)
        case Deal(board, shown):
            cards = lays(board + shown)
            return cards if shown or state.seats != 3 else (*cards, Skip())
        case Reveal(cards):
            return lays(cards) if state.phase == "reveal" else (TakeAlternative(), *lays(cards))
        case Play(_, card):
            return (LayCard(card),)
        case Pledge(_, card):
            return (LayCard(card, True),)
        case Trick(winner, pledges):
            said = [answer for pledge in pledges for answer in (LayCard(pledge.card, True), ChooseSeat(pledge.player))]
            return (*said, ChooseSeat(winner))
        case Round(tricks, trees, last):
            return _form(state).answers({TRICKS: tricks, TREES: trees}, last)
    raise TypeError(f"not an event of Eternity: {event!r}")
