"""The test picture from the menu: yes, no, and nobody answers."""

from __future__ import annotations

from companion.app.box import Box
from companion.app.outputs import MemoryPanel, Outputs, PanelTimeouts
from companion.core.errors import IllegalEventError
from companion.journal import Journal
from companion.ui.keys import KEYPAD, KeyLayout
from companion.ui.screens.devices import TestPictureScreen as PictureScreen
from companion.ui.screens.devices import TryOtherController
from tests.app.boxes import key_of, new_box, press, run_due
from tests.fakes.clock import FixedClock
from tests.fakes.machine import MemoryControllers


class WithPanel:
    """An application with such a panel."""

    def __init__(self, board: KeyLayout = KEYPAD, timeouts: PanelTimeouts | None = None) -> None:
        self.clock, self.shown = FixedClock(), MemoryPanel()
        self.panel = self.feature = MemoryControllers(self.clock)
        outputs = Outputs(self.shown, self.clock, timeouts=timeouts or PanelTimeouts(0, 0, 0, 0))
        self.box = Box(Journal(), outputs, self.clock, board=board, machine=(self.feature,))

    def picture(self) -> WithPanel:
        """Open the test picture."""
        for label in ("Settings", "Test picture"):
            press(self.box, key_of(self.box, label))
        press(self.box, "#")
        return self

    def wait(self, seconds: float) -> None:
        self.clock.let_pass(seconds)
        run_due(self.box, self.clock)


def whole(box: WithPanel) -> bool:
    """Return whether the panel shows a frame at its very edges."""
    picture = box.shown.picture
    assert picture is not None
    corners = [(0, 0), (127, 0), (0, 63), (127, 63), (60, 0), (0, 20), (127, 20), (60, 63)]
    return all(picture.getpixel(place) for place in corners)


def test_the_task_does_nothing_before_its_time() -> None:
    box = WithPanel().picture()
    assert box.feature.tick() is None
    assert whole(box)


def test_the_picture_is_not_shifted_against_burn_in() -> None:
    box = WithPanel(timeouts=PanelTimeouts(0, 0, 10, 0))
    for _shift in range(3):
        box.clock.let_pass(10)
        box.box.outputs.tick()
    box.picture()
    assert whole(box)
    box.clock.let_pass(10)
    box.box.outputs.tick()
    assert whole(box)
    press(box.box, "1")
    assert not whole(box)


def test_a_panel_that_is_not_being_tested_is_not_exchanged() -> None:
    box = WithPanel()
    box.feature.do(TryOtherController())
    assert box.panel.used == "SSD1306"


def test_a_refusal_is_shown_on_the_screen_before() -> None:
    box = new_box()
    home = box.state.panel.screen
    said = PictureScreen(home).refused(box.state.table, IllegalEventError("x", "No"))
    assert (said.screen, said.refused) == (home, True)
