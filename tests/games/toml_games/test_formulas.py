"""Formulas of declared games: what they give, and what is wrong with them."""

from __future__ import annotations

import pytest

from companion.games.toml_games.formulas import Formula
from tests.line_tables import Row, cases, given, says


@pytest.mark.parametrize(("name", "rows"), cases("formula-values", "formula-faults"))
def test_of_each_formula_is_said_what_was_accepted(name: str, rows: list[Row]) -> None:
    assert [(row.given, says(name)(given(row.given))) for row in rows] == rows


@pytest.mark.parametrize("text", ["1if 2 else 3", "0or 1", "(1)(2)"])
def test_python_s_parser_warns_of_nothing(text: str, recwarn: pytest.WarningsRecorder) -> None:
    Formula(text)
    assert not recwarn.list
