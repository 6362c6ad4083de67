"""Snapshots: a state as the log format shows it."""

from __future__ import annotations

from typing import Any


def snapshot_of(game: str, state: object, names: str, **figures: object) -> dict[str, Any]:
    """Return a state as the log format shows it.

    Args:
        game: The game's name.
        state: Its state.
        names: What is shown, in this order, by the names of the state's attributes.
        figures: What is shown otherwise than the state has it.
    """
    return {"game": game} | {name: figures[name] if name in figures else getattr(state, name) for name in names.split()}
