"""Does the slow work of requests in a thread, so that the server's event loop never waits."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from companion.web.error_answers import RequestError

T = TypeVar("T")


class WorkThread:
    """Does one piece of work after the other, and refuses requests while too many wait.

    Args:
        most: How many requests may wait.
    """

    def __init__(self, most: int) -> None:
        self._thread, self._most, self._waiting = ThreadPoolExecutor(1), most, 0

    async def do(self, work: Callable[[], T]) -> T:
        """Return what a function returns in the thread.

        Raises:
            RequestError: Too many requests wait.
        """
        if self._waiting >= self._most:
            raise RequestError(503, "Too much is asked at once: try again in a few seconds.", again=5)
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, work)
        finally:
            self._waiting -= 1

    def close(self) -> None:
        """Finish the work that has begun."""
        self._thread.shutdown(cancel_futures=True)
