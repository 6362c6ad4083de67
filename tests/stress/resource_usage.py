"""What this process holds, and what it has written: memory, threads, file handles, bytes on disks."""

from __future__ import annotations

import functools
import gc
import os
import threading
from dataclasses import dataclass
from pathlib import Path
from resource import getpagesize

OURS = ("companion", "hardware")
"""Where the program's own caches are."""


@dataclass(frozen=True, slots=True)
class Levels:
    """All of it, at a moment.

    Attributes:
        resident: Bytes of memory.
        objects: How many objects the collector knows of.
        threads: How many threads run.
        handles: How many files are open.
        written: Bytes written to disks since the process began.
        caches: How much each cache of the program holds, and how much it may; None is without bounds.
    """

    resident: int
    objects: int
    threads: int
    handles: int
    written: int
    caches: tuple[tuple[int, int | None], ...]

    @classmethod
    def now(cls) -> Levels:
        """Look, after everything that can go has gone."""
        gc.collect()
        objects = gc.get_objects()
        caches = (one for one in objects if isinstance(one, functools._lru_cache_wrapper))
        infos = (one.cache_info() for one in caches if str(getattr(one, "__module__", "")).startswith(OURS))
        return cls(
            int(Path("/proc/self/statm").read_text().split()[1]) * getpagesize(),
            len(objects),
            threading.active_count(),
            len(os.listdir("/proc/self/fd")),
            written(),
            tuple((info.currsize, info.maxsize) for info in infos),
        )

    @property
    def cached(self) -> int:
        """Return how much the fullest cache holds."""
        return max((held for held, _most in self.caches), default=0)

    @property
    def boundless(self) -> int:
        """Return how much the fullest cache holds that has no bounds."""
        return max((held for held, most in self.caches if most is None), default=0)


def written() -> int:
    """Return how many bytes this process has had written to disks."""
    counts = dict(line.split(": ") for line in Path("/proc/self/io").read_text().splitlines())
    return int(counts["write_bytes"]) or int(counts["wchar"])  # a disk in memory counts no blocks
