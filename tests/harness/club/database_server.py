"""A real PostgreSQL of its own, on a free port of this computer, in a folder of its own."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import psycopg

from tests.bridge.mosquitto import free_port

PROGRAMS = Path("/usr/lib/postgresql")
QUICK = ("fsync=off", "synchronous_commit=off", "full_page_writes=off")  # for tests: a power cut loses everything


def programs() -> Path:
    """Return the folder of the newest PostgreSQL's programs.

    Raises:
        FileNotFoundError: There is none.
    """
    found = [file.parent for file in PROGRAMS.glob("*/bin/postgres")]
    if not found:
        raise FileNotFoundError("PostgreSQL is missing: sudo apt install postgresql")
    return max(found, key=lambda folder: float(folder.parent.name))


class DatabaseServer:
    """The server. PostgreSQL refuses to run as root: it runs as another user then.

    Args:
        settings: Settings of PostgreSQL, such as ``fsync=off``.
    """

    def __init__(self, settings: tuple[str, ...] = ()) -> None:
        self.port = free_port()
        self.folder = Path(tempfile.mkdtemp(prefix="tabletop-club-postgresql-"))
        self._as_user: tuple[str, ...] = ()
        if os.geteuid() == 0:
            user = next(each for each in pwd.getpwall() if each.pw_name in ("postgres", "nobody"))
            os.chown(self.folder, user.pw_uid, user.pw_gid)
            self._as_user = ("setpriv", f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups")
        data = self.folder / "data"
        made = ("--username=club", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync")
        self._run("initdb", "-D", str(data), *made)
        options = ("listen_addresses=127.0.0.1", f"unix_socket_directories={self.folder}", *settings)
        self._command = (
            *(*self._as_user, str(programs() / "postgres"), "-D", str(data), "-p", str(self.port)),
            *(word for option in options for word in ("-c", option)),
        )
        self.start()

    def start(self) -> None:
        """Start it, and wait until it answers."""
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                self._command, stderr=log, stdout=log, cwd=self.folder, start_new_session=True
            )
        self._run("pg_isready", "--quiet", "-h", "127.0.0.1", "-p", str(self.port), patience=30)

    def stop(self, *, kill: bool = False) -> None:
        """Stop it; or let it crash, with all connections."""
        if kill:
            self._process.send_signal(3)  # SIGQUIT: immediate shutdown, recovery at the next start
        else:
            self._process.send_signal(2)  # SIGINT: fast shutdown
        self._process.wait()

    @property
    def pid(self) -> int:
        return self._process.pid

    def close(self) -> None:
        """Stop it, and delete its folder."""
        self.stop()
        shutil.rmtree(self.folder)

    def address(self, name: str = "postgres") -> str:
        return f"postgresql://club@127.0.0.1:{self.port}/{name}"

    def create(self, name: str, template: str = "template1") -> str:
        """Create a database, and return its address."""
        with psycopg.connect(self.address(), autocommit=True) as connection:
            connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"'.encode())
        return self.address(name)

    def _run(self, program: str, *arguments: str, patience: int = 0) -> None:
        """Run one of its programs; repeat it for so many seconds until it succeeds."""
        end = time.monotonic() + patience
        while True:
            command = (*self._as_user, str(programs() / program), *arguments)
            done = subprocess.run(command, capture_output=True, text=True, cwd=self.folder, check=False)
            if done.returncode == 0:
                return
            if time.monotonic() >= end:
                raise RuntimeError(f"{program}: {done.stderr}")
            time.sleep(0.05)
