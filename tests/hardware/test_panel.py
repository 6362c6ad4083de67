"""The real luma driver, behind our adapter, on a simulated controller."""

from __future__ import annotations

import errno
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from luma.core.interface.serial import i2c
from luma.oled.device import ssd1306
from PIL import Image

from companion.app.ports import DeviceFault
from hardware.fakes.i2c import FakeI2c
from hardware.fakes.ssd1306 import Ssd1306
from hardware.panel import open_panel, pack
from tests.hardware.pictures import SIZE, blank, dots, noise, pictures
from tests.hardware.rigs import ADDRESS, BENCHES, Bench

_FRAME = 2 + 6 + 2 + 1024  # address, control byte and window; address, control byte and picture
_START = (2 + 2) + (2 + 22) + (2 + 2) + (2 + 1)  # flush, registers, contrast, on


@pytest.fixture(scope="module")
def benches() -> Iterator[dict[str, Bench]]:
    """Give benches made once for all examples: luma keeps every driver until the program ends."""
    with ExitStack() as stack:
        yield {name: stack.enter_context(make()) for name, make in BENCHES.items()}


def test_making_a_panel_touches_neither_bus_nor_panel() -> None:
    bus = FakeI2c({})
    with patch("smbus2.SMBus", bus.smbus):
        panel = open_panel()
    assert panel.size == SIZE
    assert (bus.sent, bus.handles) == (0, 0)


def test_importing_the_adapter_does_not_import_luma() -> None:
    code = "import sys, hardware.panel; sys.exit(not {'luma', 'smbus2', 'numpy'}.isdisjoint(sys.modules))"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


@given(sequence=st.lists(pictures(), min_size=1, max_size=4), path=st.sampled_from(sorted(BENCHES)))
@settings(max_examples=60, deadline=None)
def test_the_glass_equals_every_picture_of_a_sequence_bit_for_bit(
    benches: dict[str, Bench], sequence: list[Image.Image], path: str
) -> None:
    bench = benches[path]
    bench.renew()
    for picture in sequence:
        bench.panel.show(picture)
        assert bench.seen() == picture


@given(
    path=st.sampled_from(sorted(BENCHES)),
    where=st.tuples(st.integers(1, 12), st.integers(0, 40)),
    code=st.sampled_from([errno.EIO, errno.EREMOTEIO, errno.ENXIO, errno.ETIMEDOUT]),
    started=st.booleans(),
)
@settings(max_examples=100, deadline=None)
def test_wherever_a_message_breaks_off_the_next_picture_is_right(
    benches: dict[str, Bench], path: str, where: tuple[int, int], code: int, started: bool
) -> None:
    bench = benches[path]
    bench.renew()
    if started:
        bench.panel.show(noise(1))
    message, after = where
    bench.bus.fail_every(message, after=after, code=code)
    try:
        bench.panel.show(noise(2))
    except DeviceFault:
        bench.bus.fail_every(0)
        bench.panel.show(noise(2))
    assert bench.seen() == noise(2)


def test_a_command_cut_off_at_any_byte_does_not_spoil_the_start_after_it(bench: Bench) -> None:
    for message in range(1, 7):
        for after in range(28):
            bench.renew()
            bench.bus.fail_every(message, after=after)
            try:
                bench.panel.show(noise(1))
            except DeviceFault:
                bench.bus.fail_every(0)
                bench.panel.show(noise(2))
                assert bench.seen() == noise(2), (message, after)


def test_pages_are_in_the_order_of_the_controllers_ram() -> None:
    packed = pack(dots((0, 0), (5, 7), (127, 8), (3, 63)))
    lit = {place: byte for place, byte in enumerate(packed) if byte}
    assert lit == {0: 0b0000_0001, 5: 0b1000_0000, 128 + 127: 0b0000_0001, 7 * 128 + 3: 0b1000_0000}


# luma's display(), a yardstick here, uses what Pillow warns of
@pytest.mark.filterwarnings("ignore:.*getdata:DeprecationWarning")
def test_lumas_own_display_and_ours_put_the_same_on_the_glass() -> None:
    theirs, ours = Ssd1306(seed=1), Ssd1306(seed=2)
    bus = FakeI2c({0x3C: theirs, 0x3D: ours})
    with patch("smbus2.SMBus", bus.smbus):
        ssd1306(i2c(port=1, address=0x3C)).display(noise(1))
        open_panel(1, 0x3D).show(noise(1))
    assert theirs.glass() == ours.glass() == noise(1)
    assert theirs.ram == ours.ram


def test_the_first_picture_costs_a_start_and_one_frame_and_the_next_a_frame() -> None:
    with BENCHES["smbus2"]() as bench:
        bench.panel.show(noise(1))
        assert bench.bus.sent == _START + _FRAME
        bench.panel.show(noise(2))
        assert bench.bus.sent == _START + 2 * _FRAME


def test_nothing_is_sent_when_nothing_changed(bench: Bench) -> None:
    bench.panel.show(noise(1))
    sent = bench.bus.sent
    bench.panel.show(noise(1))
    assert bench.bus.sent == sent


def test_noise_is_never_seen_while_the_controller_starts(bench: Bench) -> None:
    glimpses = []
    write = bench.chip.write

    def watched(message: bytes) -> None:
        write(message)
        glimpses.append(bench.seen())

    with patch.object(bench.chip, "write", watched):
        bench.panel.show(noise(1))
    assert all(seen in (blank(), noise(1)) for seen in glimpses)
    assert len(glimpses) > 4


def test_a_panel_that_lost_its_power_is_right_again(bench: Bench) -> None:
    bench.panel.show(noise(1))
    bench.bus.unplug()
    with pytest.raises(DeviceFault):
        bench.panel.show(noise(2))
    assert bench.seen() == blank()
    bench.bus.plug()
    bench.panel.show(noise(2))
    assert bench.seen() == noise(2)


def test_a_panel_whose_data_lines_came_loose_keeps_its_picture_and_is_right_again(bench: Bench) -> None:
    bench.panel.show(noise(1))
    bench.bus.unplug(powered=True)
    with pytest.raises(DeviceFault):
        bench.panel.show(noise(2))
    assert bench.seen() == noise(1)
    bench.bus.plug()
    bench.panel.show(noise(1))
    assert bench.seen() == noise(1)


@pytest.mark.parametrize("code", [errno.EIO, errno.EREMOTEIO, errno.ENXIO, errno.ETIMEDOUT, errno.EBUSY])
@pytest.mark.parametrize("message", range(1, 7))
def test_an_error_in_any_message_is_chained_to_a_device_fault(bench: Bench, message: int, code: int) -> None:
    bench.bus.fail_every(message, code=code)
    with pytest.raises(DeviceFault) as caught:
        bench.panel.show(noise(1))
    assert str(caught.value) == "The panel does not answer."
    assert caught.value.__cause__ is not None


def test_a_bus_that_is_not_there_is_a_device_fault() -> None:
    bus = FakeI2c({ADDRESS: Ssd1306()}, number=1)
    with patch("smbus2.SMBus", bus.smbus):
        panel = open_panel(bus=7)
        with pytest.raises(DeviceFault) as caught:
            panel.show(noise(1))
    assert str(caught.value) == "The panel's bus cannot be opened."


def test_a_bus_that_may_not_be_opened_is_a_device_fault() -> None:
    refusal = PermissionError(errno.EACCES, "Permission denied", "/dev/i2c-1")
    with patch("smbus2.SMBus", side_effect=refusal), pytest.raises(DeviceFault):
        open_panel().show(noise(1))


def test_a_bus_that_appears_later_is_used() -> None:
    chip = Ssd1306()
    panel = open_panel()
    with patch("smbus2.SMBus", FakeI2c({}, number=0).smbus), pytest.raises(DeviceFault):
        panel.show(noise(1))
    with patch("smbus2.SMBus", FakeI2c({ADDRESS: chip}).smbus):
        panel.show(noise(1))
    assert chip.glass() == noise(1)


def test_another_address_is_a_fault_and_does_not_disturb_the_panel() -> None:
    chip = Ssd1306()
    with patch("smbus2.SMBus", FakeI2c({0x3D: chip}).smbus), pytest.raises(DeviceFault):
        open_panel(1, 0x3C).show(noise(1))
    assert chip.received == 0


def test_only_one_handle_on_the_bus_is_open_however_often_the_panel_is_lost() -> None:
    with BENCHES["smbus2"]() as bench:
        for seed in range(20):
            bench.panel.show(noise(seed))
            assert bench.bus.handles == 1
            bench.bus.unplug()
            for _ in range(3):
                with pytest.raises(DeviceFault):
                    bench.panel.show(noise(seed + 1))
                assert bench.bus.handles == 0
            bench.bus.plug()


def test_luma_is_given_one_driver_however_often_the_panel_is_lost() -> None:
    with patch("atexit.register") as register, BENCHES["smbus2"]() as bench:
        for seed in range(20):
            bench.panel.show(noise(seed))
            bench.bus.unplug()
            with pytest.raises(DeviceFault):
                bench.panel.show(noise(seed + 1))
            bench.bus.plug()
    assert register.call_count == 1


def test_a_mistake_in_the_program_is_not_taken_for_a_fault(bench: Bench) -> None:
    bench.panel.show(noise(1))
    with patch.object(bench.chip, "write", side_effect=ZeroDivisionError), pytest.raises(ZeroDivisionError):
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


def test_a_closed_panel_is_dark_and_has_let_go_of_the_bus(bench: Bench) -> None:
    bench.panel.show(noise(1))
    bench.panel.close()
    assert bench.seen() == blank()
    assert bench.bus.handles == 0


def test_a_closed_panel_can_be_shown_on_again(bench: Bench) -> None:
    bench.panel.show(noise(1))
    bench.panel.close()
    bench.panel.show(noise(1))
    assert bench.seen() == noise(1)


def test_closing_a_panel_that_is_lost_or_was_never_opened_raises_nothing(bench: Bench) -> None:
    bench.panel.close()
    bench.panel.show(noise(1))
    bench.bus.unplug()
    bench.panel.close()
    bench.panel.close()
    with pytest.raises(DeviceFault):
        bench.panel.show(noise(1))
    bench.panel.close()
    assert bench.bus.handles == 0


def test_the_exit_hook_of_luma_puts_the_panel_out_and_lets_go_of_the_bus() -> None:
    with patch("atexit.register") as register, BENCHES["smbus2"]() as bench:
        bench.panel.show(noise(1))
        hook = register.call_args.args[0]
        hook()
    assert bench.seen() == blank()
    assert bench.bus.handles == 0


def test_the_exit_hook_of_luma_leaves_a_closed_panel_alone() -> None:
    with patch("atexit.register") as register, BENCHES["smbus2"]() as bench:
        bench.panel.show(noise(1))
        bench.panel.close()
        sent = bench.bus.sent
        register.call_args.args[0]()
    assert bench.bus.sent == sent
