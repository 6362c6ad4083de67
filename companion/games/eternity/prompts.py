"""Eternity's questions: what the box asks at each point, and how answers become events."""

from __future__ import annotations

from companion.core.cards import Suit
from companion.core.errors import IllegalEvent
from companion.core.events import Event, Start
from companion.core.prompt import AlternateMode, Alternative, Answer, ChooseSeat, LayCard, Prompt, Skip, Tracking
from companion.core.text import N_, Glyph, Seat, Text

from .cards import DECK, SUITS
from .events import Deal, Play, Pledge, Pledged, Reveal, Round, Trick
from .forms import ask_round, round_answers
from .state import State

PLEDGE = AlternateMode(Text(N_("pledge")), Glyph("pledge"))
NEUTRAL = Text(N_("neutral"))


def ask(state: State, tracking: Tracking, answers: tuple[Answer, ...]) -> Prompt | Event | None:
    """Return the next prompt, or the event the answers make, or None when the game is over.

    Raises:
        IllegalEvent: An answer cannot be, whatever the others will be.
    """
    if state.phase == "over":
        return None
    _check(state, answers)
    if tracking is Tracking.ROUND:
        return ask_round(state, answers)
    if state.phase == "start":
        return _ask_start(state, answers)
    if state.phase == "deal":
        return _ask_deal(state, answers)
    if state.phase == "reveal":
        return _ask_pair(state, answers)
    if answers and isinstance(answers[0], Alternative):
        return _ask_pair(state, answers[1:])
    if tracking is Tracking.QUICK and not state.table:
        return _ask_trick(state, answers)
    return _ask_card(state, answers)


def _check(state: State, answers: tuple[Answer, ...]) -> None:
    """Refuse a card that was seen before, in this round or in this entry, before more is asked about it."""
    seen = state.seen
    for answer in answers:
        if isinstance(answer, LayCard):
            if seen & answer.card.bit:
                raise IllegalEvent("seen", N_("{card} was already seen in this round"), card=answer.card)
            seen |= answer.card.bit


def _ask_start(state: State, answers: tuple[Answer, ...]) -> Prompt | Event:
    match answers:
        case (ChooseSeat(player),):
            return Start(player)
    return Prompt(Text(N_("Who starts?")), tuple(ChooseSeat(seat) for seat in state.may_start or ()))


def _card_prompt(
    state: State,
    text: Text,
    answers: tuple[Answer, ...],
    others: tuple[Answer, ...] = (),
    skip: Text | None = None,
) -> Prompt:
    """Ask for any card that was neither seen in this round nor given in this entry."""
    given = sum(answer.card.bit for answer in answers if isinstance(answer, LayCard))
    cards = tuple(LayCard(card) for card in DECK.outside(state.seen | given))
    return Prompt(text, cards + others, deck=DECK.cards, suits=SUITS, highest=True, skip=skip)


def _ask_deal(state: State, answers: tuple[Answer, ...]) -> Prompt | Event:
    cards = tuple(answer.card for answer in answers if isinstance(answer, LayCard))
    if len(answers) < 2:
        return _card_prompt(state, Text(N_("Column card {number}:"), number=len(answers) + 1), answers)
    board = (cards[0], cards[1])
    if state.seats != 3 or isinstance(answers[-1], Skip):
        return Deal(board)
    if len(answers) == 2:
        return _card_prompt(state, Text(N_("Open card 1:")), answers, (Skip(),), Text(N_("none")))
    if len(answers) < 12:
        return _card_prompt(state, Text(N_("Open card {number}:"), number=len(answers) - 1), answers)
    return Deal(board, cards[2:])


def _ask_pair(state: State, answers: tuple[Answer, ...]) -> Prompt | Event:
    match answers:
        case (LayCard(first), LayCard(second)):
            return Reveal((first, second))
    return _card_prompt(state, Text(N_("Neutral {number}:"), number=len(answers) + 1), answers)


def _may_turn_up(state: State) -> bool:
    """Tell whether a neutral pair may be entered, though it need not."""
    return state.seats == 2 and not state.table and not state.turned


def _bare(state: State, turn: int) -> tuple[Suit, ...]:
    """Return the suits a bare rank means: the led one, the trump, the others; last what the hand is known to lack."""
    first = (state.table[0].card.suit,) if state.table else ()
    trump = () if state.trump is None else (state.trump,)
    lacking = {suit for doubt in state.doubts[turn] for suit in doubt.suits}
    return tuple(sorted(dict.fromkeys((*first, *trump, *SUITS)), key=lambda suit: suit in lacking))


def _ask_card(state: State, answers: tuple[Answer, ...]) -> Prompt | Event:
    turn = state.turn
    assert turn is not None  # somebody always is to act in this phase
    match answers:
        case (LayCard(card, aside),):
            return Pledge(turn, card) if aside else Play(turn, card)
    bare = _bare(state, turn)
    unseen = sorted(DECK.outside(state.seen), key=lambda card: bare.index(card.suit))
    offered: tuple[Answer, ...] = tuple(LayCard(card) for card in unseen)
    pledging = bool(state.table and state.pledges_left)
    if pledging:
        offered += tuple(LayCard(card, True) for card in unseen)
    extra = _may_turn_up(state)
    return Prompt(
        Text(N_("{player}:"), player=Seat(turn)),
        (*offered, Alternative()) if extra else offered,
        seat=turn,
        deck=DECK.cards,
        suits=SUITS,
        bare=bare,
        highest=True,
        aside=PLEDGE,
        extra=NEUTRAL if extra else None,
    )


def _ask_trick(state: State, answers: tuple[Answer, ...]) -> Prompt | Event:
    pledges: list[Pledged] = []
    rest = list(answers)
    while rest:
        match rest:
            case [LayCard(card), ChooseSeat(player), *rest]:
                pledges.append(Pledged(player, card))
            case [ChooseSeat(winner)]:
                return Trick(winner, tuple(pledges))
            case _:
                break
    pledgers = {pledge.player for pledge in pledges}
    seats = tuple(seat for seat in range(state.seats) if state.seats == 2 or seat not in pledgers)
    match rest:
        case [LayCard(card)]:
            if len(pledges) >= state.pledges_left:
                raise IllegalEvent("no-pledge-left", N_("no more pledges are allowed in this trick"))
            able = tuple(
                ChooseSeat(seat)
                for seat in seats
                if seat not in pledgers and (state.seats == 2 or seat != state.leader)
            )
            return Prompt(Text(N_("{pledge}{card}: who?"), pledge=PLEDGE.sign, card=card.sign), able)
    offered: tuple[Answer, ...] = tuple(ChooseSeat(seat) for seat in seats)
    pledging = len(pledges) < state.pledges_left
    if pledging:
        given = sum(pledge.card.bit for pledge in pledges)
        offered += tuple(LayCard(card, True) for card in DECK.outside(state.seen | given))
    extra = _may_turn_up(state) and not answers
    return Prompt(
        Text(N_("Trick {trick}: who?"), trick=state.trick),
        (*offered, Alternative()) if extra else offered,
        deck=DECK.cards,
        suits=SUITS,
        highest=True,
        aside=PLEDGE,
        extra=NEUTRAL if extra else None,
    )


def answers(state: State, event: Event) -> tuple[Answer, ...]:
    """Return the answers that make an event in a state."""
    match event:
        case Start(player):
            return (ChooseSeat(player),)
        case Deal(board, shown):
            cards = tuple(LayCard(card) for card in board + shown)
            return cards if shown or state.seats != 3 else (*cards, Skip())
        case Reveal(cards):
            pair = tuple(LayCard(card) for card in cards)
            return pair if state.phase == "reveal" else (Alternative(), *pair)
        case Play(_, card):
            return (LayCard(card),)
        case Pledge(_, card):
            return (LayCard(card, True),)
        case Trick(winner, pledges):
            said = [answer for pledge in pledges for answer in (LayCard(pledge.card, True), ChooseSeat(pledge.player))]
            return (*said, ChooseSeat(winner))
        case Round():
            return round_answers(state, event)
    raise TypeError(f"not an event of Eternity: {event!r}")
