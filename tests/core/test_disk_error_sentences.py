"""Disk errors as sentences."""

from __future__ import annotations

import errno

import pytest

from companion.core.text import why


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), "the disk is full"),
        (OSError(errno.EDQUOT, "Disk quota exceeded"), "the disk is full"),
        (OSError(errno.EROFS, "Read-only file system"), "the disk can only be read"),
        (OSError(errno.EIO, "Input/output error"), "the disk is failing"),
        (OSError(errno.EBADMSG, "Bad message"), "the disk is failing"),
        (OSError(errno.EUCLEAN, "Structure needs cleaning"), "the disk is failing"),
        (OSError(errno.EACCES, "Permission denied"), "there is no permission"),
        (OSError(errno.ENOTDIR, "Not a directory"), "that is not a folder"),
        (OSError(errno.ENODEV, "No such device"), "No such device"),
        (OSError("only words"), "only words"),
    ],
)
def test_a_known_error_has_a_sentence_and_another_one_its_own_words(error: OSError, sentence: str) -> None:
    assert str(why(error)) == sentence
