"""End of a turn in East Rune: next player, extra turn, capture, next round, end of the game."""

from __future__ import annotations

from msgspec.structs import replace

from companion.core.cards import Card
from companion.games.kit import changed

from .cards import MONARCH_VIRTUE
from .state import CapturedCard, State, opened
from .winners import ended


def turn_over(state: State) -> State:
    if state.phase in ("extra", "extra-chain"):
        return _captured(state)
    assert state.turn is not None  # a turn has just ended
    still = [seat for step in range(state.seats) if (seat := (state.turn + 1 + step) % state.seats) not in state.passed]
    if state.last is not None and set(still) <= {state.last}:
        return replace(state, phase="extra", turn=state.last, turns=state.turns + 1)
    if still:
        return replace(state, phase="play", turn=still[0], turns=state.turns + 1)
    return _round_over(state, None)


def _captured(state: State) -> State:
    """Return the state after a capture: the chairs go to the capturer, the characters are dealt out.

    The capturer laid the last vassal of the round (East Rune, capture).
    """
    capturer = state.last
    assert capturer is not None  # only the player of the last vassal has an extra turn
    columns: list[list[Card]] = [[] for _ in range(state.seats)]
    monarchs, dealt, seat = list(state.monarchs), [], capturer
    for card in reversed(state.pile):
        monarch = card in MONARCH_VIRTUE
        if monarch and state.seats == 2:
            monarchs[capturer] += 1
            continue
        seat = (seat + 1) % state.seats
        dealt.append(CapturedCard(seat, card))
        if monarch:
            monarchs[seat] += 1
        else:
            columns[seat].append(card)
    front = tuple(
        (*before, tuple(column)) if column else before for before, column in zip(state.front, columns, strict=True)
    )
    chairs = changed(state.chairs, capturer, len(state.chairs_up))
    state = replace(state, chairs=chairs, monarchs=tuple(monarchs), front=front, dealt=tuple(dealt))
    return _round_over(replace(state, chairs_up=(), pile=(), follows=None), capturer)


def _round_over(state: State, capturer: int | None) -> State:
    state = replace(state, finished=state.round)
    if state.round == state.rounds:
        return ended(state, capturer)
    assert state.dealer is not None  # every round has a dealer
    return opened(replace(state, round=state.round + 1), state.dealer if capturer is None else capturer)
