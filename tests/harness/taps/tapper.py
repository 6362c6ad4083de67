"""A box whose questions are answered by taps, without a browser."""

from __future__ import annotations

from companion.app.box import Box
from companion.app.inputs import Look, PageRequest, Tap
from companion.app.outputs import ALWAYS, MemoryPanel, Outputs, PanelTimeouts
from companion.core.text import Text
from companion.journal import Journal
from companion.ui.keys import KEYPAD, KeyLayout
from companion.ui.live_page.content import Button, LivePageContent
from companion.ui.screens.phones import Phone, Role
from companion.web.page_mirror import PageMirror
from tests.app.boxes import FOUR, idle
from tests.fakes.clock import FixedClock

SCORER = Phone(1, "Aki's phone", Role.SCORER)
WATCHER = Phone(2, "the wall", Role.SPECTATOR)


def at_seat(seat: int) -> Phone:
    """Return the phone of one of the four players."""
    return Phone(3 + seat, f"phone {seat + 1}", Role.SEAT, FOUR[seat])


class Tapper:
    """A box and a live page in one language.

    Attributes:
        box: The application.
        journal: Its journal.
        clock: Its clock.
        replies: What the taps were told, in order.
    """

    def __init__(
        self,
        language: str = "en",
        board: KeyLayout = KEYPAD,
        journal: Journal | None = None,
        panel: MemoryPanel | None = None,
        timeouts: PanelTimeouts = ALWAYS,
    ) -> None:
        self.mirror = PageMirror()
        self.journal = Journal() if journal is None else journal
        self.clock = FixedClock()
        outputs = Outputs(panel or MemoryPanel(), self.clock, page=self.mirror, timeouts=timeouts)
        self.box = Box(self.journal, outputs, self.clock, board=board)
        self.language = language
        self.replies: list[Text | None] = []

    @property
    def content(self) -> LivePageContent:
        """Return what the scorer's phone shows once the search for corrections has ended."""
        return self.shown_to(SCORER)

    def shown_to(self, phone: Phone) -> LivePageContent:
        """Return what a phone shows once the search for corrections has ended."""
        idle(self.box)
        key = phone.number, self.language
        with self.mirror.looking_at(key):
            self.box.pages.serve(PageRequest(Look(self.language), phone, lambda _: None))
        _number, frame = self.mirror.newest()
        assert frame is not None
        return frame.live_pages[key]

    def tap(self, *choices: str, phone: Phone = SCORER) -> Tapper:
        """Tap choices, one after the other, each on the question that is shown then."""
        for choice in choices:
            tap = Tap(self.shown_to(phone).number, choice, language=self.language)
            self.box.pages.serve(PageRequest(tap, phone, self.replies.append))
        return self

    def write(self, text: str, phone: Phone = SCORER) -> Tapper:
        tap = Tap(self.shown_to(phone).number, "", text, self.language)
        self.box.pages.serve(PageRequest(tap, phone, self.replies.append))
        return self

    def told(self) -> str | None:
        """Return why the last tap did not count; None if it did."""
        return None if self.replies[-1] is None else str(self.replies[-1])

    @property
    def lines(self) -> list[str]:
        return self.journal.lines(self.journal.games()[0].name)

    @property
    def choices(self) -> dict[str, str]:
        content = self.content
        question = content.question
        cards = [card for row in question.suits for card in (*row.cards, *row.other) if card is not None]
        every: tuple[Button, ...] = (
            *cards,
            *question.answers,
            *question.others,
            *content.offers,
            *content.actions,
        )
        return {choice.name: choice.label for choice in every}
