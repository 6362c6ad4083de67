"""The immutable value types for the box's state and for changes that are not written yet."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from companion.core.text import Text
from companion.ui.screens.context import Context, Screen
from companion.ui.selector import Selector

from .draft import Draft


@dataclass(frozen=True, slots=True)
class AppState:
    """The state of a box between two keys: screen, game, half-entered answer and message.

    Attributes:
        screen: The screen that is shown.
        desk: What the screens know.
        wheel: Where few keys have turned to; None where answers are typed.
        draft: What is half entered.
        message: The sentence shown until the next key, if there is one.
        refused: Whether it says no.
    """

    screen: Screen
    desk: Context
    wheel: Selector | None = None
    draft: Draft = field(default_factory=Draft)
    message: Text | None = None
    refused: bool = False


@dataclass(frozen=True, slots=True)
class PendingChange:
    """A state that keys have led to, not written or shown yet.

    Attributes:
        state: Where the box stands then.
        writes: What is to be written in the journal first, in order.
        entered: Whether the last key made an entry.
    """

    state: AppState
    writes: tuple[Callable[[], object], ...] = ()
    entered: bool = False
