"""Options of Hipparchus: there is nothing to choose."""

from __future__ import annotations

from msgspec import Struct

from companion.core.game import RuleOption

PLAYERS = range(2, 3)


class Rules(Struct, frozen=True, forbid_unknown_fields=True):
    """There is nothing to agree on."""


OPTIONS: tuple[RuleOption, ...] = ()
