"""Serves the club's pages until told to stop."""

from __future__ import annotations

from collections.abc import Callable

import uvicorn

from .club_data import ClubData
from .site import ClubSite


def serve(database: str, host: str, port: int, said: Callable[[str], None]) -> None:
    """Serve the pages until a signal; streams that are open then are cut after a second.

    Args:
        database: The address of the database.
        host: The address to listen on.
        port: The port.
        said: Is called with sentences for the log.
    """
    uvicorn.run(
        ClubSite(ClubData(database, said)).app,
        host=host,
        port=port,
        log_config=None,
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=1,
        limit_concurrency=2000,
        backlog=1000,
        ws="none",
    )
