"""Gear: bid for lots of cards, then play tricks of single cards or pairs in two colours."""

from companion.core.game import Game, OptionalParts
from companion.core.prompt import DetailLevel
from companion.core.text import N_, Text
from companion.games.gear.asks import answers, as_whole_round, ask
from companion.games.gear.rules import (
    DECK,
    EVENTS,
    OPTIONS,
    PLAYERS,
    Bid,
    Play,
    Round,
    Rules,
    State,
    apply,
    progress,
    sides,
    snapshot,
    start,
    winners,
)
from companion.games.gear.shown import (
    ACTIONS,
    KEYS,
    alerts,
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
from companion.games.kit.tricks import MOST_REVOKES

GEAR: Game[State] = Game(
    name="gear",
    title=N_("Gear"),
    seats=PLAYERS,
    rules=Rules,
    options=OPTIONS,
    events=EVENTS,
    cards=DECK.by_name,
    start=start,
    apply=apply,
    trackings={
        DetailLevel.FULL: Text(N_("Every card")),
        DetailLevel.QUICK: Text(N_("Prices, winners")),
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
        by_turn=(Bid, Play),
        whole_round=(Round,),
        as_whole_round=as_whole_round,
        alerts=alerts,
        short_moment=short_moment,
        keys=lambda _seats, _rules: KEYS,
        rules_card=card,
        finished_rounds=lambda state: len(state.rounds),
        round_points=lambda state: state.rounds,
        winners_so_far=winners,
        counted_actions=counted_actions,
        action_names=ACTIONS,
        remarkable={"revokes": MOST_REVOKES},
        sides=sides,
        odds=odds,
    ),
)
