"""The test of the panel's controller: tries the other controller, and takes the old one again if nobody confirms.

Chips of two kinds are sold under one name. Driven as the wrong one, the picture is moved by two pixels and has a stripe
at an edge. Each step ends by itself: without an answer the controller is the one of before again.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from msgspec.structs import replace
from PIL import Image

from companion.app.inputs import Notice
from companion.app.ports import Clock, DeviceError
from companion.core.text import N_, NC_, IllegalEventError, Text
from companion.ui.keys import HOME, KeyLayout
from companion.ui.screens.contents import Contents, OpenedScreen, only_key, sentences
from companion.ui.screens.context import (
    BACK_AT,
    Choice,
    MachineAction,
    Row,
    Screen,
    ScreenContents,
    ScreenContext,
    Status,
    Transition,
    refuse,
)
from companion.ui.translations import _
from companion.ui.view import TestPictureBody, View
from hardware.panel_bus import OTHER

if TYPE_CHECKING:
    from hardware.panel import LumaPanel
    from hardware.panel_bus import Chip, PanelSpec

PATIENCE = 60.0  # seconds to answer whether the test picture is whole
TITLE = _("Test picture")


class PanelStatus(Status, frozen=True):
    """The controller that drives the panel, and the one that it may have instead."""

    used: str  # the name of the controller in use, such as ``SSD1306``
    other: str  # the name of the other one
    tested: bool = False

    def row(self, settings: Screen) -> Row:
        return Row(TITLE, Transition(PanelTestScreen(settings)))


class BeginPanelTest(MachineAction, frozen=True):
    """Action: show the test picture."""

    answered_later = True


class TryOtherController(MachineAction, frozen=True):
    """Action: drive the panel as the other controller."""

    answered_later = True


class EndPanelTest(MachineAction, frozen=True):
    """Action: end the test of the panel; keep the other controller from now on, or drive it as before."""

    keep: bool = False


class PanelTestScreen(OpenedScreen, frozen=True):
    """Says what the test picture asks, and with which keys it is answered."""

    def show(self, context: ScreenContext) -> ScreenContents:
        yes, no = (
            (_("1: the frame is whole"), _("2: it is not"))
            if _has_digits(context.key_layout)
            else (_("●: the frame is whole"), _("› ●: it is not"))
        )
        begun = Transition(TestPictureScreen(self.before), BeginPanelTest())
        return sentences(
            self,
            TITLE,
            (yes, no, _("No answer for a minute: all is as before")),
            [Choice("show", _("show it"), lambda: begun, "#")],
            _("# show it   * back"),
            _("# shows the picture, * goes back"),
        )


class TestPictureScreen(OpenedScreen, frozen=True):
    """The test picture, with the other controller once that is tried; after the test, the screen before."""

    tried: bool = False

    def show(self, context: ScreenContext) -> ScreenContents:
        panel = context.machine.get(PanelStatus)
        if panel is None or not panel.tested:
            return self.before.show(context)
        if self.tried:
            right = Transition(
                self.before,
                EndPanelTest(keep=True),
                _("The panel is driven as {controller} from now on", controller=panel.used),
                if_refused=self.before,
            )
            message = _("Back to {controller}. Look at the wires: companion doctor", controller=panel.other)
            wrong = Transition(self.before, EndPanelTest(), message, refused=True)
        else:
            message = _("The frame is whole: {controller} is right", controller=panel.used)
            right = Transition(self.before, EndPanelTest(), message)
            wrong = Transition(replace(self, tried=True), TryOtherController())
        question = _("{controller}: is the frame whole?", controller=panel.used)
        back = Transition(self.before, EndPanelTest())
        keys = _("1: yes   2: no") if _has_digits(context.key_layout) else _("●: yes   › ●: no")
        return Contents(
            self,
            View(TestPictureBody((question, keys))),
            (
                Choice("yes", Text(NC_("answer", "yes")), lambda: right, "1"),
                Choice("no", Text(NC_("answer", "no")), lambda: wrong, "2"),
                Choice("back", _("back"), lambda: back, "*", BACK_AT),
                only_key(str(HOME), lambda: back),
            ),
            _("1 is yes, 2 is no, * goes back"),
        )

    def refused(self, context: ScreenContext, why: IllegalEventError) -> Transition:
        return refuse(self.before, why.text)


def _has_digits(board: KeyLayout) -> bool:
    return {"1", "2"} <= set(board.keys)


class ExchangeableController:
    """A panel whose controller can be exchanged (`companion.app.machine.Feature`)."""

    def __init__(self, panel: LumaPanel, spec: PanelSpec, keep: Callable[[Chip], None], clock: Clock) -> None:
        self._panel = panel
        self._keep = keep
        self._used, self._other = spec.chip, OTHER[spec.chip]
        self._clock = clock
        self.due: float | None = None  # when the test ends by itself; None if the test picture is not shown
        self._exchanged = False

    @property
    def status(self) -> PanelStatus:
        """Return the controllers, and whether the test picture is shown."""
        return PanelStatus(self.used, self.other, self.due is not None)

    def do(self, action: MachineAction) -> None:
        """Begin the test, go on with the other controller, or end the test.

        Raises:
            IllegalEventError: The choice cannot be kept; the controller stays in use until the next start.
        """
        match action:
            case BeginPanelTest():
                self.due = self._clock.passed() + PATIENCE
                self.blacken()
            case TryOtherController() if self.due is not None:
                self.due = self._clock.passed() + PATIENCE
                self._exchanged = not self._exchanged
                self.exchange()
            case EndPanelTest(keep):
                self._end(keep=keep)

    def _end(self, *, keep: bool) -> None:
        exchanged, self.due, self._exchanged = self._exchanged, None, False
        if exchanged and not keep:
            self.exchange()
        elif exchanged:
            try:
                self.keep()
            except DeviceError as fault:
                raise IllegalEventError("not-kept", N_("Until the next start only: {why}"), why=str(fault)) from fault

    def tick(self) -> Notice | None:
        """End a test that nobody answers."""
        if self.due is None or self._clock.passed() < self.due:
            return None
        self._end(keep=False)
        return Notice(_("No answer: the panel is driven as {controller}", controller=self.used))

    @property
    def used(self) -> str:
        return self._used.upper()

    @property
    def other(self) -> str:
        return self._other.upper()

    def blacken(self) -> None:
        """Make the panel black, so that the next picture is sent in parts, as those of a game are."""
        with suppress(DeviceError):
            self._panel.show(Image.new("1", self._panel.size))

    def exchange(self) -> None:
        """Drive the panel as the other controller, and make it black."""
        self._used, self._other = self._other, self._used
        self._panel.exchange(self._used)
        self.blacken()

    def keep(self) -> None:
        """Use the present controller after each start, too; raise DeviceError if the choice cannot be kept."""
        self._keep(self._used)
