"""The table of figures: kept and missed limits, and the width of a terminal."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.harness.bench import figures_page
from tests.harness.bench.table import Limit, Row, table


@pytest.mark.parametrize(
    ("measured", "theirs", "limit", "kept"),
    [
        (1.5, None, Limit(1.5, "why"), True),
        (1.6, None, Limit(1.5, "why"), False),
        (20_000, 90_000, Limit(20_000, "why", least=True), True),
        (20_000, 90_000, Limit(1, "why", least=True, ratio=True), False),
        (0.4, 0.5, Limit(1, "why", ratio=True), True),
        (0.6, 0.5, Limit(1, "why", ratio=True), False),
        (0.6, None, Limit(1, "why", ratio=True), False),
    ],
)
def test_a_figure_is_held_to_its_limit_or_its_ratio_is(
    measured: float, theirs: float | None, limit: Limit, kept: bool
) -> None:
    row = Row("figure", measured, theirs=theirs, limits=(limit,))
    assert row.kept() is kept
    assert str(row).endswith("yes" if kept else "missed")


@pytest.mark.parametrize(("measured", "kept"), [(2.6, True), (2.7, False)])
def test_a_third_more_than_a_limit_is_let_pass_where_the_machine_is_shared(measured: float, kept: bool) -> None:
    assert Row("figure", measured, limits=(Limit(2, "why"),)).kept(1 / 3) is kept
    assert Row("figure", 4 - measured, limits=(Limit(2, "why", least=True),)).kept(1 / 3) is kept


def test_the_page_of_figures_says_each_reason_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(figures_page, "PAGE", tmp_path / "lab" / "figures.md")
    slow = Row("key", 2.5, "ms", "luma", 2, (Limit(1, "it follows the finger", ratio=True),))
    figures_page.write({"keys": ("How fast keys are.", [slow, Row("  worst", 9, "ms", limits=slow.limits)])})
    assert (tmp_path / "lab" / "figures.md").read_text("utf-8").splitlines()[3:] == [
        "",
        "## keys",
        "",
        "How fast keys are.",
        "",
        "| figure | measured | limit | compared with, in the same run | ratio |",
        "| --- | --- | --- | --- | --- |",
        "| key | 2.5 ms | ≤ 1 × (a) **missed** | luma: 2 ms | 1.25 |",
        "| … worst | 9 ms | ≤ 1 × (a) **missed** |  |  |",
        "",
        "- (a) it follows the finger",
    ]


def test_the_table_ends_with_what_was_missed_and_fits_a_terminal() -> None:
    limits = Limit(20_000, "why", least=True), Limit(1, "why", least=True, ratio=True)
    well = Row("replay, hipparchus", 171_504, "/s", "python-chess, push_san", 98_279, limits)
    ill = Row("bus, ssd1306, eternity", 49_536, "B", "luma's full frames", 231_616, (Limit(1 / 6, "why", ratio=True),))
    lines = list(table([well, ill, Row("key to picture", 2.5, "ms")]))
    assert max(map(len, lines)) <= 120
    assert lines[-2:] == [
        "3 figures, 2 of them with a limit; missed: 1",
        "  bus, ssd1306, eternity, beside luma's full frames",
    ]
    assert "≤ 1/6 ×" in lines[3]
