"""The measurement of a bridge's cost runs; ``make bench-club BOX=1`` runs it at full length."""

from __future__ import annotations

import pytest

from tests.harness.bench_club import box


@pytest.mark.needs("mosquitto")
def test_the_box_is_measured_with_and_without_a_bridge(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(box, "TURNS", 1)
    box.measure(pairs=2)
    assert "µs beside one: " in capsys.readouterr().out
