"""What root does with a journal it does as the owner of its folder."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
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


def log(folder: Path) -> Path:
    file = folder / "log.jsonl"
    file.write_text(HEADER)
    return file


def pressed(folder: Path, data: Path) -> int:
    header = log(folder)
    return main(["press", "--data", str(data), "--new", str(header), "--png", str(folder / "panel.png")])


def imported(folder: Path, data: Path) -> int:
    return main(["import", "--yes", "--data", str(data), str(log(folder))])


def restored(folder: Path, data: Path) -> int:
    backup = folder / "backup.zip"
    assert pressed(folder, folder / "other") == 0
    assert main(["backup", "--data", str(folder / "other"), str(backup)]) == 0
    backup.chmod(0o600)
    return main(["restore", "--data", str(data), str(backup)])


def with_game(command: Callable[[Path, Path], int]) -> Callable[[Path, Path], int]:
    """Return a command that needs a game, with one that its owner entered before."""

    def done(folder: Path, data: Path) -> int:
        with as_owner_of(data):
            data.mkdir(exist_ok=True)
            Journal(data).close()
        assert pressed(folder, data) == 0
        return command(folder, data)

    done.__name__ = command.__name__
    return done


@with_game
def put_away(_folder: Path, data: Path) -> int:
    return main(["remove", "--data", str(data), "1"])


@with_game
def brought_back(_folder: Path, data: Path) -> int:
    main(["remove", "--data", str(data), "1"])
    return main(["remove", "--data", str(data), "--back", "1"])


@with_game
def emptied(_folder: Path, data: Path) -> int:
    main(["remove", "--data", str(data), "1"])
    return main(["remove", "--data", str(data), "--empty", "--yes"])


def hidden(_folder: Path, data: Path) -> int:
    return main(["game", "hide", "--data", str(data), "gear"])


def game_added(folder: Path, data: Path) -> int:
    (folder / "nim.toml").write_text(beginning("nim", "Nim"))
    return main(["game", "add", "--yes", "--data", str(data), str(folder / "nim.toml")])


COMMANDS = [pressed, imported, restored, put_away, brought_back, emptied, hidden, game_added]
each_command = pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.__name__)


@pytest.fixture(scope="module")
def imports() -> None:
    """Each command was given once, so all modules are imported."""
    with tempfile.TemporaryDirectory() as top:
        for command in COMMANDS:
            folder = Path(top, command.__name__)
            folder.mkdir()
            assert command(folder, folder / "data") == 0


@pytest.fixture
def own(top: Path, imports: None) -> Path:
    """A folder of root's, to which only root may go."""
    folder = top / "root"
    folder.mkdir(mode=0o700)
    return folder


@as_owner
@each_command
def test_files_of_a_journal_belong_to_its_owner(top: Path, own: Path, command: Callable[[Path, Path], int]) -> None:
    data = top / "data"
    data.mkdir(mode=0o700)
    os.chown(data, OWNER, OWNER)
    assert command(own, data) == 0
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
def test_no_link_in_a_journal_leads_root_elsewhere(
    top: Path, own: Path, name: str, command: Callable[[Path, Path], int]
) -> None:
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
    command(own, data)  # it may fail
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
    assert imported(own, data) == 1
    assert list(target.iterdir()) == []


@as_owner
@pytest.mark.parametrize(
    "words",
    [
        "press 1", "press --dry 1", "import --yes {log}", "backup {log}.zip", "remove 1", "remove --list",
        "game hide gear", "game add --yes {log}", "game list", "export", "history", "stats",
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
        file = log(own) if "add" not in words else own / "nim.toml"
        file.write_text(HEADER if "add" not in words else beginning("nim", "Nim"))
        command, *rest = words.format(log=file).split()
        options = rest[:1] if command == "game" else []
        status = main([command, *options, "--data", str(data), *rest[len(options) :]])
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
