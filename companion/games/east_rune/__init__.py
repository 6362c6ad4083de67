"""East Rune: a shedding game; chain cards by domain, capture chairs and monarchs."""

from companion.core.game import Game
from companion.core.prompt import DetailLevel
from companion.core.text import N_, Text

from .cards import DECK
from .events import EVENTS, EndTurn, Pass, Play
from .odds import odds
from .options import OPTIONS, PLAYERS, Rules
from .player_counts import DEEDS, deeds
from .presentation import KEYS, alerts, describe, face, moment, report, sheet, short_moment
from .prompts import answers, ask
from .rules import apply
from .rules_card import card
from .state import State, progress, snapshot, start

EAST_RUNE: Game[State] = Game(
    name="east-rune",
    title=N_("East Rune"),
    seats=PLAYERS,
    rules=Rules,
    events=EVENTS,
    cards=DECK.by_name,
    trackings={DetailLevel.FULL: Text(N_("Every card")), DetailLevel.ROUND: Text(N_("The end only"))},
    options=OPTIONS,
    start=start,
    apply=apply,
    ask=ask,
    answers=answers,
    progress=progress,
    snapshot=snapshot,
    view=face,
    outcome=report,
    score_sheet=sheet,
    alerts=alerts,
    describe=describe,
    moment=moment,
    short_moment=short_moment,
    finished_rounds=lambda state: state.finished,
    deeds=deeds,
    deed_names=DEEDS,
    odds=odds,
    by_turn=(Play, EndTurn, Pass),
    keys=KEYS,
    rules_card=card,
)
