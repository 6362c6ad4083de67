"""The panel with luma's real driver, on a simulated controller."""

from __future__ import annotations

import errno
import subprocess
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any
from unittest.mock import patch

import luma.oled.device
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from luma.core.interface.serial import i2c, noop
from luma.oled.device import ssd1306
from PIL import Image

from companion.app.ports import DeviceError
from hardware.panel import CONTROLLERS, open_panel, pages
from hardware.panel_bus import Chip, PanelSpec
from tests.example_counts import examples
from tests.fakes.chip import FakeGpio
from tests.fakes.i2c import FakeI2c
from tests.fakes.sh1106 import Sh1106
from tests.fakes.spi import FakeSpi
from tests.fakes.ssd1306 import Ssd1306
from tests.hardware.panel_rigs import ADDRESS, BENCHES, DC, RESET, Bench
from tests.hardware.pictures import SIZE, blank, dots, inverse, noise, pictures
from tests.line_tables import Row, cases, says
from tests.line_tables import given as given_in
from tests.waiting import LAST_RESORT


def test_making_a_panel_touches_neither_bus_nor_panel() -> None:
    bus = FakeI2c({})
    with patch("smbus2.SMBus", bus.smbus):
        panel = open_panel()
    assert panel.size == SIZE
    assert (bus.sent, bus.handles) == (0, 0)


def test_importing_the_adapter_does_not_import_luma() -> None:
    code = "import sys, hardware.panel; sys.exit(not {'luma', 'gpiozero', 'smbus2'}.isdisjoint(sys.modules))"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=LAST_RESORT)


def test_the_glass_equals_every_picture_of_a_sequence_bit_for_bit(bench: Bench) -> None:
    @given(sequence=st.lists(pictures(), min_size=1, max_size=4))
    @settings(max_examples=examples(15))
    def check(sequence: list[Image.Image]) -> None:
        bench.renew()
        for picture in sequence:
            bench.panel.show(picture)
            assert bench.seen() == picture

    check()


def test_wherever_a_message_breaks_off_the_next_picture_is_right(bench: Bench) -> None:
    @given(
        message=st.integers(1, 25),
        after=st.integers(0, 40),
        code=st.sampled_from([errno.EIO, errno.EREMOTEIO, errno.ENXIO, errno.ETIMEDOUT]),
        before=st.none() | pictures(),
        picture=pictures(),
    )
    @settings(max_examples=examples(25))
    def check(message: int, after: int, code: int, before: Image.Image | None, picture: Image.Image) -> None:
        bench.renew()
        if before is not None:
            bench.panel.show(before)
        bench.bus.fail_every(message, after=after, code=code)
        try:
            bench.panel.show(picture)
        except DeviceError:
            bench.bus.fail_every(0)
            bench.panel.show(picture)
        assert bench.seen() == picture

    check()


def test_whatever_is_called_and_whatever_breaks_the_panel_is_right_once_it_is_over(bench: Bench) -> None:
    calls = st.one_of(
        st.tuples(st.just("show"), pictures()),
        st.tuples(st.just("shine"), st.sampled_from([0, 1, 255])),
        st.tuples(st.sampled_from(["refresh", "close", "power_cut", "unplug", "plug"])),
        st.tuples(st.just("fail_every"), st.integers(0, 8), st.integers(0, 40)),
    )

    @given(sequence=st.lists(calls, max_size=12), level=st.sampled_from([0, 90]), picture=pictures())
    @settings(max_examples=examples(25))
    def check(sequence: list[tuple[Any, ...]], level: int, picture: Image.Image) -> None:
        bench.renew()
        for name, *given_to in sequence:
            match name:
                case "power_cut":
                    bench.chip.power_cut()
                case "unplug":
                    bench.bus.unplug()
                case "plug":
                    bench.bus.plug()
                case "fail_every":
                    every, after = given_to
                    bench.bus.fail_every(every, after=after)
                case _:
                    with suppress(DeviceError):
                        getattr(bench.panel, name)(*given_to)
        bench.bus.fail_every(0)
        bench.bus.plug()
        bench.panel.show(picture)
        bench.panel.shine(level)
        bench.panel.refresh()
        assert bench.seen() == (picture if level else blank())
        assert not level or bench.chip.contrast == level

    check()


def test_a_command_cut_off_at_any_byte_does_not_spoil_the_start_after_it(bench: Bench) -> None:
    for message in range(1, 7):
        for after in range(28):
            bench.renew()
            bench.bus.fail_every(message, after=after)
            try:
                bench.panel.show(noise(1))
            except DeviceError:
                bench.bus.fail_every(0)
                bench.panel.show(noise(2))
                assert bench.seen() == noise(2), (message, after)
            else:
                break  # no message is longer


def test_pages_are_in_the_order_of_the_controllers_ram() -> None:
    packed = pages(dots((0, 0), (5, 7), (127, 8), (3, 63)))
    lit = {place: byte for place, byte in enumerate(packed) if byte}
    assert lit == {0: 0b0000_0001, 5: 0b1000_0000, 128 + 127: 0b0000_0001, 7 * 128 + 3: 0b1000_0000}


# luma's display(), the reference here, uses a function that Pillow deprecates
@pytest.mark.filterwarnings("ignore:.*getdata:DeprecationWarning")
def test_lumas_own_display_and_ours_put_the_same_on_the_glass() -> None:
    theirs, ours = Ssd1306(seed=1), Ssd1306(seed=2)
    bus = FakeI2c({0x3C: theirs, 0x3D: ours})
    with patch("smbus2.SMBus", bus.smbus):
        ssd1306(i2c(port=1, address=0x3C)).display(noise(1))
        open_panel(PanelSpec(address=0x3D)).show(noise(1))
    assert theirs.glass() == ours.glass() == noise(1)
    assert theirs.ram == ours.ram


def panel_bytes(given: str | bytes) -> str:
    """Return how many bytes a panel is sent at each step, after its name: a picture, or ``level N``.

    Pictures are ``noise``, ``inverse`` of it, ``blank``, or the places of lit pixels.
    """
    name, *steps = str(given).split(" ; ")
    known, costs = {"noise": noise(1), "inverse": inverse(noise(1)), "blank": blank()}, list[int]()
    with BENCHES[name]() as bench:
        for step in steps:
            before = bench.bus.sent
            if step.startswith("level"):
                bench.panel.shine(int(step.split()[1]))
            else:
                places = [(int(x), int(y)) for x, y in (place.split(",") for place in step.split() if "," in place)]
                picture = known.get(step) or dots(*places)
                bench.panel.show(picture)
                assert bench.seen() == picture
            costs.append(bench.bus.sent - before)
    return " ".join(map(str, costs))


@pytest.mark.parametrize(("name", "rows"), cases("panel-bytes"))
def test_what_a_picture_and_a_level_cost_was_accepted(name: str, rows: list[Row]) -> None:
    assert [(row.given, says(name)(given_in(row.given))) for row in rows] == rows


@pytest.mark.parametrize("chip", CONTROLLERS)
def test_the_commands_of_a_start_are_those_of_lumas_driver(chip: Chip) -> None:
    sent: list[int] = []

    class Recorded(noop):  # type: ignore[misc]  # luma has no types
        """An interface that notes commands, and the data that are parameters of commands."""

        def command(self, *codes: int) -> None:
            sent.extend(codes)

        def data(self, data: Iterable[int]) -> None:
            sent.extend(data)

    controller = CONTROLLERS[chip]
    kind = getattr(luma.oled.device, chip)
    with patch.object(kind, "clear"), patch("atexit.register"):
        kind(Recorded(), width=controller.width, height=SIZE[1])
    ours = b"".join(controller.start)
    theirs = bytes(sent[: sent.index(controller.contrast)])  # after it comes a level, and the panel is lit
    if controller.grey:
        assert ours == theirs.replace(b"\xa4\xb3", b"\xb3")  # not all pixels dark
        return
    expected = theirs.removeprefix(b"\xae").replace(b"\xd5\x80", b"\xd5\xf0")  # not off; the fastest clock
    expected = expected.replace(b"\x20" + (b"\x10" if chip == "sh1106" else b"\x00"), b"\x20\x02")  # by pages
    assert ours.startswith(b"\xe3\xe3")
    assert ours.endswith(expected)
    assert ours[2 : -len(expected)] == (b"" if chip == "sh1106" else bytes((0x20, 0, 0x21, 0, 127, 0x22, 0, 7)))


def test_an_ssd1306_that_was_left_with_a_window_shows_the_whole_picture() -> None:
    with BENCHES["ssd1306"]() as bench:
        bench.panel.show(noise(1))
        bench.bus.carry(ADDRESS, bytes((0, 0x20, 0, 0x21, 5, 9, 0x22, 3, 4)))
        bench.panel.refresh()
        assert bench.seen() == noise(1)
        assert isinstance(bench.chip, Ssd1306)
        assert (bench.chip.columns, bench.chip.pages) == ((0, 127), (0, 7))


def test_nothing_is_sent_when_nothing_changed(bench: Bench) -> None:
    bench.panel.show(noise(1))
    sent = bench.bus.sent
    bench.panel.show(noise(1))
    assert bench.bus.sent == sent


def watched(bench: Bench, work: Callable[[], None]) -> list[Image.Image]:
    """Do something, and return what was visible after each message."""
    seen: list[Image.Image] = []
    carry = bench.bus.carry

    def and_look(*message: Any) -> None:
        carry(*message)
        seen.append(bench.seen())

    with patch.object(bench.bus, "carry", and_look):
        work()
    return seen


def test_noise_is_never_seen_while_the_controller_starts(bench: Bench) -> None:
    seen = watched(bench, lambda: bench.panel.show(noise(1)))
    assert all(glimpse in (blank(), noise(1)) for glimpse in seen)
    assert len(seen) > 4


def test_refreshing_a_panel_that_is_well_cannot_be_seen(bench: Bench) -> None:
    bench.panel.show(noise(1))
    seen = watched(bench, bench.panel.refresh)
    assert all(glimpse == noise(1) for glimpse in seen)
    assert len(seen) > 4


@pytest.mark.parametrize("code", [errno.EIO, errno.EREMOTEIO, errno.ENXIO, errno.ETIMEDOUT, errno.EBUSY])
@pytest.mark.parametrize("message", range(1, 7))
def test_an_error_in_any_message_is_chained_to_a_device_fault(bench: Bench, message: int, code: int) -> None:
    bench.bus.fail_every(message, code=code)
    with pytest.raises(DeviceError) as caught:
        bench.panel.show(noise(1))
    assert str(caught.value) == "The panel does not answer."
    assert caught.value.__cause__ is not None


def test_a_bus_that_is_not_there_is_a_device_fault() -> None:
    bus = FakeI2c({ADDRESS: Ssd1306()}, number=1)
    with patch("smbus2.SMBus", bus.smbus):
        panel = open_panel(PanelSpec(port=7))
        with pytest.raises(DeviceError) as caught:
            panel.show(noise(1))
    assert str(caught.value) == "The panel's bus cannot be opened."


def test_only_one_handle_on_the_bus_is_open_however_often_the_panel_is_lost() -> None:
    with BENCHES["ssd1306"]() as bench:
        for seed in range(20):
            bench.panel.show(noise(seed))
            assert bench.bus.handles == 1
            bench.bus.unplug()
            for _ in range(3):
                with pytest.raises(DeviceError):
                    bench.panel.show(noise(seed + 1))
                assert bench.bus.handles == 0
            bench.bus.plug()


def test_a_mistake_in_the_program_is_not_taken_for_a_fault(bench: Bench) -> None:
    bench.panel.show(noise(1))
    with patch.object(bench.bus, "carry", side_effect=ZeroDivisionError), pytest.raises(ZeroDivisionError):
        bench.panel.show(noise(2))
    bench.panel.show(noise(1))
    assert bench.seen() == noise(1)
    assert bench.bus.handles <= 1


def test_drawing_on_a_picture_after_it_was_shown_changes_nothing_until_it_is_shown_again(bench: Bench) -> None:
    picture = noise(1)
    bench.panel.show(picture)
    picture.paste(0, (0, 0, 64, 64))
    assert bench.seen() == noise(1)
    bench.panel.show(picture)
    assert bench.seen() == picture


def test_closing_a_panel_that_is_lost_or_was_never_opened_raises_nothing(bench: Bench) -> None:
    bench.panel.close()
    bench.panel.show(noise(1))
    bench.bus.unplug()
    bench.panel.close()
    bench.panel.close()
    with pytest.raises(DeviceError):
        bench.panel.show(noise(1))
    bench.panel.close()
    assert bench.bus.handles == 0


def test_a_program_that_ends_puts_its_panel_out_and_lets_go_of_the_bus() -> None:
    with patch("atexit.register") as register, BENCHES["ssd1306"]() as bench:
        bench.panel.show(noise(1))
        hook = register.call_args.args[0]
        hook()
    assert bench.seen() == blank()
    assert bench.bus.handles == 0


def test_the_end_of_a_program_leaves_a_closed_panel_alone() -> None:
    with patch("atexit.register") as register, BENCHES["ssd1306"]() as bench:
        bench.panel.show(noise(1))
        bench.panel.close()
        sent = bench.bus.sent
        register.call_args.args[0]()
    assert bench.bus.sent == sent


# Brightness and light


def test_a_level_scales_the_contrast_the_panel_was_made_with() -> None:
    for chip in ("ssd1306", "sh1106"):
        simulated = Sh1106() if chip == "sh1106" else Ssd1306()
        with patch("smbus2.SMBus", FakeI2c({ADDRESS: simulated}).smbus):
            panel = open_panel(PanelSpec(chip=chip, contrast=100))
            panel.show(noise(1))
            assert simulated.contrast == 100
            panel.shine(127)
            assert simulated.contrast == 49
            panel.shine(1)
            assert simulated.contrast == 1


def test_a_level_set_before_the_first_picture_is_what_it_begins_with(bench: Bench) -> None:
    bench.panel.shine(20)
    assert bench.bus.sent == 0
    bench.panel.show(noise(1))
    assert bench.chip.contrast == 20


def test_a_panel_that_is_off_is_never_lit_by_what_is_sent_to_it(bench: Bench) -> None:
    bench.panel.show(noise(1))
    bench.panel.shine(0)

    def work() -> None:
        bench.panel.show(noise(2))
        bench.panel.refresh()
        bench.bus.fail_every(1)
        with pytest.raises(DeviceError):
            bench.panel.show(noise(3))
        bench.bus.fail_every(0)
        bench.panel.show(noise(3))

    assert all(glimpse == blank() for glimpse in watched(bench, work))
    bench.panel.shine(255)
    assert bench.seen() == noise(3)


def test_a_panel_that_lost_its_power_in_the_dark_shows_no_noise_when_it_is_lit(bench: Bench) -> None:
    bench.panel.show(noise(1))
    bench.panel.shine(0)
    bench.chip.power_cut()
    bench.panel.shine(255)
    assert bench.seen() == noise(1)


# Refreshing


def test_a_panel_that_lost_its_power_and_says_nothing_is_lit_by_a_refresh(bench: Bench) -> None:
    bench.panel.show(noise(1))
    bench.chip.power_cut()
    bench.panel.show(noise(1))
    assert bench.seen() == blank()
    bench.panel.refresh()
    assert bench.seen() == noise(1)


def test_a_refresh_that_broke_off_is_made_good_by_any_call(bench: Bench) -> None:
    calls: list[Callable[[], None]] = [
        bench.panel.refresh,
        lambda: bench.panel.show(noise(1)),
        lambda: bench.panel.shine(255),
    ]
    for call in calls:
        bench.renew()
        bench.panel.show(noise(1))
        bench.bus.fail_every(4)
        with pytest.raises(DeviceError):
            bench.panel.refresh()
        bench.bus.fail_every(0)
        bench.chip.power_cut()
        call()
        assert bench.seen() == noise(1)


# Panels that cannot be


@pytest.mark.parametrize("spec", [PanelSpec(chip="ssd1322"), PanelSpec(bus="spi")])
def test_a_panel_that_cannot_be_is_refused_when_it_is_made(spec: PanelSpec) -> None:
    with pytest.raises(ValueError, match=r"panel on SPI|not spoken to"):
        open_panel(spec)


# SPI


def test_a_missing_spidev_is_a_fault_that_names_the_remedy() -> None:
    with BENCHES["sh1106 over spi"]() as bench:
        with patch.dict(sys.modules, spidev=None), pytest.raises(DeviceError, match="apt install python3-spidev"):
            bench.panel.show(noise(1))
        bench.panel.show(noise(1))
        assert bench.seen() == noise(1)


def test_a_line_that_is_taken_is_a_fault_and_nothing_stays_open() -> None:
    gpio, simulated = FakeGpio(), Ssd1306()
    bus = FakeSpi(simulated, gpio, DC, RESET)
    with gpio.found(), patch.dict(sys.modules, spidev=bus.module()):
        panel = open_panel(PanelSpec(bus="spi"), DC, RESET)
        gpio.occupy(RESET, "spi0")
        with pytest.raises(DeviceError, match=r"lines cannot be had: GPIO25 is in use by spi0\.$"):
            panel.show(noise(1))
        assert gpio.requests == 0
        gpio.occupy(RESET, "")
        panel.show(noise(1))
        assert simulated.glass() == noise(1)
        panel.close()
        assert (bus.handles, gpio.requests) == (0, 0)


def test_a_bus_that_is_not_there_lets_go_of_the_lines() -> None:
    gpio = FakeGpio()
    bus = FakeSpi(Ssd1306(), gpio, DC, path=(1, 0))
    with gpio.found(), patch.dict(sys.modules, spidev=bus.module()):
        with pytest.raises(DeviceError, match="cannot be opened") as caught:
            open_panel(PanelSpec(bus="spi"), DC).show(noise(1))
        assert caught.value.__cause__ is not None  # keeping the error must not keep the lines
        assert gpio.requests == 0


def test_a_line_that_fails_on_the_way_is_a_fault_and_is_opened_anew() -> None:
    with BENCHES["sh1106 over spi"]() as bench:
        assert isinstance(bench.bus, FakeSpi)
        bench.panel.show(noise(1))
        for _time in range(2):
            bench.bus.gpio.lose(DC)
            with pytest.raises(DeviceError):
                bench.panel.show(noise(2))
            assert bench.bus.handles == bench.bus.gpio.requests == 0
        bench.bus.gpio.restore()
        bench.panel.show(noise(2))
        assert bench.seen() == noise(2)


def test_the_bus_is_no_faster_than_the_slowest_controller_takes() -> None:
    with BENCHES["sh1106 over spi"]() as bench:
        assert isinstance(bench.bus, FakeSpi)
        bench.panel.show(noise(1))
        assert bench.bus.speeds == {4_000_000}


def test_line_zero_is_a_line() -> None:
    gpio, simulated = FakeGpio(), Ssd1306()
    with gpio.found(), patch.dict(sys.modules, spidev=FakeSpi(simulated, gpio, 0).module()):
        open_panel(PanelSpec(bus="spi"), 0).show(noise(1))
    assert simulated.glass() == noise(1)
