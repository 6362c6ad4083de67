"""The panel: an OLED behind luma's drivers; only changed pixels are sent.

Here live the adapter, what is said of a panel to open it, and its opening. luma is heavy, so it is imported when a
panel is made, never when this module is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any, Literal

import msgspec
from PIL import Image

from companion.app.ports import DeviceFault

from .controllers import Bus, Chip, Codes, Controller, NullSerial, Serial, controller
from .frame_diff import Window

SIZE = (128, 64)
"""Width and height of the pictures, on every panel."""

_DISPLAY_OFF, _DISPLAY_ON = 0xAE, 0xAF


class PanelSpec(msgspec.Struct, frozen=True):
    """A panel's controller, size and connection.

    Attributes:
        chip: Its controller.
        bus: How it is spoken to.
        port: The n of /dev/i2c-n, or the number of the SPI bus.
        address: Seven bits, on I2C.
        device: The chip select, on SPI.
        dc: The line that tells data from commands, on SPI.
        reset: The line that resets it, on SPI, if it is wired.
        width: In pixels.
        height: In pixels.
        contrast: How bright it is at its brightest, 0 to 255.
        rotation: By how many degrees the picture is turned.
    """

    chip: Chip = "ssd1306"
    bus: Bus = "i2c"
    port: int = 1
    address: int = 0x3C
    device: int = 0
    dc: int | None = None
    reset: int | None = None
    width: int = 128
    height: int = 64
    contrast: int = 255
    rotation: Literal[0, 180] = 0


class LumaPanel:
    """Shows pictures of 128x64 on a panel of that size or larger, and sends only changes.

    Making one touches no device: the bus is opened by the first `show`, and anew after every fault.

    Args:
        connect: Opens the way to the panel; called again after every fault.
        chip: The panel's controller. luma registers an exit hook for every driver made, for good, so a panel has
            one controller, and that one driver, for as long as it lives.
        contrast: How bright it is at its brightest, 0 to 255.
        rotation: By how many degrees the picture is turned.
    """

    def __init__(
        self, connect: Callable[[], Serial], chip: Controller, contrast: int = 255, rotation: Literal[0, 180] = 0
    ) -> None:
        from .panel_bus import failures  # noqa: PLC0415  # only who opens a panel needs it

        self.size = SIZE
        self._factor = min(room // needed for room, needed in zip(chip.size, SIZE, strict=True))
        if not self._factor:
            raise ValueError(f"Pictures of {SIZE} have no room on a panel of {chip.size}.")
        self._connect = connect
        self._chip = chip
        self._contrast = contrast
        self._rotation = rotation
        self._failures = failures()
        self._level = 255
        self._wanted: bytes | None = None  # what the RAM shall hold; None: nothing was shown yet
        self._held: bytes | None = None  # what it holds; None: not known, and it may not be prepared
        self._sent: Window | None = None  # the window that was filled last, where that is known

    def show(self, picture: Image.Image) -> None:
        """Make the panel show the picture.

        Args:
            picture: Mode "1", 128x64.

        Raises:
            DeviceFault: The panel does not take it; the next call starts from nothing.
            ValueError: The picture has another mode or size.
        """
        if picture.mode != "1" or picture.size != SIZE:
            raise ValueError(f"The panel takes {SIZE} in mode 1, not {picture.size} in {picture.mode}.")
        self._wanted = self._chip.pack(self._fitted(picture))
        if self._held is None:
            self._start()
        elif self._wanted != self._held:
            windows = self._chip.planner.plan(self._held, self._wanted, self._sent)
            with self._sending():
                self._paint(windows)

    def shine(self, level: int) -> None:
        """Shine as brightly as told, 0 (off, the picture kept) to 255, from now on.

        Raises:
            DeviceFault: The panel does not take it; it is done with the next picture.
            ValueError: There is no such level.
        """
        if not 0 <= level <= 255:
            raise ValueError(f"A panel shines from 0 to 255, not {level}.")
        before, self._level = self._level, level
        if self._wanted is None:
            return
        if self._held is None:
            self._start()
        elif level != before:
            with self._sending():
                if not before:
                    self._prepare()  # while it was dark it may have lost its power, and nobody saw
                elif level:
                    self._dim()
                else:
                    self._light()

    def refresh(self) -> None:
        """Prepare the controller anew and send the whole picture, without a flicker if it was well.

        Raises:
            DeviceFault: The panel does not take it; the next call starts from nothing.
        """
        if self._held is not None:
            with self._sending():
                self._prepare()
        elif self._wanted is not None:
            self._start()

    def close(self) -> None:
        """Put the panel out and let go of the bus; a later `show` opens it again."""
        self._wanted = self._held = None
        with suppress(*self._failures):
            self._chip.driver.hide()
        self._disconnect()

    def _start(self) -> None:
        """Open the bus, and prepare a controller of which nothing is known."""
        self._disconnect()
        try:
            self._chip.line.serial = self._connect()
        except DeviceFault:
            raise
        except self._failures as error:
            raise DeviceFault("The panel's bus cannot be opened.") from error
        with self._sending():
            # If a fault cut off the last command, the controller takes the next bytes, two at the most, for its
            # missing parameters. These do no harm as parameters, nor as commands.
            self._say(self._chip.settle)
            self._prepare()

    def _prepare(self) -> None:
        """Set every register and paint everything before the panel is lit, for its RAM may hold noise."""
        self._sent = None
        self._say(self._chip.prepare)
        self._dim()
        self._paint(self._chip.planner.whole())
        self._light()

    @contextmanager
    def _sending(self) -> Iterator[None]:
        """Hold for unknown what the panel shows until all that is sent in here has arrived.

        Raises:
            DeviceFault: It did not arrive.
        """
        self._held = None
        try:
            yield
        except self._failures as error:
            self._disconnect()
            raise DeviceFault("The panel does not answer.") from error
        self._held = self._wanted

    def _paint(self, windows: list[Window]) -> None:
        """Send windows of what is wanted."""
        assert self._wanted is not None  # whoever calls has seen to that
        for window in windows:
            self._say(self._chip.address(window, self._sent))
            self._chip.driver.data(list(window.cut(self._wanted, self._chip.stride)))
            self._sent = window

    def _dim(self) -> None:
        """Set the contrast; at any level the panel can be read in the dark."""
        self._chip.driver.command(self._chip.contrast, max(self._level * self._contrast // 255, 1))

    def _light(self) -> None:
        """Light the panel, or put it out."""
        self._chip.driver.command(_DISPLAY_ON if self._level else _DISPLAY_OFF)

    def _say(self, commands: tuple[Codes, ...]) -> None:
        """Send commands."""
        for codes in commands:
            self._chip.driver.command(*codes)

    def _fitted(self, picture: Image.Image) -> Image.Image:
        """Turn a picture, and put it in the middle of the panel, as many times larger as there is room."""
        if self._rotation == 180:
            picture = picture.transpose(Image.Transpose.ROTATE_180)
        if self._chip.size == SIZE:
            return picture
        larger = picture.resize((SIZE[0] * self._factor, SIZE[1] * self._factor), Image.Resampling.NEAREST)
        fitted = Image.new("1", self._chip.size)
        fitted.paste(larger, ((fitted.width - larger.width) // 2, (fitted.height - larger.height) // 2))
        return fitted

    def _disconnect(self) -> None:
        """Let go of the bus."""
        with suppress(*self._failures):
            self._chip.line.cleanup()
        self._chip.line.serial = NullSerial()


def open_panel(spec: PanelSpec | None = None, factory: Any = None) -> LumaPanel:
    """Make a panel.

    Whether bus and panel are there is found out by the first `show`.

    Args:
        spec: Which panel, and where; None is an SSD1306 at the usual place.
        factory: Makes the pins of a panel on SPI; one of gpiozero's.

    Raises:
        ValueError: No panel is like that.
    """
    from .panel_bus import open_i2c, open_spi  # noqa: PLC0415  # only who opens a panel needs it

    spec = spec or PanelSpec()
    connect: Callable[[], Serial]
    if spec.bus == "i2c":
        if spec.chip == "ssd1322":
            raise ValueError("An ssd1322 is not spoken to over I2C.")
        connect = partial(open_i2c, spec.port, spec.address)
    else:
        if spec.dc is None or factory is None:
            raise ValueError("A panel on SPI needs a line for data/command, and a factory for its pins.")
        connect = partial(open_spi, spec.port, spec.device, spec.dc, spec.reset, factory)
    chip = controller(spec.chip, spec.bus, (spec.width, spec.height))
    return LumaPanel(connect, chip, spec.contrast, spec.rotation)
