"""`companion club --set-up` adds what boxes need, says each step, and may be repeated."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from unittest.mock import patch

import pytest

from companion.club.set_up import SetUp, SetUpError
from companion.club.settings import ClubSettings
from hardware.owner_settings import filled, read

pytestmark = pytest.mark.usefixtures("as_root")


@pytest.fixture
def as_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 0)


class System:
    """Runs no command; knows the roles and databases that were made."""

    def __init__(self, root: Path) -> None:
        self.root, self.ran, self.said = root, list[str](), list[str]()
        self._made: set[str] = set()

    def __call__(self, command: Sequence[str]) -> str:
        line = " ".join(command)
        if "SELECT count" in line:
            return str(int(line.rpartition("= ")[2].strip("'") in self._made))
        self.ran.append(line)
        self._made.add("root" if "CREATE ROLE root" in line else line.split()[-1])
        return ""

    def set_up(self, program: str = "/opt/club/bin/companion") -> None:
        SetUp(self.said.append, self.root, self, program)()


def test_everything_is_added_once_and_each_step_is_said(tmp_path: Path) -> None:
    system = System(tmp_path)
    system.set_up()
    assert system.ran[0] == "apt-get install --yes mosquitto postgresql"
    assert all(any(line in said for said in system.said) for line in system.ran)
    settings, unknown = filled(ClubSettings, read(tmp_path / "etc/companion-club.toml"))
    assert settings.database == "postgresql:///club"
    assert not unknown
    password = tmp_path / "var/lib/companion-club/broker.password"
    assert password.stat().st_mode & 0o777 == 0o600
    logins = tmp_path / "etc/mosquitto/club.passwords"
    assert logins.read_text().startswith("hub:$7$")
    unit = (tmp_path / "etc/systemd/system/companion-club.service").read_text()
    assert "ExecStart=/opt/club/bin/companion club --data /var/lib/companion-club" in unit
    assert "listener 1884 127.0.0.1" in (tmp_path / "etc/mosquitto/conf.d/club.conf").read_text()
    before, system.ran = (password.read_text(), logins.read_text()), []
    (tmp_path / "etc/companion-club.toml").write_text('database = "postgresql:///other"\n')
    system.set_up()
    assert (password.read_text(), logins.read_text()) == before
    assert "other" in (tmp_path / "etc/companion-club.toml").read_text()
    assert not [line for line in system.ran if "create" in line.lower()]


def test_a_set_up_that_ended_in_the_middle_is_finished_the_next_time(tmp_path: Path) -> None:
    system = System(tmp_path)
    with patch("companion.club.set_up.new_login", side_effect=KeyboardInterrupt), pytest.raises(KeyboardInterrupt):
        system.set_up()
    (tmp_path / "etc/mosquitto").mkdir(parents=True, exist_ok=True)
    (tmp_path / "etc/mosquitto/club.passwords").touch()  # of boxes that were enrolled
    system.set_up()
    assert (tmp_path / "var/lib/companion-club/broker.password").read_text().strip()
    assert system.said[-2:] == [
        "Done. A login for each box: sudo companion club enrol NAME",  # both are files of other users
        "The director’s password: sudo companion club --password --data /var/lib/companion-club",
    ]


def test_what_is_installed_is_not_installed_again(tmp_path: Path) -> None:
    system = System(tmp_path)
    for file in ("usr/sbin/mosquitto", "usr/bin/psql"):
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).touch()
    system.set_up()
    assert not [line for line in system.ran if "apt-get" in line]


def test_a_program_in_a_home_folder_is_refused_before_anything_is_done(tmp_path: Path) -> None:
    system = System(tmp_path)
    with pytest.raises(SetUpError, match="may read no home folder"):
        system.set_up("/home/dora/.local/bin/companion")
    assert (system.ran, [*tmp_path.iterdir()]) == ([], [])


def test_only_root_sets_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    with pytest.raises(SetUpError, match="sudo companion club --set-up"):
        System(tmp_path).set_up()
