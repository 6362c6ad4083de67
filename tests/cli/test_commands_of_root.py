"""What root does with a journal it does as the owner of its folder."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn
from unittest.mock import patch

import pytest

from companion.cli import main
from companion.cli.club import write_password
from companion.cli.common import CommandError
from companion.club.evening.evening_state import EveningBegun
from companion.club.page_context import Club
from companion.core.game import Best
from companion.games.toml_games import beginning
from companion.journal import Journal
from companion.journal.act_as_owner import as_owner_of
from companion.web.limits import PageNotServedError

OWNER = 54321
as_owner = pytest.mark.needs("owner")

HEADER = '{"format":1,"game":"gear","players":["Ann","Ben","Cleo","Dora"]}\n'


@pytest.fixture
def top() -> Iterator[Path]:
    """A folder that everybody may enter, as pytest's own are closed to others."""
    made = Path(tempfile.mkdtemp())
    made.chmod(0o755)
    yield made
    shutil.rmtree(made)


PRESS = "press --data {data} --new {own}/log.jsonl --png {own}/panel.png"
COMMANDS = {
    "press": [PRESS],
    "import": ["import --yes --data {data} {own}/log.jsonl"],
    "restore": [
        "press --data {own}/other --new {own}/log.jsonl --png {own}/panel.png",
        "backup --data {own}/other {own}/backup.zip",
        "restore --data {data} {own}/backup.zip",
    ],
    "remove": [PRESS, "remove --data {data} 1"],
    "bring back": [PRESS, "remove --data {data} 1", "remove --data {data} --back 1"],
    "empty": [PRESS, "remove --data {data} 1", "remove --data {data} --empty --yes"],
    "hide a game": ["game hide --data {data} gear"],
    "add a game": ["game add --yes --data {data} {own}/nim.toml"],
}
"""Commands that write, each after what it needs."""
each_command = pytest.mark.parametrize("command", COMMANDS)


def files(own: Path) -> None:
    """Write the files that the commands read."""
    (own / "log.jsonl").write_text(HEADER)
    (own / "nim.toml").write_text(beginning("nim", "Nim"))


def done(command: str, own: Path, data: Path) -> int:
    """Give a command, on a journal that its owner has made if it needs a game there; return its status."""
    files(own)
    if COMMANDS[command][0] == PRESS != COMMANDS[command][-1]:
        with as_owner_of(data):
            data.mkdir(exist_ok=True)
            Journal(data).close()
    return [main(words.format(own=own, data=data).split()) for words in COMMANDS[command]][-1]


@pytest.fixture(scope="module")
def imports() -> None:
    """Each command was given once, so all modules are imported."""
    with tempfile.TemporaryDirectory() as top:
        for number, command in enumerate(COMMANDS):
            folder = Path(top, str(number))
            folder.mkdir()
            assert done(command, folder, folder / "data") == 0


@pytest.fixture
def own(top: Path, imports: None) -> Path:
    """A folder of root's, to which only root may go."""
    folder = top / "root"
    folder.mkdir(mode=0o700)
    return folder


@as_owner
@each_command
def test_files_of_a_journal_belong_to_its_owner(top: Path, own: Path, command: str) -> None:
    data = top / "data"
    data.mkdir(mode=0o700)
    os.chown(data, OWNER, OWNER)
    assert done(command, own, data) == 0
    written = [data, *data.rglob("*")]
    assert len(written) > 2
    assert {(path.lstat().st_uid, path.lstat().st_gid) for path in written} == {(OWNER, OWNER)}
    assert (os.geteuid(), os.getegid()) == (0, 0)


@as_owner
def test_the_evenings_of_a_club_belong_to_the_owner_of_its_folder(top: Path, own: Path) -> None:
    def begin(club: Club, *_address: object) -> NoReturn:
        club.evenings.begin(EveningBegun(1, "Friday club", 4, 3, 5, Best.HIGHEST, 1))
        raise PageNotServedError("the test serves nothing")

    data = top / "data"
    data.mkdir(mode=0o700)
    os.chown(data, OWNER, OWNER)
    (own / "club.toml").touch()
    with patch("companion.club.site.server", begin):
        assert main(["club", "--data", str(data), "--config", str(own / "club.toml")]) == 1
    written = [*data.rglob("*")]
    assert [path for path in written if "evening" in path.name]
    assert {(path.lstat().st_uid, path.lstat().st_gid) for path in written} == {(OWNER, OWNER)}


@as_owner
@each_command
@pytest.mark.parametrize(
    "name",
    [
        "games",
        "copies",
        "removed",
        "added-games",
        "settings.jsonl",
        "index.jsonl",
        "draft.jsonl",
        "lock",
        "typed.jsonl",
    ],
)
def test_no_link_in_a_journal_leads_root_elsewhere(top: Path, own: Path, name: str, command: str) -> None:
    data, target = top / "data", top / "of-root"
    data.mkdir(mode=0o700)
    is_folder = name in ("games", "copies", "removed", "added-games")
    if is_folder:
        target.mkdir(mode=0o755)
    else:
        target.write_text("root's\n")
    before = target.stat()
    (data / name).symlink_to(target)
    for path in (data, data / name):
        os.chown(path, OWNER, OWNER, follow_symlinks=False)
    done(command, own, data)  # it may fail
    assert target.is_dir() == is_folder
    assert list(target.iterdir()) == [] if target.is_dir() else target.read_text() == "root's\n"
    assert (target.stat().st_ino, target.stat().st_uid, target.stat().st_mode) == (
        before.st_ino, before.st_uid, before.st_mode,
    )  # fmt: skip


@as_owner
def test_a_folder_that_is_a_link_to_one_of_root_s_is_not_written_by_root(top: Path, own: Path) -> None:
    data, target = top / "data", top / "of-root"
    target.mkdir()
    data.symlink_to(target)
    os.chown(data, OWNER, OWNER, follow_symlinks=False)
    assert done("import", own, data) == 1
    assert list(target.iterdir()) == []


@as_owner
@pytest.mark.parametrize(
    "words",
    [
        "press 1", "press --dry 1", "import --yes {own}/log.jsonl", "backup {own}/backup.zip", "remove 1",
        "remove --list", "game hide gear", "game add --yes {own}/nim.toml", "game list", "export", "history", "stats",
    ],
)  # fmt: skip
def test_a_folder_that_may_not_be_read_is_named_and_no_file_in_it(
    top: Path, imports: None, capsys: pytest.CaptureFixture[str], words: str
) -> None:
    data, own = top / "data", top / "own"
    for folder in (data, own):
        folder.mkdir(mode=0o700)
    os.chown(own, OWNER, OWNER)
    capsys.readouterr()
    with as_owner_of(own):
        files(own)
        status = main([*words.format(own=own).split(), "--data", str(data)])
    said = capsys.readouterr().err
    assert status == 1, said
    assert f"{data}: " in said


@as_owner
def test_the_password_of_the_hub_belongs_to_its_user_and_follows_no_link_to_a_file_of_root_s(top: Path) -> None:
    hub, of_root = top / "hub", top / "of-root"
    hub.mkdir()
    os.chown(hub, OWNER, OWNER)
    write_password(hub / "broker.password", "drawn")
    assert (hub / "broker.password").stat().st_uid == OWNER
    of_root.write_text("root's\n")
    (hub / "link").symlink_to(of_root)
    with pytest.raises(CommandError, match="permission denied"):
        write_password(hub / "link", "drawn")
    assert of_root.read_text() == "root's\n"


def test_others_and_root_in_its_own_folder_stay_who_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    changed: list[int] = []
    monkeypatch.setattr(os, "seteuid", changed.append)
    for user in (0, 1000):
        monkeypatch.setattr(os, "geteuid", lambda user=user: user)
        monkeypatch.setattr("companion.journal.act_as_owner._owner", lambda _folder, user=user: (user, user))
        with as_owner_of(tmp_path):
            pass
    assert changed == []


@as_owner
def test_root_has_the_groups_of_the_owner_by_which_the_service_uses_its_devices(top: Path) -> None:
    for user, group, groups in ((5, 60, os.getgrouplist("games", 60)), (OWNER, OWNER, [])):
        os.chown(top, user, group)
        with as_owner_of(top):
            assert os.getgroups() == groups


def test_root_changes_to_the_owner_and_back_whatever_happens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    changed: list[tuple[str, object]] = []
    for name in ("setgroups", "setegid", "seteuid"):
        monkeypatch.setattr(os, name, lambda value, name=name: changed.append((name, value)))
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(os, "getegid", lambda: 7)
    monkeypatch.setattr(os, "getgroups", lambda: [7, 8])
    monkeypatch.setattr("companion.journal.act_as_owner._groups", lambda *_owner: [60])
    dangling = tmp_path / "link"
    dangling.symlink_to("nowhere")
    monkeypatch.setattr(
        "companion.journal.act_as_owner.Path.lstat", lambda _path: os.stat_result((0, 0, 0, 0, 5, 6, 0, 0, 0, 0))
    )
    with pytest.raises(KeyError), as_owner_of(dangling):
        raise KeyError
    assert changed == [
        ("setgroups", [60]),
        ("setegid", 6),
        ("seteuid", 5),
        ("seteuid", 0),
        ("setegid", 7),
        ("setgroups", [7, 8]),
    ]
