"""The owner's settings, from /etc/companion.toml or another file; all are optional.

This module defines names and defaults of settings, reads the file, and combines it with the board. An error is one
sentence. Its annotations are no strings: msgspec would evaluate each of them at the start.
"""

import re
import tomllib
from collections.abc import Callable, Collection, Iterator
from datetime import time
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar, get_args, get_origin

import msgspec

from companion.core.text import SentenceError
from companion.decoding import convert

from . import board as boards
from .board import USUAL, Board, BoardError, Pin, nearest, shown
from .panel_bus import Chip, PanelSpec

DEFAULT = Path("/etc/companion.toml")

T = TypeVar("T", bound=msgspec.Struct)

Seconds = Annotated[int, msgspec.Meta(ge=0, le=86_400)]
Clock = Annotated[str, msgspec.Meta(pattern="^([01]?[0-9]|2[0-3]):[0-5][0-9]$")]

_WORDS = {
    "int": "a whole number",
    "float": "a decimal number",
    "str": 'text in quotes ("")',
    "bool": "true or false",
    "array": "a list [ ]",
    "object": "a table",
}
"""What msgspec calls the kinds of values, in words for owners."""


REMOVED = {
    "hdmi": " (for a television: docs/operate.md, A television at the Pi)",
    "factory": " (remove it: the pins need none)",
}
"""What to do in place of a setting of earlier versions."""


class SettingsError(SentenceError):
    """The settings are wrong; the message is a sentence for the owner."""


class SleepSettings(msgspec.Struct, frozen=True):
    """Seconds until the panel dims and goes off; 0 is never."""

    dim: Seconds = 60  # seconds without a key until it dims
    off: Seconds = 300  # seconds without a key until it goes off
    shift: Seconds = 240  # seconds between shifts of the picture by a pixel


class LampSettings(msgspec.Struct, frozen=True):
    """Settings of the RGB LED."""

    on: bool = False  # whether one is fitted
    brightness: Annotated[float, msgspec.Meta(ge=0, le=1)] = 1.0  # maximum brightness
    common: Literal["cathode", "anode"] = "cathode"  # the pin shared by its colours: cathode (ground) or anode (3V3)


class WebPageSettings(msgspec.Struct, frozen=True):
    """Settings of the page for phones and computers."""

    on: bool = False  # whether the page is served
    host: str = "127.0.0.1"  # the address to listen on
    port: Annotated[int, msgspec.Meta(ge=1, le=65_535)] = 8080


class PowerSettings(msgspec.Struct, frozen=True):
    """Settings of the machine's power."""

    off: bool = True  # whether holding the menu key long switches it off


class UpdateSettings(msgspec.Struct, frozen=True):
    """Settings of updates."""

    # the http or https address of a folder with newer versions; empty if there is none
    address: Annotated[
        str, msgspec.Meta(pattern=r"^(https?://\S{1,400})?$", description='an address like "https://example.org/box"')
    ] = ""


class BridgeSettings(msgspec.Struct, frozen=True):
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


class SoundSettings(msgspec.Struct, frozen=True):
    """Settings of the sound."""

    # the kind of buzzer: passive plays notes, active only its own pitch
    buzzer: Literal["none", "passive", "active"] = "none"
    on: bool = True  # whether sounds are played
    # start and end of the silent hours, local time
    night: Annotated[
        tuple[Clock, Clock] | Literal["off"],
        msgspec.Meta(description='"off" or two times of day like ["22:00", "07:00"]'),
    ] = "off"

    @property
    def silent_hours(self) -> tuple[time, time] | None:
        if self.night == "off" or self.night[0] == self.night[1]:
            return None
        begin, end = (time.fromisoformat(clock.zfill(5)) for clock in self.night)
        return begin, end


class _Sections(msgspec.Struct, frozen=True, kw_only=True):
    """The settings that do not depend on the board."""

    language: str | None = None  # the language until another is chosen on the device; None asks at the first start
    sleep: SleepSettings = SleepSettings()  # the panel's time-outs
    sounds: SoundSettings = SoundSettings()  # the sound
    lamp: LampSettings = LampSettings()  # the RGB LED
    page: WebPageSettings = WebPageSettings()  # the page for phones and computers
    power: PowerSettings = PowerSettings()  # whether the machine may be switched off
    update: UpdateSettings = UpdateSettings()  # where newer versions are looked for
    bridge: BridgeSettings = BridgeSettings()  # where the table is published

    @property
    def fitted(self) -> dict[str, bool]:
        """Return whether lamp and buzzer are fitted, and need their lines: arguments for functions of a board."""
        return {"lamp": self.lamp.on, "buzzer": self.sounds.buzzer != "none"}


class Settings(_Sections, frozen=True, kw_only=True):
    """All settings, checked, with defaults filled in."""

    board: Board  # the board, with its pins on the configured lines
    panel: PanelSpec
    named_chip: Chip | None = None  # the panel's controller, if the file names one
    # a sentence for each unknown setting, such as one of a newer version; none of them has an effect
    unknown: tuple[str, ...] = ()

    @property
    def needs_lgpio(self) -> bool:
        """Return whether a passive buzzer or a dimmed lamp needs PWM, and so lgpio."""
        tunes = self.sounds.on and self.sounds.buzzer == "passive"
        return tunes or (self.lamp.on and self.lamp.brightness < 1)


class _File(_Sections, frozen=True, kw_only=True):
    """The settings as the file has them."""

    board: str = USUAL
    pins: dict[Pin, Any] = {}  # the board checks them
    panel: PanelSpec = PanelSpec()


def load(path: Path | None, languages: Callable[[], Collection[str]]) -> Settings:
    """Read the settings; without a file the usual one, which may be missing. Raises SettingsError if they are wrong.

    The languages are asked for only if the file names one.
    """
    place = path or DEFAULT
    if path is None and not place.exists():
        return defaults()
    try:
        return _resolved(read(place), languages)
    except (BoardError, SettingsError) as fault:
        raise SettingsError(f"{place}: {fault}") from None


def defaults() -> Settings:
    return _resolved({}, tuple)


def read(file: Path) -> dict[str, Any]:
    """Read a TOML file; raise SettingsError if it cannot be read."""
    try:
        return tomllib.loads(file.read_bytes().decode("utf-8-sig"))
    except OSError as error:
        raise SettingsError((error.strerror or str(error)).lower()) from None
    except (ValueError, RecursionError) as error:
        raise SettingsError(f"it is not TOML: {error}") from None


def filled(kind: type[T], document: dict[str, Any]) -> tuple[T, tuple[str, ...]]:
    """Return a struct made of a document, and a sentence for each unknown key, which is taken out of the document.

    Raises SettingsError if a value is wrong.
    """
    unknown = tuple(_unknown(kind, document))
    try:
        return convert(document, kind), unknown
    except msgspec.ValidationError as error:
        raise SettingsError(_sentence(str(error), kind)) from None


def _unknown(kind: type[msgspec.Struct], table: dict[str, Any], place: str = "") -> Iterator[str]:
    known = {field.encode_name: field.type for field in msgspec.structs.fields(kind)}
    for key, value in list(table.items()):
        if key not in known:
            del table[key]
            if value == {} and place + key in REMOVED:  # the file is written once: those of before have the section
                continue
            yield f"{place}{shown(key)} is unknown{REMOVED.get(place + key) or nearest(key, known)}"
        elif isinstance(value, dict) and isinstance(known[key], type) and issubclass(known[key], msgspec.Struct):
            yield from _unknown(known[key], value, f"{key}.")


def _sentence(error: str, kind: Any) -> str:
    """Return msgspec's error with the place in front, and what is declared there where that says more."""
    what, _at, path = error.rstrip("`").rpartition(" - at `$.")
    place = path.partition("[")[0]  # a list is told as a whole
    for name in place.split("."):
        kind = next(field.type for field in msgspec.structs.fields(kind) if field.encode_name == name)
    described = [meta.description for meta in getattr(kind, "__metadata__", ()) if meta.description]
    if get_origin(kind) is Literal:
        described = [" or ".join(map(repr, get_args(kind)))]
    if described:
        return f"{place} has to be {described[0]}"
    worded = re.sub("`([a-z]+)`", lambda found: _WORDS.get(found[1], found[1]), what)
    return f"{place} has to be {worded.removeprefix('Expected ').replace(', got ', ', not ')}"


def _resolved(document: dict[str, Any], languages: Callable[[], Collection[str]]) -> Settings:
    board = boards.load(document.get("board", USUAL))
    named = document.get("panel", {})
    if isinstance(named, dict):  # else the error is told below
        document["panel"] = {**msgspec.structs.asdict(board.panel), **named}
    file, unknown = filled(_File, document)
    if file.language is not None and file.language not in (available := languages()):
        known = " or ".join(map(repr, sorted(available)))
        raise SettingsError(f"language has to be {known}, not {file.language!r}")
    board = msgspec.structs.replace(board.with_pins(file.pins), panel=file.panel)
    boards.check(board, **file.fitted)
    common = {name: getattr(file, name) for name in _Sections.__struct_fields__}
    return Settings(board=board, panel=file.panel, named_chip=named.get("chip"), unknown=unknown, **common)
