"""Rules of East Rune: `apply` returns the state after an event, or raises if the rules forbid it.

Section names in parentheses refer to the written rules, e.g. "East Rune, score".
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from companion.core.cards import Card
from companion.core.game import Event, Start, check_seat, check_turn
from companion.core.text import N_, NN_, IllegalEventError, Seat
from companion.games.kit import PhaseCheck, applier, changed, check_sheet, check_sum, put

from .cards import (
    AFTER,
    BLANK,
    BLANK_CHAIR,
    CHAIR_VIRTUE,
    EACH_VIRTUE,
    IS_VASSAL,
    MONARCH_VIRTUE,
    MONARCHS_IN_ALL,
    VASSALS_IN_ALL,
    Attribute,
    dealt_to_each,
)
from .events import Claim, EndTurn, Pass, Play, Result, Reveal
from .state import MissedClaim, State, opened
from .turn_end import turn_over
from .winners import ended, leaders, taken

PHASES = PhaseCheck(
    {
        "start": N_("first say who deals"),
        "reveal": N_("first say which card is turned up"),
        "claim": N_("first say who lays a card on the chair"),
        "play": N_("a turn begins: a card, or a pass"),
        "chain": N_("the turn goes on: another card, or a stop"),
        "extra": N_("the extra turn begins: a card, or a pass"),
        "extra-chain": N_("the extra turn goes on: another card, or a stop"),
    }
)


def _apply_start(state: State, event: Start) -> State:
    PHASES.expect(state.phase, "start")
    check_seat(event.player, state.seats)
    state = opened(replace(state, may_start=None), event.player)
    if not state.rules.blank_character:
        return state
    return replace(state, hand=changed(state.hand, event.player, 1), given=event.player)


# Revealing a card


def _apply_reveal(state: State, event: Reveal) -> State:
    PHASES.expect(state.phase, "reveal")
    card = event.card
    if state.seats == 2:
        if card not in MONARCH_VIRTUE:
            raise IllegalEventError("card", N_("with 2 players a monarch is turned up, not {card}"), card=card)
        state = _monarch_seen(state, card)
        drawn = changed(state.hand, 1 - _player_to_act(state), 1)
        return _on_top(state, card, phase="play", hand=drawn)
    if card not in CHAIR_VIRTUE and not (card is BLANK_CHAIR and state.rules.blank_chair):
        raise IllegalEventError("card", N_("a chair is turned up, not {card}"), card=card)
    if not chairs_left(state, card):
        raise IllegalEventError("seen", N_("{card} was turned up already"), card=card)
    return replace(
        state, phase="claim", turn=None, chairs_up=(*state.chairs_up, card), seats_seen=(*state.seats_seen, card)
    )


def chairs_left(state: State, chair: Card) -> int:
    """Return how many chairs of this kind have not been turned up yet."""
    return (1 if chair is BLANK_CHAIR else EACH_VIRTUE) - state.seats_seen.count(chair)


def _apply_claim(state: State, event: Claim) -> State:
    PHASES.expect(state.phase, "claim")
    chair = state.chairs_up[-1]
    if event.player is None:
        if event.card is not UNSET:
            raise IllegalEventError("card", N_("a claim by nobody names no card"))
        alerts = (*state.alerts, MissedClaim(chair)) if state.rules.always_claimed else state.alerts
        return replace(state, phase="play", turn=state.dealer, alerts=alerts)
    check_seat(event.player, state.seats)
    card = event.card
    if not isinstance(card, Card):
        raise IllegalEventError("card", N_("which card does {player} lay?"), player=Seat(event.player))
    if chair is BLANK_CHAIR:
        if card not in IS_VASSAL:
            raise IllegalEventError("card", N_("a vassal is laid on the blank chair, not {card}"), card=card)
    elif MONARCH_VIRTUE.get(card) is not CHAIR_VIRTUE[chair]:
        raise IllegalEventError("card", N_("{card} does not bear the virtue of the chair"), card=card)
    last = event.player if card in IS_VASSAL else None
    return _on_top(_from_hand(state, event.player, card), card, phase="play", turn=event.player, last=last)


# A turn


def _apply_play(state: State, event: Play) -> State:
    card, player = event.card, event.player
    _check_may_act(state, player, ("play", "extra", "chain", "extra-chain"))
    if card in MONARCH_VIRTUE:
        if event.source == "front":
            raise IllegalEventError("monarch", N_("a monarch in front of a player is not laid again"))
        if state.rules.monarchs == "claimed":
            raise IllegalEventError("monarch", N_("a monarch is laid only on a chair of its virtue"))
    elif card not in IS_VASSAL:
        raise IllegalEventError("card", N_("{card} is not a character"), card=card)
    if state.follows is not None and card is not BLANK and card.suit is not state.follows:
        raise IllegalEventError("domain", N_("{domain} must come next, not {card}"), domain=state.follows, card=card)
    under = state.pile[-1] if state.pile else None
    begun = state.chain if state.phase in ("chain", "extra-chain") else ()
    state = _from_hand(state, player, card) if event.source == "hand" else _from_front(state, player, card)
    state = _on_top(state, card, chain=(*begun, card), last=player if card in IS_VASSAL else state.last)
    if under is None or not state.rules.same(under, card):
        return turn_over(state)
    return replace(state, phase="extra-chain" if state.phase.startswith("extra") else "chain")


def _apply_stop(state: State, event: EndTurn) -> State:
    _check_may_act(state, event.player, ("chain", "extra-chain"))
    return turn_over(state)


def _apply_pass(state: State, event: Pass) -> State:
    _check_may_act(state, event.player, ("play", "extra"))
    if state.phase == "play":
        state = replace(state, passed=tuple(sorted((*state.passed, event.player))))
    return turn_over(state)


# The result of a whole game


def most_in_hand(state: State, seat: int) -> int:
    """Return the most cards a hand can hold at the end of a game."""
    if state.seats == 2:
        return dealt_to_each(2) + MONARCHS_IN_ALL  # a player who never deals draws a vassal each round
    return dealt_to_each(state.seats) + (seat == state.given)


def _apply_result(state: State, event: Result) -> State:
    if state.phase == "start":
        raise PHASES.refused(state.phase)
    figures = event.chairs, event.monarchs, event.hand
    check_sheet(state.seats, N_("every figure is said for each of the {count} seats"), *figures)
    chairs = 0 if state.seats == 2 else state.rounds
    check_sum(
        event.chairs,
        chairs,
        "chairs-sum",
        NN_("{count} chair in all, but there are {most}", "{count} chairs in all, but there are {most}"),
    )
    check_sum(event.monarchs, MONARCHS_IN_ALL, "monarchs-sum", N_("{count} monarchs in all, but there are {most}"))
    for seat, count in enumerate(event.hand):
        most = most_in_hand(state, seat)
        if count > most:
            raise IllegalEventError(
                "hand", N_("{player} cannot have more than {most} cards"), player=Seat(seat), most=most
            )
    if state.seats == 2 and sum(event.hand) > VASSALS_IN_ALL:
        raise IllegalEventError("hand", N_("there are only {most} vassals"), most=VASSALS_IN_ALL)
    state = replace(state, chairs=event.chairs, monarchs=event.monarchs, hand=event.hand)
    last = event.last_chair if isinstance(event.last_chair, int) else None
    if last is not None:
        check_seat(last, state.seats)
        if not taken(state)[last]:
            raise IllegalEventError("last", N_("{player} captured none, so not the last one"), player=Seat(last))
    elif event.last_chair is UNSET and len(leaders(state)) > 1:
        raise IllegalEventError("tie", N_("who captured the last one breaks the tie: it must be said"))
    return ended(state, last)


apply: Callable[[State, Event], State] = applier(
    {
        Start: _apply_start,
        Reveal: _apply_reveal,
        Claim: _apply_claim,
        Play: _apply_play,
        EndTurn: _apply_stop,
        Pass: _apply_pass,
        Result: _apply_result,
    }
)


# Checks


def _player_to_act(state: State) -> int:
    assert state.turn is not None  # this phase always has a player to act
    return state.turn


def _check_may_act(state: State, player: int, phases: tuple[str, ...]) -> None:
    if state.phase not in phases:
        raise PHASES.refused(state.phase)
    check_turn(player, state.turn, state.seats)


# Moving cards from hand or front onto the field


def monarchs_left(state: State, virtue: Attribute) -> int:
    """Return how many monarchs of a virtue have not been seen yet."""
    return EACH_VIRTUE - sum(MONARCH_VIRTUE[seen] is virtue for seen in state.monarchs_seen)


def _monarch_seen(state: State, card: Card) -> State:
    if not monarchs_left(state, MONARCH_VIRTUE[card]):
        raise IllegalEventError("seen", N_("both monarchs of {virtue} were seen already"), virtue=MONARCH_VIRTUE[card])
    return replace(state, monarchs_seen=(*state.monarchs_seen, card))


def _from_hand(state: State, player: int, card: Card) -> State:
    """Return the state with a character taken out of a hand."""
    if not state.hand[player]:
        raise IllegalEventError("hand", N_("{player} has no such card left in hand"), player=Seat(player))
    hand = changed(state.hand, player, -1)
    if card is BLANK:
        if not state.blank_hidden:
            raise IllegalEventError("blank", N_("nobody holds the blank character"))
        return replace(state, hand=hand, blank_hidden=False)
    if card in MONARCH_VIRTUE:
        return replace(_monarch_seen(state, card), hand=hand)
    if state.vassals_seen == VASSALS_IN_ALL:
        raise IllegalEventError("seen", N_("all {most} vassals were seen already"), most=VASSALS_IN_ALL)
    return replace(state, hand=hand, vassals_seen=state.vassals_seen + 1)


def _from_front(state: State, player: int, card: Card) -> State:
    """Return the state with a card taken off the leftmost column in front of a player that it tops."""
    front = state.front[player]
    for place, column in enumerate(front):
        if column[-1] is card:
            rest = ((*column[:-1],),) if len(column) > 1 else ()
            columns = (*front[:place], *rest, *front[place + 1 :])
            return replace(state, front=put(state.front, player, columns))
    if any(card in column for column in front):
        raise IllegalEventError("covered", N_("{card} is covered by another card"), card=card)
    raise IllegalEventError("front", N_("{card} is not in front of {player}"), card=card, player=Seat(player))


def _on_top(state: State, card: Card, **changes: Any) -> State:
    """Return the state with a character laid on the field, and other changes.

    The blank character takes the domain that was needed.
    """
    domain = state.follows if card is BLANK else card.suit
    return replace(state, pile=(*state.pile, card), follows=None if domain is None else AFTER[domain], **changes)
