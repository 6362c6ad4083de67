"""The command ``bridge``: publishes the table over MQTT until told to stop; sets its unit up, or removes all of it."""

from __future__ import annotations

import os
import re
import socket
import stat
import subprocess
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Sequence
from contextlib import suppress
from hashlib import sha256
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from companion.app.bridge_secret import drawn, state_of
from companion.bridge.home_assistant import RunningBridgeError, clear_topics
from companion.bridge.log_line_sender import Acknowledged
from companion.bridge.mqtt import Access
from companion.journal.act_as_owner import as_owner_of
from companion.ui.translations import Translator, languages
from companion.web.addresses import local_url
from hardware.owner_settings import BridgeSettings, load

from .common import SERVICE_DATA, CommandError, folder, naming, scratch, why, with_config, with_data
from .serving import said, stopped_by_signals

if TYPE_CHECKING:
    from companion.club.settings import ClubSettings

PORTS = {"mqtt": 1883, "mqtts": 8883}
MARKS = "arrived.json"
MACHINE = Path("/etc/machine-id")
DRAWN = re.compile("tabletop-[0-9a-f]{8}")  # the user names that `companion club enrol` draws


def bridge_arguments(one: ArgumentParser) -> None:
    with_data(one)
    with_config(one)
    what = "as root: let its unit reach the broker, and start it now and at every start"
    one.add_argument("--set-up", action="store_true", help=what)
    gone = "take the device out of Home Assistant: clear all that the broker keeps; as root also stop the unit"
    one.add_argument("--remove", action="store_true", help=gone)
    where = "where it keeps how far the games have arrived (default: beside the journal)"
    one.add_argument("--state", metavar="DIR", type=Path, help=where)


def bridge(arguments: Namespace) -> int:
    """Publish the games of a journal until told to stop; or set up its unit, or remove what was published."""
    settings = load(arguments.config, languages)
    own = settings.bridge
    if not own.broker:
        raise CommandError('there is no broker in the settings: [bridge] broker = "mqtt://ADDRESS"')
    if arguments.set_up:
        said(set_up(*_host_and_port(own)))
        return 0
    from companion.bridge.bridge import Bridge, MqttDestination  # it follows files: a club's hub has no need of that

    journal = folder(arguments)
    state = arguments.state or state_of(journal)
    if arguments.remove:
        return _remove(own, state)
    with naming(state):
        state.mkdir(parents=True, exist_ok=True)
        marks = Acknowledged(state / MARKS, _machine())
        secret = drawn(state) if own.club else ""
    page = settings.page
    destination = MqttDestination(
        access_of(own),
        own.name,
        home_assistant="homeassistant" if own.home_assistant else "",
        club=own.club,
        page=local_url(page.host, page.port).rstrip("/") if page.on else "",
        secret=secret,
    )
    marks.device = _device(own, marks)
    it = Bridge(journal, marks, destination, Translator(settings.language or "en"), said, scratch(os.X_OK))
    with stopped_by_signals(it.stop):
        waited = "" if journal.exists() else ", once there is a journal"
        said(f"{journal} is published to {own.broker}{waited}")
        it.run()
    return 0


def _remove(settings: BridgeSettings, state: Path) -> int:
    """Stop the unit, and clear all that the broker keeps of this box."""
    switch_off()
    if os.geteuid() == 0 and not (state / MARKS).exists():
        state = state_of(SERVICE_DATA)
    if not (state / MARKS).is_file():
        raise CommandError(f"nothing was published from here: there is no {state / MARKS}")
    with as_owner_of(state):
        device = _device(settings, Acknowledged(state / MARKS))
    access = access_of(settings)
    try:
        clear_topics(access, device)
    except RunningBridgeError:
        raise CommandError("the bridge still runs: end it first, or use sudo companion bridge --remove") from None
    except OSError as error:
        raise CommandError(f"{access.host}: {why(error)}") from None
    said(f"{access.host} keeps nothing of {settings.name} any more; Home Assistant has removed the device")
    return 0


def _device(settings: BridgeSettings, marks: Acknowledged) -> str:
    """Return the id of this box: at a club's broker a box may use only topics with its user's name."""
    return settings.user if settings.club and DRAWN.fullmatch(settings.user) else marks.device


def _machine() -> str:
    """Return a hash of this machine's id; nothing if it has none that lasts."""
    if os.path.ismount(MACHINE):  # made anew at each start
        return ""
    with suppress(OSError):
        return sha256(MACHINE.read_bytes()).hexdigest()[:16]
    return ""


# The broker


def access_of(settings: BridgeSettings | ClubSettings) -> Access:
    """Return how the broker is reached; the password is read from its file."""
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


# The unit: it may reach the broker, and nothing else


UNIT = "companion-bridge.service"
DROP_IN = f"etc/systemd/system/{UNIT}.d/broker.conf"
NAME_SERVERS = "etc/resolv.conf"
PATIENCE = 5.0  # seconds to wait for the broker

Run = Callable[[Sequence[str]], None]


def _run(command: Sequence[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise CommandError(f"{' '.join(command)}: {done.stderr.strip()}")


def set_up(host: str, port: int, root: Path = Path("/"), run: Run = _run) -> str:
    """Allow the unit to reach a broker, and start it now and at every start of the machine; return a sentence.

    Args:
        host: The broker's name or address.
        port: Its port.
        root: The folder of the system's files.
        run: Runs a command.

    Raises:
        CommandError: The broker cannot be reached, or this user may not set up units.
    """
    if os.geteuid() != 0:
        raise CommandError("setting up needs root's rights: sudo companion bridge --set-up")
    addresses = _reached(host, port)
    try:
        ip_address(host)
    except ValueError:  # its name is looked up again at each connection
        with suppress(OSError):
            found = re.findall(r"^nameserver\s+(\S+)$", (root / NAME_SERVERS).read_text("utf-8"), re.MULTILINE)
            addresses |= set(found)
    file = root / DROP_IN
    with naming(file):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"[Service]\nIPAddressAllow={' '.join(sorted(addresses))}\n", encoding="utf-8")
    for command in (("daemon-reload",), ("enable", UNIT), ("restart", UNIT)):
        run(("systemctl", *command))
    return f"{UNIT} runs, and starts with the machine; it may reach {host}. Off: sudo systemctl disable --now {UNIT}"


def switch_off(root: Path = Path("/"), run: Run = _run) -> None:
    """Stop the unit and let it start no more, as root on a machine that has it."""
    if os.geteuid() == 0 and (root / "usr/lib/systemd/system" / UNIT).exists():
        run(("systemctl", "disable", "--now", UNIT))


def _reached(host: str, port: int) -> set[str]:
    """Return the addresses of a host; raise CommandError unless it takes connections."""
    try:
        found = {str(each[4][0]) for each in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)}
        socket.create_connection((host, port), PATIENCE).close()
    except OSError as error:
        raise CommandError(f"{host}:{port} does not answer: {why(error)}") from None
    return found
