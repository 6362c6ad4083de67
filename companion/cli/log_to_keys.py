"""Finds the shortest key sequence that enters a given log."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from companion.core.correction import Correction, CorrectionKind, asks
from companion.core.game import (
    Amend,
    CorrectionLine,
    Event,
    EventOutcome,
    Finish,
    Game,
    Line,
    Players,
    Redo,
    Splice,
    Substitute,
    Undo,
    tracking_of,
)
from companion.core.prompt import DetailLevel, Prompt
from companion.core.session import Session
from companion.core.text import N_, IllegalEventError, Text
from companion.ui.keys import parse, spelled
from companion.ui.screens.change_players import CHANGES, SWAP_SEATS, TAKES_OVER, swaps
from companion.ui.screens.context import CurrentGame, Screen, ScreenContext
from companion.ui.screens.corrections import INSERT, REMOVE, REPLACE, SWAP, way
from companion.ui.screens.game_menu import DETAIL, PLAYERS, REDO, MenuScreen, titles
from companion.ui.screens.list_selection import path
from companion.ui.screens.position import CachedGameState, StateBeforeCorrection, filled_in
from companion.ui.screens.table import PlayScreen
from companion.ui.translations import Translator

MENU = "h#"
ENTRIES = "h*"
UNDO = "*"

REPEATED = 12  # the latest entries of which a forgotten repetition is looked for


class LogToKeys:
    """Runs the application through a log, and finds the shortest keys for each next line."""

    def __init__(self, session: Session, tracking: DetailLevel = DetailLevel.FULL) -> None:
        """Start from a given point in a game."""
        self.session = session  # the game so far
        self.tracking = tracking  # the level of detail at this point
        self._report: EventOutcome | None = None
        self._screen = PlayScreen()

    def spell(self, line: Line) -> str:
        """Return the shortest keys that enter a line, and advance past it.

        Raises IllegalEventError if the line cannot be entered at this point.
        """
        after = self.session.add(line)
        told = line if isinstance(line, Event) else self.session.undone
        screen: Screen = PlayScreen()
        match line:
            case Undo():
                keys, screen = UNDO, self._pressed(UNDO)
                while isinstance(screen, PlayScreen) and (screen.compares or screen.compared):  # a round has just ended
                    keys, screen = keys + UNDO, self._pressed(UNDO, screen)
                if isinstance(screen, PlayScreen) and screen.answers:  # a sheet stays filled in but for its last answer
                    keys, screen = keys + UNDO * len(screen.answers), PlayScreen()
            case Redo():
                keys = self._menu + self._row(REDO)
            case Amend() | Splice():
                keys = self._correction(line)
            case Players(names):
                keys = self._swap(names)
            case Substitute() | Finish():
                raise IllegalEventError("no-keys", N_("no keys enter this line"))
            case _:
                switch, keys = self._entry(line)
                after = self.session.add(line, keys)  # the offers compare what was typed
                keys = switch + keys
        self.session = after
        entered = isinstance(line, Event | Redo) and isinstance(told, Event)
        self._report = after.outcome if entered else None
        self._screen = screen if isinstance(screen, PlayScreen) else PlayScreen()
        return keys

    def _pressed(self, key: str, screen: PlayScreen | None = None) -> Screen:
        """Return the screen to which a key leads from the table, or from a screen there."""
        context = ScreenContext(
            Translator("en", self.session.header.players),
            game=CurrentGame("", self.session, self.tracking),
            report=self._report,
        )
        return (screen or self._screen).show(context).press(parse(key)[0]).screen

    @property
    def _menu(self) -> str:
        """Return the keys that open the menu; the first opens the corrections that are offered, if there are any."""
        return MENU if isinstance(self._pressed(MENU), MenuScreen) else MENU * 2

    @property
    def _declared(self) -> Game[Any]:
        return self.session.header.game

    def _row(self, title: Text) -> str:
        """Return the key that chooses a row of the menu."""
        rows = titles(self._declared)
        return path(len(rows), 0, rows.index(title))

    def _entry(self, event: Event) -> tuple[str, str]:
        """Return the keys that change the tracking, and those of an entry."""
        try:
            tracking = tracking_of(self._declared, self.tracking, self.session.state, event)
        except LookupError:  # only a log has such an entry
            raise IllegalEventError("no-keys", N_("no keys enter this line")) from None
        switch = "" if tracking is self.tracking else self._switch(tracking, self._menu)
        self.tracking = tracking
        keys = "".join(self._answers(event, CachedGameState(self._declared, self.session.state, tracking)))
        if keys.startswith("#"):
            agreed = self._pressed("#", PlayScreen() if switch else None)
            switch += "#" * (isinstance(agreed, PlayScreen) and agreed.compared)  # a round has just ended
        return switch, keys

    def _correction(self, line: CorrectionLine) -> str:
        """Return the keys that select an entry in the list, and make the correction.

        Raises IllegalEventError if no single correction makes this line.
        """
        head, found = self.session.head.number, list[str]()
        if any(isinstance(entry, Finish) for entry in line.put):
            raise IllegalEventError("no-keys", N_("no keys enter this correction"))
        if line.event > head:
            numbers = range(head, max(0, head - REPEATED), -1)
            made_at = ((number, *made) for number in numbers for made in self._repetition(number))
        else:
            made_at = ((line.event, *made) for made in self._corrections(line))
        for number, keys, made in made_at:
            with suppress(IllegalEventError):  # the entries cannot be swapped
                if made.fits and made.line() == line:
                    found.append(ENTRIES + way(head, number) + keys + "#" * asks(made))
        if not found:
            raise IllegalEventError("no-keys", N_("no keys enter this correction"))
        return min(found, key=lambda keys: len(parse(keys)))

    def _swap(self, names: tuple[str, ...]) -> str:
        """Return the keys that swap two players; raises IllegalEventError if the names change otherwise."""
        pairs = swaps(self.session.header.players)
        if names not in pairs:
            raise IllegalEventError("no-keys", N_("no keys enter these names"))
        ways = list(CHANGES) if not self.session.progress.over else [way for way in CHANGES if way != TAKES_OVER]
        swap = path(len(ways), 0, ways.index(SWAP_SEATS))
        return self._menu + self._row(PLAYERS) + swap + path(len(pairs), 0, pairs.index(names)) + "#"

    def _repetition(self, number: int) -> Iterator[tuple[str, Correction]]:
        """Yield the correction that enters an entry a second time before itself.

        Where the entries after it are the same for the next players, its line is at the very end.
        """
        event, opened = self.session.entry(number).event, Correction(self.session, number, CorrectionKind.INSERT)
        with suppress(IllegalEventError, LookupError):
            yield INSERT + self._answer(opened, event), opened.put(event)

    def _corrections(self, line: CorrectionLine) -> Iterator[tuple[str, Correction]]:
        """Yield the corrections that begin at a line's first entry, each with the keys that make it from the list."""
        number, session = line.event, self.session
        if line.put:
            for key, edit in ((REPLACE, CorrectionKind.REPLACE), (INSERT, CorrectionKind.INSERT)):
                opened = Correction(session, number, edit)
                with suppress(IllegalEventError, LookupError):
                    yield key + self._answer(opened, line.put[0]), opened.put(line.put[0])
        yield REMOVE, Correction(session, number, CorrectionKind.REMOVE).leave_out()
        yield SWAP, Correction(session, number, CorrectionKind.SWAP)

    def _answer(self, opened: Correction, event: Event) -> str:
        """Return the keys that answer the first question of a correction with an event.

        Raises LookupError if no answers make this event.
        """
        level = tracking_of(self._declared, self.tracking, opened.state, opened.was)
        tracking = tracking_of(self._declared, level, opened.state, event)
        before = CachedGameState(self._declared, opened.state, level)
        filled = () if opened.inserts else filled_in(before, opened.was)
        switch = "" if tracking is level and not filled else self._switch(tracking)  # it also empties the sheet
        at = self._declared, opened.state, tracking
        asked = CachedGameState(*at) if opened.inserts else StateBeforeCorrection(*at, opened.entry)
        return switch + "".join(self._answers(event, asked))

    def _switch(self, tracking: DetailLevel, menu: str = MENU) -> str:
        levels = list(self._declared.trackings)
        return menu + self._row(DETAIL) + path(len(levels), 0, levels.index(tracking))

    def _answers(self, event: Event, position: CachedGameState) -> Iterator[str]:
        answers, prompts = self._declared.answers(position.state, event), list[Prompt]()
        for count in range(len(answers)):
            prompt = position.ask(answers[:count])
            assert isinstance(prompt, Prompt)  # `tracking_of` already asked these prompts
            prompts.append(prompt)
        return spelled(prompts, answers)
