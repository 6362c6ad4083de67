"""Makes a board's devices as the settings say: the panel first, the others once it shows a picture.

The panel's controller may be another than the settings say, as chosen with the test picture. That choice belongs to
this box and its panel, and not to its games: it is kept in a file of its own beside the journal, so that no backup
carries it to another box.

Modules of devices are imported only when such a device is made.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from companion.app.ports import DeviceError

from .board import BUZZER, DC, LAMP, RESET, Buttons, Encoder, Matrix
from .gpio_chips import chip_errors, reason
from .owner_settings import Settings
from .panel_bus import OTHER

if TYPE_CHECKING:
    from companion.app.ports import Buzzer, Clock, Lamp, Panel

    from .keys.contacts import ButtonKeys
    from .keys.matrix import MatrixKeys
    from .keys.source import BoardKeys
    from .machine.panel_test import ExchangeableController
    from .panel import LumaPanel
    from .panel_bus import Chip, PanelSpec

FILE = "panel-controller"  # the name of the file, in the folder of the journal


class ControllerChoice:
    """The choice of a controller, kept in a file.

    It counts for the board and the setting with which it was made: after `chip` was written into the settings file,
    changed or removed there, the settings count again.
    """

    def __init__(self, settings: Settings, folder: Path) -> None:
        self._panel = settings.panel
        self._file = folder / FILE
        self._made_with = f"{settings.board.name} {settings.named_chip or '-'}"

    def spec(self) -> PanelSpec:
        """Return the panel with the chosen controller; without a choice, as the settings have it."""
        other = OTHER.get(self._panel.chip)
        try:
            kept = self._file.read_text("utf-8", errors="replace")
        except OSError:
            return self._panel
        chosen = other is not None and kept == f"{self._made_with} {other}\n"
        return msgspec.structs.replace(self._panel, chip=other) if chosen else self._panel

    def keep(self, chip: Chip) -> None:
        """Keep a choice; written to the disk when this returns. Raises DeviceError if it cannot be written."""
        from companion.journal.disk import written_beside  # the first picture does not wait for it

        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            with written_beside(self._file) as file:
                file.write(f"{self._made_with} {chip}\n".encode())
        except OSError as error:
            raise DeviceError(f"The choice cannot be kept: {(error.strerror or str(error)).lower()}.") from error


class DeviceFactory:
    """Makes the devices of a board; the caller closes them. ``folder`` is that of the journal."""

    def __init__(self, settings: Settings, folder: Path) -> None:
        self._settings = settings
        self._choice = ControllerChoice(settings, folder)
        self._opened: tuple[LumaPanel, PanelSpec] | None = None
        self._factories: dict[bool, Any] = {}  # by whether their pins can do PWM

    def panel(self) -> Panel:
        """Make the panel. Only the first picture finds out whether it is connected."""
        from .panel import open_panel  # Pillow and luma come with it

        spec = self._choice.spec()
        pins = self._settings.board.pins
        panel = open_panel(spec, pins.get(DC), pins.get(RESET))
        self._opened = panel, spec
        return panel

    def controllers(self, clock: Clock) -> ExchangeableController | None:
        """Return the panel made last with the other controller that it may have; None if there is none to try."""
        if self._opened is None or self._opened[1].chip not in OTHER:
            return None
        from .machine.panel_test import ExchangeableController  # the first picture does not wait for it

        return ExchangeableController(*self._opened, self._choice.keep, clock)

    def keys(self) -> BoardKeys:
        """Make the keys; they are opened when they start."""
        from .keys.source import BoardKeys  # see above

        return BoardKeys([self._kind(wiring) for wiring in self._settings.board.keys])

    def lamp(self) -> Lamp | None:
        """Make the lamp, if one is fitted; raise DeviceError if its lines are not available."""
        lamp = self._settings.lamp
        if not lamp.on:
            return None
        from .lamp import LedLamp  # see above

        red, green, blue = self._settings.board.lines(LAMP)
        factory = self._pins(pwm=lamp.brightness < 1)
        return LedLamp(factory, red, green, blue, lamp.brightness, active_high=lamp.common == "cathode")

    def buzzer(self) -> Buzzer | None:
        """Make the buzzer, if one is fitted and enabled; raise DeviceError if its line is not available."""
        sounds = self._settings.sounds
        if sounds.buzzer == "none" or not sounds.on:
            return None
        from .buzzer import PinBuzzer  # see above

        line = self._settings.board.pins[BUZZER]
        factory = self._pins(pwm=sounds.buzzer == "passive")
        return PinBuzzer(factory, line, sounds.buzzer)

    def close(self) -> None:
        """Release the pins. Close the devices before."""
        for factory in self._factories.values():
            factory.close()
        self._factories.clear()

    def _kind(self, wiring: Matrix | Buttons | Encoder) -> MatrixKeys | ButtonKeys:
        from .keys.contacts import ButtonKeys, KnobKeys  # see above
        from .keys.matrix import MatrixKeys

        board = self._settings.board
        match wiring:
            case Matrix(rows, columns, keys):
                return MatrixKeys(board.lines(rows), board.lines(columns), keys)
            case Buttons(keys, pull):
                return ButtonKeys({key: board.pins[pin] for key, pin in keys.items()}, pull)
            case Encoder(a, b, push):
                return KnobKeys(*board.lines((a, b, push)))

    def _pins(self, *, pwm: bool) -> Any:
        """Return gpiozero's pin factory for outputs; raise DeviceError if it is not available."""
        if pwm not in self._factories:
            try:
                with chip_errors():
                    from .output_pins import KernelFactory, lgpio_factory  # gpiozero comes with it

                    self._factories[pwm] = lgpio_factory() if pwm else KernelFactory()
            except OSError as error:
                raise DeviceError(f"The GPIO chip cannot be opened: {reason(error)}.") from error
        return self._factories[pwm]
