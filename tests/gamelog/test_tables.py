"""What is said of lines of logs and of names is what stands in `tests/transcripts/tables`."""

from __future__ import annotations

import pytest

from tests.line_tables import Row, cases, given, says


@pytest.mark.parametrize(("name", "rows"), cases("log-headers", "log-lines", "player-names"))
def test_of_each_line_is_said_what_was_accepted(name: str, rows: list[Row]) -> None:
    assert [(row.given, says(name)(given(row.given))) for row in rows] == rows


@pytest.mark.parametrize("name", ["log-headers", "log-lines"])
def test_a_line_is_read_alike_as_text_and_as_bytes(name: str) -> None:
    for case in cases(name):
        for row in case.values[1]:
            text = given(row.given)
            if isinstance(text, str):
                assert says(name)(text.encode("utf-8", "surrogatepass")).startswith(says(name)(text)[:16])
