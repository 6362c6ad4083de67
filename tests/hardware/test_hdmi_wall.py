"""The screen at the HDMI socket: what is written into a framebuffer that is a file."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from companion.app.ports import BoxOutput, DeviceError, PageKey
from companion.ui.live_page.content import LivePageContent
from companion.ui.live_page.wall import wall_picture
from hardware.hdmi_wall import WALL, FramebufferLayout, WallFramebuffer, WallScreen, changed_rows, geometry
from tests.waiting import until
from tests.web.live_page_samples import MOMENTS, empty, sample

GAME = sample(MOMENTS[0])


def screen(
    root: Path, size: tuple[int, int] = (800, 480), depth: int = 32, extra: int = 0, plug: str | None = "connected"
) -> Path:
    """Make a machine with a framebuffer under a folder."""
    folder = root / "sys/class/graphics/fb0"
    folder.mkdir(parents=True)
    (root / "dev").mkdir()
    stride = size[0] * depth // 8 + extra
    for name, value in (
        ("virtual_size", f"{size[0]},{size[1]}"),
        ("bits_per_pixel", str(depth)),
        ("stride", str(stride)),
    ):
        (folder / name).write_text(f"{value}\n")
    (root / "dev/fb0").write_bytes(b"\x55" * stride * size[1])
    if plug is not None:
        for name, state in (("card1-HDMI-A-1", plug), ("card1-HDMI-A-2", "disconnected")):
            (root / "sys/class/drm" / name).mkdir(parents=True)
            (root / "sys/class/drm" / name / "status").write_text(f"{state}\n")
    return root


def glass(root: Path) -> Image.Image:
    """Return what the framebuffer shows, at the screen's size."""
    kept, data = geometry(root), (root / "dev/fb0").read_bytes()
    lines = [data[row * kept.stride : row * kept.stride + kept.width * kept.depth // 8] for row in range(kept.height)]
    size = kept.width, kept.height
    if kept.depth == 32:
        return Image.frombytes("RGB", size, b"".join(lines), "raw", "BGRX")
    return Image.frombytes("RGB", size, b"".join(lines), "raw", "BGR;16")


def enlarged(picture: Image.Image, kept: FramebufferLayout) -> Image.Image:
    """Return a picture as the screen should show it."""
    whole = Image.new("RGB", (kept.width, kept.height))
    size = picture.width * kept.factor, picture.height * kept.factor
    whole.paste(picture.resize(size, Image.Resampling.NEAREST))
    return whole


def frame(content: LivePageContent | None, asleep: bool = False) -> BoxOutput:
    pages: dict[PageKey, LivePageContent] = {} if content is None else {WALL: content}
    return BoxOutput(Image.new("1", (128, 64)), None, {}, (), asleep, live_pages=pages)


@pytest.mark.parametrize(
    ("size", "factor", "logical"),
    [
        ((1920, 1080), 4, (480, 270)),
        ((1280, 720), 3, (426, 240)),
        ((800, 480), 2, (400, 240)),
        ((3840, 2160), 9, (426, 240)),
        ((320, 240), 1, (320, 240)),
    ],
)
def test_the_picture_is_enlarged_by_a_whole_factor(
    size: tuple[int, int], factor: int, logical: tuple[int, int]
) -> None:
    kept = FramebufferLayout(*size, 32, size[0] * 4)
    assert (kept.factor, kept.size) == (factor, logical)


@pytest.mark.parametrize("extra", [0, 64])
@pytest.mark.parametrize("size", [(800, 480), (1366, 768)])
def test_with_32_bits_a_pixel_the_picture_is_shown_as_it_is(tmp_path: Path, size: tuple[int, int], extra: int) -> None:
    root = screen(tmp_path, size, extra=extra)
    shown = WallFramebuffer(root)
    picture = wall_picture(GAME, shown.geometry.size)
    shown.show(picture)
    wanted = enlarged(picture, shown.geometry)
    rows = picture.height * shown.geometry.factor
    assert glass(root).crop((0, 0, size[0], rows)).tobytes() == wanted.crop((0, 0, size[0], rows)).tobytes()


def test_with_16_bits_a_pixel_colours_are_kept_as_well_as_they_can_be(tmp_path: Path) -> None:
    root = screen(tmp_path, depth=16)
    shown = WallFramebuffer(root)
    picture = wall_picture(GAME, shown.geometry.size)
    shown.show(picture)
    seen, wanted = glass(root).tobytes(), enlarged(picture, shown.geometry).tobytes()
    assert max(abs(one - other) for one, other in zip(seen, wanted, strict=True)) < 8


def test_only_bands_that_changed_are_written_each_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = WallFramebuffer(screen(tmp_path))
    picture = Image.new("RGB", shown.geometry.size)
    shown.show(picture)
    writes: list[tuple[int, int]] = []
    write = os.pwrite

    def counted(file: int, data: bytes, place: int) -> int:
        writes.append((place // 6400, len(data) // 6400))
        return write(file, data, place)

    monkeypatch.setattr(os, "pwrite", counted)
    shown.show(picture.copy())
    assert writes == []
    changed = picture.copy()
    changed.paste((255, 0, 0), (10, 20, 12, 25))
    changed.paste((255, 0, 0), (0, 239, 1, 240))
    shown.show(changed)
    assert writes == [(20, 5), (239, 1)]


def test_a_short_write_is_continued(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = screen(tmp_path)
    shown = WallFramebuffer(root)
    write = os.pwrite
    monkeypatch.setattr(os, "pwrite", lambda file, data, place: write(file, data[:50_000], place))
    picture = wall_picture(GAME, shown.geometry.size)
    shown.show(picture)
    assert glass(root).tobytes() == enlarged(picture, shown.geometry).tobytes()


def test_changed_rows_of_the_first_picture_are_all() -> None:
    assert list(changed_rows(None, Image.new("RGB", (4, 3)))) == [(0, 3)]


def _without(root: Path, *names: str) -> None:
    for name in names:
        (root / "sys/class/graphics/fb0" / name).unlink()


def test_without_a_framebuffer_one_sentence_says_so(tmp_path: Path) -> None:
    with pytest.raises(DeviceError, match=r"^There is no HDMI screen: the kernel has no framebuffer$"):
        WallFramebuffer(tmp_path)


def test_without_a_screen_in_the_socket_one_sentence_says_so(tmp_path: Path) -> None:
    with pytest.raises(DeviceError, match=r"^There is no HDMI screen: nothing is plugged in$"):
        WallFramebuffer(screen(tmp_path, plug="disconnected"))


def test_a_screen_without_an_hdmi_socket_is_taken(tmp_path: Path) -> None:
    assert geometry(screen(tmp_path, plug=None)).size == (400, 240)


@pytest.mark.parametrize("depth", [8, 24])
def test_pixels_of_another_kind_are_refused(tmp_path: Path, depth: int) -> None:
    with pytest.raises(DeviceError, match=f"cannot be used: 800x480 with {depth} bits a pixel"):
        geometry(screen(tmp_path, depth=depth))


def test_a_framebuffer_that_does_not_say_its_size_is_refused(tmp_path: Path) -> None:
    root = screen(tmp_path)
    _without(root, "stride")
    with pytest.raises(DeviceError, match="does not say its size"):
        geometry(root)


def test_a_framebuffer_that_may_not_be_opened_is_refused(tmp_path: Path) -> None:
    root = screen(tmp_path)
    (root / "dev/fb0").unlink()
    with pytest.raises(DeviceError, match="cannot be used: No such file or directory: /dev/fb0"):
        WallFramebuffer(root)


def test_the_screen_is_left_black(tmp_path: Path) -> None:
    root = screen(tmp_path)
    shown = WallFramebuffer(root)
    shown.show(wall_picture(GAME, shown.geometry.size))
    shown.close()
    assert glass(root).getbbox() is None


class Screens:
    """Framebuffers in memory, in place of the real one.

    Attributes:
        shown: The pictures shown.
        found: How often a framebuffer was looked for.
        fault: The fault of looking for one, or of showing.
    """

    geometry = FramebufferLayout(800, 480, 32, 3200)

    def __init__(self, missing: str = "") -> None:
        self.shown: list[Image.Image] = []
        self.found = 0
        self.missing = missing
        self.failing: Exception | None = None
        self.closed = False

    def find(self) -> Any:
        self.found += 1
        if self.missing:
            raise DeviceError(self.missing)
        return self

    def show(self, picture: Image.Image) -> None:
        if self.failing is not None:
            raise self.failing
        self.shown.append(picture)

    def close(self) -> None:
        self.closed = True


def test_each_change_is_shown_and_a_sleeping_box_dims_the_picture() -> None:
    screens = Screens()
    wall = WallScreen(screens.find)
    assert wall.wanted == {WALL}
    for number, (content, asleep) in enumerate([(GAME, False), (GAME, True), (empty(), False)], 1):
        wall.show(frame(content, asleep))
        until(lambda number=number: len(screens.shown) == number, "the picture")  # type: ignore[misc]
        assert screens.shown[-1] == wall_picture(content, (400, 240), dimmed=asleep)
    wall.close()
    assert screens.closed


def test_the_same_content_is_drawn_once_and_a_frame_without_content_not_at_all() -> None:
    screens = Screens()
    wall = WallScreen(screens.find)
    wall.show(frame(None))
    wall.show(frame(GAME))
    until(lambda: len(screens.shown) == 1, "the picture")
    wall.show(frame(sample(MOMENTS[0])))
    wall.show(frame(None))
    wall.show(frame(empty()))
    until(lambda: screens.shown[-1] == wall_picture(empty(), (400, 240)), "the picture")
    assert len(screens.shown) == 2
    wall.close()


def test_a_missing_screen_is_reported_once_and_looked_for_again(capsys: pytest.CaptureFixture[str]) -> None:
    screens = Screens("There is no HDMI screen")
    wall = WallScreen(screens.find, (0, 0))
    wall.show(frame(GAME))
    until(lambda: screens.found == 3, "the third try")
    screens.missing = ""
    wall.show(frame(empty()))
    until(lambda: bool(screens.shown), "the picture")
    assert screens.found == 4
    wall.close()
    assert capsys.readouterr().err == "companion: There is no HDMI screen\n"


def test_a_box_without_a_screen_ends_as_usual() -> None:
    wall = WallScreen(Screens("There is no HDMI screen").find, ())
    wall.show(frame(GAME))
    wall.close()
    WallScreen(Screens().find).close()


@pytest.mark.parametrize("fault", [DeviceError("it failed"), ValueError("it failed")])
def test_a_failing_screen_stops_nothing(fault: Exception, capsys: pytest.CaptureFixture[str]) -> None:
    screens = Screens()
    screens.failing = fault
    wall = WallScreen(screens.find, (0,))
    wall.show(frame(GAME))
    until(lambda: "it failed" in capsys.readouterr().err, "the sentence")
    screens.failing = None
    wall.show(frame(empty()))
    until(lambda: bool(screens.shown), "the picture")
    wall.close()


def test_a_framebuffer_that_takes_nothing_gets_the_next_picture_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = screen(tmp_path)
    shown = WallFramebuffer(root)
    picture = wall_picture(GAME, shown.geometry.size)
    shown.show(picture)

    def refuse(*_: object) -> int:
        raise OSError(5, "Input/output error")

    with monkeypatch.context() as patch:
        patch.setattr(os, "pwrite", refuse)
        with pytest.raises(DeviceError, match="does not take the picture: Input/output error"):
            shown.show(wall_picture(empty(), shown.geometry.size))
    (root / "dev/fb0").write_bytes(bytes(3200 * 480))
    shown.show(picture)
    assert glass(root).tobytes() == enlarged(picture, shown.geometry).tobytes()
