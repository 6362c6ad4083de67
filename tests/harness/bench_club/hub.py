"""The hub's programs for a measurement: broker, database, consumers and pages; some are killed at random."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

from companion.club.database import migrate
from tests.bridge.mosquitto import PROGRAM, free_port
from tests.harness.club.__main__ import MOSQUITTO, answers
from tests.harness.club.database_server import DatabaseServer
from tests.waiting import until

EVERY = 8.0  # seconds between two kills


class Hub:
    """Broker, database, two consumers and the pages, each a process."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="tabletop-club-bench-")
        folder = Path(self._folder.name)
        self.server, self.broker, self.pages = DatabaseServer(), free_port(), free_port()
        self.database = self.server.create("club")
        (folder / "mosquitto.conf").write_text(MOSQUITTO.format(port=self.broker), encoding="utf-8")
        settings = f'database = "{self.database}"\nbroker = "mqtt://127.0.0.1:{self.broker}"\nport = {self.pages}\n'
        (folder / "club.toml").write_text(settings, encoding="utf-8")
        command = (sys.executable, "-m", "companion", "club")
        where = ("--config", str(folder / "club.toml"))
        migrate(self.database)
        self._commands = {
            "broker": (PROGRAM, "-c", str(folder / "mosquitto.conf")),
            "consumer 1": (*command, "consume", *where),
            "consumer 2": (*command, "consume", *where),
            "pages": (*command, "--data", str(folder), *where),
        }
        self._log = (folder / "log").open("wb")
        self._running = {name: self._start(name) for name in self._commands}
        self.kills: list[str] = []
        self._stop = threading.Event()
        until(lambda: answers(f"http://127.0.0.1:{self.pages}/"), "the page")

    def _start(self, name: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(self._commands[name], stdout=self._log, stderr=self._log, start_new_session=True)

    def kill_at_random(self, after: float, seconds: float) -> threading.Thread:
        """Kill the broker or a consumer every few seconds, in a thread, and start it again a second later."""

        def work() -> None:
            chance = random.Random(1)
            self._stop.wait(after)
            for _kill in range(int(seconds / EVERY)):
                name = chance.choice(["broker", "consumer 1", "consumer 2"])
                self.signal(name, signal.SIGKILL)
                self._running[name].wait()
                self.kills.append(name)
                if self._stop.wait(1):
                    return
                self._running[name] = self._start(name)
                if self._stop.wait(EVERY - 1):
                    return

        thread = threading.Thread(target=work)
        thread.start()
        return thread

    @property
    def pids(self) -> dict[str, int]:
        """Return the processes by their names; those of the database are the children of one."""
        return {name: process.pid for name, process in self._running.items()} | {"database": self.server.pid}

    def signal(self, name: str, number: signal.Signals) -> None:
        self._running[name].send_signal(number)

    def close(self) -> None:
        """End everything, and delete it."""
        self._stop.set()
        for process in self._running.values():
            process.terminate()
        for process in self._running.values():
            process.wait()
        self._log.close()
        self.server.close()
        self._folder.cleanup()
