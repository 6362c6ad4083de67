"""Hipparchus: a trick-taking game for two; captured cards make later cards weaker."""

from companion.core.game import Game, OptionalParts
from companion.core.prompt import DetailLevel
from companion.core.text import N_, Text

from .counted_actions import ACTIONS, counted_actions
from .event_probability import odds
from .events import EVENTS, CannotPlay, Play, Round
from .options import OPTIONS, PLAYERS, Rules
from .presentation import KEYS, describe, face, moment, report, sheet, short_moment
from .prompts import answers, ask
from .round_form import as_whole_round
from .rules import apply
from .rules_card import card
from .state import State, progress, snapshot, start

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
