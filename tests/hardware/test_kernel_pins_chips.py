"""Finding the chip, choosing the pin factory, and the messages when something is missing."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import enumerate as threads
from types import SimpleNamespace
from unittest.mock import patch

import gpiod
import pytest
from gpiozero import Device
from gpiozero.exc import PinUnknownPi

from companion.app.ports import DeviceError
from hardware.gpio_chips import busy, find_chip
from hardware.gpiod_factory import KernelFactory
from hardware.pin_factories import FACTORIES, choose
from tests.fakes.chip import FakeChip, FakeGpio
from tests.hardware.chip_rigs import bench

PI_5B = 0xD04170
CM_5 = 0xD04180
ZERO_2W = 0x902120


@pytest.fixture
def gpio() -> Iterator[FakeGpio]:
    """Return a simulated chip with the Pi's label."""
    with bench() as made:
        yield made


def chips(folder: Path, **labels: str) -> list[FakeGpio]:
    for name in labels:
        (folder / name).touch()
    return [FakeGpio(str(folder / name), label) for name, label in labels.items()]


def found(folder: Path, made: list[FakeGpio], revision: int = ZERO_2W) -> str:

    def open_one(path: str) -> FakeChip:
        return next(gpio for gpio in made if gpio.path == path).open(path)

    with patch("gpiod.Chip", open_one), patch("gpiozero.pins.local.get_pi_revision", lambda: revision):
        name = Path(find_chip(folder)).name
    assert [gpio.handles for gpio in made] == [0] * len(made)
    return name


@pytest.mark.parametrize("label", ["pinctrl-bcm2835", "pinctrl-bcm2711", "pinctrl-rp1"])
@pytest.mark.parametrize("name", ["gpiochip0", "gpiochip4", "gpiochip10"])
def test_the_chip_behind_the_header_is_found_by_its_label_whatever_its_number(
    tmp_path: Path, label: str, name: str
) -> None:
    others = {f"gpiochip{n}": "gpio-brcmstb@107d508500" for n in (0, 2, 10, 11)}
    assert found(tmp_path, chips(tmp_path, **{**others, name: label})) == name


def test_a_chip_that_may_not_be_opened_does_not_hide_the_right_one(tmp_path: Path) -> None:
    made = chips(tmp_path, gpiochip0="other", gpiochip1="pinctrl-rp1")
    made[0].denied = True
    assert found(tmp_path, made) == "gpiochip1"


def test_that_the_chips_may_not_be_opened_is_said(tmp_path: Path) -> None:
    made = chips(tmp_path, gpiochip0="pinctrl-bcm2711")
    made[0].denied = True
    with pytest.raises(PermissionError):
        found(tmp_path, made)


@pytest.mark.parametrize(
    ("revision", "names", "name"),
    [
        (PI_5B, ("gpiochip0", "gpiochip4"), "gpiochip4"),
        (CM_5, ("gpiochip0", "gpiochip4"), "gpiochip4"),
        (PI_5B, ("gpiochip0",), "gpiochip0"),
        (ZERO_2W, ("gpiochip0", "gpiochip4"), "gpiochip0"),
    ],
)
def test_among_unknown_labels_the_number_decides(
    tmp_path: Path, revision: int, names: tuple[str, ...], name: str
) -> None:
    assert found(tmp_path, chips(tmp_path, **dict.fromkeys(names, "pinctrl-of-tomorrow")), revision) == name


def test_the_usual_factory_is_the_kernels_and_gpiozeros_default_stays_unset(gpio: FakeGpio) -> None:
    with choose(chip=gpio.path) as factory:
        assert isinstance(factory, KernelFactory)
        assert Device.pin_factory is None
    assert FACTORIES[0] == "kernel"


def test_a_chip_can_be_given_by_its_number_or_path(gpio: FakeGpio) -> None:
    for chip in (0, gpio.path):
        with KernelFactory(chip):
            assert gpio.handles == 1
    with pytest.raises(FileNotFoundError):
        KernelFactory(7)


def test_an_unknown_factory_is_a_mistake() -> None:
    with pytest.raises(ValueError, match=r"pigpio.*kernel.*lgpio"):
        choose("pigpio")


def test_without_a_chip_the_fault_says_so(gpio: FakeGpio) -> None:
    with pytest.raises(DeviceError, match="no GPIO chip /dev/gpiochip9"):
        choose(chip="/dev/gpiochip9")


def test_without_permission_the_fault_names_the_group(gpio: FakeGpio) -> None:
    gpio.denied = True
    with pytest.raises(DeviceError, match="usermod -aG gpio"):
        choose(chip=gpio.path)


@pytest.mark.parametrize(
    ("name", "package", "remedy"),
    [
        ("kernel", "gpiod", "pip install gpiod"),
        ("lgpio", "lgpio", "sudo apt install python3-lgpio"),
        ("kernel", "gpiozero", "pip install gpiozero"),
    ],
)
def test_a_missing_package_is_named_with_its_remedy(
    monkeypatch: pytest.MonkeyPatch, name: str, package: str, remedy: str
) -> None:
    for module in [
        module for module in sys.modules if module.split(".")[0] == package or module == "hardware.gpiod_factory"
    ]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio", raising=False)
    monkeypatch.setitem(sys.modules, package, None)
    with patch.dict(os.environ), pytest.raises(DeviceError, match=remedy):
        choose(name)


def test_on_another_computer_the_fault_says_that_it_is_no_pi_and_nothing_stays_open(gpio: FakeGpio) -> None:
    def unknown() -> int:
        raise PinUnknownPi

    with patch("gpiozero.pins.local.get_pi_revision", unknown), pytest.raises(DeviceError, match="no Raspberry Pi"):
        choose(chip=gpio.path)
    assert gpio.handles == 0
    assert "edges" not in {thread.name for thread in threads()}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"LG_WD": "/given"}, "/given"),
        ({"RUNTIME_DIRECTORY": "/run/companion:/run/more"}, "/run/companion"),
    ],
)
def test_lgpio_is_told_where_to_put_its_pipe(
    monkeypatch: pytest.MonkeyPatch, before: dict[str, str], after: str
) -> None:
    monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio", raising=False)
    monkeypatch.setitem(sys.modules, "lgpio", None)
    with patch.dict(os.environ, before):
        for name in {"LG_WD", "RUNTIME_DIRECTORY"} - set(before):
            os.environ.pop(name, None)
        with pytest.raises(DeviceError):
            choose("lgpio")
        assert os.environ["LG_WD"] == after


def test_lgpio_gets_a_folder_of_its_own_where_the_system_gives_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio", raising=False)
    monkeypatch.setitem(sys.modules, "lgpio", None)
    here = Path.cwd()
    with patch.dict(os.environ):
        for name in ("LG_WD", "RUNTIME_DIRECTORY"):
            os.environ.pop(name, None)
        with pytest.raises(DeviceError):
            choose("lgpio")
        folder = Path(os.environ["LG_WD"])
    assert folder.is_dir()
    assert folder != here
    assert Path.cwd() == here
    folder.rmdir()


@pytest.mark.parametrize(
    ("chip", "number"), [("/dev/gpiochip11", 11), ("/dev/gpiochip0", 0), (ImportError(name="gpiod"), None)]
)
def test_lgpio_opens_the_chip_of_the_header_whatever_its_number(
    monkeypatch: pytest.MonkeyPatch, chip: str | ImportError, number: int | None
) -> None:
    made: list[int | None] = []

    def factory(number: int | None) -> SimpleNamespace:
        made.append(number)
        return SimpleNamespace(board_info=None)

    def found() -> str:
        if isinstance(chip, ImportError):
            raise chip
        return chip

    monkeypatch.setattr("hardware.pin_factories.find_chip", found)
    monkeypatch.setitem(sys.modules, "lgpio", SimpleNamespace(error=OSError))
    monkeypatch.setitem(sys.modules, "gpiozero.pins.lgpio", SimpleNamespace(LGPIOFactory=factory))
    choose("lgpio")
    assert made == [number]


def test_lgpio_may_neither_move_us_nor_fail_without_a_word(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "lgpio.py").write_text(
        "import os\nos.chdir(os.environ['LG_WD'])\nraise FileNotFoundError('.lgd-nfy-3')\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    for module in ("lgpio", "gpiozero.pins.lgpio"):
        monkeypatch.delitem(sys.modules, module, raising=False)
    here = Path.cwd()
    with (
        patch.dict(os.environ, {"LG_WD": str(tmp_path)}),
        pytest.raises(DeviceError, match=rf"pipe in {tmp_path}.*LG_WD"),
    ):
        choose("lgpio")
    assert Path.cwd() == here


def test_who_has_a_line_is_told_even_if_the_kernel_gives_no_name(gpio: FakeGpio) -> None:
    gpio.occupy(3, "i2c")
    with patch.object(FakeChip, "get_line_info", lambda self, line: unnamed(line)):
        assert busy([3], gpio.path) == {3: "the kernel"}
    assert busy([2, 3, 4], gpio.path) == {3: "i2c"}


def unnamed(line: int) -> gpiod.LineInfo:
    """Return the info of a line that is used without a consumer name."""
    return gpiod.LineInfo(line, "", True, "", 2, False, 2, 1, 1, 1, False, 0)
