"""Makes the screen of an unfinished entry or set-up again, from its draft."""

from __future__ import annotations

from typing import Any

from msgspec import MsgspecError, convert
from msgspec.structs import replace

from companion.core.correction import Correction
from companion.core.errors import IllegalEventError
from companion.core.events import Event
from companion.core.game import Game
from companion.core.prompt import Prompt
from companion.gamelog import LogError, decode_line
from companion.games import GAMES
from companion.ui.key_grammar import answer_named
from companion.ui.screens.compare import comparable
from companion.ui.screens.corrections import ConflictScreen, ReviewScreen
from companion.ui.screens.set_up import (
    GameChoiceScreen,
    NameScreen,
    NumberScreen,
    RulesScreen,
    SeatingScreen,
    game_choice,
    options_of,
    rule_with,
    valid,
)
from companion.ui.screens.table import PlayScreen
from companion.ui.translations import _

from .context import CurrentGame, Screen
from .saved_drafts import NOTHING, CorrectionDraft, EntryDraft, RulesDraft, SeatsDraft, SetUpDraft

DROPPED = _("What was half entered is gone: enter it again")
"""The sentence when a draft cannot be taken up."""


class DraftError(ValueError):
    """A draft does not fit the game, or an earlier version wrote it."""


def resumed_entry(kept: object, game: CurrentGame) -> Screen:
    """Return the screen of a game with its unfinished entry; raise DraftError if that does not fit."""
    try:
        draft = convert(kept, EntryDraft) if kept else NOTHING
        correction = None if draft.correction is None else _correction(draft.correction, game)
        if correction is not None and draft.page == "conflict" and correction.why is not None:
            return ConflictScreen(PlayScreen(), correction)
        if correction is not None and draft.page == "review" and correction.fits:
            return ReviewScreen(PlayScreen(), correction, top=draft.top)
        if draft.page or (correction is not None and correction.fits):
            raise DraftError("the correction asks something else")
        ended = correction is not None and correction.first == game.session.head.number and comparable(game)
        if draft.compares and not ended:
            raise DraftError("it compares the figures of another round")
        screen = PlayScreen(correction=correction, tracking=draft.tracking, compares=draft.compares)
        position = screen.position(game)
        for name, keys in draft.given:
            prompt = position.ask(screen.answers)
            answer = answer_named(prompt, name) if isinstance(prompt, Prompt) else None
            if answer is None:
                raise DraftError(name)
            screen = replace(screen, answers=(*screen.answers, answer), keys=(*screen.keys, keys))
        asked = position.ask(screen.answers)
        if not isinstance(asked, Prompt) and asked is not None:
            raise DraftError("the entry is complete")
    except (MsgspecError, IllegalEventError, LogError) as error:
        raise DraftError(str(error)) from error
    return replace(screen, typed=draft.typed)


def _correction(draft: CorrectionDraft, game: CurrentGame) -> Correction:
    header = game.session.header
    lines = [None if line is None else decode_line(line, header) for line in draft.given]
    given = [line if isinstance(line, Event) else None for line in lines]
    return Correction.resumed(game.session, draft.number, draft.edit, given)


def resumed_set_up(kept: object, before: Screen) -> Screen:
    """Return the screen of a set-up; raise DraftError if its draft does not fit."""
    try:
        draft = convert(kept, SetUpDraft)
        if not draft.game:
            return GameChoiceScreen(before, chosen=draft.row)
        game, opened = GAMES[draft.game], game_choice(before, draft.game)
        if draft.rules is not None:
            rules = _rules(draft.rules, game, opened)
            rules = replace(rules, before=before) if draft.rules.again else rules
            return _number(draft, rules) if draft.rule else rules
        seats = _seats(draft.seats or SeatsDraft(), game, opened)
        return seats if draft.name is None else NameScreen(seats, name=draft.name)
    except (MsgspecError, LookupError, TypeError, ValueError) as error:
        raise DraftError(str(error)) from error


def _number(draft: SetUpDraft, rules: RulesScreen) -> NumberScreen:
    options = options_of(rules.seating)
    row = [option.name for option in options].index(draft.rule)
    place = rules.picks[row].choice if draft.place is None else draft.place
    if options[row].choices[place].number is None or not (draft.typed == "" or valid(draft.typed)):
        raise DraftError(draft.rule)
    return NumberScreen.of(rules, options[row], rules.picks[row], place, draft.typed)


def _seats(draft: SeatsDraft, game: Game[Any], before: Screen) -> SeatingScreen:
    left = None if draft.left is None else _rules(draft.left, game, before)
    return SeatingScreen(before, game, draft.names, draft.page, left, chosen=draft.row)


def _rules(draft: RulesDraft, game: Game[Any], before: Screen) -> RulesScreen:
    seating = _seats(draft.seats, game, before)
    picks = []
    for option in options_of(seating):
        rule = draft.rules[option.name]
        pick = rule_with(option, rule.value)
        if pick is None:
            raise DraftError(option.name)
        picks.append(replace(pick, agreed=rule.agreed))
    back = None if draft.back is None else _seats(draft.back, game, before)
    return RulesScreen(seating, tuple(picks), draft.tracking, back, chosen=draft.row)
