"""Runs the tests of the rules against faults."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import HealthCheck, Phase, settings

TESTS = ("tests/core", "tests/games", "tests/gamelog", "tests/app/test_faulty_games.py")
"""The tests of the rules; the oracle's own tests and those of box and page test them little or slowly."""
PROFILE = "mutants"


def run(*arguments: str, plugins: Sequence[object] = ()) -> int:
    """Run the tests with the same examples every time; stop at the first failure, without shrinking it."""
    settings.register_profile(
        PROFILE,
        derandomize=True,
        database=None,
        deadline=None,
        phases=(Phase.explicit, Phase.generate),
        suppress_health_check=[HealthCheck.too_slow],
    )
    shared = ["-q", "--no-header", "--no-summary", f"--hypothesis-profile={PROFILE}"]
    early = ["-W", "ignore:Module already imported:pytest.PytestAssertRewriteWarning"]  # Hypothesis, for its settings
    without = ["-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:cov"]
    return int(pytest.main([*shared, *early, *without, *arguments, *TESTS], plugins=list(plugins)))
