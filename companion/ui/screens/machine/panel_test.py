"""Screens of the panel's test: say what will be asked, then show the picture with the other controller.

A panel driven as the wrong controller cannot be read. So the keys are said beforehand.
"""

from __future__ import annotations

from msgspec.structs import replace

from companion.core.errors import IllegalEventError
from companion.core.text import NC_, Text
from companion.ui.keys import HOME, KeyLayout
from companion.ui.screens.commands import MachineAction, OnMachine
from companion.ui.screens.context import Screen, ScreenContents, ScreenContext, Status, Transition, refuse
from companion.ui.screens.paged_text import sentences
from companion.ui.screens.screen_contents import KeyBinding, KeysOnlyContents, OpenedScreen
from companion.ui.translations import _
from companion.ui.view import TestPictureBody, View

TITLE = _("Test picture")


class PanelStatus(Status, frozen=True):
    """The controller that drives the panel, and the one that it may have instead."""

    used: str  # the name of the controller in use, such as ``SSD1306``
    other: str  # the name of the other one
    tested: bool = False

    def row(self, settings: Screen) -> tuple[Text, Text, Transition]:
        return TITLE, Text(""), Transition(PanelTestScreen(settings))


class BeginPanelTest(MachineAction, frozen=True):
    """Action: show the test picture."""


class TryOtherController(MachineAction, frozen=True):
    """Action: drive the panel as the other controller."""


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
        begun = Transition(TestPictureScreen(self.before), OnMachine(BeginPanelTest()))
        return sentences(
            self,
            context,
            TITLE,
            (yes, no, _("No answer for a minute: all is as before")),
            [KeyBinding("#", context.words(_("show it")), lambda: begun)],
            _("# show it   * back"),
            _("# shows the picture, * goes back"),
        )


class TestPictureScreen(OpenedScreen, frozen=True):
    """The test picture, with the other controller once that is tried; after the test, the screen before."""

    tried: bool = False

    def show(self, context: ScreenContext) -> ScreenContents:
        words, panel = context.words, context.machine.get(PanelStatus)
        if panel is None or not panel.tested:
            return self.before.show(context)
        if self.tried:
            right = Transition(
                self.before,
                OnMachine(EndPanelTest(keep=True)),
                _("The panel is driven as {controller} from now on", controller=panel.used),
                if_refused=self.before,
            )
            message = _("Back to {controller}. Look at the wires: companion doctor", controller=panel.other)
            wrong = Transition(self.before, OnMachine(EndPanelTest()), message, refused=True)
        else:
            message = _("The frame is whole: {controller} is right", controller=panel.used)
            right = Transition(self.before, OnMachine(EndPanelTest()), message)
            wrong = Transition(replace(self, tried=True), OnMachine(TryOtherController()))
        question = _("{controller}: is the frame whole?", controller=panel.used)
        back = Transition(self.before, OnMachine(EndPanelTest()))
        keys = _("1: yes   2: no") if _has_digits(context.key_layout) else _("●: yes   › ●: no")
        return KeysOnlyContents(
            self,
            View(TestPictureBody((words(question), words(keys)))),
            (
                KeyBinding("1", words(Text(NC_("answer", "yes"))), lambda: right),
                KeyBinding("2", words(Text(NC_("answer", "no"))), lambda: wrong),
                KeyBinding("*", words(_("back")), lambda: back),
                KeyBinding(str(HOME), words(_("back")), lambda: back),
            ),
            _("1 is yes, 2 is no, * goes back"),
        )

    def refused(self, context: ScreenContext, why: IllegalEventError) -> Transition:
        return refuse(self.before, why.text)


def _has_digits(board: KeyLayout) -> bool:
    return {"1", "2"} <= set(board.keys)
