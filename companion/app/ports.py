"""Interfaces that the application uses: panel, lamp, buzzer, keys, power switch, page mirror, clock.

The values are msgspec structs, because importing dataclasses would delay the first picture.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct

if TYPE_CHECKING:
    from datetime import date

    from PIL import Image

    from companion.core.text import Text
    from companion.installation.found_update import FoundUpdate
    from companion.ui.clock_state import ClockState
    from companion.ui.keys import Key
    from companion.ui.live_page.content import NativeContent
    from companion.ui.phones import OwnWifi, Phone, Role


class DeviceError(Exception):
    """A device failed. The game is not affected."""


Colour = tuple[int, int, int]
"""Red, green, blue, each 0-255."""

Motif = tuple[tuple[int, float], ...]
"""Notes one after the other: hertz (0 is a rest) and seconds."""


class Frame(Struct, frozen=True):
    """The picture, lamp colour, key labels and spoken lines of one moment.

    Attributes:
        picture: 128x64 pixels, mode "1"; do not modify it.
        lamp: Red, green, blue, each 0-255; None is dark.
        labels: Short label of each key, by the key's name ("7", "A", "#"; "h#" for a held key).
        words: The text of the picture, line by line, for screen readers.
        asleep: Whether the panel is off, so that the next key only wakes it.
        expected_text: What can be entered as text now, such as a name; empty if nothing.
        language: The two-letter code of the frame's language.
        key_lines: The lines to print on a key whose label is too long or too wide for it.
        code: Whether the picture is a QR code, for cameras.
        exact: Whether the picture fills the panel to its edges, so that it may not be shifted.
        stays: Whether the panel does not go off while it shows the picture.
        native: The contents of live pages, by language; only the languages that somebody looks at. The key "" is
            the language of the box.
    """

    picture: Image.Image
    lamp: Colour | None
    labels: Mapping[str, str]
    words: tuple[str, ...]
    asleep: bool = False
    expected_text: str = ""
    language: str = "en"
    key_lines: Mapping[str, str] = {}
    code: bool = False
    exact: bool = False
    stays: bool = False
    native: Mapping[str, NativeContent] = {}


class TypedAnswer(Struct, frozen=True):
    """An answer written as text on a page."""

    text: str


class Tap(Struct, frozen=True):
    """An answer or action chosen on a live page.

    Attributes:
        number: The number of the question that the page showed.
        choice: The name of the choice; empty if a text is entered.
        phone: Who chose it.
        reply: Called with None once the answer counts, or with the reason why it does not.
        text: The text entered.
    """

    number: int
    choice: str
    phone: Phone
    reply: Callable[[Text | None], None]
    text: str = ""


class FrameRequest(Struct, frozen=True):
    """A request for the current frame, with the contents of live pages in a further language."""

    reply: Callable[[None], None]


class PairingRequest(Struct, frozen=True):
    """A request to pair a phone.

    Attributes:
        code: The PIN that was typed, or the token of the link.
        name: The phone's name for people; may be empty.
        address: Where the request comes from.
        reply: Called with the secret of the phone's cookie, or with the reason why it is not paired.
    """

    code: str
    name: str
    address: str
    reply: Callable[[str | Text], None]


class ChooseRole(Struct, frozen=True):
    """A paired phone says who it is.

    Attributes:
        phone: The phone.
        role: What it may do from now on.
        seat: Its seat, if it has the role of one seat.
        reply: Called with None, or with the reason why not.
    """

    phone: Phone
    role: Role
    seat: int | None
    reply: Callable[[Text | None], None]


PageRequest = Tap | FrameRequest | PairingRequest | ChooseRole
"""A request of a page that the loop answers."""


class Panel(Protocol):
    """A display for 1-bit pictures.

    Every method may raise DeviceError. Callers may always call again; that call initializes the panel anew.
    """

    @property
    def size(self) -> tuple[int, int]:
        """Return width and height in pixels."""

    def show(self, picture: Image.Image) -> None:
        """Show a picture of the panel's size, mode "1". Only the changed part is sent.

        Raises:
            DeviceError: The panel did not take it. The next picture may still be shown.
        """

    def shine(self, level: int) -> None:
        """Set the brightness: 0 (off, but the picture is kept) to 255.

        A panel that was off is initialized and painted before it is lit: it may have lost power in the meantime.

        Raises:
            DeviceError: The panel did not take it. The next picture sets the brightness again.
        """

    def refresh(self) -> None:
        """Initialize the controller again and send the whole picture, because a panel cannot report a loss of power.

        Raises:
            DeviceError: The panel did not take it.
        """

    def close(self) -> None:
        """Switch the panel off and release it; never raises."""


class ExchangeablePanel(Protocol):
    """A panel that may have one of two controllers; only somebody who looks at it can tell which."""

    @property
    def used(self) -> str:
        """Return the name of the controller in use."""

    @property
    def other(self) -> str:
        """Return the name of the other one."""

    def blacken(self) -> None:
        """Make the panel black, so that the next picture is sent in parts, as those of a game are; never raises."""

    def exchange(self) -> None:
        """Drive the panel as the other controller from the next picture on; never raises."""

    def keep(self) -> None:
        """Use the present controller after each start, too.

        Raises:
            DeviceError: The choice cannot be kept.
        """


class Lamp(Protocol):
    """An RGB lamp."""

    def show(self, colour: Colour | None) -> None:
        """Shine in a colour; None is dark.

        Raises:
            DeviceError: The lamp failed.
        """

    def close(self) -> None:
        """Switch the lamp off and release it; never raises."""


class Buzzer(Protocol):
    """A buzzer that plays motifs."""

    def play(self, motif: Motif) -> None:
        """Start a motif and return at once. It replaces a motif that is still playing.

        Raises:
            DeviceError: The buzzer failed.
        """

    def close(self) -> None:
        """Stop the sound and release the buzzer; never raises."""


class KeySource(Protocol):
    """A device with keys. It calls a function for each key."""

    def start(self, put: Callable[[Key], None]) -> None:
        """Start a thread that calls `put` for every key.

        Raises:
            DeviceError: The device is not available.
        """

    def alive(self) -> bool:
        """Return whether key presses are still noticed. Called now and then; returns at once."""

    def close(self) -> None:
        """Release the device; never raises."""


class Power(Protocol):
    """Switches the machine off."""

    def may(self) -> bool:
        """Return whether this program is allowed to."""

    def off(self) -> None:
        """Start the shutdown. The system will then stop this program.

        Raises:
            DeviceError: The system refused.
        """


class OwnWifiSwitch(Protocol):
    """Switches the box's own Wi-Fi."""

    def network(self) -> OwnWifi | None:
        """Return name, password and the state last seen; None if this box cannot have a Wi-Fi of its own."""

    def look(self) -> None:
        """Find out whether it is on; this may take a moment."""

    def switch(self, on: bool) -> None:
        """Switch it on or off.

        Raises:
            DeviceError: The system refused.
        """


class BackupDrive(Protocol):
    """Writes backups of all games to a USB drive."""

    def drive(self) -> str:
        """Return the name of the drive that is plugged in; empty if there is none. Returns at once."""

    def back_up(self, day: date | None) -> tuple[str, int]:
        """Write a backup. Return where it is (the drive and the file), and how many games are damaged.

        Called in a thread; takes a while.

        Args:
            day: Today; None if the clock is not set.

        Raises:
            JournalError: There is no drive, or it takes no file.
        """


class Updater(Protocol):
    """Looks for a newer version of the program, and installs it. The system does both; one of them at a time."""

    @property
    def here(self) -> str:
        """Return the version of this box."""

    def look(self) -> None:
        """Begin to look; this returns at once.

        Raises:
            DeviceError: The system cannot be asked.
        """

    def install(self) -> None:
        """Begin to install what was found. The system restarts this program when it has done so.

        Raises:
            DeviceError: The system cannot be asked.
        """

    def outcome(self) -> FoundUpdate | None:
        """Return what was found or what failed; None while the system is at work."""


class FrameListener(Protocol):
    """Receives every frame, and passes it to a page."""

    @property
    def languages(self) -> frozenset[str]:
        """Return the languages in which frames need the contents of live pages.

        The empty string is the language of the box, whichever it is; `Frame.native` has its content under that key.
        """

    def show(self, frame: Frame) -> None:
        """Show a frame. Called from the loop; returns at once and never raises."""


class ClockSetter(Protocol):
    """Sets the machine's clock and time zone. Every method may raise DeviceError."""

    @property
    def known(self) -> ClockState:
        """Return what was last seen; never raises."""

    def look(self) -> None:
        """Ask for clock and time zone."""

    def set_zone(self, zone: str) -> None:
        """Choose a time zone, and look."""

    def move(self, seconds: int) -> None:
        """Move the clock on, or back if the seconds are negative, and look."""


class Clock(Protocol):
    """The time of day, and a monotonic time."""

    @property
    def setter(self) -> ClockSetter | None:
        """Return what sets it; None where nothing may."""

    def now(self) -> float:
        """Return seconds since 1970; the value may jump."""

    def passed(self) -> float:
        """Return seconds from an arbitrary start; they never decrease."""
