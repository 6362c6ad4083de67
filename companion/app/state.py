"""The application's state between inputs: the table, which is shared, and what each viewer sees of it.

A viewer is the panel with the keys of the box, or a phone. Each has a screen of its own: a menu, a page of rules, a
correction under way belong to who opened them. Everybody who looks at the open game is asked the same question, and the
answers given so far to an entry of several (`Entry`) are the table's.

What is half entered is kept in a draft (`companion.app.drafts`), so that a restart loses none of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, structs
from msgspec.structs import replace

from companion.app.drafts import BOX, EntryDraft, draft_of, named
from companion.core.prompt import Answer
from companion.core.session import Session
from companion.core.text import Text
from companion.ui.few_keys import OptionCursor
from companion.ui.screens.context import CurrentGame, Screen, ScreenContext
from companion.ui.screens.home import HomeScreen
from companion.ui.screens.phones import Phone, Role
from companion.ui.screens.table import PlayScreen
from companion.ui.translations import Translator

Who = int | None
"""Who looks at the table: the number of a phone, 0 for a browser on this computer, None for the box itself."""

PANEL: Who = None
"""The panel and the keys of the box, which its own page shows, too."""


class Entry(Struct, frozen=True):
    """The answers given so far to the entry that the table is asked for; everybody sees them."""

    answers: tuple[Answer, ...] = ()
    keys: tuple[str, ...] = ()  # the keys typed for each of these answers; empty for one that was chosen
    compared: bool = False  # whether somebody said that the figures of the ended round are those on the table


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
    correcting: Screen | None = None  # the screen of its correction under way, also while another is open over it
    message: Text | None = None  # the sentence shown until the next key, if any
    refused: bool = False  # whether the message is a refusal
    # the state before a key that is being held: if it is held until the machine switches off, its first effect was not
    # meant, and is undone
    before: State | None = None
    # the sentence on keys that were typed here when somebody else answered; those that follow are no other answer
    lost: Text | None = None
    number: int = 0  # the number of the question; it changes with the screen or the game
    completed_by: str = ""  # the key that has just completed an entry

    @property
    def released(self) -> Viewer:
        """Return the viewer while no key is held."""
        return self if self.before is None else structs.replace(self, before=None)

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
    def begun(self) -> Struct | None:
        """Return the correction or the set-up that it has begun, as in a draft; None if it has begun neither."""
        if self.at_rest:
            return None
        own = draft_of(self.screen)
        return draft_of(self.correcting) if own is None and self.correcting is not None else own

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
    answered_by: Who | str = None  # who has changed the table last, by an entry or by an answer of several
    number: int = 0  # the number of the latest question of any viewer
    # what viewers had begun before a restart, or before the game was left, as in a draft, until they come back
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

    def words(self, viewer: Viewer) -> Translator:
        """Return the translator for a viewer, with the names of the players of the game that it sees."""
        game = self.game_of(viewer)
        return Translator(viewer.language or self.table.words.language, () if game is None else game.players)

    def context(self, viewer: Viewer) -> ScreenContext:
        """Return what a viewer's screen is given."""
        table, game = self.table, self.game_of(viewer)
        if viewer.phone is None and game is table.game:
            return table
        report = table.report if game is table.game else None
        return replace(
            table,
            words=self.words(viewer),
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
    def draft(self) -> EntryDraft:
        """Return what is half entered at the table and by each viewer; `NOTHING` if nothing is."""
        begun = dict(self.waiting)
        for who, viewer in self.viewers.items():
            own = viewer.begun
            if own is not None:
                begun[key_in_draft(who)] = own
        typed = "" if self.table.changeable is None else self.panel.typing
        return EntryDraft(named(self.entry.answers, self.entry.keys), typed, begun=begun)


def key_in_draft(who: Who) -> str:
    """Return under which name a draft keeps what a viewer has begun."""
    return BOX if who is None else str(who)
