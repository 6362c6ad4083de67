"""Builds the snapshot of a state that the log format prescribes."""

from __future__ import annotations

from typing import Any


def snapshot_of(game: str, state: object, names: str, **figures: object) -> dict[str, Any]:
    """Return the snapshot of a state.

    >>> from types import SimpleNamespace
    >>> snapshot_of("gear", SimpleNamespace(phase="play", round=2, seen=7), "phase round seen", seen=["red-2"])
    {'game': 'gear', 'phase': 'play', 'round': 2, 'seen': ['red-2']}

    Args:
        names: Attributes of the state to include, in this order, separated by spaces.
        figures: Values that replace the state's own.
    """
    return {"game": game} | {name: figures[name] if name in figures else getattr(state, name) for name in names.split()}
