"""Serves the club's pages until told to stop."""

from __future__ import annotations

import uvicorn

from .page_context import ClubData
from .web_app import ClubSite


def serve(club: ClubData, host: str, port: int, proxy: str = "") -> None:
    """Serve the pages until a signal; streams that are open then are cut after a second.

    Args:
        club: What they show.
        host: The address to listen on.
        port: The port.
        proxy: The address of a proxy whose word on visitors' addresses is believed; empty if there is none.
    """
    uvicorn.run(
        ClubSite(club).app,
        host=host,
        port=port,
        log_config=None,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=bool(proxy),
        forwarded_allow_ips=proxy,
        timeout_graceful_shutdown=1,
        limit_concurrency=2000,
        backlog=1000,
        ws="none",
    )
