"""Eternity (`ETERNITY`): a trick-taking game whose trump suit changes with the cards pledged."""

from companion.core.game import Game
from companion.core.prompt import DetailLevel
from companion.core.text import N_, Text
from companion.games.kit import tricks

from . import asks, rules, shown

ETERNITY: Game[rules.State] = Game.of(
    rules,
    asks,
    shown,
    tricks,
    package=__name__,
    name="eternity",
    title=N_("Eternity"),
    seats=rules.PLAYERS,
    rules=rules.Rules,
    options=rules.OPTIONS,
    events=rules.EVENTS,
    cards=rules.DECK.by_name,
    trackings={
        DetailLevel.FULL: Text(N_("Every card")),
        DetailLevel.QUICK: Text(N_("Pledges, winners")),
        DetailLevel.ROUND: Text(N_("Rounds only")),
    },
    by_turn=(rules.Play, rules.Pledge),
    whole_round=(rules.Round,),
    lasting=Text(N_("Trump")),
    lasting_action="changes",
    keys=lambda _seats, _rules: shown.KEYS,
    action_names=shown.ACTIONS,
    remarkable={"revokes": tricks.MOST_REVOKES},
    edition="edition",
)
