"""Fixtures of the hardware tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.hardware.rigs import BENCHES, FALLIBLE, RIGS, Bench, FallibleRig, Rig


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
