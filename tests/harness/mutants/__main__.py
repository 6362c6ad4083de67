"""Puts faults into the program one at a time, and counts those the tests notice.

python -m tests.harness.mutants                      some faults in each package, beside the package's floor
python -m tests.harness.mutants companion/journal    all faults in a folder, or in a file
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import coverage

from .faults import Fault, faults, no_fault
from .hunt import Fate, Hunt
from .suite import run

NOTHING_TRIED = 2


class Package(NamedTuple):
    """A package, and what its faults are tried with."""

    folder: str
    tests: tuple[str, ...]
    floor: int  # the least share of faults, in percent, that a test must notice


RULES = ("tests/core", "tests/games", "tests/gamelog", "tests/app/test_faulty_games.py")
PACKAGES = (
    Package("companion/core", RULES, 95),
    Package("companion/games", RULES, 95),
    Package("companion/gamelog", ("tests/gamelog", "tests/core"), 95),
    Package("companion/journal", ("tests/journal",), 95),
    Package("companion/history", ("tests/history",), 85),
    Package("companion/ui", ("tests/ui", "tests/app"), 85),
    Package("companion/app", ("tests/app",), 85),
    Package("companion/cli", ("tests/cli",), 85),
    Package("companion/web", ("tests/web",), 85),
    Package("companion/bridge", ("tests/bridge",), 85),
    Package("companion/club", ("tests/club",), 85),
    Package("companion/installation", ("tests/installation",), 85),
    Package("hardware", ("tests/hardware",), 85),
)


def main() -> int:
    """Run the command line; return 1 if too many faults survive, 2 if not all could be tried."""
    said = _arguments()
    if said.module is None:
        command = (sys.executable, "-m", "tests.harness.mutants", "--seed", str(said.seed), "--jobs", str(said.jobs))
        sample = ("--sample", str(said.sample or 100))
        return max(subprocess.run([*command, *sample, each.folder], check=False).returncode for each in PACKAGES)
    package = next(each for each in PACKAGES if said.module.is_relative_to(each.folder))
    began = time.monotonic()
    paths = [said.module] if said.module.is_file() else sorted(said.module.rglob("*.py"))
    every = [fault for path in paths for fault in faults(path)]
    tried = random.Random(said.seed).sample(every, min(said.sample, len(every))) if said.sample else every
    controls = [fault for path in {fault.path: None for fault in tried} for fault in no_fault(path)]
    print(f"{said.module}: {len(tried)} of {len(every)} faults in {len(paths)} modules", flush=True)
    fates: dict[Fault, Fate] = {}

    def tell(fault: Fault, fate: Fate) -> None:
        fates[fault] = fate
        if fate is Fate.SURVIVED and fault not in controls:
            print(f"\n{fault}\n{fault.diff()}", flush=True)

    seen = coverage.Coverage(data_file=None, include=[f"{package.folder}/*"], config_file=False)
    seen.start()
    hunt = Hunt([*controls, *tried], seen, said.jobs, tell)
    status = run(*package.tests, plugins=[hunt])
    for control in controls:
        if fates.pop(control, Fate.SURVIVED) in (Fate.KILLED, Fate.TIMED_OUT):
            print(f"{control.module} fails without a fault when its function is exchanged: no figure is to be believed")
            return NOTHING_TRIED
    if not fates:
        return status or NOTHING_TRIED
    score = _print_scores(fates)
    left_out = f"{len(hunt.left_out)} tests left out, which are slow, or fail in a forked process"
    print(f"{time.monotonic() - began:.0f} seconds, {said.jobs} at a time; {left_out}; wanted: {package.floor} %")
    return status or int(score < package.floor)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.harness.mutants", description=__doc__)
    parser.add_argument("module", nargs="?", type=Path, help="a file or a folder; each package if none is named")
    parser.add_argument("--sample", type=int, help="how many faults, taken at random (default: 100 of each package)")
    parser.add_argument("--seed", type=int, default=0, help="which ones are taken")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many are tried at a time")
    return parser.parse_args()


def _print_scores(fates: dict[Fault, Fate]) -> float:
    """Print the scores of each module and of all; return the score of all."""
    by_module = {fault.module: Counter[Fate]() for fault in fates}
    for fault, fate in fates.items():
        by_module[fault.module][fate] += 1
    print(f"\n{'':44}{''.join(f'{fate.value:>13}' for fate in Fate)}{'noticed':>10}")
    for module, counts in sorted(by_module.items()):
        _print_score(module, counts)
    return _print_score("all", sum(by_module.values(), Counter()))


def _print_score(name: str, counts: Counter[Fate]) -> float:
    noticed, survived = counts[Fate.KILLED] + counts[Fate.TIMED_OUT], counts[Fate.SURVIVED]
    score = 100 * noticed / max(1, noticed + survived)
    print(f"{name:44}{''.join(f'{counts[fate]:13}' for fate in Fate)}{score:9.1f}%")
    return score


if __name__ == "__main__":
    sys.exit(main())
