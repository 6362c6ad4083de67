"""Draws the table on a screen at the Pi's HDMI socket, without a browser: into the kernel's framebuffer.

A thread of its own draws, so that the loop never waits for the screen. Only the lines that changed are written.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import msgspec
from PIL import Image

from companion.app.ports import BoxOutput, DeviceError, PageKey
from companion.app.terminal import say
from companion.ui.live_page.wall import wall_picture

if TYPE_CHECKING:
    from companion.ui.live_page.content import LivePageContent

LEAST = (400, 225)  # the least size of a picture in large pixels; a smaller screen has small pixels
PATIENCE = 2.0  # seconds to wait for the last picture at the end
WALL: PageKey = ("wall", "")


class FramebufferLayout(msgspec.Struct, frozen=True):
    """The layout of a framebuffer: size, bits of a pixel, bytes of a line."""

    width: int  # in pixels
    height: int  # in pixels
    depth: Literal[16, 32]  # bits of a pixel: 32 (blue, green, red, unused) or 16 (five bits red, six green, five blue)
    stride: int  # bytes from one line to the next

    @property
    def factor(self) -> int:
        """Return how many pixels of the screen are one pixel of the picture, in each direction."""
        return max(1, min(self.width // LEAST[0], self.height // LEAST[1]))

    @property
    def size(self) -> tuple[int, int]:
        """Return the size of the picture before it is enlarged."""
        return self.width // self.factor, self.height // self.factor


def geometry(root: Path = Path("/")) -> FramebufferLayout:
    """Return the geometry of the first framebuffer; ``root`` is the folder that holds ``sys``.

    Raises DeviceError if there is no framebuffer or no screen, or its pixels are of another kind.
    """
    folder = root / "sys/class/graphics/fb0"
    if not folder.exists():
        raise DeviceError("There is no HDMI screen: the kernel has no framebuffer")
    plugs = [_read(file) for file in (root / "sys/class/drm").glob("*-HDMI-*/status")]
    if plugs and "connected" not in plugs:
        raise DeviceError("There is no HDMI screen: nothing is plugged in")
    try:
        width, height = map(int, _read(folder / "virtual_size").split(","))
        depth, stride = int(_read(folder / "bits_per_pixel")), int(_read(folder / "stride"))
    except ValueError:
        raise DeviceError("The HDMI screen cannot be used: the kernel does not say its size") from None
    if depth not in (16, 32) or not (width > 0 < height and stride >= width * depth // 8):
        raise DeviceError(f"The HDMI screen cannot be used: {width}x{height} with {depth} bits a pixel")
    return FramebufferLayout(width, height, 16 if depth == 16 else 32, stride)


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="ascii", errors="replace").strip()
    except OSError:
        return ""


def changed_rows(before: Image.Image | None, after: Image.Image) -> Iterator[tuple[int, int]]:
    """Yield the bands of rows in which two pictures of the same size differ: first row, and the row after the last."""
    if before is None:
        yield 0, after.height
        return
    length = after.width * len(after.getbands())
    old, new = before.tobytes(), after.tobytes()
    first: int | None = None
    for row in range(after.height + 1):
        place = row * length
        differs = row < after.height and old[place : place + length] != new[place : place + length]
        if differs and first is None:
            first = row
        elif not differs and first is not None:
            yield first, row
            first = None


def encoded(picture: Image.Image, geometry: FramebufferLayout) -> bytes:
    """Return a band of a picture as bytes for the framebuffer, enlarged; the rest of each line is black."""
    factor = geometry.factor
    wide = picture.resize((picture.width * factor, picture.height), Image.Resampling.NEAREST)
    if geometry.depth == 32:
        pixels = wide.tobytes("raw", "BGRX")
    else:
        red, green, blue = wide.split()
        low = _added(green.point([value << 3 & 0xE0 for value in range(256)]), blue.point([v >> 3 for v in range(256)]))
        high = _added(red.point([value & 0xF8 for value in range(256)]), green.point([v >> 5 for v in range(256)]))
        pixels = Image.merge("LA", (low, high)).tobytes()
    length = wide.width * geometry.depth // 8
    rest = bytes(geometry.stride - length)
    return b"".join((pixels[row : row + length] + rest) * factor for row in range(0, len(pixels), length))


def _added(one: Image.Image, other: Image.Image) -> Image.Image:
    from PIL import ImageChops  # only screens with 16 bits a pixel need it

    return ImageChops.add(one, other)


class WallFramebuffer:
    """The framebuffer of a screen.

    Raises DeviceError if there is no screen, or it may not be opened.
    """

    def __init__(self, root: Path = Path("/")) -> None:
        self.geometry = geometry(root)
        try:
            self._file = os.open(root / "dev/fb0", os.O_RDWR | os.O_CLOEXEC)
        except OSError as error:
            raise DeviceError(f"The HDMI screen cannot be used: {error.strerror}: /dev/fb0") from None
        self._shown: Image.Image | None = None

    def show(self, picture: Image.Image) -> None:
        """Write the rows that changed since the last picture, one write for each band of rows.

        Raises DeviceError if the screen did not take it; the next picture is written whole.
        """
        factor, stride = self.geometry.factor, self.geometry.stride
        shown, self._shown = self._shown, None
        try:
            for first, end in changed_rows(shown, picture):
                band = encoded(picture.crop((0, first, picture.width, end)), self.geometry)
                self._write(band, first * factor * stride)
        except OSError as error:
            raise DeviceError(f"The HDMI screen does not take the picture: {error.strerror}") from None
        self._shown = picture

    def _write(self, data: bytes, place: int) -> None:
        while data:
            written = os.pwrite(self._file, data, place)
            data, place = data[written:], place + written

    def close(self) -> None:
        """Make the screen black; never raises."""
        with suppress(DeviceError):
            self.show(Image.new("RGB", self.geometry.size))
        with suppress(OSError):
            os.close(self._file)


class WallScreen:
    """Shows the newest frame on a framebuffer; a frame listener.

    A missing or failing screen is reported once. It is tried again a few times, because the kernel may find a screen
    only after this program has started, and then with every change of the content.

    `pauses` are the seconds before each try while the content does not change.
    """

    def __init__(
        self, find: Callable[[], WallFramebuffer] = WallFramebuffer, pauses: tuple[float, ...] = (2, 4, 8, 16, 32)
    ) -> None:
        self._find = find
        self._pauses = pauses
        self._framebuffer: WallFramebuffer | None = None
        self._change = threading.Condition()
        self._next: tuple[LivePageContent, bool] | None = None
        self._closed = False
        self._reported = ""
        self._thread = threading.Thread(target=self._run, name="wall", daemon=True)
        self._thread.start()

    @property
    def wanted(self) -> frozenset[PageKey]:
        """Return the wall in the language of the box."""
        return frozenset({WALL})

    def show(self, frame: BoxOutput) -> None:
        """Take a frame to draw; returns at once. While the box sleeps, the picture is dimmed."""
        content = frame.live_pages.get(WALL)
        if content is None:
            return
        with self._change:
            self._next = content, frame.asleep
            self._change.notify()

    def close(self) -> None:
        """Stop drawing and make the screen black."""
        with self._change:
            self._closed = True
            self._change.notify()
        self._thread.join(PATIENCE)
        if self._framebuffer is not None and not self._thread.is_alive():
            self._framebuffer.close()

    def _run(self) -> None:
        """Draw each change until closed."""
        drawn: tuple[LivePageContent, bool] | None = None
        tries = len(self._pauses)
        while True:
            pause = self._pauses[tries] if tries < len(self._pauses) else None
            with self._change:
                changed = self._change.wait_for(lambda: self._closed or self._next != drawn, pause)  # noqa: B023
                if self._closed or self._next is None:
                    return
                drawn = self._next
            tries = 0 if changed else tries + 1
            if self._draw(*drawn):
                tries = len(self._pauses)

    def _draw(self, content: LivePageContent, asleep: bool) -> bool:
        try:
            if self._framebuffer is None:
                self._framebuffer = self._find()
            self._framebuffer.show(wall_picture(content, self._framebuffer.geometry.size, dimmed=asleep))
        except Exception as fault:  # the screen is optional: nothing about it may end the thread
            if str(fault) != self._reported:
                say(f"companion: {fault}", error=True, flush=True)
            self._reported = str(fault)
            return False
        self._reported = ""
        return True
