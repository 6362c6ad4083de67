"""A box that serves its page to phones, in a process of its own, so that its cost can be measured from outside.

Each line on its standard input is a run of keys, pressed on the device itself; an empty line ends it. Its standard
output tells where the page is and, after each line, ``done``.
"""

from __future__ import annotations

import json
import sys
import threading
from contextlib import closing
from functools import partial
from pathlib import Path

from companion.app.box import Box
from companion.app.inputs import Look, PageRequest
from companion.app.loop import Inbox, Stop, run
from companion.app.machine.phones import PhonePairing
from companion.app.outputs import MemoryPanel, Outputs
from companion.app.ports import SystemClock
from companion.journal import Journal
from companion.ui.keys import parse
from companion.web.page_mirror import PageMirror
from companion.web.server import serve


def main(folder: Path, phones: int) -> None:
    """Serve the journal's open game to so many paired phones until the input ends."""
    mirror, clock, inbox = PageMirror(), SystemClock(), Inbox()
    with closing(Journal(folder)) as journal:
        pairing = PhonePairing(journal, clock, "http://192.168.1.7:8080")
        secrets = [pairing.claim(pairing.open(), f"Phone {number + 1}") for number in range(phones)]
        box = Box(journal, Outputs(MemoryPanel(), clock, page=mirror), clock, pairing=pairing)
        server = serve("0.0.0.0", 0, inbox.put_of_page, mirror, phones=pairing)
        loop = threading.Thread(target=run, args=(box, inbox, clock))
        loop.start()
        print(json.dumps({"port": server.port, "secrets": secrets, "own": pairing.own_secret}), flush=True)
        while line := sys.stdin.readline().strip():
            done = threading.Event()
            for key in parse(line):
                inbox.put(key)
            inbox.put(PageRequest(Look(""), None, partial(_set, done)))  # answered after the keys
            done.wait()
            print("done", flush=True)
        server.stop()
        server.join()
        inbox.put(Stop())
        loop.join()


def _set(done: threading.Event, _: None) -> None:
    done.set()


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
