"""A box belongs to a club where its settings, or the words of `companion simulate`, say so."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest
from msgspec.structs import replace

from companion.app.box import NO_CLUB
from companion.app.bridge_secret import drawn, state_of
from companion.cli.device import club_features
from companion.journal import Journal
from hardware.owner_settings import defaults
from tests.fakes.clock import FixedClock
from tests.waiting import LAST_RESORT
from tests.web.test_evening import simulating


@pytest.mark.parametrize(("words", "why"), [(["--club"], ""), ([], NO_CLUB.template)])
def test_the_simulator_is_the_box_of_a_club_if_it_is_told_so(tmp_path: Path, words: list[str], why: str) -> None:
    state = state_of(tmp_path / "data")
    state.mkdir()
    secret = {"Authorization": f"Bearer {drawn(state)}"}
    with simulating(tmp_path / "data", *words) as url:
        answer = httpx.post(f"{url}hub", json={"seats": None, "attended": 0}, headers=secret, timeout=LAST_RESORT)
    assert answer.json() == {"why": why}


@pytest.mark.parametrize(("club", "page", "features"), [(True, True, 1), (True, False, 0), (False, True, 0)])
def test_a_box_belongs_to_a_club_where_its_settings_say_so_and_its_page_is_served(
    club: bool, page: bool, features: int
) -> None:
    settings = defaults()
    settings = replace(settings, bridge=replace(settings.bridge, club=club), page=replace(settings.page, on=page))
    assert len([*club_features(settings, Journal(), FixedClock())]) == features
