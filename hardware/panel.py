"""The OLED panel, driven through luma; only changed pixels are sent.

luma is slow to import, so it is imported when a panel is made, not with this module.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any, Literal

from PIL import Image

from companion.app.ports import DeviceError

from .frame_diff import Window
from .panel_controllers import Codes, NullSerial, PanelController, Serial, controller
from .panel_spec import PanelSpec

SIZE = (128, 64)  # width and height of the application's pictures, on every panel
_DISPLAY_OFF, _DISPLAY_ON = 0xAE, 0xAF


class LumaPanel:
    """Shows pictures of 128x64 on a panel of that size or larger, and sends only changes.

    Creating one touches no device: the first `show` opens the bus, and the next call after an error opens it again.

    The bus is opened again after every error. luma registers a permanent exit hook for each driver, so a panel keeps
    one driver throughout its life.
    """

    def __init__(
        self, connect: Callable[[], Serial], chip: PanelController, contrast: int = 255, rotation: Literal[0, 180] = 0
    ) -> None:
        from .panel_bus import failures  # only who opens a panel needs it

        self.size = SIZE
        if chip.size[0] < SIZE[0] or chip.size[1] < SIZE[1]:
            raise ValueError(f"Pictures of {SIZE} have no room on a panel of {chip.size}.")
        self._connect = connect
        self._chip = chip
        self._contrast = contrast
        self._rotation = rotation
        self._failures = failures()
        self._level = 255
        self._wanted: bytes | None = None  # content that the RAM should have; None before the first picture
        self._held: bytes | None = None  # content that it has; None: unknown, and possibly not initialized
        self._sent: Window | None = None  # the window sent last; None: unknown

    def show(self, picture: Image.Image) -> None:
        """Show a picture.

        Raises:
            DeviceError: The panel does not take it. The next call starts from scratch.
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
        """Set the brightness: 0 (off, but the picture is kept) to 255.

        Raises:
            DeviceError: The panel does not take it. The next picture sets the brightness again.
            ValueError: The level is not from 0 to 255.
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
                    self._prepare()  # it may have lost power unnoticed while it was off
                elif level:
                    self._dim()
                else:
                    self._light()

    def exchange(self, chip: PanelController) -> PanelController:
        """Drive the panel as another controller of the same size; nothing is sent until the next picture.

        Returns:
            The controller before.
        """
        self._disconnect()
        before, self._chip = self._chip, chip
        self._wanted = self._held = None
        return before

    def refresh(self) -> None:
        """Initialize the controller again and send the whole picture; a working panel does not flicker.

        Raises DeviceError if the panel does not take it; the next call starts from scratch.
        """
        if self._held is not None:
            with self._sending():
                self._prepare()
        elif self._wanted is not None:
            self._start()

    def close(self) -> None:
        """Switch the panel off and release the bus; a later `show` opens it again."""
        self._wanted = self._held = None
        with suppress(*self._failures):
            self._chip.driver.hide()
        self._disconnect()

    def _start(self) -> None:
        """Open the bus and initialize a controller in an unknown state."""
        self._disconnect()
        try:
            self._chip.line.serial = self._connect()
        except DeviceError:
            raise
        except self._failures as error:
            raise DeviceError("The panel's bus cannot be opened.") from error
        with self._sending():
            # After an incomplete command, the controller takes up to two bytes as missing parameters.
            # These bytes are harmless as parameters and as commands.
            self._say(self._chip.settle)
            self._prepare()

    def _prepare(self) -> None:
        """Set every register and paint everything before the panel is lit, because its RAM may contain noise."""
        self._sent = None
        self._say(self._chip.prepare)
        self._dim()
        self._paint(self._chip.planner.whole())
        self._light()

    @contextmanager
    def _sending(self) -> Iterator[None]:
        """Consider the panel's content unknown until everything sent in this block has arrived.

        Raises DeviceError if it did not arrive.
        """
        self._held = None
        try:
            yield
        except self._failures as error:
            self._disconnect()
            raise DeviceError("The panel does not answer.") from error
        self._held = self._wanted

    def _paint(self, windows: list[Window]) -> None:
        assert self._wanted is not None  # guaranteed by the callers
        for window in windows:
            self._say(self._chip.address(window, self._sent))
            self._chip.driver.data(list(window.cut(self._wanted, self._chip.stride)))
            self._sent = window

    def _dim(self) -> None:
        """Set the contrast; every level is readable in the dark."""
        self._chip.driver.command(self._chip.contrast, max(self._level * self._contrast // 255, 1))

    def _light(self) -> None:
        self._chip.driver.command(_DISPLAY_ON if self._level else _DISPLAY_OFF)

    def _say(self, commands: tuple[Codes, ...]) -> None:
        for codes in commands:
            self._chip.driver.command(*codes)

    def _fitted(self, picture: Image.Image) -> Image.Image:
        """Rotate a picture, and centre it on a larger panel."""
        if self._rotation == 180:
            picture = picture.transpose(Image.Transpose.ROTATE_180)
        if self._chip.size == SIZE:
            return picture
        fitted = Image.new("1", self._chip.size)
        fitted.paste(picture, ((fitted.width - picture.width) // 2, (fitted.height - picture.height) // 2))
        return fitted

    def _disconnect(self) -> None:
        with suppress(*self._failures):
            self._chip.line.cleanup()
        self._chip.line.serial = NullSerial()


def open_panel(spec: PanelSpec | None = None, factory: Any = None) -> LumaPanel:
    """Make a panel; without a spec an SSD1306 at the usual address. The factory is for a panel on SPI.

    Only the first `show` finds out whether bus and panel are present. Raises ValueError if there is no such panel.
    """
    from .panel_bus import open_i2c, open_spi  # only who opens a panel needs it

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
