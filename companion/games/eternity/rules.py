"""Rules of Eternity: `apply` returns the state after an event, or raises if the rules forbid it.

Section names in parentheses refer to the written rules, e.g. "Eternity, round score".
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from companion.core.cards import Card, Suit
from companion.core.game import Event, Start, check_seat, check_turn
from companion.core.text import N_, NN_, IllegalEventError, Seat
from companion.games.kit import (
    PhaseCheck,
    applier,
    changed,
    check_last,
    check_sheet,
    check_sum,
    check_trick_begins,
    put,
)
from companion.games.kit.tricks import Doubts, LastTrick, OffSuitPlay, proved

from .cards import TOKENS, most_trees, most_trees_of_seat, trees_on, tricks_in_round
from .events import Deal, Play, Pledge, Reveal, Round, Trick
from .round_end import ended, opened
from .state import (
    EMPTY,
    Alerts,
    Columns,
    LaidCard,
    State,
    TokensExceededAlert,
    fresh,
    joined,
    trump_of,
)

PHASES = PhaseCheck(
    {
        "start": N_("first say who starts"),
        "deal": N_("first enter the two cards that begin the columns"),
        "reveal": N_("first enter the neutral pair"),
        "play": N_("the cards of a trick come next"),
    }
)


def _apply_start(state: State, event: Start) -> State:
    PHASES.expect(state.phase, "start")
    check_seat(event.player, state.seats)
    assert state.may_start is not None  # always set in this phase
    if event.player not in state.may_start:
        fewest, trickless = (
            N_("{player} did not have the fewest points"),
            N_("{player} has no trick, so not the last one"),
        )
        why = fewest if state.rules.edition == "fr" else trickless
        raise IllegalEventError("may-not-start", why, player=Seat(event.player))
    return opened(state, event.player)


def _apply_deal(state: State, event: Deal) -> State:
    PHASES.expect(state.phase, "deal")
    if event.shown and state.seats != 3:
        raise IllegalEventError("shown", N_("open cards above the tiles are for 3 players"))
    if len(event.shown) not in (0, 10):
        raise IllegalEventError("shown", N_("either all ten open cards are entered, or none"))
    seen = seen_with(state.seen, event.board + event.shown)
    return _next_trick(replace(state, seen=seen), joined(EMPTY, event.board))


def _apply_reveal(state: State, event: Reveal) -> State:
    if state.seats != 2:
        raise IllegalEventError("phase", N_("there is no neutral pile with more than 2 players"))
    if state.phase == "play" and (state.table or state.turned):
        raise IllegalEventError("phase", N_("a neutral pair comes once, at the start of a trick"))
    if state.phase not in ("reveal", "play"):
        raise PHASES.refused(state.phase)
    state = replace(state, phase="play", turned=True, seen=seen_with(state.seen, event.cards))
    if state.trick == 1:
        columns = joined(state.columns, event.cards)
        return replace(state, columns=columns, trump=trump_of(state.rules, columns))
    return replace(state, pair=event.cards if state.rules.neutral == "columns" else ())


def _apply_play(state: State, event: Play) -> State:
    return _lay(state, event.player, event.card, False)


def _apply_pledge(state: State, event: Pledge) -> State:
    PHASES.expect(state.phase, "play")
    if not state.table:
        raise IllegalEventError("leader-pledges", N_("the leader's first card goes into the trick"))
    if not state.pledges_left:
        raise IllegalEventError("no-pledge-left", N_("no more pledges are allowed in this trick"))
    return _lay(state, event.player, event.card, True)


def _lay(state: State, player: int, card: Card, pledge: bool) -> State:
    PHASES.expect(state.phase, "play")
    check_turn(player, state.turn, state.seats)
    seen = seen_with(state.seen, (card,))
    table = (*state.table, LaidCard(player, card, pledge))
    alerts, doubts = _with_revokes(state, player, card)
    trees = state.trees
    if pledge:
        trees, alerts = _with_trees(state, player, card, alerts)
    else:
        doubts = _with_doubt(state, player, card, doubts)
    if len(table) < (4 if state.seats == 2 else state.seats):
        return replace(state, table=table, seen=seen, trees=trees, doubts=doubts, alerts=alerts)
    winner = _winner(table, state.trump)
    state = replace(
        state, table=(), last_trick=LastTrick(table, winner), seen=seen, trees=trees, doubts=doubts, alerts=alerts
    )
    return _after_trick(state, winner, tuple(laid.card for laid in table if laid.pledge))


def _apply_trick(state: State, event: Trick) -> State:
    PHASES.expect(state.phase, "play")
    check_trick_begins(state.table)
    check_seat(event.winner, state.seats)
    if len(event.pledges) > state.pledges_left:
        raise IllegalEventError("no-pledge-left", N_("too many pledges for one trick"))
    pledgers: set[int] = set()
    for pledge in event.pledges:
        check_seat(pledge.player, state.seats)
        if pledge.player in pledgers:
            raise IllegalEventError("pledges-twice", N_("{player} pledges once in a trick"), player=Seat(pledge.player))
        if state.seats > 2 and pledge.player == state.leader:
            raise IllegalEventError(
                "leader-pledges", N_("{player} leads, and cannot pledge"), player=Seat(pledge.player)
            )
        if state.seats > 2 and pledge.player == event.winner:
            raise IllegalEventError(
                "winner-pledges", N_("{player} pledged, and cannot win the trick"), player=Seat(pledge.player)
            )
        pledgers.add(pledge.player)
    for pledge in event.pledges:
        seen = seen_with(state.seen, (pledge.card,))
        alerts, doubts = _with_revokes(state, pledge.player, pledge.card)
        trees, alerts = _with_trees(state, pledge.player, pledge.card, alerts)
        state = replace(state, seen=seen, trees=trees, doubts=doubts, alerts=alerts)
    return _after_trick(replace(state, last_trick=None), event.winner, tuple(pledge.card for pledge in event.pledges))


def _apply_round(state: State, event: Round) -> State:
    count = tricks_in_round(state.seats)
    needed = N_("tricks and trees are said for each of the {count} seats")
    check_sheet(state.seats, needed, event.tricks, event.trees)
    if sum(event.tricks) != count:
        raise IllegalEventError(
            "tricks-sum", N_("the tricks add up to {sum}, but a round has {count}"), sum=sum(event.tricks), count=count
        )
    most = most_trees(state.seats, state.rules.tokens == "limited")
    check_sum(event.trees, most, "trees-sum", N_("{count} trees in all, but {most} is the most"))
    for seat, (won, pledged) in enumerate(zip(event.tricks, event.trees, strict=True)):
        most = most_trees_of_seat(state.seats, won)
        if pledged > most:
            raise IllegalEventError(
                "trees",
                NN_(
                    "{player} won {tricks} of {whole} tricks, so at most {count} tree",
                    "{player} won {tricks} of {whole} tricks, so at most {count} trees",
                ),
                player=Seat(seat),
                tricks=won,
                whole=count,
                count=most,
            )
    last = event.last if isinstance(event.last, int) else None
    if last is not None:
        check_last(last, event.tricks)
    alerts: Alerts = tuple(alert for alert in state.alerts if alert.round != state.round)
    if sum(event.trees) > TOKENS:  # impossible with limited tokens
        alerts = (*alerts, TokensExceededAlert(state.round, sum(event.trees)))
    blank = fresh(replace(state, alerts=alerts), state.dealer)
    return ended(replace(blank, trick=count, tricks=event.tricks, trees=event.trees), last)


apply: Callable[[State, Event], State] = applier(
    {
        Start: _apply_start,
        Deal: _apply_deal,
        Reveal: _apply_reveal,
        Play: _apply_play,
        Pledge: _apply_pledge,
        Trick: _apply_trick,
        Round: _apply_round,
    }
)


# Checks


def seen_with(seen: int, cards: tuple[Card, ...]) -> int:
    """Return the bit mask of seen cards with more cards added; raise if one was seen before."""
    for card in cards:
        if seen & card.bit:
            raise IllegalEventError("seen", N_("{card} was already seen in this round"), card=card)
        seen |= card.bit
    return seen


# A trick


def _winner(table: tuple[LaidCard, ...], trump: Suit | None) -> int:
    led = table[0].card.suit
    return max(
        (laid for laid in table if not laid.pledge),
        key=lambda laid: (laid.card.suit is trump, laid.card.suit is led, laid.card.rank),
    ).player


def _after_trick(state: State, winner: int, pledged: tuple[Card, ...]) -> State:
    """Return the state after a trick: counted for its winner, pledges moved to the columns, next trick or round."""
    columns = joined(joined(state.columns, pledged), state.pair)
    tricks = changed(state.tricks, winner, 1)
    if state.trick == tricks_in_round(state.seats):
        state = replace(state, tricks=tricks, columns=columns, trump=trump_of(state.rules, columns), pair=())
        return ended(state, winner)
    return _next_trick(replace(state, tricks=tricks, trick=state.trick + 1, leader=winner), columns)


def _next_trick(state: State, columns: Columns) -> State:
    turns_up = state.seats == 2 and (state.trick == 1 or state.rules.neutral == "columns")
    return replace(
        state,
        phase="reveal" if turns_up else "play",
        columns=columns,
        trump=trump_of(state.rules, columns),
        pair=(),
        turned=False,
    )


# Revokes: plays off suit, and the later cards that prove them wrong


def _with_doubt(state: State, player: int, card: Card, doubts: Doubts) -> Doubts:
    """Return the doubts with a play off suit added: the suits that the hand must be out of if it was legal."""
    if not state.table or card.suit is state.table[0].card.suit:
        return doubts
    led = state.table[0].card.suit
    out_of = (led,) if card.suit is state.trump or state.trump in (led, None) else (led, state.trump)
    return put(doubts, player, (*doubts[player], OffSuitPlay(state.trick, out_of)))


def _with_revokes(state: State, player: int, card: Card) -> tuple[Alerts, Doubts]:
    """Return alerts and doubts after a card is shown: each play that it proves wrong becomes an alert."""
    revokes, doubts = proved(state.doubts, player, state.round, state.trick, card)
    return state.alerts + revokes, doubts


# Trees


def _with_trees(state: State, player: int, card: Card, alerts: Alerts) -> tuple[tuple[int, ...], Alerts]:
    """Return trees by seat and alerts after a pledge; an alert is raised once, when trees exceed the tokens."""
    out = sum(state.trees)
    worth = trees_on(card)
    if state.rules.tokens == "limited":
        worth = min(worth, TOKENS - out)
    elif out <= TOKENS < out + worth:
        alerts = (*alerts, TokensExceededAlert(state.round, out + worth))
    return changed(state.trees, player, worth), alerts
