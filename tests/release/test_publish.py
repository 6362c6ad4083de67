"""What can be released."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tools import publish

RELEASED = "# Changelog\n\n## [Unreleased]\n\n## [1.2.0] - 2026-12-01\n\n- New.\n"


@pytest.mark.parametrize(
    ("changelog", "new_file", "why"),
    [
        (RELEASED, False, ""),
        (RELEASED, True, "there are changes that are not committed"),
        (RELEASED.replace("[Unreleased]\n", "[Unreleased]\n\n- Newer.\n"), False, "CHANGELOG.md has changes under"),
        (RELEASED.replace("1.2.0", "1.1.0"), False, "CHANGELOG.md has no heading for version 1.2.0"),
        (RELEASED.replace(" - 2026-12-01", ""), False, "CHANGELOG.md has no heading for version 1.2.0"),
    ],
)
def test_only_a_version_that_is_committed_and_told_can_be_released(
    changelog: str, new_file: bool, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pyproject.toml").write_text('[project]\nversion = "1.2.0"\n')
    (tmp_path / "CHANGELOG.md").write_text(changelog)
    git = ("git", "-C", str(tmp_path), "-c", "user.name=Ada", "-c", "user.email=ada@example.org")
    for words in (("init", "-q"), ("add", "--all"), ("commit", "-q", "-m", "first")):
        subprocess.run([*git, *words], check=True)
    if new_file:
        (tmp_path / "new").touch()
    monkeypatch.setattr(publish, "ROOT", tmp_path)
    said = publish.unready()
    assert said.startswith(why)
    assert bool(said) is bool(why)
