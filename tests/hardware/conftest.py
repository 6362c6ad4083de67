"""Fixtures of the hardware tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from hardware import buzzer, system
from hardware.keys import source
from tests.hardware.panel_rigs import BENCHES, FALLIBLE, RIGS, Bench, FallibleRig, Rig
from tests.waiting import LAST_RESORT

WAITS = (
    (buzzer, "_PATIENCE"),
    (source, "PATIENCE"),
    (system, "PATIENCE"),
    (system, "SOCKET_PATIENCE"),
)
"""The time-outs for threads and other programs, in real time."""


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give slow threads more time, except in tests about time-outs."""
    for module, name in WAITS:
        monkeypatch.setattr(module, name, LAST_RESORT)


@pytest.fixture(params=BENCHES)
def bench(request: pytest.FixtureRequest) -> Iterator[Bench]:
    """Return a LumaPanel on a simulated controller, once for each path through luma."""
    with BENCHES[request.param]() as made:
        yield made


@pytest.fixture(params=RIGS)
def rig(request: pytest.FixtureRequest) -> Iterator[Rig]:
    """Return every kind of panel in turn."""
    with RIGS[request.param]() as made:
        yield made


@pytest.fixture(params=FALLIBLE)
def fallible(request: pytest.FixtureRequest) -> Iterator[FallibleRig]:
    """Return every kind of panel that can be lost in turn."""
    with FALLIBLE[request.param]() as made:
        yield made
