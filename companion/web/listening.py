"""Opens the listening socket: its address, the buffers for each client, and a check of who may connect."""

from __future__ import annotations

import errno
import socket
import struct
from collections.abc import Callable
from typing import Any

from companion.core.text import SentenceError

USER_TIMEOUT = 30_000
"""Milliseconds without acknowledgement before a client is dropped, such as a phone that left the network."""

ROOM = 32_768  # size in bytes of the kernel's send and receive buffers for each client
BACKLOG = 128  # the length of the queue of connections to accept
MOST_RESETS = 64  # the most connections that are reset before requests are served again

RESET_ON_CLOSE = struct.pack("ii", 1, 0)
"""The value of the option SO_LINGER with which a connection is reset when it is closed."""

FREEBIND = {socket.AF_INET: (socket.IPPROTO_IP, 15), socket.AF_INET6: (socket.IPPROTO_IPV6, 78)}
"""Linux's options IP_FREEBIND and IPV6_FREEBIND, which Python does not name."""


class PageNotServedError(SentenceError):
    """The page cannot be served; the message says why and what to do."""


class ListeningSocket(socket.socket):
    """A listening socket that resets the connections of addresses that connect too often, before they cost memory."""

    # returns whether another connection of an address is taken
    may_connect: Callable[[str], bool] = staticmethod(lambda _address: True)

    def accept(self) -> tuple[socket.socket, Any]:
        """Return the next connection that may stay; raise BlockingIOError if there is none now: asyncio asks again."""
        for _ in range(MOST_RESETS):
            made, address = super().accept()
            if self.may_connect(address[0]):
                return made, address
            made.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET_ON_CLOSE)
            made.close()
        raise BlockingIOError


def listen(host: str, port: int, early: bool = False) -> ListeningSocket:
    """Open the listening socket; the arguments are those of `companion.web.server.serve`.

    Raises PageNotServedError if the address or port is not available.
    """
    if not 0 <= port <= 65535:
        raise PageNotServedError(f"there is no port {port}; choose one from 1 to 65535 with --port")
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        # "localhost" often has both kinds of address; prefer IPv4, which every browser tries
        family, *_, address = min(found, key=lambda info: info[0] != socket.AF_INET)
    except (socket.gaierror, UnicodeError):
        raise PageNotServedError(f"{host} is no address of this computer; choose another with --host") from None
    listening = ListeningSocket(family, socket.SOCK_STREAM)
    try:
        _set_options(listening, str(address[0]), early)
        listening.bind(address)
        listening.listen(BACKLOG)
    except OSError as error:
        listening.close()
        raise PageNotServedError(_why(error, host, port)) from error
    return listening


def _set_options(listening: socket.socket, address: str, early: bool) -> None:
    """Set the options of the socket; accepted connections inherit those for a client.

    asyncio sets TCP_NODELAY only where the listening socket names its protocol. Without it, the second part of an
    answer waits 40 ms for an acknowledgement.
    """
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if listening.family is socket.AF_INET6:
        listening.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, address != "::")
    if early and hasattr(socket, "TCP_USER_TIMEOUT"):  # Linux
        listening.setsockopt(*FREEBIND[listening.family], 1)
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, ROOM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, ROOM)
    if hasattr(socket, "TCP_USER_TIMEOUT"):  # Linux
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, USER_TIMEOUT)


def _why(error: OSError, host: str, port: int) -> str:
    match error.errno:
        case errno.EADDRINUSE:
            return f"port {port} is taken; choose another with --port"
        case errno.EACCES:
            return f"port {port} is not for ordinary users; choose one above 1023 with --port"
        case errno.EADDRNOTAVAIL:
            return f"{host} is no address of this computer; choose another with --host"
        case _:
            return f"the page cannot be served on {host}, port {port}: {error.strerror or error}"
