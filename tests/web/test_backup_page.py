"""The backup page: a backup is downloaded, looked over, and restored at the next start; by this computer alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from companion.cli.common import journal_in
from companion.journal import Journal
from companion.journal.backup import REFUSED, WAITING, content_of_backup, write_backup
from companion.web import owner_pages
from tests.web.history_folder import fill
from tests.web.paired_page import PairedPage

ZIP = {"Content-Type": "application/zip"}


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[PairedPage, httpx.Client, Path]]:
    folder = tmp_path / "here"
    fill(folder, [("hipparchus", 105)])
    page = PairedPage(folder=folder)
    try:
        yield page, page.client(page.pairing.own_secret, host="127.0.0.1", Accept="text/html"), folder
    finally:
        page.stop()


def other_backup(tmp_path: Path) -> bytes:
    """Return a backup of two other games."""
    fill(tmp_path / "other", [("gear", 3), ("gear", 4)])
    write_backup(tmp_path / "other", tmp_path / "other.zip")
    return (tmp_path / "other.zip").read_bytes()


def names(folder: Path) -> list[str]:
    journal = Journal(folder, writes=False)
    found = [saved.name.partition("-")[2] for saved in journal.games()]
    journal.close()
    return sorted(found)


def test_a_backup_is_downloaded_and_can_be_restored(
    served: tuple[PairedPage, httpx.Client, Path], tmp_path: Path
) -> None:
    _page, own, _folder = served
    answer = own.get("/backup/file")
    assert answer.status_code == 200
    assert "companion-backup-20" in answer.headers["content-disposition"]
    (tmp_path / "got.zip").write_bytes(answer.content)
    assert content_of_backup(tmp_path / "got.zip").games == 1


def test_a_backup_is_looked_over_and_restored_at_the_next_start(
    served: tuple[PairedPage, httpx.Client, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page, own, folder = served
    before = names(folder)
    assert own.post("/backup/look", content=other_backup(tmp_path), headers=ZIP).json() == {"why": ""}
    assert "Games in it: 2" in own.get("/backup").text
    assert not (folder / WAITING).exists()
    assert own.post("/backup/restore").headers["location"] == "/backup"
    assert "restored at the next start" in own.get("/backup").text
    assert names(folder) == before
    page.stop()
    with journal_in(folder):
        pass
    assert len(names(folder)) == len(before) + 2
    assert "games that are new or have more entries: 2" in capsys.readouterr().out
    assert not (folder / WAITING).exists()


def test_a_backup_that_is_to_be_restored_is_copied_in_pieces_and_its_folder_synced(
    served: tuple[PairedPage, httpx.Client, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _page, own, folder = served
    own.post("/backup/look", content=other_backup(tmp_path), headers=ZIP)
    synced = list[Path]()
    monkeypatch.setattr("companion.journal.disk.sync_folder", synced.append)
    monkeypatch.setattr(Path, "read_bytes", None)
    own.post("/backup/restore")
    assert (folder / WAITING).exists()
    assert folder in synced


def test_a_backup_can_be_dropped_before_it_is_restored(
    served: tuple[PairedPage, httpx.Client, Path], tmp_path: Path
) -> None:
    _page, own, folder = served
    data = other_backup(tmp_path)
    for last in ("/backup/drop", "/backup/restore"):
        own.post("/backup/look", content=data, headers=ZIP)
        own.post(last)
    assert (folder / WAITING).exists()
    own.post("/backup/drop")
    assert not (folder / WAITING).exists()
    assert "Download a backup" in own.get("/backup").text


@pytest.mark.parametrize("data", [b"", b"hello", b"PK" + bytes(400)])
def test_what_is_no_backup_is_refused_with_a_sentence(
    served: tuple[PairedPage, httpx.Client, Path], data: bytes
) -> None:
    _page, own, folder = served
    why = own.post("/backup/look", content=data, headers=ZIP).json()["why"]
    assert "nothing was restored" in why
    assert ".zip" not in why  # a name that only the program knows
    own.post("/backup/restore")
    assert not (folder / WAITING).exists()


def test_a_backup_that_is_damaged_while_it_waits_stops_no_start(
    served: tuple[PairedPage, httpx.Client, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    page, _own, folder = served
    page.stop()
    (folder / WAITING).write_bytes(b"half of it")
    with journal_in(folder):
        pass
    assert "the backup is not restored" in capsys.readouterr().err
    assert (folder / REFUSED).exists()
    assert not (folder / WAITING).exists()


def test_too_large_a_backup_and_other_pages_are_refused(
    served: tuple[PairedPage, httpx.Client, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    _page, own, _folder = served
    monkeypatch.setattr(owner_pages, "LARGEST_BACKUP", 10)
    assert own.post("/backup/look", content=b"more than that", headers=ZIP).status_code == 413
    assert own.post("/backup/look", content=b"x").status_code == 415
    assert own.post("/backup/restore", headers={"Sec-Fetch-Site": "cross-site"}).status_code == 403


@pytest.mark.parametrize(("path", "words"), [("/backup", "sauvegarde et restaure."), ("/games", "change ses jeux.")])
def test_a_phone_is_refused_in_its_own_language(
    served: tuple[PairedPage, httpx.Client, Path], path: str, words: str
) -> None:
    phone = served[0].paired()
    refused = phone.get(path, headers={"Accept": "text/html", "Accept-Language": "fr"})
    assert refused.status_code == 403
    assert words in refused.text


def test_no_phone_backs_up_or_restores_whatever_its_role(served: tuple[PairedPage, httpx.Client, Path]) -> None:
    page, _own, _folder = served
    phone = page.paired()
    for role in ({"role": "seat", "person": "Aki"}, {"role": "scorer"}, {"role": "spectator"}):
        assert phone.post("/me", json=role).status_code == 204
        assert [phone.get(path).status_code for path in ("/backup", "/backup/file")] == [403, 403]
        for path in ("look", "restore", "drop"):
            assert phone.post(f"/backup/{path}", content=b"x", headers=ZIP).status_code == 403
