"""The panel dims, sleeps, wakes and is restored; in virtual time."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from companion.app.outputs import ALWAYS, BRIGHT, DIM, OFF, WANDER, MemoryPanel, Outputs, PanelTimeouts
from companion.app.ports import BoxOutput, DeviceError
from tests.fakes.clock import FixedClock

EVENING = PanelTimeouts(dim=60, off=300, shift=0, repaint=0)


class LoosePanel(MemoryPanel):
    """A panel that can be unplugged, and then loses its content."""

    def __init__(self) -> None:
        super().__init__()
        self.there = True
        self.asked: list[str] = []
        self.level = OFF

    def unplug(self) -> None:
        self.there, self.picture, self.level = False, None, OFF

    def _ask(self, what: str) -> None:
        self.asked.append(what)
        if not self.there:
            raise DeviceError("The panel does not answer.")

    def show(self, picture: Image.Image) -> None:
        self._ask("show")
        super().show(picture)

    def shine(self, level: int) -> None:
        self._ask("shine")
        super().shine(level)

    def refresh(self) -> None:
        self._ask("refresh")


def picture(x: int = 0) -> Image.Image:
    image = Image.new("1", (128, 64))
    image.putpixel((x, 0), 255)
    return image


class Display:
    """The outputs of a box with a panel alone, at times that a test gives."""

    def __init__(self, panel: LoosePanel, timeouts: PanelTimeouts) -> None:
        self.clock = FixedClock()
        self.outputs = Outputs(panel, self.clock, timeouts=timeouts)

    @property
    def due(self) -> float | None:
        return self.outputs.due

    def show(self, shown: Image.Image, now: float) -> None:
        self.clock.run = now
        self.outputs.show(BoxOutput(shown, None, {}, ()))

    def touched(self, now: float) -> bool:
        self.clock.run = now
        return self.outputs.touched()

    def tick(self, now: float) -> None:
        self.clock.run = now
        self.outputs.tick()


def lit(timeouts: PanelTimeouts) -> tuple[LoosePanel, Display]:
    """Return a panel that has shown a picture from the start."""
    panel = LoosePanel()
    display = Display(panel, timeouts)
    display.show(picture(), 0)
    return panel, display


def pass_until(display: Display, end: float) -> int:
    """Let time pass as the loop does. Return the number of wake-ups."""
    wakes = 0
    while (due := display.due) is not None and due <= end:
        display.tick(max(due, display.clock.run))
        wakes += 1
        assert wakes < 10_000, "it is due again at once"
    return wakes


def test_nothing_is_ever_due_for_a_panel_that_needs_no_care() -> None:
    _panel, display = lit(ALWAYS)
    assert display.due is None


@pytest.mark.parametrize(("second", "level"), [(59, BRIGHT), (60, DIM), (299, DIM), (300, OFF), (3000, OFF)])
def test_it_dims_after_a_minute_and_goes_out_after_five(second: int, level: int) -> None:
    panel, display = lit(EVENING)
    pass_until(display, second)
    assert panel.level == level
    assert display.outputs.asleep == (level == OFF)


def test_every_key_puts_sleep_off() -> None:
    panel, display = lit(EVENING)
    for second in range(0, 600, 50):
        pass_until(display, second)
        assert not display.touched(second)
        assert panel.level == BRIGHT


def test_a_key_on_a_dimmed_panel_counts_and_one_on_a_dark_panel_only_wakes_it() -> None:
    panel, display = lit(EVENING)
    pass_until(display, 70)
    assert not display.touched(70)
    assert panel.level == BRIGHT
    pass_until(display, 1000)
    assert display.touched(1000)
    assert not display.touched(1001)
    assert panel.level == BRIGHT


def test_nothing_is_due_once_it_is_out() -> None:
    _panel, display = lit(PanelTimeouts())
    pass_until(display, 300)
    assert display.due is None


def test_what_changed_while_it_was_out_is_seen_when_it_wakes_and_not_before() -> None:
    panel, display = lit(EVENING)
    pass_until(display, 300)
    panel.asked.clear()
    display.show(picture(9), 400)
    assert panel.asked == []
    display.touched(500)
    assert panel.picture == picture(9)
    assert panel.asked == ["show", "shine"]


def test_never_means_never() -> None:
    panel, display = lit(PanelTimeouts(dim=0, off=0, shift=0, repaint=0))
    pass_until(display, 1e6)
    assert panel.level == BRIGHT


def test_now_and_then_everything_is_painted_anew() -> None:
    panel, display = lit(PanelTimeouts(dim=0, off=0, shift=0, repaint=30))
    panel.asked.clear()
    pass_until(display, 95)
    assert panel.asked.count("refresh") == 3


def test_the_picture_wanders_by_a_pixel_and_comes_back() -> None:
    panel, display = lit(PanelTimeouts(dim=0, off=0, shift=240, repaint=0))
    seen = []
    for turn in range(5):
        pass_until(display, 240 * turn)
        assert panel.picture is not None
        seen.append(panel.picture.getbbox())
    assert seen == [(x, y, x + 1, y + 1) for x, y in (*WANDER, WANDER[0])]


def test_a_lost_panel_stops_nothing_and_is_tried_again_ever_more_seldom() -> None:
    panel, display = lit(EVENING)
    panel.unplug()
    display.show(picture(1), 10)
    assert display.outputs.fault == "The panel does not answer."
    tries = []
    for _try in range(8):
        due = display.due
        assert due is not None
        tries.append(round(due - 10, 1))
        display.tick(due)
    assert tries == [0.1, 0.3, 0.7, 1.5, 3.1, 6.3, 10.3, 14.3]


def test_a_lost_panel_is_tried_once_at_a_time_even_when_it_is_to_be_painted_anew() -> None:
    panel, display = lit(PanelTimeouts(dim=0, off=0, shift=0, repaint=5))
    panel.unplug()
    display.show(picture(1), 1)
    panel.asked.clear()
    for tried in range(1, 9):
        assert display.due is not None
        display.tick(display.due)
        assert panel.asked == ["show"] * tried


def test_keys_do_not_wait_for_a_panel_that_is_lost() -> None:
    panel, display = lit(EVENING)
    panel.unplug()
    display.show(picture(1), 10)
    panel.asked.clear()
    for x in range(5):
        display.touched(10.01)
        display.show(picture(x), 10.01)
    assert panel.asked == []


def test_a_panel_that_comes_back_is_tried_quickly_the_next_time_it_is_lost() -> None:
    panel, display = lit(EVENING)
    for lost in (10.0, 30.0):
        panel.unplug()
        display.show(picture(1), lost)
        assert display.due == pytest.approx(lost + 0.1)
        pass_until(display, lost + 8)
        panel.there = True
        pass_until(display, lost + 15)
        assert panel.picture == picture(1)


def test_a_panel_that_comes_back_after_bedtime_is_out() -> None:
    panel, display = lit(EVENING)
    panel.unplug()
    display.show(picture(1), 10)
    pass_until(display, 400)
    panel.there, panel.level = True, BRIGHT
    pass_until(display, 420)
    assert panel.level == OFF


ACTS = st.lists(
    st.tuples(st.sampled_from(["key", "picture", "unplug", "plug", "wait"]), st.floats(0.01, 400)), max_size=40
)


@given(acts=ACTS)
def test_whatever_happens_the_glass_shows_the_newest_picture_once_the_panel_is_there(
    acts: list[tuple[str, float]],
) -> None:
    panel, display = lit(PanelTimeouts())
    now, newest = 0.0, 0
    for number, (act, seconds) in enumerate(acts):
        match act:
            case "key":
                display.touched(now)
            case "picture":
                newest = 2 * number + 2
                display.show(picture(newest), now)
            case "unplug":
                panel.unplug()
            case "plug":
                panel.there = True
        now += seconds
        pass_until(display, now)
    panel.there = True
    display.touched(now)
    pass_until(display, now + 55)  # longer than a full repaint and the last retry take
    assert panel.picture is not None
    assert panel.picture.getbbox() in [(newest + x, y, newest + x + 1, y + 1) for x, y in WANDER]
    assert panel.level == BRIGHT
