"""What root does with a journal it does as the owner of its folder: press, import, restore."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.cli import main
from companion.journal.act_as_owner import as_owner_of

OWNER = 54321
only_root = pytest.mark.needs("root")

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


COMMANDS = [pressed, imported, restored]
each_command = pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.__name__)


@pytest.fixture
def own(top: Path) -> Path:
    """A folder of root's, to which only root may go; each command was given once, so all modules are imported."""
    folder = top / "root"
    folder.mkdir(mode=0o700)
    for command in COMMANDS:
        (folder / command.__name__).mkdir()
        assert command(folder / command.__name__, folder / command.__name__ / "data") == 0
    return folder


@only_root
@each_command
def test_files_of_a_journal_belong_to_its_owner(top: Path, own: Path, command: Callable[[Path, Path], int]) -> None:
    data = top / "data"
    data.mkdir(mode=0o700)
    os.chown(data, OWNER, OWNER)
    assert command(own, data) == 0
    written = [data, *data.rglob("*")]
    assert len(written) > 3
    assert {(path.lstat().st_uid, path.lstat().st_gid) for path in written} == {(OWNER, OWNER)}
    assert (os.geteuid(), os.getegid()) == (0, 0)


@only_root
@each_command
@pytest.mark.parametrize(
    "name", ["games", "copies", "settings.jsonl", "index.jsonl", "draft.jsonl", "lock", "typed.jsonl"]
)
def test_no_link_in_a_journal_leads_root_elsewhere(
    top: Path, own: Path, name: str, command: Callable[[Path, Path], int]
) -> None:
    data, target = top / "data", top / "of-root"
    data.mkdir(mode=0o700)
    if name in ("games", "copies"):
        target.mkdir(mode=0o755)
    else:
        target.write_text("root's\n")
    before = target.stat()
    (data / name).symlink_to(target)
    for path in (data, data / name):
        os.chown(path, OWNER, OWNER, follow_symlinks=False)
    command(own, data)  # it may fail
    assert target.is_dir() == (name in ("games", "copies"))
    assert list(target.iterdir()) == [] if target.is_dir() else target.read_text() == "root's\n"
    assert (target.stat().st_ino, target.stat().st_uid, target.stat().st_mode) == (
        before.st_ino, before.st_uid, before.st_mode,
    )  # fmt: skip


@only_root
def test_a_folder_that_is_a_link_to_one_of_root_s_is_not_written_by_root(top: Path, own: Path) -> None:
    data, target = top / "data", top / "of-root"
    target.mkdir()
    data.symlink_to(target)
    os.chown(data, OWNER, OWNER, follow_symlinks=False)
    assert imported(own, data) == 1
    assert list(target.iterdir()) == []


def test_others_and_root_in_its_own_folder_stay_who_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    changed: list[int] = []
    monkeypatch.setattr(os, "seteuid", changed.append)
    for user in (0, 1000):
        monkeypatch.setattr(os, "geteuid", lambda user=user: user)
        monkeypatch.setattr("companion.journal.act_as_owner._owner", lambda _folder, user=user: (user, user))
        with as_owner_of(tmp_path):
            pass
    assert changed == []


def test_root_changes_to_the_owner_and_back_whatever_happens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    changed: list[tuple[str, object]] = []
    for name in ("setgroups", "setegid", "seteuid"):
        monkeypatch.setattr(os, name, lambda value, name=name: changed.append((name, value)))
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(os, "getegid", lambda: 7)
    monkeypatch.setattr(os, "getgroups", lambda: [7, 8])
    dangling = tmp_path / "link"
    dangling.symlink_to("nowhere")
    monkeypatch.setattr(
        "companion.journal.act_as_owner.Path.lstat", lambda _path: os.stat_result((0, 0, 0, 0, 5, 6, 0, 0, 0, 0))
    )
    with pytest.raises(KeyError), as_owner_of(dangling):
        raise KeyError
    assert changed == [
        ("setgroups", []),
        ("setegid", 6),
        ("seteuid", 5),
        ("seteuid", 0),
        ("setegid", 7),
        ("setgroups", [7, 8]),
    ]
