"""The exception for illegal events, and sentences for disk errors."""

from __future__ import annotations

import errno

from .text import N_, Text


class IllegalEvent(Exception):
    """A game refuses an event; its state is unchanged.

    Attributes:
        reason: A stable code, for programs and tests.
        text: The sentence, for people.
    """

    def __init__(self, reason: str, template: str, **args: object) -> None:
        """Keep the reason, and make the sentence from its template."""
        super().__init__(reason)
        self.reason = reason
        self.text = Text(template, **args)

    def __str__(self) -> str:
        return str(self.text)


_WHY = {
    errno.ENOSPC: N_("the disk is full"),
    errno.EDQUOT: N_("the disk is full"),
    errno.EROFS: N_("the disk can only be read"),
    errno.EIO: N_("the disk is failing"),
    errno.EACCES: N_("there is no permission"),
    errno.EPERM: N_("there is no permission"),
    errno.EEXIST: N_("that is not a folder"),
    errno.ENOTDIR: N_("that is not a folder"),
}


def why(error: OSError) -> Text:
    """Return the cause of a disk error in words."""
    known = _WHY.get(error.errno or 0)
    return Text("{error}", error=error.strerror or str(error)) if known is None else Text(known)
