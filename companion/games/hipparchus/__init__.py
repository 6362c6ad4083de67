"""Hipparchus: a trick-taking game for two; captured cards make later cards weaker."""

from companion.core.game import Game
from companion.core.prompt import DetailLevel
from companion.core.text import N_, Text
from companion.games.kit import tricks

from . import asks, rules, shown

HIPPARCHUS: Game[rules.State] = Game.of(
    rules,
    asks,
    shown,
    tricks,
    package=__name__,
    name="hipparchus",
    title=N_("Hipparchus"),
    seats=rules.PLAYERS,
    rules=rules.Rules,
    options=rules.OPTIONS,
    events=rules.EVENTS,
    cards={},
    trackings={
        DetailLevel.FULL: Text(N_("Every play")),
        DetailLevel.QUICK: Text(N_("Whole tricks")),
        DetailLevel.ROUND: Text(N_("Rounds only")),
    },
    by_turn=(rules.Play, rules.Stuck),
    whole_round=(rules.Round,),
    keys=lambda _seats, _rules: shown.KEYS,
    round_points=lambda state: tuple(result.points for result in state.rounds),
    action_names=shown.ACTIONS,
)
