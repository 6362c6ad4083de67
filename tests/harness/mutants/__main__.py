"""Puts faults into the rules one at a time, and counts those the tests notice."""

from __future__ import annotations

import argparse
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import coverage

from .faults import Fault, faults, no_fault
from .hunt import Fate, Hunt
from .suite import run

RULES = ("companion/core", "companion/games")
SEEN = (*RULES, "companion/gamelog")
"""The files in which faults can be put; without a named module only the rules get some."""
ENOUGH = 95.0
"""The least score, in percent."""
NOTHING_TRIED = 2


def main() -> int:
    """Run the command line; return 1 if too many faults survive, 2 if not all could be tried."""
    said = _arguments()
    began = time.monotonic()
    paths = sorted({path for name in said.modules for path in _files(Path(name))})
    every = [fault for path in paths for fault in faults(path)]
    tried = random.Random(said.seed).sample(every, min(said.sample, len(every))) if said.sample else every
    controls = [fault for path in {fault.path: None for fault in tried} for fault in no_fault(path)]
    print(f"{len(tried)} of {len(every)} faults in {len(paths)} modules", flush=True)
    fates: dict[Fault, Fate] = {}

    def tell(fault: Fault, fate: Fate) -> None:
        fates[fault] = fate
        if fate is Fate.SURVIVED and fault not in controls:
            print(f"\n{fault}\n{fault.diff()}", flush=True)

    seen = coverage.Coverage(data_file=None, include=[f"{folder}/*" for folder in SEEN], config_file=False)
    seen.start()
    status = run(plugins=[Hunt([*controls, *tried], seen, said.jobs, tell)])
    for control in controls:
        if fates.pop(control, Fate.SURVIVED) is not Fate.SURVIVED:
            print(f"{control.module} fails without a fault when its function is exchanged: no figure is to be believed")
            return NOTHING_TRIED
    if not fates:
        return status or NOTHING_TRIED
    score = _print_scores(fates)
    print(f"{time.monotonic() - began:.0f} seconds, {said.jobs} at a time; {len(tried) - len(fates)} not tried")
    return status or int(score < ENOUGH)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.harness.mutants", description=__doc__)
    parser.add_argument(
        "modules", nargs="*", default=RULES, help="files or folders of the rules or the log; all rules if none is named"
    )
    parser.add_argument("--sample", type=int, help="how many faults, taken at random; all if it is not said")
    parser.add_argument("--seed", type=int, default=0, help="which ones are taken")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many are tried at a time")
    return parser.parse_args()


def _files(path: Path) -> Iterable[Path]:
    return [path] if path.is_file() else path.rglob("*.py")


def _print_scores(fates: dict[Fault, Fate]) -> float:
    """Print the scores of each module and of all; return the score of all."""
    by_module = {fault.module: Counter[Fate]() for fault in fates}
    for fault, fate in fates.items():
        by_module[fault.module][fate] += 1
    print(f"\n{'':40}{'faults':>8}{'killed':>8}{'timed out':>11}{'survived':>10}{'score':>8}")
    for module, counts in sorted(by_module.items()):
        _print_score(module.removeprefix("companion."), counts)
    return _print_score("all", sum(by_module.values(), Counter()))


def _print_score(name: str, counts: Counter[Fate]) -> float:
    killed, timed_out, survived = (counts[fate] for fate in Fate)
    score = 100 * (1 - survived / counts.total())
    print(f"{name:40}{counts.total():8}{killed:8}{timed_out:11}{survived:10}{score:7.1f}%")
    return score


if __name__ == "__main__":
    sys.exit(main())
