"""Gear: bid for lots of cards, then play tricks of single cards or pairs in two colours."""

from companion.core.game import Game
from companion.core.prompt import DetailLevel
from companion.core.text import N_, Text
from companion.games.kit import tricks

from . import asks, rules, shown

GEAR: Game[rules.State] = Game.of(
    rules,
    asks,
    shown,
    tricks,
    package=__name__,
    name="gear",
    title=N_("Gear"),
    seats=rules.PLAYERS,
    rules=rules.Rules,
    options=rules.OPTIONS,
    events=rules.EVENTS,
    cards=rules.DECK.by_name,
    trackings={
        DetailLevel.FULL: Text(N_("Every card")),
        DetailLevel.QUICK: Text(N_("Prices, winners")),
        DetailLevel.ROUND: Text(N_("Rounds only")),
    },
    by_turn=(rules.Bid, rules.Play),
    whole_round=(rules.Round,),
    keys=lambda _seats, _rules: shown.KEYS,
    action_names=shown.ACTIONS,
    remarkable={"revokes": tricks.MOST_REVOKES},
)
