"""Fixtures of the hardware tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from hardware import buzzer, input_thread, system_probes, systemd_notify
from tests.hardware.panel_rigs import BENCHES, FALLIBLE, RIGS, Bench, FallibleRig, Rig
from tests.waiting import LAST_RESORT

WAITS = (
    (buzzer, "_PATIENCE"),
    (input_thread, "PATIENCE"),
    (system_probes, "_PATIENCE"),
    (systemd_notify, "_PATIENCE"),
)
"""For how long threads and other programs are waited for, in real time."""


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give up nobody who is slow, unless a test is about giving up."""
    for module, name in WAITS:
        monkeypatch.setattr(module, name, LAST_RESORT)


@pytest.fixture(params=BENCHES)
def bench(request: pytest.FixtureRequest) -> Iterator[Bench]:
    """Give a LumaPanel on a simulated controller, once for each path through luma."""
    with BENCHES[request.param]() as made:
        yield made


@pytest.fixture(params=RIGS)
def rig(request: pytest.FixtureRequest) -> Iterator[Rig]:
    """Give every kind of panel in turn."""
    with RIGS[request.param]() as made:
        yield made


@pytest.fixture(params=FALLIBLE)
def fallible(request: pytest.FixtureRequest) -> Iterator[FallibleRig]:
    """Give every kind of panel that can be lost in turn."""
    with FALLIBLE[request.param]() as made:
        yield made
