"""Finding the chip, lgpio, and the messages when something is missing."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import gettempdir
from types import SimpleNamespace
from unittest.mock import patch

import gpiod
import pytest
from gpiozero.exc import GPIOPinInUse

from companion.app.ports import DeviceError
from hardware.gpio_chips import busy, chip_errors, find_chip, reason, request
from hardware.output_pins import lgpio_factory
from tests.fakes.chip import FakeChip, FakeGpio


@pytest.fixture
def gpio() -> Iterator[FakeGpio]:
    """Return a simulated chip with the Pi's label."""
    with FakeGpio().found() as made:
        yield made


def chips(folder: Path, **labels: str) -> list[FakeGpio]:
    for name in labels:
        (folder / name).touch()
    return [FakeGpio(str(folder / name), label) for name, label in labels.items()]


def found(folder: Path, made: list[FakeGpio]) -> str:
    def open_one(path: str) -> FakeChip:
        return next(gpio for gpio in made if gpio.path == path).open(path)

    with patch("gpiod.Chip", open_one):
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


@pytest.mark.parametrize(
    ("label", "denied", "error"),
    [("pinctrl-bcm2711", True, PermissionError), ("pinctrl-of-tomorrow", False, FileNotFoundError)],
)
def test_a_chip_that_may_not_be_opened_is_told_apart_from_one_of_another_computer(
    tmp_path: Path, label: str, denied: bool, error: type[OSError]
) -> None:
    made = chips(tmp_path, gpiochip0=label)
    made[0].denied = denied
    with pytest.raises(error):
        found(tmp_path, made)


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (ImportError(name="gpiod"), "The Python package gpiod is missing: pip install gpiod."),
        (ImportError(name="lgpio"), "The Python package lgpio is missing: sudo apt install python3-lgpio."),
        (ImportError(name="gpiozero"), "The Python package gpiozero is missing: pip install gpiozero."),
        (
            FileNotFoundError(errno.ENOENT, "", "/dev/gpiochip9"),
            r"There is no GPIO chip /dev/gpiochip9: is this a Pi\?",
        ),
        (FileNotFoundError(), r"There is no GPIO chip /dev/gpiochip\*: is this a Pi\?"),
        (PermissionError(), r"The GPIO chip may not be opened: .*usermod -aG gpio .*\."),
    ],
)
def test_a_missing_chip_or_package_is_said_with_its_remedy(error: Exception, said: str) -> None:
    with pytest.raises(DeviceError, match=f"^{said}$"), chip_errors():
        raise error


class LgpioError(Exception):
    """An exception like lgpio's: derived from Exception alone, its text in quotes."""

    def __str__(self) -> str:
        return repr("GPIO busy")


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (LgpioError(), "GPIO busy"),
        (OSError(errno.EIO, "Input/output error"), "Input/output error"),
        (OSError("lost."), "lost"),
        (GPIOPinInUse('GPIO5 is in use by "spi0 CS0"'), 'GPIO5 is in use by "spi0 CS0"'),
        (GPIOPinInUse(), "GPIOPinInUse"),
    ],
)
def test_a_reason_ends_a_sentence(error: Exception, said: str) -> None:
    assert reason(error) == said


def test_a_line_that_the_chip_has_not_is_refused_and_nothing_stays_open(gpio: FakeGpio) -> None:
    with pytest.raises(OSError, match="the kernel refuses GPIO5, GPIO99"):
        request({5: gpiod.LineSettings(), 99: gpiod.LineSettings()})
    assert gpio.handles == gpio.requests == 0


@pytest.mark.parametrize(
    ("world", "folder"),
    [
        ({"LG_WD": "/given"}, "/given"),
        ({"RUNTIME_DIRECTORY": "/run/companion:/run/more"}, "/run/companion"),
        ({}, f"{gettempdir()}/companion-"),
    ],
)
def test_lgpio_puts_its_pipe_where_it_is_told_or_into_a_folder_of_its_own(
    monkeypatch: pytest.MonkeyPatch, world: dict[str, str], folder: str
) -> None:
    monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio", raising=False)
    monkeypatch.setitem(sys.modules, "lgpio", None)
    here = Path.cwd()
    with patch.dict(os.environ, world):
        for name in {"LG_WD", "RUNTIME_DIRECTORY"} - set(world):
            os.environ.pop(name, None)
        with pytest.raises(ImportError):
            lgpio_factory()
        assert os.environ["LG_WD"].startswith(folder)
        if not world:
            Path(os.environ["LG_WD"]).rmdir()  # it is there
    assert Path.cwd() == here


@pytest.mark.parametrize(("chip", "number"), [("/dev/gpiochip11", 11), ("/dev/gpiochip0", 0)])
def test_lgpio_opens_the_chip_of_the_header_whatever_its_number(
    monkeypatch: pytest.MonkeyPatch, chip: str, number: int
) -> None:
    made: list[int] = []
    factory = made.append
    monkeypatch.setattr("hardware.output_pins.find_chip", lambda: chip)
    monkeypatch.setitem(sys.modules, "lgpio", SimpleNamespace(error=OSError))
    monkeypatch.setitem(sys.modules, "gpiozero.pins.lgpio", SimpleNamespace(LGPIOFactory=factory))
    lgpio_factory()
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
        lgpio_factory()
    assert Path.cwd() == here


def test_who_has_a_line_is_told_even_if_the_kernel_gives_no_name(gpio: FakeGpio) -> None:
    gpio.occupy(3, "i2c")
    with patch.object(FakeChip, "get_line_info", lambda self, line: unnamed(line)):
        assert busy([3]) == {3: "the kernel"}
    assert busy([2, 3, 4]) == {3: "i2c"}


def unnamed(line: int) -> gpiod.LineInfo:
    """Return the info of a line that is used without a consumer name."""
    return gpiod.LineInfo(line, "", True, "", 2, False, 2, 1, 1, 1, False, 0)
