"""The command ``bridge``: publishes the table over MQTT until told to stop."""

from __future__ import annotations

import argparse
import os
import re
import stat
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from companion.app.bridge_secret import drawn, state_of
from companion.app.terminal import say
from companion.ui.translations import Translator, languages

from .common import CommandError, find_added_games, folder, naming, scratch
from .doctor import SERVICE_DATA
from .stop_signals import stopped_by_signals

if TYPE_CHECKING:
    from companion.bridge.bridge import MqttDestination
    from companion.bridge.broker import Access
    from companion.club.settings import ClubSettings
    from hardware.owner_settings import BridgeSettings, WebPageSettings

PORTS = {"mqtt": 1883, "mqtts": 8883}
MARKS = "arrived.json"
MACHINE = Path("/etc/machine-id")
DRAWN = re.compile("tabletop-[0-9a-f]{8}")  # the user names that `companion club enrol` draws


def bridge(arguments: argparse.Namespace) -> int:
    """Publish the games of a journal until told to stop; or set up its unit, or remove what was published."""
    from hardware.owner_settings import SettingsError, load

    try:
        settings = load(arguments.config, languages)
    except SettingsError as fault:
        raise CommandError(str(fault)) from None
    if not settings.bridge.broker:
        raise CommandError('there is no broker in the settings: [bridge] broker = "mqtt://ADDRESS"')
    if arguments.set_up:
        from .bridge_unit import set_up

        say(f"companion: {set_up(*_host_and_port(settings.bridge))}")
        return 0
    journal = folder(arguments)
    try:
        from companion.bridge.acknowledged import Acknowledged
        from companion.bridge.bridge import Bridge
    except ModuleNotFoundError as error:
        raise CommandError(f"the bridge needs {error.name}: pip install 'tabletop-companion[bridge]'") from None
    state = arguments.state or state_of(journal)
    if arguments.remove:
        return _remove(settings.bridge, state)
    with naming(state):
        state.mkdir(parents=True, exist_ok=True)
        marks = Acknowledged(state / MARKS, _machine())
        secret = drawn(state) if settings.bridge.club else ""
    destination = _destination(settings.bridge, settings.page, secret)
    find_added_games(arguments)
    if settings.bridge.club and DRAWN.fullmatch(settings.bridge.user):
        marks.device = settings.bridge.user  # at a club's broker a box may use only topics with its user's name
    it = Bridge(journal, marks, destination, Translator(settings.language or "en"), _said, scratch(os.X_OK))
    with stopped_by_signals(it.stop):
        waited = "" if journal.exists() else ", once there is a journal"
        _said(f"{journal} is published to {settings.bridge.broker}{waited}")
        it.run()
    return 0


def _remove(settings: BridgeSettings, state: Path) -> int:
    """Stop the unit, and clear all that the broker keeps of this box."""
    from companion.bridge.acknowledged import Acknowledged
    from companion.bridge.clear_topics import RunningBridgeError, clear_topics
    from companion.journal.act_as_owner import as_owner_of

    from .bridge_unit import switch_off

    switch_off()
    if os.geteuid() == 0 and not (state / MARKS).exists():
        state = state_of(SERVICE_DATA)
    if not (state / MARKS).is_file():
        raise CommandError(f"nothing was published from here: there is no {state / MARKS}")
    with as_owner_of(state):
        drawn = Acknowledged(state / MARKS).device
    device = settings.user if settings.club and DRAWN.fullmatch(settings.user) else drawn
    access = access_of(settings)
    try:
        clear_topics(access, device)
    except RunningBridgeError:
        raise CommandError("the bridge still runs: end it first, or use sudo companion bridge --remove") from None
    except OSError as error:
        raise CommandError(f"{access.host}: {error.strerror or error}") from None
    _said(f"{access.host} keeps nothing of {settings.name} any more; Home Assistant has removed the device")
    return 0


def _machine() -> str:
    """Return a hash of this machine's id; nothing if it has none that lasts."""
    if os.path.ismount(MACHINE):  # made anew at each start
        return ""
    with suppress(OSError):
        return sha256(MACHINE.read_bytes()).hexdigest()[:16]
    return ""


def _said(sentence: str) -> None:
    say(f"companion: {sentence}", flush=True)


def _destination(settings: BridgeSettings, page: WebPageSettings, secret: str) -> MqttDestination:
    from companion.bridge.bridge import MqttDestination
    from companion.web.addresses import local_url

    return MqttDestination(
        access_of(settings),
        settings.name,
        home_assistant="homeassistant" if settings.home_assistant else "",
        club=settings.club,
        page=local_url(page.host, page.port).rstrip("/") if page.on else "",
        secret=secret,
    )


def access_of(settings: BridgeSettings | ClubSettings) -> Access:
    """Return how the broker is reached; the password is read from its file."""
    from companion.bridge.broker import Access

    host, port = _host_and_port(settings)
    files = [Path(name) if name else None for name in (settings.authority, settings.certificate, settings.key)]
    for file in filter(None, files):
        with naming(file):
            file.read_bytes()
    authority, certificate, key = files
    return Access(
        host=host,
        port=port,
        tls=settings.broker.startswith("mqtts:"),
        authority=authority,
        certificate=certificate,
        key=key,
        user=settings.user or None,
        password=_password(Path(settings.password_file)) if settings.password_file else None,
    )


def _host_and_port(settings: BridgeSettings | ClubSettings) -> tuple[str, int]:
    address = urlsplit(settings.broker)
    try:
        return address.hostname or "", address.port or PORTS[address.scheme]
    except ValueError:
        raise CommandError(f"the address of the broker has no port from 1 to 65535: {settings.broker}") from None


def _password(file: Path) -> str:
    """Return the first line of a file that nobody but its owner may read."""
    with naming(file), file.open(encoding="utf-8") as opened:
        if stat.S_IMODE(os.fstat(opened.fileno()).st_mode) & 0o077:
            raise CommandError(f"{file} can be read by others: chmod 600 {file}")
        return opened.readline().rstrip("\n")
