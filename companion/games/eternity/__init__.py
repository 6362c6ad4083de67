"""Eternity (`ETERNITY`): a trick-taking game whose trump suit changes with the cards pledged."""

from companion.core.game import Game, OptionalParts
from companion.core.prompt import DetailLevel
from companion.core.text import N_, Text
from companion.games.kit.tricks import MOST_REVOKES

from .cards import DECK
from .counted_actions import ACTIONS, counted_actions
from .event_probability import odds
from .events import EVENTS, Play, Pledge, Round
from .options import OPTIONS, PLAYERS, Rules
from .presentation import KEYS, alerts, describe, face, moment, report, sheet, short_moment
from .prompts import answers, ask
from .round_end import winners
from .round_form import as_whole_round
from .rules import apply
from .rules_card import card
from .state import State, progress, snapshot, start
from .state_for_other_rules import refit

ETERNITY: Game[State] = Game(
    name="eternity",
    title=N_("Eternity"),
    seats=PLAYERS,
    rules=Rules,
    options=OPTIONS,
    events=EVENTS,
    cards=DECK.by_name,
    start=start,
    apply=apply,
    trackings={
        DetailLevel.FULL: Text(N_("Every card")),
        DetailLevel.QUICK: Text(N_("Pledges, winners")),
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
        by_turn=(Play, Pledge),
        whole_round=(Round,),
        as_whole_round=as_whole_round,
        alerts=alerts,
        short_moment=short_moment,
        lasting=Text(N_("Trump")),
        keys=lambda _seats, _rules: KEYS,
        rules_card=card,
        finished_rounds=lambda state: len(state.rounds),
        round_points=lambda state: state.rounds,
        winners_so_far=winners,
        counted_actions=counted_actions,
        action_names=ACTIONS,
        lasting_action="changes",
        remarkable={"revokes": MOST_REVOKES},
        edition="edition",
        refit=refit,
        odds=odds,
    ),
)
