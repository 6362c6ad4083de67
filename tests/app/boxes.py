"""Applications for tests: in memory, at noon."""

from __future__ import annotations

import json
from typing import Any

from msgspec import structs

from companion.app.box import Box
from companion.app.inputs import Look, PageRequest, Tap
from companion.app.outputs import MemoryPanel, Outputs
from companion.app.state import PANEL
from companion.core.prompt import DetailLevel
from companion.core.text import Text
from companion.gamelog import decode_header
from companion.journal import Journal
from companion.journal.mirrored_chain import Chain
from companion.ui.keys import parse
from companion.ui.live_page.content import LivePageContent
from companion.ui.screens.context import Screen, ScreenContext
from companion.ui.screens.phones import THIS_COMPUTER, Phone
from companion.ui.view import View
from tests.fakes.clock import FixedClock

FOUR = ("Aki", "Bea", "Cyr", "Dai")


class FillableJournal(Journal):
    """A journal in memory whose disk can be full: then neither entries nor settings get there."""

    full = False

    def _try_to_write(self, *chains: Chain) -> None:
        if self.full and any(chain.unsaved for chain in (*self._games.values(), self._settings)):
            self.fault = Text("the disk is full")
        else:
            super()._try_to_write(*chains)


def new_box(journal: Journal | None = None, clock: FixedClock | None = None, language: str = "en") -> Box:
    """Return an application that has just started."""
    clock = clock or FixedClock()
    return Box(journal or Journal(), Outputs(MemoryPanel(), clock), clock, language=language)


def playing(
    keys: str = "",
    players: tuple[str, ...] = FOUR,
    tracking: str = "full",
    journal: Journal | None = None,
    **rules: Any,
) -> Box:
    """Return an application in a new game of Eternity, after some keys."""
    return press(begin(new_box(journal), players, tracking, **rules), keys)


def finished(journal: Journal) -> Box:
    """Return an application with a finished game of Eternity open."""
    box = playing("", tracking="round", journal=journal)
    for _round in range(3):
        press(box, "1 " if box.view().question == "Who starts?" else "")
        press(box, "33 22 54 1#")
        press(box, "3" if box.view().question == "Who won last?" else "#")
    assert box.game is not None
    assert box.game.over
    return box


def begin(
    box: Box, players: tuple[str, ...] = FOUR, tracking: str = "full", game: str = "eternity", **rules: Any
) -> Box:
    """Begin a new game."""
    header = {"format": 1, "game": game, "players": players, "rules": rules}
    box.begin(decode_header(json.dumps(header)), DetailLevel(tracking))
    return box


def press(box: Box, keys: str) -> Box:
    """Press keys."""
    for key in parse(keys):
        box.take(PANEL, key)
    return box


def ask(box: Box, asked: Any, phone: Phone | None = None) -> Any:
    """Send a request of a page; return the answer."""
    answers: list[Any] = []
    box.pages.serve(PageRequest(asked, phone, answers.append))
    (answer,) = answers
    return answer


def tap(box: Box, choice: str, phone: Phone = THIS_COMPUTER, text: str = "") -> Text | None:
    """Tap a choice of the question that a phone shows; return why it does not count."""
    ask(box, Look("en"), phone)
    viewer = box.state.viewers.get(phone.number)
    answer: Text | None = ask(box, Tap(viewer.number if viewer else 0, choice, text, "en"), phone)
    return answer


def run_due(box: Box, clock: FixedClock) -> None:
    """Do what is due, as the loop does."""
    for task in box.tasks:
        if task.due is not None and task.due <= clock.passed():
            task.tick()


def idle(box: Box) -> Box:
    """Let the box search for corrections to the end, while nobody presses a key."""
    while box.search.due is not None:
        box.search.tick()
    return box


def hush(box: Box) -> None:
    """Remove the message that is shown until the next key."""
    box.state = box.state.having(PANEL, structs.replace(box.state.panel, message=None, refused=False))


def says(box: Box) -> str:
    """Return all words on the panel."""
    return " | ".join(box.frame.words)


def view_of(screen: Screen, context: ScreenContext) -> View:
    """Return what a screen shows, in the language of its context."""
    view: View = context.words.told(screen.show(context).view)
    return view


def page_of(box: Box) -> LivePageContent:
    """Return what a phone shows in English."""
    return page_in(box, "en")


def page_in(box: Box, language: str) -> LivePageContent:
    """Return what a page that shows the panel's screen would show in a language."""
    state = box.state.having(0, structs.replace(box.state.panel, phone=THIS_COMPUTER, number=1))
    return box._live_pages.contents([(0, language)], state, None)[0, language]


def key_of(box: Box, label: str) -> str:
    """Return the key with this label."""
    return next(key for key, words in box.frame.labels.items() if words == label)


def name_of(journal: Journal, number: int = 1) -> str:
    """Return the name of a game in a journal, by its number."""
    return next(saved.name for saved in journal.games() if saved.number == number)


def lines_of(journal: Journal, number: int = 1) -> list[str]:
    """Return the lines of a game in a journal, without its header."""
    return journal.lines(name_of(journal, number))


def written(journal: Journal, header: str, *lines: str, tracking: str = "full", over: bool = False) -> str:
    """Write a game into a journal; return its name."""
    name = journal.name_for("eternity")
    journal.begin(name, header, tracking, 0.0)
    for line in lines:
        journal.append(name, line, now=0.0, tracking=tracking, over=over and line == lines[-1])
    return name
