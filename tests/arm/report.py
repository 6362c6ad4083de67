"""Formats the results as lines for people."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from .debian import Package
from .machines import Machine
from .wheels import Taken


def amount(size: int) -> str:
    """Return a number of bytes in words."""
    return f"{size / 1e6:.1f} MB" if size >= 1e6 else f"{size / 1e3:.0f} kB"


def of_wheels(machine: Machine, taken: Collection[Taken], sizes: Mapping[str, int]) -> str:
    """Return what pip installs on a machine, in lines.

    Args:
        machine: The machine.
        taken: The distributions to install.
        sizes: The installed size of each wheel in bytes.
    """
    sources = [each for each in taken if not each.wheel]
    how = f"{len(sources)} must be compiled" if sources else "all of them wheels"
    fetched, installed = sum(each.size for each in taken), sum(sizes.values())
    lines = [
        f"{machine}, Python {machine.python}: {len(taken)} distributions, {how}; "
        f"{amount(fetched)} to fetch, {amount(installed)} installed"
    ]
    for each in taken:
        kind = "must be compiled" if not each.wheel else "wheel for it" if each.compiled else "wheel for any"
        size = f"{amount(sizes[each.name]):>8} installed" if each.name in sizes else ""
        lines.append(f"    {each.name:20} {each.version!s:12} {kind:16} {amount(each.size):>8} {size}".rstrip())
    return "\n".join(lines)


def of_debian(
    machine: Machine,
    purpose: str,
    names: Collection[str],
    taken: Mapping[str, Package],
    archive: Mapping[str, tuple[Package, ...]],
) -> str:
    """Return what apt installs on a machine for some purpose, in lines."""
    fetched = sum(package.size for package in taken.values())
    installed = sum(package.installed for package in taken.values())
    versions = ", ".join(
        f"{name} {archive[name][0].version}" + " (there already)" * (name not in taken) for name in names
    )
    return (
        f"    Debian {machine.release} {machine.architecture}, {purpose}: {versions}; with all they depend on "
        f"{len(taken)} packages, {amount(fetched)} to fetch, {amount(installed)} installed"
    )
