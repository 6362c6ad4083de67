"""What a phone may do by its role, and what a director may correct: it guards friends from slips.

A phone that scores may do everything. A person's phone answers when that person is asked, or nobody in particular. It
takes back the person's own last entry or a correction made on it, redoes what it took back, and may begin and open
games. A phone that watches opens pages that only show.

Screens say what is for scorers alone, and pages offer it to nobody else. The commands are checked all the same: a phone
may stop scoring with such a screen open, and a request may ask for anything.
"""

from __future__ import annotations

from companion.app.inputs import DirectorCorrection
from companion.app.state import State, Viewer
from companion.core.correction import correction_in_words, player_by_turn
from companion.core.game import Amend, CorrectionLine, Event, Redo, Splice, Undo, refusal_of
from companion.core.prompt import EnterNumber, Prompt
from companion.core.session import seen_in, sentence
from companion.core.text import IllegalEventError, Seat, Text
from companion.gamelog import LogError, decode_line, encode_line
from companion.ui.keys import AnswerCodes, answer_name, answer_named
from companion.ui.screens.context import (
    SCORES,
    BeginGame,
    Command,
    CurrentGame,
    EnterLine,
    LeaveGame,
    MachineAction,
    OpenSavedGame,
    RefreshMachineStatus,
    RetryFailedGame,
    Screen,
    ScreenContents,
    StartAtRandom,
)
from companion.ui.screens.phones import Phone, Role, seat_of
from companion.ui.screens.questions import explained
from companion.ui.screens.round_form import Given
from companion.ui.screens.suggestions import can_compare
from companion.ui.screens.table import PlayScreen
from companion.ui.translations import _

ONLY_WATCHES = _("This phone only watches")
NOT_YOURS = _("{player} is asked")
NOT_YOUR_FIGURE = _("This is {player}’s figure")
NOT_YOUR_ANSWER = _("{player} gave this answer")
NOT_PLAYING = _("You do not play in this game")
NOT_YOUR_REDO = _("Only the phone that took it back, or one that scores, brings it back")
NOT_YOUR_ENTRY = _("Only a phone that scores takes this entry back")


def why_not_chosen(phone: Phone, name: str, contents: ScreenContents, state: State, viewer: Viewer) -> Text | None:
    """Return why a phone may not choose something on its screen, by its name; None if it may."""
    if phone.role is Role.SCORER:
        return None
    if name in contents.for_scorers:
        return ONLY_WATCHES if phone.role is Role.SPECTATOR else SCORES
    codes, figure = contents.codes, Given.named(name)
    if figure is not None:
        return _why_not_answer(phone, figure.place[0], state, NOT_YOUR_FIGURE)
    if codes is not None and answer_named(codes.prompt, name) is not None:
        return _why_not_answer(phone, codes.prompt.seat, state)
    if name == "redo" and phone.number != state.entered_by:
        return ONLY_WATCHES if phone.role is Role.SPECTATOR else NOT_YOUR_REDO
    if name == "same":
        return _why_not_answer(phone, None, state)
    return _why_not_back(phone, state, viewer) if name == contents.back else None


def _why_not_answer(phone: Phone, asked: int | None, state: State, whose: Text = NOT_YOURS) -> Text | None:
    """Return why a phone may not answer a question of a seat, or of nobody's seat; None if it may.

    Args:
        whose: The sentence that it is another player's.
    """
    if phone.role is Role.SPECTATOR:
        return ONLY_WATCHES
    seat = seat_of(phone.person, state.table.words.players)
    if seat is None:
        return NOT_PLAYING
    return None if asked in (None, seat) else Text(whose.template, player=Seat(asked or 0))


def _why_not_back(phone: Phone, state: State, viewer: Viewer) -> Text | None:
    """Return why a phone may not step back; None if it may, or only leaves a page of its own."""
    game, screen = state.table.changeable, viewer.screen
    if game is None or not viewer.at_rest or state.game_of(viewer) is not game:
        return None
    if phone.role is Role.SPECTATOR:
        return ONLY_WATCHES
    assert isinstance(screen, PlayScreen)
    if not screen.compared and can_compare(state.table):
        return None
    if screen.answers:
        asked = game.position.ask(screen.answers[:-1])
        return _why_not_answer(phone, asked.seat, state, NOT_YOUR_ANSWER) if isinstance(asked, Prompt) else None
    latest, seat = game.session.latest, seat_of(phone.person, state.table.words.players)
    if latest is None or (not isinstance(latest, Event) and phone.number == state.entered_by):
        return None
    if seat is None or not isinstance(latest, Event):
        return NOT_YOUR_ENTRY
    # the answer to a question of nobody's seat is everybody's, as the question was
    return None if player_by_turn(game.session.header.game, latest) in (None, seat) else NOT_YOUR_ENTRY


def why_not_command(phone: Phone | None, command: Command) -> Text | None:
    """Return why a phone may not do what a screen commands; None if it may."""
    if phone is None or phone.role is Role.SCORER:
        return None
    match command:
        case LeaveGame() | RefreshMachineStatus():
            return None
        case _ if phone.role is Role.SPECTATOR:
            return ONLY_WATCHES
        case BeginGame() | StartAtRandom() | OpenSavedGame() | RetryFailedGame() | EnterLine(Event() | Undo() | Redo()):
            return None
        case EnterLine(figures=True):
            return None
        case MachineAction() if command.of_players:
            return None
    return SCORES


def why_no_answer(choice: str, codes: AnswerCodes | None, screen: Screen, game: CurrentGame | None) -> Text | None:
    """Return why a choice is not there: a card whose gap was tapped is gone, a number cannot be."""
    kind, _space, name = choice.partition(" ")
    if codes is None or game is None:
        return None
    if kind == "gone" and isinstance(screen, PlayScreen):
        return _why_gone(screen, game, codes, name)
    prompt = codes.prompt
    if kind == "number" and any(isinstance(answer, EnterNumber) for answer in prompt.answers):
        return explained(prompt, "", "", None)
    return None


def _why_gone(play: PlayScreen, game: CurrentGame, codes: AnswerCodes, name: str) -> Text | None:
    """Return why the answer with a name is not offered; None if the question has no such answer, or nothing tells."""
    answer = next((each for each in codes.not_offered.values() if answer_name(each) == name), None)
    if answer is None:
        return None
    at = play.position(game)
    refused = refusal_of(at.game, at.state, at.tracking, (*play.answers, answer))
    step = game.session.head if play.correction is None else play.correction.stand.step
    return None if refused is None else sentence(at.game, refused, seen_in(refused, step, play.answers))


CORRECTED = _("{who} corrects entry {number}: {entry}. * takes it back")
CORRECTED_WITH_FEW_KEYS = _("{who} corrects entry {number}: {entry}. Hold ● to take it back")
LONGEST_NAME = 20  # characters of the director's name that the panel shows


def checked(asked: DirectorCorrection, state: State) -> tuple[CorrectionLine, Text] | Text | None:
    """Return the line to enter and the message for the table, or the reason why the correction does not count.

    Return None if it is the latest line already: it was taken before, and the answer did not arrive.
    """
    game = state.table.changeable
    if game is None or game.name != asked.game:
        return _("This game is not open at the table now")
    try:
        line = decode_line(asked.line, game.session.header)
        if not isinstance(line, Amend | Splice):
            return _("This line corrects nothing")
        if line == game.session.latest:
            return None
        if state.entry.answers or state.panel.typing:
            return _("Somebody is entering something at the table")
        entries = game.session.entries(line.event)[: line.drop]
        if not line.drop or asked.was != tuple(encode_line(entry.event) for entry in entries):
            return _("The entries at the table have changed")
        game.session.add(line)
    except (LogError, IllegalEventError) as refused:
        return refused.text
    entry = correction_in_words(game.session.header.game, line)
    who = "".join(filter(str.isprintable, asked.who))[:LONGEST_NAME]
    message = CORRECTED if "*" in state.table.key_layout.keys else CORRECTED_WITH_FEW_KEYS
    return line, Text(message.template, who=who, number=line.event, entry=entry)
