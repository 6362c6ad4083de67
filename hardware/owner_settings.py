"""The owner's settings, from /etc/companion.toml or another file; all are optional.

This module defines names and defaults of settings, and combines them with the board. An error is one sentence. Its
annotations are no strings: msgspec would evaluate each of them at the start.
"""

from collections.abc import Callable, Collection
from datetime import time
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from . import board as boards
from .board import Board, Line, PanelWiring, Pin
from .panel_spec import Bus, Chip, PanelSpec
from .strict_toml import TomlError, as_written, listed, nearest, read

DEFAULT = Path("/etc/companion.toml")

Seconds = Annotated[int, msgspec.Meta(ge=0, le=86_400)]
Clock = Annotated[
    str, msgspec.Meta(pattern="^([01]?[0-9]|2[0-3]):[0-5][0-9]$", description='a time of day like "22:00"')
]
Hours = Annotated[tuple[Clock, Clock], msgspec.Meta(description='two times of day like ["22:00", "07:00"]')]


class SettingsError(TomlError):
    """The settings are wrong; the message is a sentence for the owner."""


class SleepSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Seconds until the panel dims and goes off; 0 is never."""

    dim: Seconds = 60  # seconds without a key until it dims
    off: Seconds = 300  # seconds without a key until it goes off
    shift: Seconds = 240  # seconds between shifts of the picture by a pixel


class LampSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Settings of the RGB LED."""

    on: bool = False  # whether one is fitted
    brightness: Annotated[float, msgspec.Meta(ge=0, le=1)] = 1.0  # maximum brightness
    common: Literal["cathode", "anode"] = "cathode"  # the pin shared by its colours: cathode (ground) or anode (3V3)


class WebPageSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Settings of the page for phones and computers."""

    on: bool = False  # whether the page is served
    host: str = "127.0.0.1"  # the address to listen on
    port: Annotated[int, msgspec.Meta(ge=1, le=65_535)] = 8080


class HdmiSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Settings of a screen at the Pi's HDMI socket."""

    on: bool = False  # whether the table is drawn on it, if one is plugged in


class PowerSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Settings of the machine's power."""

    off: bool = True  # whether holding the menu key long switches it off


class UpdateSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Settings of updates."""

    # the http or https address of a folder with newer versions; empty if there is none
    address: Annotated[
        str, msgspec.Meta(pattern=r"^(https?://\S{1,400})?$", description='an address like "https://example.org/box"')
    ] = ""


class BridgeSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Settings of the bridge, which publishes the table over MQTT."""

    # the address of the broker; empty if there is none
    broker: Annotated[
        str,
        msgspec.Meta(
            pattern=r"^(mqtts?://[A-Za-z0-9.\-\[\]:]{1,253})?$", description='an address like "mqtt://192.168.1.5:1883"'
        ),
    ] = ""
    name: Annotated[str, msgspec.Meta(min_length=1, max_length=40)] = "Card table"  # the table's name for people
    user: str = ""  # the user's name at the broker
    password_file: str = ""  # a file with the password, which only its owner may read
    authority: str = ""  # a file with certificates that the broker's is checked against; empty: the system's
    certificate: str = ""  # the file of this box's certificate
    key: str = ""  # the file of its key
    home_assistant: bool = True  # whether Home Assistant is told about the table
    club: bool = False  # whether every entry is sent to a club's hub


class SoundSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Settings of the sound."""

    # the kind of buzzer: passive plays notes, active only its own pitch
    buzzer: Literal["none", "passive", "active"] = "none"
    on: bool = True  # whether sounds are played
    night: Hours | Literal["off"] = "off"  # start and end of the silent hours, local time

    @property
    def silent_hours(self) -> tuple[time, time] | None:
        if self.night == "off" or self.night[0] == self.night[1]:
            return None
        begin, end = map(_time, self.night)
        return begin, end


def _time(clock: Clock) -> time:
    hour, minute = map(int, clock.split(":"))
    return time(hour, minute)


class _Common(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The settings that need no resolving."""

    language: str | None = None  # the language until another is chosen on the device; None asks at the first start
    factory: Literal["kernel", "lgpio"] = "kernel"  # the pin factory
    sleep: SleepSettings = SleepSettings()  # the panel's time-outs
    sounds: SoundSettings = SoundSettings()  # the sound
    lamp: LampSettings = LampSettings()  # the RGB LED
    page: WebPageSettings = WebPageSettings()  # the page for phones and computers
    hdmi: HdmiSettings = HdmiSettings()  # the screen at the Pi's HDMI socket
    power: PowerSettings = PowerSettings()  # whether the machine may be switched off
    update: UpdateSettings = UpdateSettings()  # where newer versions are looked for
    bridge: BridgeSettings = BridgeSettings()  # where the table is published


class Settings(_Common, frozen=True, kw_only=True):
    """All settings, checked, with defaults filled in."""

    board: Board  # the board, with its pins on the configured lines
    panel: PanelSpec
    named_chip: Chip | None = None  # the panel's controller, if the file names one
    # a sentence for each unknown setting, such as one of a newer version; none of them has an effect
    unknown: tuple[str, ...] = ()

    @property
    def needs_lgpio(self) -> bool:
        """Return whether a pin needs lgpio: it was chosen, or a passive buzzer or dimmed lamp needs PWM."""
        tunes = self.sounds.on and self.sounds.buzzer == "passive"
        return self.factory == "lgpio" or tunes or (self.lamp.on and self.lamp.brightness < 1)


class _Panel(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The settings of the panel; each replaces one of the board."""

    chip: Chip | None = None
    bus: Bus | None = None
    port: boards.Port | None = None
    address: boards.Address | None = None
    device: boards.Device | None = None
    contrast: boards.Level | None = None
    rotation: boards.Rotation | None = None


class _File(_Common, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The settings as the file has them."""

    board: str = "keypad-4x4"
    pins: dict[Pin, Line] = {}
    panel: _Panel = _Panel()


def load(path: Path | None, languages: Callable[[], Collection[str]]) -> Settings:
    """Read the settings; without a file the usual one, which may be missing. Raises SettingsError if they are wrong.

    The languages are asked for only if the file names one.
    """
    place = path or DEFAULT
    if path is None and not place.exists():
        return defaults()
    unknown: list[str] = []
    try:
        file = read(place, _File, unknown)
    except TomlError as fault:
        raise SettingsError(str(fault)) from None
    try:
        return msgspec.structs.replace(_resolved(file, languages), unknown=tuple(unknown))
    except TomlError as fault:
        raise SettingsError(f"{place}: {fault}") from None


def defaults() -> Settings:
    return _resolved(_File(), tuple)


def _resolved(file: _File, languages: Callable[[], Collection[str]]) -> Settings:
    if file.language is not None and file.language not in (available := languages()):
        there = listed(map(as_written, sorted(available)), "or")
        raise SettingsError(
            f"language is {as_written(file.language)}{nearest(file.language, available)}, but has to be {there}"
        )
    board = boards.load(file.board).with_pins(file.pins)
    board = msgspec.structs.replace(board, panel=_panel_wiring(board.panel, file.panel))
    boards.check(board, lamp=file.lamp.on, buzzer=file.sounds.buzzer != "none")
    common = {name: getattr(file, name) for name in _Common.__struct_fields__}
    return Settings(board=board, panel=_panel(board), named_chip=file.panel.chip, **common)


def _panel_wiring(wiring: PanelWiring, changes: _Panel) -> PanelWiring:
    changed = {name: value for name, value in msgspec.structs.asdict(changes).items() if value is not None}
    if "bus" in changed:
        changed.setdefault("port", None)  # the board's port number belongs to the board's bus
    return msgspec.structs.replace(wiring, **changed)


def _panel(board: Board) -> PanelSpec:
    wiring = board.panel
    width, height = wiring.size
    spi = wiring.bus == "spi"
    return PanelSpec(
        chip=wiring.chip,
        bus=wiring.bus,
        port=wiring.bus_number,
        address=wiring.address,
        device=wiring.device,
        dc=board.pins[wiring.dc] if spi and wiring.dc is not None else None,
        reset=board.pins[wiring.reset] if spi and wiring.reset is not None else None,
        width=width,
        height=height,
        contrast=wiring.contrast,
        rotation=wiring.rotation,
    )
