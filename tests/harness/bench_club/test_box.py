"""What a bridge costs the box beside it is measured; ``make bench-club BOX=1`` does so at full length."""

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
