"""Hands the messages of a club's hub on to the box on this computer, through its page."""

from __future__ import annotations

import urllib.error
import urllib.request

import msgspec
from msgspec import Struct

PATIENCE = 6.0  # seconds that the box may take
NO_PAGE = "The box serves no page on its own computer: [page] on = true."
NOT_NOW = 429  # the status of an answer that may be another one in a moment, as all from 500 on


class BoxSilentError(Exception):
    """The box does not answer now: it starts, or has not caught up."""


class _Answer(Struct):
    why: str


class BoxClient:
    """Sends what the hub wants to the box's page on this computer.

    Args:
        address: The page's address; empty if the box serves none.
        secret: By which the page knows the bridge.
    """

    def __init__(self, address: str, secret: str) -> None:
        self._address, self._secret = address, secret

    def send(self, route: str, content: bytes) -> str:
        """Send JSON to a route; return why the box does not take it, empty if it does.

        Raises BoxSilentError if the box may take it later.
        """
        if not self._address:
            return NO_PAGE
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {self._secret}"}
        request = urllib.request.Request(f"{self._address}/{route}", content, headers)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return msgspec.json.decode(answer.read(), type=_Answer).why
        except urllib.error.HTTPError as error:
            with error:
                if error.code == NOT_NOW or error.code >= 500:
                    raise BoxSilentError from None
                return error.read(1000).decode(errors="replace")
        except (OSError, msgspec.MsgspecError):
            raise BoxSilentError from None
