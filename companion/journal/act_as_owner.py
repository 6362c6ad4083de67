"""Lets root's commands write into a journal's folder as its owner.

The service could not use files that belong to root. And the owner of the folder could put a link there, through which
root would write elsewhere.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def as_owner_of(folder: Path) -> Iterator[None]:
    """Give root the rights of a folder's owner, and nothing more, within the context; other users keep theirs.

    If the folder does not exist, the owner is that of the nearest folder above it. If it is a link to a folder of
    root's, the owner is that of the link, as somebody else may have made the link.

    >>> with as_owner_of(Path("/tmp/games")):
    ...     pass
    """
    uid, gid = _owner(folder)
    if os.geteuid() != 0 or uid == 0:
        yield
        return
    groups, own_group = os.getgroups(), os.getegid()
    os.setgroups(_groups(uid, gid))
    os.setegid(gid)
    os.seteuid(uid)
    try:
        yield
    finally:
        os.seteuid(0)
        os.setegid(own_group)
        os.setgroups(groups)


def _groups(uid: int, gid: int) -> list[int]:
    """Return the groups of a user, by which the service uses its devices; none if the system does not know the user."""
    import pwd

    with suppress(KeyError):
        return os.getgrouplist(pwd.getpwuid(uid).pw_name, gid)
    return []


def _owner(folder: Path) -> tuple[int, int]:
    """Return user and group of a folder, or of the nearest one above it that is there."""
    nearest = next(path for path in (folder.absolute(), *folder.absolute().parents) if os.path.lexists(path))
    link = nearest.lstat()
    try:
        owner = nearest.stat()
    except OSError:
        owner = link
    owner = owner if owner.st_uid != 0 else link
    return owner.st_uid, owner.st_gid
