"""The outcome of reading each text: it works, or one sentence says what is wrong, within a time limit."""

from __future__ import annotations

import io
import re
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from types import FrameType
from typing import Any, TypeVar

from companion.cli import main

from .time_limits import within

T = TypeVar("T")

LONGEST = 700
"""The longest refusal that counts as a sentence, in characters, with a path in it."""

PATIENCE = 1.0
"""Seconds of processor time allowed for any text, plus"""

PER_BYTE = 2e-6
"""so many for each of its bytes; a whole game takes a tenth of that."""

STUCK = 5
"""Multiples of the allowed time after which reading is given up."""


@dataclass(slots=True)
class Tally:
    """The outcomes of many texts.

    Attributes:
        what: The kind of texts.
        read: How many worked.
        refused: How many were refused with a sentence.
        longest: The length of the longest such sentence.
        slowest: The most seconds that a text took.
        largest: The length of the largest text.
        said: The distinct sentences, without figures and quotations.
    """

    what: str
    read: int = 0
    refused: int = 0
    longest: int = 0
    slowest: float = 0.0
    largest: int = 0
    said: set[str] = field(default_factory=set)

    def sentence(self, said: str) -> None:
        """Count a refusal.

        Raises:
            AssertionError: It is not a sentence.
        """
        assert said.strip(), "refused without a word"
        assert "Traceback" not in said, f"a trace: {said[-300:]}"
        assert len(said.splitlines()) == 1, f"more than a line: {said[:300]!r}"
        assert len(said) <= LONGEST, f"{len(said)} characters, beginning with {said[:200]!r}"
        assert said.isprintable(), f"what cannot be shown is in {said!r}"
        self.refused += 1
        self.longest = max(self.longest, len(said))
        self.said.add(re.sub(r"'[^']*'|\"[^\"]*\"|\d+|\S*[./]\S*", "", said)[:60])

    def judge(
        self, text: bytes | str, seed: object, read: Callable[[], str | None], per_byte: float = PER_BYTE
    ) -> None:
        """Read a text, and count the outcome.

        Args:
            text: The text.
            seed: The seed it was made from.
            read: Reads it; returns the refusal's sentence, or None if it works.
            per_byte: Seconds allowed for each byte.

        Raises:
            AssertionError: It neither worked nor was refused in a sentence, or it took too long.
        """
        began, allowed = time.process_time(), within(PATIENCE + per_byte * len(text))
        try:
            with _patience(STUCK * allowed):
                said = read()
            took = time.process_time() - began
            if said is None:
                self.read += 1
            else:
                self.sentence(said)
            assert took <= allowed, f"{took:.1f} seconds for {len(text)} bytes"
        except Exception as error:
            shown = repr(text[:300]) + (f" … {text[-300:]!r}" if len(text) > 600 else "")
            raise AssertionError(f"{self.what}, seed {seed}: {type(error).__name__}: {error}: {shown}") from error
        self.slowest = max(self.slowest, took)
        self.largest = max(self.largest, len(text))

    def __str__(self) -> str:
        count = self.read + self.refused
        return (
            f"{count:,} {self.what}: {self.read:,} worked, {self.refused:,} were refused in a sentence "
            f"({len(self.said)} kinds, {self.longest} characters at most); "
            f"the slowest took {self.slowest * 1000:.0f} ms, the largest had {self.largest:,} bytes"
        )


class Stuck(BaseException):
    """A text takes so long that reading is given up."""


@contextmanager
def _patience(seconds: float) -> Iterator[None]:
    def give_up(_number: int, _frame: FrameType | None) -> None:
        raise Stuck

    before = signal.signal(signal.SIGVTALRM, give_up)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    except Stuck:
        raise AssertionError(f"stuck: {seconds:.0f} seconds were not enough") from None
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def commanded(words: Sequence[str], given: bytes = b"") -> str | None:
    """Run a command in this process; return its error message, or None if it works.

    Raises:
        AssertionError: Its exit status does not match its message.
    """
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.StringIO()
    before, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(given), "utf-8")
    try:
        with redirect_stdout(out), redirect_stderr(err):
            status: Any = main(words)
    except SystemExit as left:
        status = left.code
    finally:
        sys.stdin = before
    said = err.getvalue()
    if status == 0:
        assert said == "", f"it worked, and said {said!r}"
        return None
    assert status in (1, 2), f"status {status}"
    assert status == 1 or said.splitlines()[-1].startswith("companion"), f"status 2, and {said!r}"
    return said.removesuffix("\n") if status == 1 else said.splitlines()[-1]
