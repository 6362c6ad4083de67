"""What a formula of a game's file gives three seats, and what is wrong with one."""

from __future__ import annotations

from companion.core.text import Text
from companion.games.toml_games.formulas import Formula, Scope

FIGURES = {"bid": (3, 0, 2), "tricks": (3, 1, 1), "round": (4, 4, 4)}
KNOWN = {**dict.fromkeys(FIGURES), "later": Text("later is not known yet here"), "double": None}


def formula_values(text: str | bytes) -> str:
    """Return what a formula gives each of three seats, of whom the first and the third are a side."""
    scope = Scope(3, (0, 1, 0), FIGURES).define({"double": Formula("2*tricks")})
    return " ".join(str(Formula(str(text)).value(scope, seat)) for seat in range(3))


def formula_faults(text: str | bytes) -> str:
    """Return what is wrong with a formula, each fault with its column."""
    return " | ".join(f"{wrong.column}: {wrong.text}" for wrong in Formula(str(text)).wrong(KNOWN)) or "nothing"
