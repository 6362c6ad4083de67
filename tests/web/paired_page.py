"""A box behind its page, as phones elsewhere reach it: with pairing, and requests of paired phones and strangers.

All requests come from this computer; where others reach the page, that gives no rights.
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TypeVar

import httpx

from companion.app.box import Box
from companion.app.inputs import Look, PageRequest
from companion.app.loop import Inbox, Stop, run
from companion.app.machine.club_calls import ClubCalls
from companion.app.machine.phones import PhonePairing
from companion.app.outputs import MemoryPanel, Outputs
from companion.app.ports import Clock
from companion.journal import Journal
from companion.ui.keys import Key
from companion.web.limits import Limits
from companion.web.page_mirror import PageMirror
from companion.web.server import serve
from tests.fakes.clock import FixedClock
from tests.waiting import LAST_RESORT
from tests.web.easy_limits import EASY

NAME = socket.gethostname().lower()
"""A name of this computer by which others call it."""

Result = TypeVar("Result")


class PairedPage:
    """A box, its loop, and its page on every address."""

    def __init__(
        self,
        limits: Limits = EASY,
        folder: Path | None = None,
        clock: Clock | None = None,
        journal: Journal | None = None,
        *,
        club: bool = False,
    ) -> None:
        self.clock, mirror, self._inbox = clock or FixedClock(), PageMirror(), Inbox()
        self.journal = Journal()
        self.pairing = PhonePairing(self.journal, self.clock, "http://192.168.1.7:8080")
        outputs = Outputs(MemoryPanel(), self.clock, page=mirror)
        journal = journal or Journal()
        machine = [ClubCalls(journal, self.clock)] if club else []
        self.box = Box(journal, outputs, self.clock, pairing=self.pairing, machine=machine)
        self._loop = threading.Thread(target=run, args=(self.box, self._inbox, self.clock), daemon=True)
        self._loop.start()
        self.server = serve(
            "0.0.0.0", 0, self._inbox.put_of_page, mirror, limits=limits, phones=self.pairing, folder=folder
        )
        self._clients = ExitStack()

    def stop(self) -> None:
        """Stop serving, and the loop."""
        self._clients.close()
        self.server.stop()
        assert self.server.join(LAST_RESORT)
        self._inbox.put(Stop())
        self._loop.join(LAST_RESORT)

    def do(self, what: Callable[[], Result]) -> Result:
        """Do something in the loop's thread, and return its result."""
        done, results = threading.Event(), list[Result]()

        def reply(_: None) -> None:
            results.append(what())
            done.set()

        self._inbox.put_of_page(PageRequest(Look(""), None, reply))
        assert done.wait(LAST_RESORT)
        return results[0]

    def press(self, key: Key) -> None:
        """Press a key of the box."""
        self._inbox.put(key)

    def pin(self) -> str:
        """Open a pairing, and return its PIN."""
        return self.do(self.pairing.open)

    def link(self) -> str:
        """Open a pairing, and return the path of its link."""
        self.pin()
        return "/P/" + self.pairing.status.link.rpartition("/")[2]

    def client(self, secret: str = "", address: str = "127.0.0.1", host: str = NAME, **headers: str) -> httpx.Client:
        """Return a client on another computer, with the cookie of a phone or without."""
        more = {"Cookie": f"companion={secret}"} if secret else {}
        return self._clients.enter_context(
            httpx.Client(
                base_url=f"http://127.0.0.1:{self.server.port}",
                headers={"Host": f"{host}:{self.server.port}", **more, **headers},
                timeout=LAST_RESORT,
                transport=httpx.HTTPTransport(local_address=address, verify=False),
            )
        )

    def paired(self, name: str = "Aki", address: str = "127.0.0.1") -> httpx.Client:
        """Return a phone that has just been paired."""
        secret = self.do(lambda: self.pairing.claim(self.pairing.open(), name))
        assert isinstance(secret, str)
        return self.client(secret, address)


@contextmanager
def stream(phone: httpx.Client) -> Iterator[Iterator[str]]:
    """Open the stream of frames, and yield its lines once the first has come."""
    with phone.stream("GET", "/table/events") as response:
        assert response.status_code == 200, response.read()
        lines = response.iter_lines()
        next(lines)
        yield lines
