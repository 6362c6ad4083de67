"""The resources of this process: memory, threads, file handles, caches and bytes written to disks."""

from __future__ import annotations

import functools
import gc
import os
import threading
from dataclasses import dataclass
from pathlib import Path
from resource import getpagesize

OURS = ("companion", "hardware")
"""The packages whose caches are counted."""


@dataclass(frozen=True, slots=True)
class Levels:
    """The resources at a moment.

    Attributes:
        resident: Bytes of memory.
        objects: How many objects the garbage collector tracks.
        threads: How many threads run.
        handles: How many files are open.
        written: Bytes written to disks since the process began.
        caches: How much each cache of the program holds, and its limit; None is without limit.
    """

    resident: int
    objects: int
    threads: int
    handles: int
    written: int
    caches: tuple[tuple[int, int | None], ...]

    @classmethod
    def now(cls) -> Levels:
        """Return the resources now, after a garbage collection."""
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
        """Return how much the fullest cache without limit holds."""
        return max((held for held, most in self.caches if most is None), default=0)


def written() -> int:
    """Return how many bytes this process has written to disks."""
    counts = dict(line.split(": ") for line in Path("/proc/self/io").read_text().splitlines())
    return int(counts["write_bytes"]) or int(counts["wchar"])  # a disk in memory counts no blocks
