"""How Hypothesis searches, which tests coverage is measured of, and what was not tried for want of a tool.

Hypothesis looks at the same examples every time in CI, at new ones elsewhere, and at twenty times as many with
``COMPANION_EXAMPLES=many make test`` (``tests/example_counts.py``), which takes some twenty minutes.

Coverage (``make coverage``) is of the tests that do the same every time and need no tool: a line that only a random
game or a browser comes to is not covered. Measuring makes a test three times as slow, and the random games are the slow
ones.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, is_hypothesis_test, settings

from companion.app.games import GameCallTimer
from companion.games import GAMES
from tests import needed, raised_errors
from tests.example_counts import examples
from tools.catalogues import compile_all

MEASURED = {"core", "games", "gamelog", "history", "journal", "ui", "app", "cli"}
"""The folders whose tests go through what is measured; a slow one among them is marked unmeasured."""

ONE_PYTHON = {"docs", "harness", "oracle", "package", "systemd", "tools"}
"""The folders whose tests no version of Python changes; nor does it those in a browser, or of sheets of pictures."""

settings.register_profile(
    "local", deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=examples(25, 1200)
)
settings.register_profile("ci", settings.get_profile("local"), derandomize=True, database=None, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "local")


def pytest_configure(config: pytest.Config) -> None:
    """Have what a box survives fail the test that caused it, games all the time they need, catalogues as written."""
    raised_errors.raise_them()
    GAMES.timer = GameCallTimer(60, 60)  # a slow computer is no slow game
    needed.required()
    if not hasattr(config, "workerinput"):  # and in a worker of pytest-xdist it was done before
        compile_all()


@pytest.fixture(autouse=True)
def _no_game_stays() -> Iterator[None]:
    """Fail a test that leaves a game among the box's own: the tests after it would meet it."""
    before = [*GAMES]
    yield
    assert [*GAMES] == before


@cache
def folders_of(path: Path) -> frozenset[str]:
    """Return the names of the folders that a file of tests is in."""
    return frozenset(path.relative_to(Path(__file__).parent).parts[:2])


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test of the lab, that coverage is not measured of, and that runs on one Python alone."""
    for item in items:
        folders = folders_of(item.path)
        if "harness" in folders:
            item.add_marker("lab")
        unsteady = is_hypothesis_test(getattr(item, "obj", None)) or item.get_closest_marker("needs")
        if unsteady or not MEASURED & folders:
            item.add_marker("unmeasured")
        if ONE_PYTHON & folders or item.get_closest_marker("browser"):
            item.add_marker("one_python")


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip or fail a test that needs a tool which is missing."""
    for marker in item.iter_markers("needs"):
        for tool in marker.args:
            needed.need(tool)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> Iterator[None]:
    """Say in the last line which tests were skipped for want of a tool, and which packages bring it."""
    yield
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter is not None:
        skipped = (report.longrepr[2] for report in reporter.getreports("skipped"))
        if line := needed.not_tried(why.removeprefix("Skipped: ") for why in skipped):
            reporter.write_line(line)
