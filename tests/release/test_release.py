"""Making a release."""

from __future__ import annotations

import subprocess
import tarfile
from datetime import date
from pathlib import Path
from zipfile import ZipFile

import pytest

from tools import release
from tools.release import ReleaseError, check, check_metadata, cut, expected

DAY = date(2026, 11, 22)
CHANGELOG = """\
# Changelog

## [Unreleased]

### Added
- A fifth game.

## [0.1.0] - 2026-01-02

### Added
- Four games.
"""
PROJECT: dict[str, object] = {
    "name": "box-of-cards",
    "version": "1.2.0",
    "description": "Keeps score.",
    "license": "MIT",
}
METADATA = """\
Metadata-Version: 2.4
Name: box-of-cards
Version: 1.2.0
Summary: Keeps score.
License-Expression: MIT
License-File: LICENSE

# Tabletop Companion
"""
TRACKED = {"LICENSE", "companion/a.py", "companion/words/fr.po", "companion/words/all.pot", "tests/b.py"}
PACKED = {"companion/a.py", "companion/words/fr.mo"}


def test_the_unreleased_section_becomes_that_of_the_version() -> None:
    assert cut(CHANGELOG, "0.2.0", DAY) == CHANGELOG.replace(
        "## [Unreleased]\n", "## [Unreleased]\n\n## [0.2.0] - 2026-11-22\n"
    )


def test_a_version_is_released_once() -> None:
    with pytest.raises(ReleaseError, match=r"has a section \[0.1.0\] already"):
        cut(CHANGELOG, "0.1.0", DAY)


def test_a_release_without_changes_is_refused() -> None:
    released = cut(CHANGELOG, "0.2.0", DAY)
    with pytest.raises(ReleaseError, match="nothing stands under"):
        cut(released, "0.3.0", DAY)


def test_a_changelog_without_an_unreleased_section_is_refused() -> None:
    with pytest.raises(ReleaseError, match="no section"):
        cut("# Changelog\n", "0.2.0", DAY)


def test_the_changelog_of_this_tree_can_be_cut() -> None:
    text = (release.ROOT / "CHANGELOG.md").read_text("utf-8")
    assert "## [9.9.9] - 2026-11-22" in cut(text, "9.9.9", DAY)


def test_a_wheel_contains_compiled_catalogues_in_the_place_of_their_sources() -> None:
    assert expected(TRACKED) == PACKED


def _archives(folder: Path, sources: set[str], packed: set[str], metadata: str = METADATA) -> tuple[Path, Path]:
    """Write a source archive and a wheel with these files."""
    source, wheel = folder / "box_of_cards-1.2.0.tar.gz", folder / "box_of_cards-1.2.0-py3-none-any.whl"
    empty = folder / "empty"
    empty.touch()
    with tarfile.open(source, "w:gz") as archive:
        for name in sources:
            archive.add(empty, f"box_of_cards-1.2.0/{name}")
    with ZipFile(wheel, "w") as opened:
        for name in packed:
            opened.writestr(name, "")
        opened.writestr("box_of_cards-1.2.0.dist-info/METADATA", metadata)
    return source, wheel


def test_archives_with_the_right_files_and_metadata_pass(tmp_path: Path) -> None:
    check(*_archives(tmp_path, {*TRACKED, "PKG-INFO"}, PACKED), TRACKED, PROJECT)


def test_a_source_archive_that_lacks_a_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ReleaseError, match=r"source archive lacks \['tests/b.py'\]"):
        check(*_archives(tmp_path, {*TRACKED, "PKG-INFO"} - {"tests/b.py"}, PACKED), TRACKED, PROJECT)


def test_a_wheel_with_tests_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ReleaseError, match=r"wheel lacks \[\] and should not have \['tests/b.py'\]"):
        check(*_archives(tmp_path, {*TRACKED, "PKG-INFO"}, PACKED | {"tests/b.py"}), TRACKED, PROJECT)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("Version: 1.2.0", "Version: 1.1.0"),
        ("Summary: Keeps score.", "Summary: Keeps"),
        ("License-File: LICENSE\n", ""),
        ("License-Expression: MIT", "License: MIT"),
        ("# Tabletop Companion", ""),
    ],
)
def test_wrong_metadata_is_refused(right: str, wrong: str) -> None:
    check_metadata(METADATA, PROJECT)
    with pytest.raises(ReleaseError, match="the wheel's"):
        check_metadata(METADATA.replace(right, wrong), PROJECT)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Return a small project in a repository of its own, with everything committed."""
    files = {
        ".gitignore": "/dist/\n",
        "CHANGELOG.md": CHANGELOG,
        "LICENSE": "As you like.\n",
        "README.md": "# Tabletop Companion\n",
        "companion/__init__.py": "",
        "pyproject.toml": """\
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "box-of-cards"
version = "1.2.0"
description = "Keeps score."
license = "MIT"
requires-python = ">=3.11"
readme = "README.md"

[tool.hatch.build.targets.wheel]
packages = ["companion"]
""",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    me = ("-c", "user.name=Aki", "-c", "user.email=aki@example.org", "-c", "commit.gpgsign=false")
    for command in (("init", "-q"), ("add", "."), (*me, "commit", "-qm", "All of it")):
        subprocess.run(["git", *command], cwd=tmp_path, check=True)
    return tmp_path


def test_a_release_leaves_two_archives_and_a_cut_changelog(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(release, "check_runs", lambda _wheel, version: version)
    made = release.release(tree, DAY)
    assert sorted((tree / "dist").iterdir()) == sorted(made)
    assert [archive.name for archive in made] == ["box_of_cards-1.2.0.tar.gz", "box_of_cards-1.2.0-py3-none-any.whl"]
    assert (tree / "CHANGELOG.md").read_text() == cut(CHANGELOG, "1.2.0", DAY)
    with tarfile.open(made[0]) as archive:
        packed = archive.extractfile("box_of_cards-1.2.0/CHANGELOG.md")
        assert packed is not None
        assert packed.read().decode() == cut(CHANGELOG, "1.2.0", DAY)


def test_a_release_that_fails_leaves_everything_as_it_was(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(_wheel: Path, _version: str) -> None:
        raise ReleaseError("it does not run")

    monkeypatch.setattr(release, "check_runs", fails)
    with pytest.raises(ReleaseError, match="does not run"):
        release.release(tree, DAY)
    assert (tree / "CHANGELOG.md").read_text() == CHANGELOG
    assert not list((tree / "dist").iterdir())


def test_a_tree_with_uncommitted_changes_is_not_released(tree: Path) -> None:
    (tree / "companion" / "new.py").touch()
    with pytest.raises(ReleaseError, match=r"not committed:\n.*companion/new.py"):
        release.release(tree, DAY)
