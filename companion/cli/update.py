"""The command ``update``: lets apt install the newest version from USB drives, the address of the settings, or a place.

A place is a folder or an address of a repository, with a folder for each release of Debian. apt takes nothing that the
keys in the package have not signed, and nothing older. The unit that the box's menu starts runs this, too.
"""

from __future__ import annotations

import os
import platform
import re
import subprocess
import time
from argparse import SUPPRESS, ArgumentParser, Namespace
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import quote

from companion.app.terminal import say
from companion.installation.places import InstallationPaths, version_of
from companion.ui.translations import languages
from hardware.owner_settings import load
from hardware.system import drives

from .common import WRONG, CommandError, agreed, with_config

NAME = "tabletop-companion"
KEYS = "/usr/share/keyrings/tabletop-companion.gpg"
SOURCES = Path("/etc/apt/sources.list.d")
# Root reads drives that nobody else may. A box without a network does not know the time.
QUIET = ["-qq", "-o", "APT::Sandbox::User=root", "-o", "Acquire::Check-Date=false", "-o", "DPkg::Lock::Timeout=600"]
ONLY_OURS = ["-o", "Dir::Etc::SourceList=/dev/null", "-o", "APT::Get::List-Cleanup=false",
             "-o", "APT::Update::Error-Mode=any"]  # fmt: skip

TRIES, WAIT = 120, 5.0  # how often apt is asked while another one is at work, and the seconds between


def update_arguments(one: ArgumentParser) -> None:
    with_config(one)
    one.add_argument("--yes", action="store_true", help="install it without asking")
    what = "the folder or address of a repository (default: the USB drives, and the address in the settings)"
    one.add_argument("source", metavar="SOURCE", nargs="?", help=what)
    one.add_argument("--box", action="store_true", help=SUPPRESS)  # for the unit of the box's menu


def update(arguments: Namespace) -> int:
    """Install the newest version; ``--box`` asks nothing, and leaves one word about it for the box's menu."""
    places = InstallationPaths()
    if version_of(places.current) is None:
        raise CommandError("this program was not installed from a package, so it is updated the way it was installed")
    if os.geteuid() != 0:
        raise CommandError("updating needs root's rights: sudo companion update")
    if arguments.box:
        places.update_outcome.unlink(missing_ok=True)
    where = repositories(arguments)
    with TemporaryDirectory() as folder:
        outcome = _updated(where, Path(folder), places, asks=not (arguments.box or arguments.yes))
    if arguments.box:
        places.update_outcome.write_text(f"{outcome}\n", "utf-8")
    return 0 if outcome in ("newest", "installed", "no") else WRONG


def repositories(arguments: Namespace) -> list[str]:
    """Return the repositories to ask, as apt names them: of a place, or of drives and the address of the settings."""
    places = [arguments.source]
    if arguments.source is None:
        folders = [drive / NAME for drive in drives(writable=False)]
        places = [*(str(each) for each in folders if each.is_dir()), load(arguments.config, languages).update.address]
    is_address = re.compile("https?://").match
    return [place if is_address(place) else f"copy:{quote(str(Path(place).resolve()))}" for place in places if place]


def _updated(where: list[str], folder: Path, places: InstallationPaths, *, asks: bool) -> str:
    """Look at repositories and install what is newer; print what was found, and return one word for it."""
    if not where:
        say(f"there is no folder {NAME} on a USB drive, and no address in the settings")
        return "nowhere"
    release = platform.freedesktop_os_release().get("VERSION_ID", "")
    lines = [f"deb [signed-by={KEYS}] {each}/debian-{release} ./\n" for each in where]
    (folder / f"{NAME}.list").write_text("".join(lines), "utf-8")
    apt = ["apt-get", *QUIET, "-o", f"Dir::Etc::SourceParts={folder}"]
    subprocess.run(["dpkg", "--configure", "-a"], env=_world(), check=False)  # what a pulled plug has interrupted
    looked, told = _looked(*apt, *ONLY_OURS, "update")
    for line in told.splitlines():
        say(line)
    for other in SOURCES.glob("*"):  # what this package needs may have changed
        (folder / other.name).symlink_to(other)
    install = [*apt, "--yes", "--no-install-recommends", "install", NAME]
    before, (planned, plan) = version_of(places.current), _run(*install, "--simulate")
    found = re.search(rf"^Inst {NAME} .*\((\S+?)(\+deb\d+)? ", plan, re.MULTILINE)
    if found is None and planned and not looked:
        for line in plan.splitlines():
            say(line)
        say(f"this box has {before}; apt cannot install anything")
        return "install"
    if found is None:
        say(f"this box has {before}; nothing newer was found")
        return "newest" if not looked else "signature" if re.search("not signed|signature|PUBKEY", told) else "address"
    if places.failed(found[1]).exists():
        say(f"{found[1]} failed on this box. To try it again: sudo rm {places.failed(found[1])}")
        return "failed"
    if asks and not agreed(f"Install {found[1]}? This box has {before}."):
        return "no"
    say(f"installing {found[1]}; a pulled plug does no harm", flush=True)
    status = subprocess.run(install, env=_world(), check=False).returncode
    say(f"this box has {version_of(places.current)}", flush=True)
    return "install" if status or version_of(places.current) != found[1] else "installed"


def _looked(*command: str) -> tuple[int, str]:
    """Let apt look; wait while another one, such as Debian's daily apt, has the lists: apt waits only for dpkg."""
    for _ in range(TRIES):
        looked, told = _run(*command)
        if "Could not get lock" not in told:
            break
        time.sleep(WAIT)
    return looked, told


def _run(*command: str) -> tuple[int, str]:
    done = subprocess.run(command, env=_world(), stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def _world() -> dict[str, str]:
    return {**os.environ, "LC_ALL": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive"}
