"""The boxes, and the pages that are open, are told of what the command line does to an evening."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.bridge.mqtt import Access
from companion.club import messages_to_boxes
from companion.club.evening import evening_actions
from companion.club.evening.evening_folder import EveningFolder
from companion.club.messages_to_boxes import BoxTeller
from companion.club.page_database import PageDatabase
from companion.core.game import Best
from tests.waiting import LAST_RESORT


class NoDatabase(PageDatabase):
    """A database in which nothing stands."""

    def __init__(self) -> None: ...

    async def ask(self, work: Callable[[Any], Any]) -> Any:
        return []


def test_what_the_command_line_does_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(messages_to_boxes, "SOON", 0.01)
    folder = EveningFolder(tmp_path / "evening")
    folder.begin("Friday", (2, 2, 4), Best.HIGHEST)

    async def follow() -> None:
        changed = asyncio.Event()
        teller = BoxTeller(Access("127.0.0.1", 1), "tabletop", NoDatabase(), folder, list, changed.set)
        task = asyncio.create_task(teller.run())
        await asyncio.wait_for(changed.wait(), LAST_RESORT)  # the evening as it is at first
        changed.clear()
        evening_actions.register(folder.file, ["Aki", "Bea"], None, late=False)
        await asyncio.wait_for(changed.wait(), LAST_RESORT)
        task.cancel()

    asyncio.run(follow())
