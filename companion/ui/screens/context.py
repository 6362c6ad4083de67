"""What screens are given, what they show and what they ask for: context, choices, transitions, commands."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, Literal, TypeVar

from msgspec import Struct, field

from companion.core.correction import entry_in_words
from companion.core.game import Amend, Entry, Event, EventOutcome, Line, LogHeader, Players, Splice, Substitute, Undo
from companion.core.prompt import DetailLevel
from companion.core.session import Session
from companion.core.text import N_, IllegalEventError, Text, listed
from companion.gamelog import LogError, name_key
from companion.history.renamed_and_hidden import People, with_current_names
from companion.ui.faces import Faces
from companion.ui.few_keys import Option, SelectableOptions, plain
from companion.ui.keys import KEYPAD, AnswerCodes, Key, KeyLayout, Labels
from companion.ui.offered_corrections import OfferedCorrections, SearchReason
from companion.ui.saved_games import GameList, HistoryReader
from companion.ui.screens.position import CachedGameState
from companion.ui.translations import Translator, _
from companion.ui.view import ListBody, OpenGame, View, retold

if TYPE_CHECKING:
    from companion.core.correction import Correction
    from companion.ui.club import ClubTableStatus, SeatCall
    from companion.ui.screens.round_form import Field


class CurrentGame(Struct, frozen=True, dict=True):
    """The open game."""

    name: str  # its name in the journal
    session: Session
    tracking: DetailLevel
    lines: int = 0  # the number of lines in the log, without the header
    listed: Screen | None = None  # the list of games it was opened from, if it is finished and read-only; else None
    # whether nothing was entered since it was opened. Undo then warns first, because nobody may have seen the entry
    # that it takes back
    resumed: bool = False
    set_up_tracking: DetailLevel = DetailLevel.FULL  # the level of detail chosen at its set-up

    @cached_property
    def position(self) -> CachedGameState:
        """Return the state with what the game says about it; the game is asked nothing yet."""
        session = self.session
        return CachedGameState(session.header.game, session.state, self.tracking, asks=not session.finished)

    @property
    def players(self) -> tuple[str, ...]:
        """Return the names by seat."""
        return self.session.header.players

    @property
    def number(self) -> int:
        """Return its number in the journal; 0 if its name has none."""
        number, _minus, _rest = self.name.partition("-")
        return int(number) if number.isdigit() else 0

    @property
    def read_only(self) -> bool:
        return self.listed is not None

    @property
    def over(self) -> bool:
        return self.position.ask() is None


class RegularGroup(Struct, frozen=True):
    """People who played together before, under their current names."""

    header: LogHeader  # the header of their latest game, with their current names
    tracking: DetailLevel
    begun: datetime | None = None  # when that game began, if known


class Status(Struct, frozen=True):
    """Base of a feature's status, such as the clock's."""

    @property
    def club(self) -> ClubTableStatus | None:
        """Return what is shown of the club, if this is its status: a box without a club never imports its class."""
        return None

    def row(self, _settings: Screen) -> Row | None:
        """Return the feature's row in the settings; None for no row."""
        return None

    def row_of_phones(self, _phones: Screen) -> Row | None:
        """Return the feature's row in the list of what can be done with phones; None for no row."""
        return None


AnyStatus = TypeVar("AnyStatus", bound=Status)


class MachineStatus(Struct, frozen=True):
    """The statuses of the features that this machine has, in the order of their rows in the settings."""

    statuses: tuple[Status, ...] = ()

    def get(self, kind: type[AnyStatus]) -> AnyStatus | None:
        """Return the status of a feature; None where the machine does not have it."""
        return next((status for status in self.statuses if isinstance(status, kind)), None)

    @property
    def club(self) -> ClubTableStatus | None:
        """Return what is shown of the club; None on a box of none."""
        return next((status.club for status in self.statuses if status.club is not None), None)

    @property
    def seats(self) -> SeatCall | None:
        """Return the club's seat call for this table, if there is one."""
        return None if self.club is None else self.club.seats


class ScreenContext(Struct, frozen=True):
    """What every screen knows: language, games, the open game, people, key layout."""

    words: Translator  # the translator, with the players' names
    game_list: GameList = field(default_factory=GameList)
    game: CurrentGame | None = None
    report: EventOutcome | None = None  # the outcome of the last entry, until the next key
    people: People = field(default_factory=People)
    key_layout: KeyLayout = KEYPAD
    offered: OfferedCorrections | None = None  # the corrections last searched for; they may belong to an earlier alarm
    history: HistoryReader = field(default_factory=HistoryReader)
    left_game: str = ""  # the name in the journal of the game that was left last; home offers to go on with it
    machine: MachineStatus = MachineStatus()  # the machine around the box: clock, phones, updates and so on
    on_page: bool = False  # whether the screen is shown on a phone, which has room for more and none of the box's keys
    box_language: str = ""  # the language of the box, on a phone; empty on the panel itself
    scores: bool = True  # whether the viewer may change what others have entered

    @property
    def everybody(self) -> tuple[str, ...]:
        """Return everybody who ever played, latest first, without placeholders such as "P2"."""
        names = {name_key(name): "" for name in placeholder_names(self.words)}
        for party in self.game_list.parties(self.people):
            for name in party.players:
                names.setdefault(name_key(name), name)
        return tuple(filter(None, names.values()))

    @property
    def is_new(self) -> bool:
        """Return whether the box has no game yet, so that nobody knows it."""
        return self.game is None and not (self.game_list.games or self.game_list.removed)

    @property
    def faces(self) -> Faces:
        """Return everybody's face; those at the table of the open game are told apart."""
        places = self.game_list.places(self.people)
        if self.game is None:
            return Faces(places)
        now = [name_key(self.renamed(name)) for name in self.game.players]
        new = [name for name in now if name not in places]  # a game that has just begun is not in the list yet
        own = {name: len(places) + new.index(name) if name in new else places[name] for name in now}
        return Faces.at(self.game.players, places, [own[name] for name in now])

    @property
    def roster(self) -> tuple[str, ...]:
        """Return everybody who is not hidden, latest first."""
        return tuple(name for name in self.everybody if not self.people.hides(name))

    @property
    def regular_groups(self) -> Iterator[RegularGroup]:
        """Yield the groups that played together, latest first, each once; groups with a hidden person are left out."""
        for party in self.game_list.parties(self.people):
            header, players = party.latest.header, party.players
            if header is None or any(map(self.people.hides, players)):
                continue
            with suppress(LogError):  # renamed to the same name, such as "P2"
                yield RegularGroup(with_current_names(header, players), party.latest.tracking, party.latest.begun)

    def renamed(self, name: str) -> str:
        """Return the current name of who has a name in the open game."""
        return self.people.now(name, self.require_game().number)

    @property
    def changeable(self) -> CurrentGame | None:
        """Return the open game, unless it is read-only."""
        return None if self.game is None or self.game.read_only else self.game

    def require_game(self) -> CurrentGame:
        """Return the open game; there must be one."""
        assert self.game is not None  # only screens of an open game call this
        return self.game


class Command(Struct, frozen=True):
    """Base of what a screen asks for beside the next screen, such as to enter a line."""


class Transition(Struct, frozen=True):
    """The effect of a key: the next screen, a command, a message."""

    screen: Screen
    command: Command | None = None  # the command to run first
    message: Text | None = None  # a sentence to show until the next key
    refused: bool = False
    # the next screen if the command is refused, or waits for the key to be pressed again; None keeps the current one
    if_refused: Screen | None = None
    warning: Text | None = None  # a sentence to show first; pressing the same key again then runs the transition


class Row(Struct, frozen=True):
    """A row of a list, and where it leads."""

    text: object
    leads: Transition | Callable[[], Transition]  # a game's own code runs only once the row is chosen
    value: object = ""  # what stands at its right
    below: object = ""  # a second line, left
    beside: object = ""  # the same line, right
    names: tuple[str, ...] = ()  # the names in it; where a line does not fit they are shortened first
    label: object = ""  # the label of its key; empty if it is the row's text
    heading: object = ""  # what stands above it and the rows that follow, on pages
    address: str = ""  # the page that it opens on pages, in place of a screen
    for_scorers: bool = False  # whether only a viewer who scores may choose it

    @property
    def chosen(self) -> Transition:
        return self.leads if isinstance(self.leads, Transition) else self.leads()


class Screen(Struct, frozen=True):
    """The protocol of a screen."""

    def show(self, context: ScreenContext) -> ScreenContents:
        """Return the contents: the view and the keys."""
        raise NotImplementedError

    @property
    def draft(self) -> Struct | None:
        """Return the set-up of a game that is entered here, as data; None on a screen of no set-up."""
        return None

    @property
    def title_on_pages(self) -> object:
        """Return the title on pages, which have no keys to name and more room; None if it is the panel's."""
        return None

    @property
    def expected_text(self) -> Text | None:
        """Return the label of the text that a web page or letter keyboard can enter whole; None for none."""
        return None

    def write(self, text: str, context: ScreenContext) -> Transition:
        """Return the transition of a text entered as a whole."""
        return refuse(self, _("No name is asked for now"))

    def refused(self, context: ScreenContext, why: IllegalEventError) -> Transition:
        """Return the transition after the game refused an entry of this screen."""
        return refuse(self, why.text)

    def alarm(self, context: ScreenContext) -> SearchReason | None:
        """Return why an earlier entry may be wrong; None if nothing tells."""
        return None

    def after_change(self, context: ScreenContext) -> Screen:
        """Return the screen after somebody else has changed the entries of the open game."""
        return self


class TableScreen(Screen, frozen=True):
    """The screen of the open game, for the screens that were opened from it and lead back.

    `companion.ui.screens.table.PlayScreen` is the only one.
    """

    @property
    def untouched(self) -> bool:
        """Return whether nothing is half entered."""
        raise NotImplementedError

    @property
    def amending(self) -> int | None:
        """Return the number of the entry that is corrected; None if none is."""
        raise NotImplementedError

    def reset(self) -> TableScreen:
        """Return the screen with nothing half entered or corrected."""
        raise NotImplementedError

    def left(self) -> TableScreen:
        """Return the screen after a correction was left: back first only clears the sentence on that."""
        raise NotImplementedError

    def with_tracking(self, tracking: DetailLevel) -> TableScreen:
        """Return the screen with the correction under way begun anew at another level of detail."""
        raise NotImplementedError

    def enter_correction(self, game: CurrentGame, correction: Correction) -> TableScreen:
        """Return the screen that asks for an entry that is new, was wrong or no longer fits."""
        raise NotImplementedError

    def answer_again(self, game: CurrentGame, correction: Correction, given: Event) -> TableScreen:
        """Return the screen that asks for the last answer of an entry that a correction was given."""
        raise NotImplementedError

    def compare_figures(self, game: CurrentGame) -> TableScreen:
        """Return the screen that compares the figures of the round that has just ended with those on the table."""
        raise NotImplementedError


BACK_AT, HOME_AT, MENU_AT, ENTRIES_AT = 10, 11, 12, 13
"""How far from the first answer the ways elsewhere stand."""


class Choice(Struct, frozen=True):
    """Something that can be chosen on a screen: with its key, on a page, on a board with few keys."""

    name: str  # what pages and boards with few keys send: ``back``, ``redo``; empty if only its key chooses it
    label: object  # a short label; empty for none: then only its key chooses it
    do: Callable[[], Transition]
    key: str = ""  # the keypad's key in text notation: ``7``, ``#``, ``h*``; empty if it has none
    near: int = 0  # how far from the first answer it stands on boards with few keys
    # where it stands on a page; empty if nowhere; ``question``: below the answers to the question
    page: Literal["", "actions", "check", "offers", "question"] = "actions"
    knob: bool = True  # whether boards with few keys offer it
    below: object = ""  # a second line on a page
    for_scorers: bool = False  # whether only a viewer who scores may choose it


class ScreenContents:
    """Base of what a screen shows and what can be chosen on it: with a key, on a page, on a board with few keys.

    Some screens take more than their choices: rows, letters, numbers, answers. They say what such keys and names do.
    """

    @property
    def screen(self) -> Screen:
        raise NotImplementedError

    @property
    def view(self) -> View[object]:
        raise NotImplementedError

    @property
    def choices(self) -> tuple[Choice, ...]:
        """Return the choices in their order on a page: the ways elsewhere come last."""
        raise NotImplementedError

    @property
    def unknown(self) -> Text:
        """Return the message for a key that does nothing."""
        raise NotImplementedError

    @property
    def for_scorers(self) -> frozenset[str]:
        """Return the names of what only a viewer who scores may choose."""
        return frozenset(choice.name for choice in self.choices if choice.for_scorers)

    @property
    def rows(self) -> int:
        """Return how many rows of a list can be chosen; ``row 3`` is the name of the third."""
        return 0

    @property
    def codes(self) -> AnswerCodes | None:
        """Return the key codes of the prompt, if a game asks one."""
        return None

    @property
    def begun(self) -> object:
        """Return the answers already given to the entry, in words."""
        return ""

    @property
    def fields(self) -> tuple[Field, ...]:
        """Return the figures that pages show as fields."""
        return ()

    @property
    def corrected_round(self) -> int:
        """Return the number of the round whose figures are corrected; 0 if they are those of the running one."""
        return 0

    @property
    def totals_then(self) -> tuple[int, ...]:
        """Return the totals by seat once the figures are said to be right; none before all are given."""
        return ()

    @property
    def table(self) -> OpenGame[object] | None:
        """Return the table that a page shows; None for the open game's latest state."""
        return None

    @property
    def typed_labels(self) -> Labels:
        """Return the labels of keys beside the choices."""
        return {}

    def typed(self, key: Key) -> Transition | None:
        """Return the transition of a key beside the choices; None if it has none."""
        return None

    def named(self, name: str, context: ScreenContext) -> Transition | None:
        """Return the transition of an answer, row, letter or number; None if there is none of that name now."""
        return None

    @cached_property
    def labels(self) -> Labels:
        """Return the short label of each key, by the key in text notation."""
        chosen = {choice.key: choice.label for choice in self.choices if choice.key and choice.label}
        return {**self.typed_labels, **chosen}

    def press(self, key: Key) -> Transition:
        """Return the transition of a key."""
        pressed = str(key)
        choice = next((choice for choice in self.choices if choice.key == pressed), None)
        move = self.typed(key) if choice is None else choice.do()
        return refuse(self.screen, self.unknown) if move is None else move

    def answer(self, name: str, context: ScreenContext) -> Transition | None:
        """Return the transition of a choice, answer, row, letter or number by its name; None if there is none now."""
        choice = next((choice for choice in self.choices if choice.name == name != ""), None)
        return self.named(name, context) if choice is None else choice.do()

    @property
    def shown(self) -> Iterator[Choice]:
        """Yield the labelled choices, but the way home where a row leads there, as *Leave the game* of the menu."""
        body = self.view.body
        rows = [text for text, _value in body.rows] if isinstance(body, ListBody) else []
        return (each for each in self.choices if each.label and not (each.name == "home" and each.label in rows))

    @property
    def options(self) -> tuple[Option, ...]:
        """Return the choices for boards with few keys, the nearest first."""
        shown = sorted((choice for choice in self.shown if choice.knob), key=lambda choice: choice.near)
        return tuple(Option(choice.label, choice.name) for choice in shown)

    @property
    def back(self) -> str:
        """Return the name of what the back key does; empty if it does nothing."""
        return next((choice.name for choice in self.choices if choice.key == "*"), "")

    @property
    def ring(self) -> SelectableOptions:
        """Return the options for boards with few keys."""
        return plain(self.options, self.back)


def placeholder_names(words: Translator) -> tuple[str, ...]:
    """Return the placeholder names for players without a name: P1 to P9."""
    return tuple(words(_("P{number}", number=number)) for number in range(1, 10))


def undone_text(game: CurrentGame, people: People) -> Text | None:
    """Return the message for undoing the latest entry; None if there is none.

    A new name is the person's: the game has the old one again, the history has not.
    """
    line = game.session.latest
    if line is None:
        return None
    said = _("Took back: {entry}", entry=described(game, line))
    if not isinstance(line, Players):
        return said
    before = game.session.add(Undo()).header.players
    kept = [(old, people.now(old, game.number)) for old in before if old not in game.players]
    stays = [_("In the history {old} stays {new}", old=old, new=new) for old, new in kept if new in game.players]
    return _("{said}. {more}", said=said, more=stays[0]) if stays else said


MESSAGES_ON_PAGES = {
    "* again takes back: {entry}": N_("Once more takes back: {entry}"),
    "● again takes back: {entry}": N_("Once more takes back: {entry}"),
    "{message}; * held: look": "{message}",
    "{said}": N_("{said}. {more}"),
    "{key} does nothing here; # held: menu": N_("{key} does nothing here"),
    "Choose by number; * goes back": N_("Choose by number"),
    "From {least} to {most}; {key} is the minus sign": N_("From {least} to {most}"),
    "No card is typed like that; * steps back": N_("No card is typed like that"),
    "That is not a card yet; * steps back": N_("That is not a card yet"),
    "There is no {card}; * steps back": N_("There is no {card}"),
    "{who} corrects entry {number}: {entry}. * takes it back": N_("{who} corrects entry {number}: {entry}"),
    "{who} corrects entry {number}: {entry}. Hold ● to take it back": N_("{who} corrects entry {number}: {entry}"),
}
"""The templates of messages on pages, by those on the panel that name a key, or have no room for the rest."""


def undo_warning(context: ScreenContext) -> Text | None:
    """Return the warning to show before undoing in a game just resumed; else None."""
    game = context.require_game()
    line = game.session.latest if game.resumed else None
    if line is None:
        return None
    again = _("* again takes back: {entry}") if "*" in context.key_layout.keys else _("● again takes back: {entry}")
    return Text(again.template, entry=described(game, line))


def for_pages(message: Text) -> Text:
    """Return a message as pages show it: a phone has none of the keys that the panel names."""
    return retold(message, MESSAGES_ON_PAGES)


def redone_text(game: CurrentGame) -> Text | None:
    """Return the message for redoing an entry; None if there is none."""
    line = game.session.undone
    return None if line is None else _("Brought back: {entry}", entry=described(game, line))


def described(game: CurrentGame, line: Entry) -> Text:
    """Return an entry, a correction or a change of players in words."""
    match line:
        case Amend(number, to):
            played, whole = game.session.header.game, game.session.header.game.optional.whole_round
            round_ = played.progress(game.session.entry(number).before.state).round if isinstance(to, whole) else None
            if round_ is not None:
                return _("correction of round {round}", round=round_)
            return _("correction {number}: {entry}", number=number, entry=described(game, to))
        case Splice(number):
            return _("correction from {number} on", number=number)
        case Players(names):
            return _("players: {names}", names=listed(names))
        case Substitute(_player, name):
            return _("from now on {name}", name=name)
    return entry_in_words(game.session.header.game, line)


CHOOSE = _("Choose by number; * goes back")

SCORES = _("Only a phone that scores may do this: choose it beside You")

READ_ONLY = _("A finished game. Its menu lets you change it")
"""The message for keys that would change a read-only game."""


def refuse(screen: Screen, message: Text) -> Transition:
    """Return the transition that stays on a screen and shows a refusal."""
    return Transition(screen, message=message, refused=True)


class EnterLine(Command, frozen=True):
    """Command: add a line to the open game's log."""

    line: Line
    # the keys typed for its answers; empty if some were chosen. None for a line that answers no question
    keys: str | None = None
    figures: bool = False  # whether it corrects figures of the round, which everybody may give


class StartAtRandom(Command, frozen=True):
    """Command: let chance say who starts."""


class RetryFailedGame(Command, frozen=True):
    """Command: try a game again that was put aside because it failed."""

    name: str  # its name in a log's header


class BeginGame(Command, frozen=True):
    """Command: begin a new game, with a first entry where its points go on from another one."""

    header: LogHeader
    tracking: DetailLevel
    first: Event | None = None


class OpenSavedGame(Command, frozen=True):
    """Command: open a game of the journal; a finished one opened from a list is read-only."""

    name: str
    listed: Screen | None = None


class ReopenGame(Command, frozen=True):
    """Command: make the finished game changeable."""


class SetDetailLevel(Command, frozen=True):
    """Command: record the open game at another level of detail."""

    tracking: DetailLevel


class LeaveGame(Command, frozen=True):
    """Command: close the open game; without a next screen, home follows."""

    to: Screen | None = None


class PutAwayOrBringBack(Command, frozen=True):
    """Command: remove a game, or bring back one that was."""

    name: str
    away: bool


class SetLanguage(Command, frozen=True):
    """Command: change the language."""

    language: str


class SetPeople(Command, frozen=True):
    """Command: keep who was renamed, and who is hidden from lists."""

    people: People
    seated: tuple[str, ...] = ()  # the names by seat in the open game, if somebody who sits there has a new one


class MachineAction(Command, frozen=True):
    """Base of the commands to the machine around the box, such as to set its clock.

    They leave an unfinished entry as it is.
    """

    answered_later: ClassVar[bool] = False  # whether the machine tells by itself what has come of it
    of_players: ClassVar[bool] = False  # whether everybody who plays may ask for it, not only who scores


class RefreshMachineStatus(MachineAction, frozen=True):
    """Action: find out what the rows of the settings show, such as the USB drive that is plugged in."""


def leave(screen: Screen) -> Transition:
    """Return the transition home, which closes the open game."""
    return Transition(screen, LeaveGame())
