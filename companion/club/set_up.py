"""Adds what boxes need to a club's program on Debian: broker, database, settings, rights and the unit.

Each step says what it does, and changes nothing where it was done before.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from companion.core.text import SentenceError
from companion.journal.disk import written_beside

from .broker_logins import HUB, new_login

FILES = Path(__file__).parent / "system"  # settings of the broker, the unit, polkit's rule
USER = "companion-club"
HOME = Path("var/lib") / USER
SETTINGS = f"""database = "postgresql:///club"
broker = "mqtt://127.0.0.1:1884"
user = "{HUB}"
password_file = "/{HOME}/broker.password"
"""
PROGRAM = "/opt/tabletop-companion/bin/companion"  # in the unit as it is delivered

Run = Callable[[Sequence[str]], str]


class SetUpError(SentenceError):
    """A step cannot be done; those before it are."""


def _run(command: Sequence[str]) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd="/")
    if done.returncode:
        raise SetUpError(f"{' '.join(command)}: {done.stderr.strip() or done.stdout.strip()}")
    return done.stdout


class SetUp:
    """The steps.

    Args:
        say: Is called with a sentence for each step.
        root: The folder of the system's files.
        run: Runs a command, and returns what it prints.
        program: How the unit starts this program.
    """

    def __init__(
        self, say: Callable[[str], None], root: Path = Path("/"), run: Run = _run, program: str = sys.argv[0]
    ) -> None:
        self._say, self._root, self._run, self._program = say, root, run, Path(program).absolute()

    def __call__(self) -> None:
        """Do all steps.

        Raises:
            SetUpError: Only root may, or a step fails.
            OSError: A file cannot be written.
        """
        if os.geteuid() != 0:
            raise SetUpError("setting up needs root's rights: sudo companion club --set-up")
        if self._program.is_relative_to("/home") or self._program.is_relative_to("/root"):
            raise SetUpError(f"the unit may read no home folder: install the program elsewhere than {self._program}")
        self._packages()
        self._do("the user of the program", "adduser", "--system", "--group", "--home", f"/{HOME}", USER)
        self._database()
        self._settings()
        self._broker()
        self._unit()
        self._say("Done. A login for each box: sudo companion club enrol NAME")
        self._say(f"The director’s password: sudo companion club --password --data /{HOME}")

    def _do(self, what: str, *command: str) -> str:
        self._say(f"{what}: {' '.join(command)}")
        return self._run(command)

    def _packages(self) -> None:
        missing = [
            package
            for package, file in (("mosquitto", "usr/sbin/mosquitto"), ("postgresql", "usr/bin/psql"))
            if not (self._root / file).exists()
        ]
        if missing:
            self._do("broker and database", "apt-get", "install", "--yes", *missing)

    def _database(self) -> None:
        """Make the database, whose user has the name of the system's user; root gets that user's rights."""
        as_owner = ("runuser", "-u", "postgres", "--")

        def known(kind: str, name: str) -> bool:
            asked = f"SELECT count(*) FROM {kind} WHERE {'datname' if kind == 'pg_database' else 'rolname'} = '{name}'"
            return self._run((*as_owner, "psql", "--tuples-only", "--command", asked)).strip() == "1"

        if not known("pg_roles", USER):
            self._do("a user of the database", *as_owner, "createuser", USER)
        if not known("pg_database", "club"):
            self._do("the database", *as_owner, "createdb", "--owner", USER, "club")
        if not known("pg_roles", "root"):
            role = f'CREATE ROLE root LOGIN IN ROLE "{USER}"'
            self._do("root’s commands use it, too", *as_owner, "psql", "--command", role)

    def _settings(self) -> None:
        file = self._root / "etc/companion-club.toml"
        if not file.exists():
            self._say(f"the settings: /{file.relative_to(self._root)}")
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(SETTINGS, encoding="utf-8")

    def _broker(self) -> None:
        """Give the broker its settings, the boxes' rights and the hub's login."""
        for name, place in (("mosquitto.conf", "conf.d/club.conf"), ("mosquitto.acl", "club.acl")):
            self._copy(name, f"etc/mosquitto/{place}")
        logins, password = self._root / "etc/mosquitto/club.passwords", self._root / HOME / "broker.password"
        if not password.exists() or not logins.exists():
            self._say("the hub’s login at the broker")
            password.parent.mkdir(parents=True, exist_ok=True)
            drawn = new_login(logins, HUB)
            with written_beside(password, 0o600) as opened:  # whole, or not there: the next time draws another one
                opened.write(f"{drawn}\n".encode())
        self._do("its rights", "chown", USER, str(password))
        self._do("its rights", "chown", "mosquitto", str(logins))
        self._do("the broker", "systemctl", "restart", "mosquitto")

    def _unit(self) -> None:
        self._copy("companion-club.rules", "etc/polkit-1/rules.d/50-companion-club.rules")
        unit = self._copy("companion-club.service", "etc/systemd/system/companion-club.service")
        unit.write_text(unit.read_text(encoding="utf-8").replace(PROGRAM, str(self._program)), encoding="utf-8")
        self._do("the unit", "systemctl", "daemon-reload")
        self._do("the pages, now and at every start", "systemctl", "enable", "companion-club")
        self._do("the pages", "systemctl", "restart", "companion-club")

    def _copy(self, name: str, place: str) -> Path:
        file = self._root / place
        self._say(f"{name}: /{place}")
        file.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(FILES / name, file)
        return file
