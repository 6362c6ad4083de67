"""The command ``update``: installs a newer version from a file, a folder or an address."""

from __future__ import annotations

import os
from argparse import SUPPRESS, ArgumentParser, Namespace
from pathlib import Path

from companion.app.terminal import say
from companion.cli.common import CommandError, agreed, with_config
from companion.installation.places import InstallationPaths, version_of

from . import find_packages, signed_package
from .update_from_menu import look_or_install


def update_arguments(one: ArgumentParser) -> None:
    with_config(one)
    one.add_argument("--yes", action="store_true", help="install it without asking")
    what = "a package, a folder with packages, or an address (default: the USB drives, and the address in the settings)"
    one.add_argument("source", metavar="SOURCE", nargs="?", help=what)
    one.add_argument("--box", choices=("look", "install"), help=SUPPRESS)  # for the units of the box's menu


def update(arguments: Namespace) -> int:
    """Look for a newer version, ask, and install it; raise CommandError if it cannot be found or installed."""
    places = InstallationPaths()
    here = version_of(places.current)
    if here is None:
        raise CommandError("this program was not installed from a package, so it is updated the way it was installed")
    if os.geteuid() != 0:
        raise CommandError("updating needs root's rights: sudo companion update")
    if arguments.box is not None:
        return look_or_install(arguments, places, here)
    processor = find_packages.architecture()
    looked_at = find_packages.update_places(arguments)
    packages, faults = find_packages.packages_in(looked_at, processor)
    package = find_packages.newest(packages)
    if package is None:
        where = " or ".join(looked_at) if looked_at else "the settings (no address), and no USB drive is mounted"
        raise faults[0] if faults else CommandError(f"there is no package for this box in {where}")
    for fault in faults:
        say(f"companion: {fault}", error=True)
    newer, failed = find_packages.is_newer(package.version, here), places.failed(package.version)
    if not newer:
        say(f"{package.place} has {package.version}; this box has {here}")
        if arguments.source is None:
            return 0
    if failed.exists():
        say(f"{package.version} failed on this box on {day_of(failed)}, which is why it has {here}: {failed}")
    # Without a question it installs nothing that is older, and nothing that has failed here.
    question = f"Install {package.version} from {package.place}? This box has {here}."
    if not (arguments.yes and newer and not failed.exists()) and not agreed(question):
        return 0
    say(f"checking {package.place}", flush=True)
    with signed_package.checked_copy(package, places, processor) as copy:
        failed.unlink(missing_ok=True)  # the package would refuse itself
        say("installing it; a pulled plug does no harm", flush=True)
        signed_package.install(copy)
    runs = version_of(places.current)
    if runs != package.version:
        raise CommandError(f"{package.version} is not what runs: this box has {runs}; why: sudo companion doctor")
    say(f"installed: {runs}")
    return 0


def day_of(failure: Path) -> str:
    """Return the day that the file of a failed version holds."""
    try:
        return failure.read_text("utf-8", "replace").partition("\n")[0][:20]
    except OSError:
        return "a day that is not known"
