"""Options of Hipparchus: none; the game has no rule variants."""

from __future__ import annotations

from msgspec import Struct

from companion.core.game import RuleOption

PLAYERS = range(2, 3)


class Rules(Struct, frozen=True, forbid_unknown_fields=True):
    """Options: none; Hipparchus has no rule variants."""


OPTIONS: tuple[RuleOption, ...] = ()
