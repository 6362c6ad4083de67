"""The test picture from the menu: yes, no, and nobody answers."""

from __future__ import annotations

from companion.app.box import Box
from companion.app.outputs import MemoryPanel, Outputs, PanelTimeouts
from companion.core.errors import IllegalEventError
from companion.journal import Journal
from companion.ui.keys import BUTTONS, KEYPAD, KeyLayout
from companion.ui.screens.machine.devices import TestPictureScreen as PictureScreen
from companion.ui.screens.machine.devices import TryOtherController
from hardware.exchangeable_controller import PATIENCE
from tests.app.boxes import begin, key_of, new_box, press, run_due, says
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


def test_the_keys_are_said_before_the_picture_comes() -> None:
    box = WithPanel()
    press(box.box, key_of(box.box, "Settings"))
    press(box.box, key_of(box.box, "Test picture"))
    assert "1: the frame is whole | 2: it is not" in says(box.box)
    assert not whole(box)
    press(box.box, "*")
    assert says(box.box).startswith("Settings")


def test_a_whole_frame_changes_nothing() -> None:
    box = WithPanel().picture()
    assert whole(box)
    assert box.panel.black == 1
    press(box.box, "1")
    assert (box.panel.used, box.panel.kept) == ("SSD1306", "")
    assert "The frame is whole: SSD1306 is right" in says(box.box)
    assert box.feature.due is None


def test_no_tries_the_other_controller_at_once_and_yes_keeps_it() -> None:
    box = WithPanel().picture()
    press(box.box, "2")
    assert box.panel.used == "SH1106"
    assert whole(box)
    press(box.box, "1")
    assert (box.panel.used, box.panel.kept) == ("SH1106", "SH1106")
    assert "The panel is driven as SH1106 from now on" in says(box.box)
    box.wait(2 * PATIENCE)
    assert box.panel.used == "SH1106"


def test_two_times_no_goes_back_with_advice() -> None:
    box = WithPanel().picture()
    press(box.box, "2 2")
    assert (box.panel.used, box.panel.kept) == ("SSD1306", "")
    assert "Back to SSD1306. Look at the wires: companion doctor" in says(box.box)


def test_back_leaves_everything_as_it_was() -> None:
    for keys in ("*", "2 *", "h*"):
        box = WithPanel().picture()
        press(box.box, keys)
        assert (box.panel.used, box.panel.kept) == ("SSD1306", "")
        assert says(box.box).startswith("Settings")


def test_without_an_answer_for_a_minute_it_goes_back() -> None:
    for keys in ("", "2"):
        box = WithPanel().picture()
        box.wait(PATIENCE / 2)
        press(box.box, keys)
        box.wait(PATIENCE - 1 if keys else PATIENCE / 2 - 1)
        assert whole(box)
        box.wait(1)
        assert (box.panel.used, box.panel.kept) == ("SSD1306", "")
        assert "No answer: the panel is driven as SSD1306" in says(box.box)
        press(box.box, "*")
        assert "New game" in says(box.box)


def test_the_task_does_nothing_before_its_time() -> None:
    box = WithPanel().picture()
    assert box.feature.tick() is None
    assert whole(box)


def test_another_key_keeps_the_question() -> None:
    box = WithPanel().picture()
    press(box.box, "2 7")
    assert "1 is yes, 2 is no" in says(box.box)
    assert box.panel.used == "SH1106"
    press(box.box, "1")
    assert box.panel.kept == "SH1106"


def test_a_choice_that_cannot_be_kept_is_used_until_the_next_start() -> None:
    box = WithPanel().picture()
    box.panel.full = True
    press(box.box, "2 1")
    assert "Until the next start only: the disk is full" in says(box.box)
    assert "Settings" in says(box.box)
    assert (box.panel.used, box.panel.kept) == ("SH1106", "")
    box.wait(2 * PATIENCE)
    assert box.panel.used == "SH1106"


def test_few_keys_answer_without_seeing_anything() -> None:
    for keys, used, kept in ((("o",), "SSD1306", ""), ((">", "o", "o"), "SH1106", "SH1106"), (("ho",), "SSD1306", "")):
        box = WithPanel(BUTTONS)
        press(box.box, key_of(box.box, "Settings"))
        press(box.box, key_of(box.box, "Test picture"))
        assert "●: the frame is whole | › ●: it is not" in says(box.box)
        press(box.box, key_of(box.box, "show it"))
        assert whole(box)
        for key in keys:
            press(box.box, key)
        assert (box.panel.used, box.panel.kept) == (used, kept)


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


def test_the_test_leaves_an_unfinished_answer_as_it_was() -> None:
    box = WithPanel()
    begin(box.box)
    press(box.box, "1 A h#")
    for label in ("Settings", "Test picture"):
        press(box.box, key_of(box.box, label))
    press(box.box, "# 1 * * 3")
    assert "sea 3" in says(box.box)


def test_a_box_without_another_controller_offers_no_test() -> None:
    box = new_box()
    press(box, key_of(box, "Settings"))
    assert "Test picture" not in says(box)


def test_a_panel_that_is_not_being_tested_is_not_exchanged() -> None:
    box = WithPanel()
    box.feature.do(TryOtherController())
    assert box.panel.used == "SSD1306"


def test_a_refusal_is_shown_on_the_screen_before() -> None:
    box = new_box()
    home = box.state.panel.screen
    said = PictureScreen(home).refused(box.state.table, IllegalEventError("x", "No"))
    assert (said.screen, said.refused) == (home, True)
