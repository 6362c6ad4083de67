"""Hipparchus: a trick-taking game for two; captured cards make later cards weaker."""

from companion.core.game import Game, OptionalParts
from companion.core.prompt import DetailLevel
from companion.core.text import N_, Text
from companion.games.hipparchus.asks import answers, as_whole_round, ask
from companion.games.hipparchus.rules import (
    EVENTS,
    OPTIONS,
    PLAYERS,
    CannotPlay,
    Play,
    Round,
    Rules,
    State,
    apply,
    progress,
    snapshot,
    start,
)
from companion.games.hipparchus.shown import (
    ACTIONS,
    KEYS,
    card,
    counted_actions,
    describe,
    face,
    moment,
    odds,
    report,
    sheet,
    short_moment,
)

HIPPARCHUS: Game[State] = Game(
    name="hipparchus",
    title=N_("Hipparchus"),
    seats=PLAYERS,
    rules=Rules,
    options=OPTIONS,
    events=EVENTS,
    cards={},
    start=start,
    apply=apply,
    trackings={
        DetailLevel.FULL: Text(N_("Every play")),
        DetailLevel.QUICK: Text(N_("Whole tricks")),
        DetailLevel.ROUND: Text(N_("Rounds only")),
    },
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
        by_turn=(Play, CannotPlay),
        whole_round=(Round,),
        as_whole_round=as_whole_round,
        short_moment=short_moment,
        keys=lambda _seats, _rules: KEYS,
        rules_card=card,
        finished_rounds=lambda state: len(state.rounds),
        round_points=lambda state: tuple(result.points for result in state.rounds),
        counted_actions=counted_actions,
        action_names=ACTIONS,
        odds=odds,
    ),
)
