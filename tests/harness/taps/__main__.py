"""``python -m tests.harness.taps``: slips of fingers, and taps a card."""

from __future__ import annotations

import argparse

from companion.games import GAMES
from tests.web.browser import started

from .figures import taps_a_card
from .fingers import collisions, presses, taps

KINDS = ("double-taps", "double-presses", "honest-taps", "honest-presses", "collisions", "figures")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.harness.taps", description=__doc__)
    parser.add_argument("kinds", nargs="*", metavar="KIND", help=f"what to try: {', '.join(KINDS)}; by default all")
    parser.add_argument("--count", type=int, default=1000, help="how many of each kind; collisions half of it")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    failed = False
    for kind in given.kinds or KINDS:
        if kind == "figures":
            print(kind, *(f"{game} {taps_a_card(game, range(40)):.2f}" for game in GAMES))
            continue
        with started(real_time=True) as one, started(real_time=True) as other:
            match kind:
                case "double-taps" | "honest-taps":
                    found = taps(one, given.count, given.seed, twice=kind == "double-taps")
                case "double-presses" | "honest-presses":
                    found = presses(one, given.count, given.seed, twice=kind == "double-presses")
                case _:
                    found = collisions((one, other), given.count // 2, given.seed)
        print(f"{kind}: {found}", flush=True)
        failed |= bool(found.wrong)
    return int(failed)


if __name__ == "__main__":
    raise SystemExit(main())
