"""Formats the results as lines for people."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from .debian import Package


def amount(size: int) -> str:
    """Return a number of bytes in words."""
    if size < 1e3:
        return f"{size} bytes"
    return f"{size / 1e6:.1f} MB" if size >= 1e6 else f"{size / 1e3:.0f} kB"


def of_debian(
    system: str,
    purpose: str,
    names: Collection[str],
    taken: Mapping[str, Package],
    archive: Mapping[str, tuple[Package, ...]],
) -> str:
    """Return what apt installs on a system for some purpose, in lines."""
    fetched = sum(package.size for package in taken.values())
    installed = sum(package.installed for package in taken.values())
    versions = ", ".join(
        f"{name} {archive[name][0].version}" + " (there already)" * (name not in taken) for name in names
    )
    return (
        f"    Debian {system}, {purpose}: {versions}; with all they depend on "
        f"{len(taken)} packages, {amount(fetched)} to fetch, {amount(installed)} installed"
    )
