from pathlib import Path

import pytest

from .agreement import compare


@pytest.mark.unmeasured
@pytest.mark.parametrize("seed", [1, 2])
def test_a_reader_written_from_the_page_alone_reads_damaged_journals_alike(tmp_path: Path, seed: int) -> None:
    games, more = compare(20, seed, tmp_path)
    assert games == 40
    assert 0 < more < games
