"""Corrections of games that are entered question by question: what is missing, superfluous, or asked for now."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from companion.core.correction import Correction
from companion.core.game import LogHeader
from companion.core.session import Session
from companion.games import shipped

from .test_declared_at_table import begun, shows

SKAT = "1 2 24 2 1 1 1 12 1 # 0 0 4 0 C"
"""Two rounds of Skat that were won and lost, and one that was passed out."""


def test_what_can_be_chosen_is_listed_below_what_the_entry_was() -> None:
    view = begun("skat", f"{SKAT} h* 0 3 #", 3, "full").view()
    assert all(shows(view, words) for words in ("Was: Game: grand", "9 diamonds", "59 null"))


def test_what_later_rounds_ask_is_not_worked_out_again() -> None:
    def calls(rounds: int) -> int:
        made = shipped.game("tally")
        counted: list[int] = []

        def ask(*given: Any) -> Any:
            counted.append(1)
            return made.ask(*given)

        game = replace(made, ask=ask)
        session = Session(LogHeader(game, ("Aki", "Bea"), game.rules(), game.start(2, game.rules()), "{}"))
        kind = game.events[0]
        for _round in range(rounds):
            session = session.add(kind(figures=(1, 2)))
        assert Correction(session, 1).put(kind(figures=(3, 4))).fits
        return len(counted)

    assert calls(20) == calls(2)
