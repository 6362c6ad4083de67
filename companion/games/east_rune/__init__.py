"""East Rune: a shedding game; chain cards by domain, capture chairs and monarchs."""

from companion.core.game import Game
from companion.core.prompt import DetailLevel
from companion.core.text import N_, Text

from . import asks, rules, shown

EAST_RUNE: Game[rules.State] = Game.of(
    rules,
    asks,
    shown,
    package=__name__,
    name="east-rune",
    title=N_("East Rune"),
    seats=rules.PLAYERS,
    rules=rules.Rules,
    options=rules.OPTIONS,
    events=rules.EVENTS,
    cards=rules.DECK.by_name,
    trackings={DetailLevel.FULL: Text(N_("Every card")), DetailLevel.ROUND: Text(N_("The end only"))},
    by_turn=(rules.Play, rules.Stop, rules.Pass),
    finished_rounds=lambda state: state.finished,
    winners_so_far=lambda state: rules.winners(state, None),  # nobody has the last chair yet
    action_names=shown.ACTIONS,
)
