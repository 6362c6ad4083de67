"""What came of each text that was read: it worked, or one sentence said what is wrong with it, in good time."""

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
"""Characters of a sentence that can still be called one, a path in it included."""

PATIENCE = 1.0
"""Seconds of this process's time that any text may take, and besides"""

PER_BYTE = 2e-6
"""as many for each of its bytes: a whole game is read in a tenth of that."""

STUCK = 5
"""How often as much it may take until it is given up."""


@dataclass(slots=True)
class Tally:
    """What came of many texts.

    Attributes:
        what: What they are.
        read: How many worked.
        refused: How many were answered with a sentence.
        longest: The longest such sentence.
        slowest: The most seconds that one took.
        largest: The length of the largest.
        said: The kinds of sentences there were, figures and quotations left out.
    """

    what: str
    read: int = 0
    refused: int = 0
    longest: int = 0
    slowest: float = 0.0
    largest: int = 0
    said: set[str] = field(default_factory=set)

    def sentence(self, said: str) -> None:
        """Take note of a sentence.

        Raises:
            AssertionError: It is none.
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
        """Have a text read, and take note of what came of it.

        Args:
            text: The text.
            seed: What it was made from.
            read: Reads it; returns the sentence that refuses it, None where it worked.
            per_byte: Seconds that a byte of it may take.

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
    """A text that takes so long that nobody waits for the end."""


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
    """Run a command in this process; return what it says is wrong, None where it does its work.

    Raises:
        AssertionError: Its status is not what was said of it.
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
