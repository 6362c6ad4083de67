"""Motifs are distinct, short, and within a piezo's range."""

from __future__ import annotations

from datetime import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.app import sounds
from companion.app.ports import Motif
from companion.app.sounds import ALERT, HIGHEST, KEY, LAID, LOWEST, REFUSED, TRICK, TRUMPS, quiet
from companion.core.cards import Suit
from companion.core.game import CardSound, EventOutcome
from companion.games.east_rune import rules as east_rune
from companion.games.eternity import rules as eternity
from companion.games.gear import rules as gear
from companion.games.hipparchus import rules as hipparchus

TICKS = {"key": KEY} | {kind.name: tick for kind, tick in LAID.items()}
ALL = (
    {"refused": REFUSED, "trick": TRICK, "alert": ALERT}
    | TICKS
    | {f"trump {place}": trump for place, trump in enumerate(TRUMPS)}
)
LONG = 0.05
"""Seconds; a shorter note is heard as a click."""
times = st.times()


def length(motif: Motif) -> float:
    return sum(seconds for _, seconds in motif)


def contour(motif: Motif) -> tuple[int, ...]:
    """Return whether each note is higher (1), lower (-1) or the same (0) as the one before."""
    notes = [hertz for hertz, _ in motif if hertz]
    return tuple((after > before) - (after < before) for before, after in pairwise(notes))


def rhythm(motif: Motif) -> tuple[tuple[bool, float], ...]:
    """Return what a buzzer with one pitch plays of a motif, rounded to audible differences."""
    return tuple((bool(hertz), round(seconds, 2)) for hertz, seconds in motif)


@pytest.mark.parametrize("name", ALL)
def test_every_motif_can_be_played(name: str) -> None:
    for hertz, seconds in ALL[name]:
        assert not hertz or LOWEST <= hertz <= HIGHEST
        assert seconds > 0


@pytest.mark.parametrize("name", ALL)
def test_a_rest_parts_any_two_notes_and_none_is_at_an_end(name: str) -> None:
    sounds = [bool(hertz) for hertz, _ in ALL[name]]
    assert sounds == [place % 2 == 0 for place in range(len(sounds))]
    assert sounds[-1]


@pytest.mark.parametrize(
    ("name", "limit"),
    [
        ("key", 0.03),
        ("refused", 0.25),
        ("trick", 0.3),
        ("alert", 0.9),
        *((kind.name, 0.26) for kind in CardSound),
        *((f"trump {place}", 0.7) for place in range(4)),
    ],
)
def test_every_motif_is_short(name: str, limit: float) -> None:
    assert length(ALL[name]) < limit


def test_motifs_of_several_notes_are_told_apart_by_contour_alone() -> None:
    several = [motif for motif in ALL.values() if len(motif) > 1]
    assert len({contour(motif) for motif in several}) == len(several)


def test_every_kind_of_card_has_a_tick_told_apart_by_short_and_long_notes_alone() -> None:
    assert LAID.keys() == set(CardSound)
    assert len({tuple(seconds > LONG for hertz, seconds in tick if hertz) for tick in TICKS.values()}) == len(TICKS)
    for tick in TICKS.values():
        for hertz, seconds in tick:
            assert seconds <= LONG / 2 or seconds >= 2 * LONG if hertz else seconds >= LONG


def test_a_card_ticks_before_what_it_led_to_and_an_alert_sounds_alone() -> None:
    tick = LAID[CardSound.OFF_SUIT]
    assert sounds.of(EventOutcome(laid_as=CardSound.OFF_SUIT)) == tick
    assert sounds.of(EventOutcome(laid_as=CardSound.OFF_SUIT, won=True)) == (*tick, (0, sounds.PAUSE), *TRICK)
    assert sounds.of(EventOutcome(laid_as=CardSound.OFF_SUIT, won=True, alert=True)) == ALERT
    assert sounds.of(EventOutcome(won=True, new_trump=1)) == TRUMPS[1]
    assert sounds.of(EventOutcome()) == sounds.of(None) == KEY


def test_motifs_are_told_apart_by_rhythm_alone() -> None:
    assert len({rhythm(motif) for motif in ALL.values()}) == len(ALL)


def test_the_steps_within_a_motif_are_wide_enough_for_a_noisy_table() -> None:
    for motif in ALL.values():
        notes = [hertz for hertz, _ in motif if hertz]
        for before, after in pairwise(notes):
            assert before == after or max(before, after) / min(before, after) > 1.3  # a fourth or more


@pytest.mark.parametrize("suits", [eternity.SUITS, gear.SUITS, hipparchus.SUITS, east_rune.DOMAINS])
def test_every_suit_of_a_game_has_a_trump_of_its_own(suits: tuple[Suit, ...]) -> None:
    assert len(suits) <= len(TRUMPS)


@given(times, times, times)
def test_it_is_night_between_two_times_or_else_between_them_the_other_way_round(
    now: time, dusk: time, dawn: time
) -> None:
    if dusk == dawn:
        assert not quiet(now, (dusk, dawn))
    else:
        assert quiet(now, (dusk, dawn)) != quiet(now, (dawn, dusk))


@pytest.mark.parametrize(
    ("night", "loud", "silent"),
    [
        ((22, 7), ("21:59", "07:00"), ("22:00", "23:59", "00:00", "06:59")),
        ((13, 15), ("12:59", "15:00"), ("13:00", "14:59")),
    ],
)
def test_night_may_go_over_midnight_or_be_a_nap(
    night: tuple[int, int], loud: tuple[str, ...], silent: tuple[str, ...]
) -> None:
    hours = time(night[0]), time(night[1])
    assert not any(quiet(time.fromisoformat(now), hours) for now in loud)
    assert all(quiet(time.fromisoformat(now), hours) for now in silent)
    assert not quiet(time.fromisoformat(silent[0]), None)
