"""East Rune: a shedding game; chain cards by domain, capture chairs and monarchs."""

from companion.core.game import Game, OptionalParts
from companion.core.prompt import DetailLevel
from companion.core.text import N_, Text

from .cards import DECK
from .counted_actions import ACTIONS, counted_actions
from .event_probability import odds
from .events import EVENTS, EndTurn, Pass, Play
from .options import OPTIONS, PLAYERS, Rules
from .presentation import alerts, describe, face, keys, moment, report, sheet, short_moment
from .prompts import answers, ask
from .result_form import as_result
from .rules import apply
from .rules_card import card
from .state import State, progress, snapshot, start
from .winners import winners

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
