"""The application's state between inputs: the table, which is shared, and what each viewer sees of it.

A viewer is the panel with the keys of the box, or a phone. Each has a screen of its own: a menu, a page of rules, a
correction under way belong to who opened them. Everybody who looks at the open game is asked the same question, and the
answers given so far to an entry of several (`Entry`) are the table's.

The draft is what is half entered, so that a restart loses none of it. Screens on which something is entered hold it; a
menu over a game does not change it. A step writes it when it differs from what the journal last stored
(`State.kept`), and has it synced when an answer is complete.

The held key (`Viewer.before`) is what was there before a key that is being held. The key may turn out to be held until
the machine switches off; its first effect was then not intended:

    ===================  ==================================  ==================================
    event                no key is held                      a key is held
    ===================  ==================================  ==================================
    a key is pressed     `pressed`: no key is held           `pressed`: no key is held
    a key is held        `pressed`: the state is kept        `pressed`: this newer state is kept
    the power key        nothing to undo                     the state becomes that before the held key
    a text, or an error  no key is held                      no key is held
    ===================  ==================================  ==================================
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, structs
from msgspec.structs import replace

from companion.core.prompt import Answer
from companion.core.session import Session
from companion.core.text import Text
from companion.ui.few_keys import OptionCursor
from companion.ui.screens.context import CurrentGame, Screen, ScreenContext
from companion.ui.screens.home import HomeScreen
from companion.ui.screens.phones import Phone, Role
from companion.ui.screens.saved_drafts import NOTHING, EntryDraft, ScreenDraft
from companion.ui.screens.table import PlayScreen
from companion.ui.translations import Translator

Who = int | None
"""Who looks at the table: the number of a phone, 0 for a browser on this computer, None for the box itself."""

PANEL: Who = None
"""The panel and the keys of the box, which its own page shows, too."""


BOX = "box"
"""Under this name a game's draft has the set-up on the panel while others play on."""


class Entry(Struct, frozen=True):
    """The answers given so far to the entry that the table is asked for; everybody sees them."""

    answers: tuple[Answer, ...] = ()
    keys: tuple[str, ...] = ()  # the keys typed for each of these answers; empty for one that was chosen
    compared: bool = False  # whether somebody said that the figures of the ended round are those on the table


class Held(Struct, frozen=True):
    """What was there before a key that is being held."""

    viewer: Viewer
    game: CurrentGame | None  # the game on the table


class Viewer(Struct, frozen=True):
    """What one viewer sees, and has half entered."""

    screen: Screen = HomeScreen()
    phone: Phone | None = None  # the phone; None for the panel
    language: str = ""  # the two-letter code of its language; empty for the language of the box
    away: bool = False  # whether it has left the table, on which others may play on
    reading: CurrentGame | None = None  # a finished game of the list that it looks at
    base: Session | None = None  # the entries on which its screen is based
    selector: OptionCursor | None = None  # the position of the selector; None where answers are typed or tapped
    typed: str = ""  # the keys of an answer of the open game that wait while another page is open
    half: ScreenDraft | None = None  # the correction that it has begun, also while another page is open over it
    message: Text | None = None  # the sentence shown until the next key, if any
    refused: bool = False  # whether the message is a refusal
    before: Held | None = None  # what was there before the held key, if one is held
    # the sentence on keys that were typed here when somebody else answered; those that follow are no other answer
    lost: Text | None = None
    number: int = 0  # the number of the question; it changes with the screen or the game
    completed_by: str = ""  # the key that has just completed an entry

    def pressed(self, game: CurrentGame | None, *, held: bool = False) -> Viewer:
        """Return the viewer when a key arrives, before the key takes effect."""
        alone = self if self.before is None else structs.replace(self, before=None)
        return structs.replace(alone, before=Held(alone, game)) if held else alone

    def at_start(self) -> Viewer:
        """Return the viewer with the selector where it begins."""
        return self if self.selector is None else structs.replace(self, selector=self.selector.home)

    def saying(self, message: Text, *, refused: bool = True) -> Viewer:
        """Return the viewer with a message in place of the one before."""
        return structs.replace(self.without_refusal, message=message, refused=refused)

    @property
    def without_refusal(self) -> Viewer:
        """Return the viewer after the refusal of an entry is no longer shown: back again does what it says."""
        screen = self.screen
        if not isinstance(screen, PlayScreen) or not screen.refusal_shown:
            return self
        return structs.replace(self, screen=replace(screen, refusal_shown=False))

    @property
    def typing(self) -> str:
        """Return the keys typed for the next answer at the table."""
        return self.screen.typed if isinstance(self.screen, PlayScreen) and self.at_rest else self.typed

    @property
    def at_rest(self) -> bool:
        """Return whether it is asked what the table is asked: it corrects nothing, and has no other page open."""
        return isinstance(self.screen, PlayScreen) and self.screen.correction is None


class State(Struct, frozen=True):
    """The table and its viewers between inputs."""

    table: ScreenContext  # what screens are given: the open game, lists, people, the machine; in the box's language
    viewers: Mapping[Who, Viewer]
    entry: Entry = Entry()
    entered_by: Who | str = None  # who has made the last entry: a viewer, or a director by name
    number: int = 0  # the number of the latest question of any viewer
    kept: object = NOTHING  # the draft that the journal last stored; None if it may hold one that is of no use
    # what phones had half entered before the start, by their numbers, until they come back
    waiting: Mapping[str, Any] = {}

    @property
    def panel(self) -> Viewer:
        return self.viewers[PANEL]

    def having(self, who: Who, viewer: Viewer) -> State:
        """Return the state with a viewer in place of the one before."""
        return structs.replace(self, viewers={**self.viewers, who: viewer})

    def game_of(self, viewer: Viewer) -> CurrentGame | None:
        """Return the game that a viewer looks at."""
        return viewer.reading or (None if viewer.away else self.table.game)

    def context(self, viewer: Viewer) -> ScreenContext:
        """Return what a viewer's screen is given."""
        table, game = self.table, self.game_of(viewer)
        if viewer.phone is None and game is table.game:
            return table
        players = () if game is None else game.session.header.players
        words = Translator(viewer.language or table.words.language, players)
        report = table.report if game is table.game else None
        return replace(
            table,
            words=words,
            game=game,
            report=report,
            on_page=viewer.phone is not None,
            box_language=table.words.language,
            scores=viewer.phone is None or viewer.phone.role is Role.SCORER,
        )

    def asks_the_same(self, other: State, who: Who) -> bool:
        """Return whether a viewer is asked the same question in two states."""
        one, two = self.viewers[who], other.viewers.get(who)
        if two is None:
            return False
        game, others = self.game_of(one), other.game_of(two)
        same = game is others or (game is not None and others is not None and game.name == others.name)
        if same and game is not None and others is not None and one.at_rest:
            same = game.session is others.session
        return same and one.without_refusal.screen == two.without_refusal.screen

    @property
    def draft(self) -> object:
        """Return what is half entered at the table and by each viewer; `NOTHING` if nothing is."""
        panel, entry = self.panel, PlayScreen(self.entry.answers, self.entry.keys).draft
        own = _half(panel)
        if self.table.changeable is None:
            first: ScreenDraft = NOTHING if own is None else own
        elif isinstance(own, EntryDraft) and own.correction is not None:
            typed = (("", panel.typed),) if panel.typed else ()
            first = replace(own, aside=(*entry.given, *typed))
        else:
            first = replace(entry, typed=panel.typing)
        phones = {str(who): half for who, each in self.viewers.items() if who is not None and (half := _half(each))}
        phones = {**self.waiting, **phones}
        if own is not None and not isinstance(own, EntryDraft) and self.table.changeable is not None:
            phones[BOX] = own
        return replace(first, phones=phones) if phones else first


def _half(viewer: Viewer) -> ScreenDraft | None:
    """Return what a viewer has half entered by itself: a correction or a set-up."""
    draft = viewer.screen.draft
    if draft is None:
        return viewer.half
    return None if isinstance(draft, EntryDraft) and draft.correction is None else draft
