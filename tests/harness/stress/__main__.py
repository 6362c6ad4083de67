"""Runs the named chapters, or all: ``python -m tests.harness.stress [--times N] [--seed N] [CHAPTER...]``."""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from collections.abc import Sequence

from tests import raised_errors

from . import chapters


def main(arguments: Sequence[str]) -> int:
    """Print the results of each chapter, and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.harness.stress", description="Try every promise hard.")
    parser.add_argument("chapters", nargs="*", metavar="CHAPTER", help=", ".join(chapters.SIZES))
    parser.add_argument("--times", type=int, help="how often, instead of a chapter's own number")
    parser.add_argument("--seed", type=int, default=1, help="another seed tries other things")
    wanted = parser.parse_args(arguments)
    unknown = [name for name in wanted.chapters if name not in chapters.SIZES]
    if unknown:
        parser.error(f"there is no chapter {unknown[0]}; there are {', '.join(chapters.SIZES)}")
    raised_errors.raise_them()
    began, failed = time.monotonic(), []
    for name in wanted.chapters or chapters.SIZES:
        try:
            for line in chapters.run(name, wanted.times or chapters.SIZES[name].whole, wanted.seed):
                print(f"{time.monotonic() - began:6.0f} s  {name}: {line}", flush=True)
        except AssertionError as error:
            failed.append(name)
            told = str(error) or "".join(traceback.format_exception(error))  # the program's own say nothing
            print(f"{time.monotonic() - began:6.0f} s  {name}: FAILED: {told}", flush=True)
    print(f"{len(failed)} chapters failed{': ' if failed else ''}{', '.join(failed)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
