"""Writes the samples of ``companion doctor --quick`` anew: ``python -m tools.write_self_check_samples``.

The games and their final states come from the transcripts of the tests, which were worked out by hand. The screens
are drawn now: look at them afterwards.
"""

from __future__ import annotations

from pathlib import Path

from companion.cli.recorded_samples import SCREENS, log_of, screens, sheet, state_of

TRANSCRIPTS = Path(__file__).parents[1] / "tests" / "transcripts"
GAMES = {
    "eternity": "whole-game-of-two",
    "gear": "whole-game-of-two",
    "hipparchus": "whole-game-of-two-rounds",
    "east-rune": "whole-game-of-three",
}
"""The transcript of each game."""


def games() -> dict[Path, bytes]:
    """Return the files of the sample games."""
    made = {}
    for game, name in GAMES.items():
        transcript = TRANSCRIPTS / game / name
        made[log_of(game)] = transcript.with_suffix(".jsonl").read_bytes()
        made[state_of(game)] = transcript.with_suffix(".json").read_bytes()
    return made


def write_anew() -> None:
    """Write all samples."""
    SCREENS.parent.mkdir(exist_ok=True)
    for file, content in games().items():
        file.write_bytes(content)
    sheet(screens()).save(SCREENS, optimize=True)


if __name__ == "__main__":
    write_anew()
