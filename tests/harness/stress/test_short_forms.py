"""Every chapter in its short form; ``make stress`` runs them at full length."""

from __future__ import annotations

import pytest

from tests.harness.stress import chapters, time_limits


@pytest.mark.parametrize("name", chapters.SIZES)
def test_a_promise_holds_when_it_is_tried_hard(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time_limits, "promised", False)
    assert list(chapters.run(name, chapters.SIZES[name].short, seed=7))
