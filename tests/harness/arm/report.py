"""Formats the results as lines for people."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from tools.target_machines import Machine

from .debian import Package
from .wheels import Found


def amount(size: int) -> str:
    """Return a number of bytes in words."""
    if size < 1e3:
        return f"{size} bytes"
    return f"{size / 1e6:.1f} MB" if size >= 1e6 else f"{size / 1e3:.0f} kB"


def of_wheels(machine: Machine, found: Collection[Found], sizes: Mapping[str, int]) -> str:
    """Return what a box gets from PyPI, in lines.

    Args:
        machine: The machine.
        found: The files of the locked packages.
        sizes: The installed size of each wheel in bytes.
    """
    sources = [each for each in found if not each.wheel]
    how = f"{len(sources)} must be compiled" if sources else "all of them wheels"
    fetched, installed = sum(each.size for each in found), sum(sizes.values())
    lines = [
        f"{machine}, Python {machine.python}: {len(found)} packages, {how}; "
        f"{amount(fetched)} to fetch, {amount(installed)} installed"
    ]
    for each in found:
        kind = "must be compiled" if not each.wheel else "wheel for it" if each.compiled else "wheel for any"
        size = f"{amount(sizes[each.name]):>8} installed" if each.name in sizes else ""
        lines.append(f"    {each.name:20} {each.version:12} {kind:16} {amount(each.size):>8} {size}".rstrip())
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
