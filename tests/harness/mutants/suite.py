"""Runs tests against faults."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import HealthCheck, Phase, settings

from tests.example_counts import examples

PROFILE = "mutants"


def run(*arguments: str, plugins: Sequence[object] = ()) -> int:
    """Run tests with the suite's number of examples, the same every time, and without shrinking a failure."""
    settings.register_profile(
        PROFILE,
        max_examples=examples(25, 1200),
        derandomize=True,
        database=None,
        deadline=None,
        phases=(Phase.explicit, Phase.generate),
        suppress_health_check=[HealthCheck.too_slow],
    )
    shared = ["-q", "--no-header", "--no-summary", f"--hypothesis-profile={PROFILE}"]
    without_tools = ["-m", "not browser and not needs and not lab"]
    early = ["-W", "ignore:Module already imported:pytest.PytestAssertRewriteWarning"]  # Hypothesis, for its settings
    without = ["-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:cov"]
    return int(pytest.main([*shared, *without_tools, *early, *without, *arguments], plugins=list(plugins)))
