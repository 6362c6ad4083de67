"""Sentences that describe disk errors to people."""

from __future__ import annotations

import errno

from .text import N_, Text

_WHY = {
    errno.ENOSPC: N_("the disk is full"),
    errno.EDQUOT: N_("the disk is full"),
    errno.EROFS: N_("the disk can only be read"),
    errno.EIO: N_("the disk is failing"),
    errno.EBADMSG: N_("the disk is failing"),  # with the next: what the file system says of its own damage
    errno.EUCLEAN: N_("the disk is failing"),
    errno.EACCES: N_("there is no permission"),
    errno.EPERM: N_("there is no permission"),
    errno.EEXIST: N_("that is not a folder"),
    errno.ENOTDIR: N_("that is not a folder"),
}


def why(error: OSError) -> Text:
    known = _WHY.get(error.errno or 0)
    return Text("{error}", error=error.strerror or str(error)) if known is None else Text(known)
