"""The command ``run``: runs the application on a Pi."""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, TypeVar

from companion.app.terminal import say
from companion.core.text import SentenceError

from .common import CommandError, find_added_games, finish, folder, journal_in, with_config, with_data
from .serving import PageAddress, pairing_for, serve_page, stopped_by_signals, tell_television

if TYPE_CHECKING:
    import argparse

    from companion.app.box import Box
    from companion.app.loop import Inbox
    from companion.app.machine import Feature
    from companion.app.ports import Clock, Panel
    from companion.journal import Journal
    from companion.web.page_mirror import PageMirror
    from companion.web.server import Server
    from hardware.device_factory import DeviceFactory
    from hardware.owner_settings import Settings

Device = TypeVar("Device")

FAREWELL = 1.0  # seconds the last picture stays on the panel
READING = 30.0  # seconds an error stays on the panel of a box that cannot start
BEATS = 2  # how often systemd's watchdog is pinged in each of its intervals
WELL = "Panel and keys are well."  # the status in `systemctl status` while there is no fault


def run_arguments(one: argparse.ArgumentParser) -> None:
    with_data(one, games=False)  # once the panel has its first picture
    with_config(one)


def plain_arguments(words: Sequence[str]) -> Any:
    """Read the arguments of the command without argparse, whose import takes a twentieth of the start.

    None for what argparse has to read: abbreviations, ``--data=x``, mistakes, ``--help``.
    """
    found: dict[str, Any] = {"data": None, "config": None}
    rest = iter(words)
    for word in rest:
        if word in ("--data", "--config") and not (file := next(rest, "-")).startswith("-"):
            found[word[2:]] = Path(file)
        else:
            return None
    return SimpleNamespace(run=run, **found)


def run(arguments: argparse.Namespace) -> int:
    """Run the application on its board until told to stop; show a splash screen first."""
    gc.disable()  # until the first question: looking for garbage takes a tenth of that time, and finds none
    try:
        from companion.app.ports import DeviceError
        from companion.ui.pictures import hello, sentence
        from hardware.device_factory import DeviceFactory

        settings, wrong = _settings(arguments.config)
        devices = DeviceFactory(settings, folder(arguments))
        with closing(devices):
            panel = devices.panel()
            try:
                if wrong is not None:
                    raise CommandError(wrong)
                with suppress(DeviceError):
                    panel.show(hello())
                return _at_the_table(arguments, settings, devices, panel)
            except (SentenceError, DeviceError) as fault:
                with suppress(DeviceError):
                    panel.show(sentence(str(fault)))
                return _stay(fault, panel)
    except DeviceError as fault:
        return _stay(fault, None)
    finally:
        gc.enable()


def _settings(file: Path | None) -> tuple[Settings, str | None]:
    """Return the settings; if they are wrong, the defaults and the reason."""
    from hardware.owner_settings import SettingsError, defaults, load

    try:
        return load(file, _languages), None
    except SettingsError as fault:
        return defaults(), str(fault)


def _languages() -> tuple[str, ...]:
    """Return the languages of the catalogues. Most settings name none, and it takes the import of fonts."""
    from companion.ui.translations import languages

    return languages()


def _stay(fault: Exception, panel: Panel | None) -> int:
    """Print why there is no game, and leave it on the panel for a while; systemd then starts the service again.

    Meanwhile the service counts as started: whoever starts it does not wait, and a version that can say its sentence
    is not one that does not start. Where it is stopped meanwhile, the panel goes dark.
    """
    from threading import Event

    from hardware.system import ALIVE, READY, STOPPING, notify, status, watchdog_seconds

    say(f"companion: {fault}", error=True, flush=True)
    # What systemd/roll-back.sh makes of each status: docs/decisions/packages.md.
    ended = getattr(fault, "status", os.EX_CONFIG if isinstance(fault, SentenceError) else os.EX_UNAVAILABLE)
    if "NOTIFY_SOCKET" in os.environ:
        stopped = Event()
        with stopped_by_signals(stopped.set):
            notify(READY, status(str(fault)))
            end = time.monotonic() + READING
            while (left := end - time.monotonic()) > 0:
                notify(ALIVE)
                if stopped.wait(min(left, (watchdog_seconds() or READING) / BEATS)):
                    if panel is not None:
                        panel.close()
                    return 0
        notify(STOPPING)
    return ended


def _at_the_table(arguments: argparse.Namespace, settings: Settings, devices: DeviceFactory, panel: Panel) -> int:
    from companion.app.box import Box
    from companion.app.idle import Watchdog
    from companion.app.loop import Inbox, Stop, run
    from companion.app.outputs import Outputs, PanelTimeouts
    from companion.app.ports import SystemClock
    from companion.installation.places import InstallationPaths
    from hardware.system import ALIVE, READY, STOPPING, LogindPower, notify, status, watchdog_seconds

    from .start_notices import marking_as_read, roll_back_notice, start_notices

    inbox, clock = Inbox(), SystemClock()
    page = None
    if settings.page.on:
        from companion.web.page_mirror import PageMirror

        page = PageMirror()
    with ExitStack() as stack:
        stack.enter_context(stopped_by_signals(lambda: inbox.put(Stop())))
        journal = stack.enter_context(journal_in(folder(arguments)))
        find_added_games(arguments)
        rolled_back = roll_back_notice(
            note := InstallationPaths().roll_back_note, read := folder(arguments) / "went-back-read"
        )
        journal.notices += [] if rolled_back is None else [rolled_back]
        journal.notices += start_notices(folder(arguments), settings)
        keys = devices.keys()
        keys.start(inbox.put if rolled_back is None else marking_as_read(note, read, inbox.put))
        stack.callback(keys.close)
        outputs = Outputs(
            panel,
            clock,
            lamp=_fitted(devices.lamp),
            buzzer=_fitted(devices.buzzer),
            page=page,
            timeouts=PanelTimeouts(settings.sleep.dim, settings.sleep.off, settings.sleep.shift),
            night=settings.sounds.silent_hours,
        )
        address = PageAddress(settings.page.host, settings.page.port)
        pairing = None if page is None else pairing_for(journal, clock, address)
        box = Box(
            journal,
            outputs,
            clock,
            language=settings.language,
            power=LogindPower() if settings.power.off else None,
            board=settings.board.keyed(),
            pairing=pairing,
            machine=club_features(settings, journal, clock),
        )
        _fit_machine(box, devices, clock, folder(arguments), phones=pairing is not None)
        gc.freeze()  # what the start has made stays
        gc.enable()
        tell_television()
        notify(READY)
        if page is not None:
            server = _served(stack, address, inbox, page, phones=pairing, folder=journal.path)
            if server is None:
                box.pages.lose_page()
            else:
                secret = "" if pairing is None else pairing.own_secret
                tell_television(server.local_url, secret, box.state.table.words.language)
        within = watchdog_seconds()

        def beat() -> None:
            notify(ALIVE, status(outputs.fault or WELL))

        pulse = () if within is None else (Watchdog(clock, within / BEATS, keys.alive, beat),)
        run(box, inbox, clock, pulse)
        notify(STOPPING)
        _take_leave(box)
    return 0


def _fit_machine(box: Box, devices: DeviceFactory, clock: Clock, data: Path, *, phones: bool) -> None:
    """Give the box the features of its machine, which the first question does not need, and tell of an update."""
    from companion.app.failures import LogAndContinue
    from hardware.machine import machine_features
    from hardware.machine.update import system_updater

    from .start_notices import update_notice

    updater = system_updater(clock)
    found: list[Feature] = []
    with LogAndContinue("looking for what the machine can do"):  # the box plays without the others
        found.extend(machine_features(devices, clock, data, updater, phones=phones))
    box.fit(found)
    new = None if updater is None else update_notice(data / "version", updater.status.here)
    if new is not None:
        box.upkeep.tell_news(new)


def club_features(settings: Settings, journal: Journal, clock: Clock) -> Iterator[Feature]:
    """Yield what the box of a club has; the hub reaches it through its page."""
    if settings.bridge.club and settings.page.on:
        from companion.app.machine.club_calls import ClubCalls

        yield ClubCalls(journal, clock)


def _fitted(make: Callable[[], Device | None]) -> Device | None:
    """Return an optional device; if it fails, print why and return None."""
    from companion.app.ports import DeviceError

    try:
        return make()
    except DeviceError as fault:
        say(f"companion: {fault}", error=True, flush=True)
        return None


def _served(stack: ExitStack, address: PageAddress, inbox: Inbox, mirror: PageMirror, **more: Any) -> Server | None:
    """Serve the page, which is optional. Return None if it cannot be served, and print why."""
    from companion.core.program_log import escape_lines

    escape_lines()  # the libraries of the page log by themselves
    try:
        server = serve_page(stack, address, inbox, mirror, early=True, **more)
    except SentenceError as fault:
        say(f"companion: {fault}", error=True, flush=True)
        return None
    say(f"Tabletop Companion: {server.url}", flush=True)
    return server


def _take_leave(box: Box) -> None:
    """Show a goodbye and switch everything off."""
    if box.say_goodbye():
        time.sleep(FAREWELL)
    finish(box)
    box.outputs.close()
