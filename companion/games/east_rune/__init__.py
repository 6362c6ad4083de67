"""East Rune: a shedding game; chain cards by domain, capture chairs and monarchs."""

from companion.core.game import Game, OptionalParts
from companion.core.prompt import DetailLevel
from companion.core.text import N_, Text
from companion.games.east_rune.asks import answers, as_result, ask
from companion.games.east_rune.rules import (
    DECK,
    EVENTS,
    OPTIONS,
    PLAYERS,
    EndTurn,
    Pass,
    Play,
    Rules,
    State,
    apply,
    progress,
    snapshot,
    start,
    winners,
)
from companion.games.east_rune.shown import (
    ACTIONS,
    alerts,
    card,
    counted_actions,
    describe,
    face,
    keys,
    moment,
    odds,
    report,
    sheet,
    short_moment,
)

EAST_RUNE: Game[State] = Game(
    name="east-rune",
    title=N_("East Rune"),
    seats=PLAYERS,
    rules=Rules,
    options=OPTIONS,
    events=EVENTS,
    cards=DECK.by_name,
    start=start,
    apply=apply,
    trackings={DetailLevel.FULL: Text(N_("Every card")), DetailLevel.ROUND: Text(N_("The end only"))},
    ask=ask,
    answers=answers,
    progress=progress,
    snapshot=snapshot,
    view=face,
    outcome=report,
    score_sheet=sheet,
    describe=describe,
    moment=moment,
    optional=OptionalParts(
        package=__name__,
        by_turn=(Play, EndTurn, Pass),
        as_whole_round=as_result,
        alerts=alerts,
        short_moment=short_moment,
        keys=keys,
        rules_card=card,
        finished_rounds=lambda state: state.finished,
        winners_so_far=lambda state: winners(state, None),  # nobody has the last chair yet
        counted_actions=counted_actions,
        action_names=ACTIONS,
        odds=odds,
    ),
)
