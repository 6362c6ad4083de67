"""Asks the application's loop, which runs in another thread, and waits for its answer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from companion.app.inputs import PageRequest
from companion.app.loop import WebInput
from companion.core.text import N_

from .error_answers import RequestError

Put = Callable[[WebInput], bool]  # takes a key, a text or a request; returns at once whether it was accepted
ANSWERED_WITHIN = 5.0  # seconds that the loop may take to answer
NO_ROOM = N_("The box has not caught up with the keys yet.")

Answer = TypeVar("Answer")


async def answer_of(put: Put, request: Callable[[Callable[[Answer], None]], PageRequest]) -> Answer:
    """Put a request into the queue, and return the loop's answer; the request is made with its function ``reply``.

    Raises RequestError if the queue is full, or the loop does not answer.
    """
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[Answer] = loop.create_future()

    def settle(value: Answer) -> None:
        if not answer.done():
            answer.set_result(value)

    def reply(value: Answer) -> None:
        with suppress(RuntimeError):  # the server has stopped since
            loop.call_soon_threadsafe(settle, value)

    if not put(request(reply)):
        raise RequestError(429, NO_ROOM, again=1)
    try:
        return await asyncio.wait_for(answer, ANSWERED_WITHIN)
    except TimeoutError:
        raise RequestError(503, N_("The box does not answer."), again=1) from None
