"""`companion update` lets apt look and install, and says in one word for the menu what came of it."""

from __future__ import annotations

import io
import os
from pathlib import Path

import pytest

from companion.cli import main, update
from companion.installation.places import InstallationPaths

OURS = "Inst tabletop-companion [0.2.0+deb12] (0.3.0rc1+b2+deb12 Tabletop Companion:debian-12/. [arm64])"


class Box:
    """An installed box whose apt does as a test says, and writes down what it was asked."""

    def __init__(self, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.places, self.programs, self.root = InstallationPaths(root / "box"), root / "programs", root
        self.choose("0.2.0")
        self.places.update_outcome.parent.mkdir(parents=True)
        self.programs.mkdir()
        self.sources, self.settings = root / "sources.list.d", root / "box.toml"
        self.sources.mkdir()
        (self.sources / "debian.sources").touch()
        self.settings.touch()
        self.apt()
        (self.programs / "dpkg").write_text(f"#!/bin/sh\necho dpkg $* >>{root}/asked\n")
        (self.programs / "dpkg").chmod(0o755)
        self.drives: list[Path] = []
        monkeypatch.setattr(update, "InstallationPaths", lambda: self.places)
        monkeypatch.setattr(update, "SOURCES", self.sources)
        monkeypatch.setattr(update, "drives", lambda **_: self.drives)
        monkeypatch.setattr("os.geteuid", lambda: 0)
        monkeypatch.setenv("PATH", f"{self.programs}:{os.environ['PATH']}")

    def choose(self, version: str) -> None:
        (self.places.versions / version).mkdir(parents=True, exist_ok=True)
        self.places.current.unlink(missing_ok=True)
        self.places.current.symlink_to(f"versions/{version}")

    def apt(self, looks: str = "true", plans: str = f"echo '{OURS}'", installs: str = "") -> None:
        """Say what apt-get does when it looks, when it only says what it would install, and when it installs."""
        link = self.places.current
        installs = installs or f"mkdir {self.places.versions}/0.3.0rc1+b2; ln -sfn versions/0.3.0rc1+b2 {link}"
        (self.programs / "apt-get").write_text(
            f"#!/bin/sh\necho apt-get $* >>{self.root}/asked\n"
            f"for word; do case $word in Dir::Etc::SourceParts=*) parts=${{word#*=}} ;; esac; done\n"
            f"cp $parts/tabletop-companion.list {self.root}/list; ls $parts | tr '\\n' ' ' >>{self.root}/parts\n"
            f"case $* in *update) {looks} ;; *--simulate) {plans} ;; *) {installs} ;; esac\n"
        )
        (self.programs / "apt-get").chmod(0o755)

    def update(self, *arguments: str) -> int:
        return main(["update", "--config", str(self.settings), *arguments])

    @property
    def word(self) -> str:
        return self.places.update_outcome.read_text()

    @property
    def asked(self) -> list[str]:
        """Return the last word of each thing that was asked."""
        return [line.split()[-1] for line in (self.root / "asked").read_text().splitlines()]


@pytest.fixture
def box(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Box:
    return Box(tmp_path, monkeypatch)


def answer(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(text))


def test_what_is_newer_is_installed_if_that_is_wanted(
    box: Box, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answer(monkeypatch, "n\n")
    assert box.update("https://example.org/box") == 0
    assert "Install 0.3.0rc1+b2? This box has 0.2.0. [y/N]" in capsys.readouterr().out
    assert box.asked == ["-a", "update", "--simulate"]
    answer(monkeypatch, "y\n")
    assert box.update("https://example.org/box") == 0
    assert capsys.readouterr().out.endswith("this box has 0.3.0rc1+b2\n")
    assert box.asked[-1] == "tabletop-companion"


def test_apt_looks_at_this_repository_alone_and_installs_with_those_of_the_system(box: Box) -> None:
    assert box.update("--yes", "https://example.org/box") == 0
    release = next(line for line in Path("/etc/os-release").read_text().splitlines() if line.startswith("VERSION_ID="))
    number = release.partition("=")[2].strip('"')
    signed = "[signed-by=/usr/share/keyrings/tabletop-companion.gpg]"
    assert (box.root / "list").read_text() == f"deb {signed} https://example.org/box/debian-{number} ./\n"
    looked, *installed = (box.root / "parts").read_text().split("tabletop-companion.list")
    assert looked == ""
    assert installed[0].split() == ["debian.sources"]
    look, plan, install = [line for line in (box.root / "asked").read_text().splitlines() if "apt-get" in line]
    others = "-o Dir::Etc::SourceList=/dev/null -o APT::Get::List-Cleanup=false"  # neither read nor removed
    assert others in look
    assert "Dir::Etc::SourceList" not in plan + install


def test_apt_takes_an_index_of_any_age_and_only_what_the_package_needs(box: Box) -> None:
    assert box.update("--yes", "https://example.org/box") == 0
    look, plan, install = [line for line in (box.root / "asked").read_text().splitlines() if "apt-get" in line]
    assert "-o Acquire::Check-Date=false" in look
    assert plan == f"{install} --simulate"
    assert install.endswith(" --yes --no-install-recommends install tabletop-companion")


def test_drives_with_a_repository_and_the_address_of_the_settings_are_asked(box: Box, tmp_path: Path) -> None:
    for name in ("MY STICK [1]", "other"):
        (tmp_path / name).mkdir()
    (tmp_path / "MY STICK [1]/tabletop-companion").mkdir()
    box.drives = [tmp_path / "MY STICK [1]", tmp_path / "other"]
    box.settings.write_text('[update]\naddress = "http://box.example/x"\n')
    assert box.update("--box") == 0
    found = [line.split()[2] for line in (box.root / "list").read_text().splitlines()]
    assert [each.rpartition("/debian-")[0] for each in found] == [
        f"copy:{tmp_path}/MY%20STICK%20%5B1%5D/tabletop-companion",
        "http://box.example/x",
    ]


def test_a_folder_is_named_from_where_the_command_is_given(
    box: Box, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert box.update("--yes", "here") == 0
    assert f" copy:{tmp_path}/here/debian-" in (box.root / "list").read_text()


@pytest.mark.parametrize(
    ("apt", "word", "status"),
    [
        ({}, "installed", 0),
        ({"plans": "true"}, "newest", 0),
        ({"looks": "echo E: Could not connect; exit 100", "plans": "true"}, "address", 1),
        ({"looks": "echo E: The repository is not signed; exit 100", "plans": "true"}, "signature", 1),
        ({"looks": "echo E: no signature at https://signs.example; exit 100"}, "installed", 0),
        ({"plans": "echo 'E: Unmet dependencies' >&2; exit 100"}, "install", 1),
        ({"installs": "exit 100"}, "install", 1),
        ({"installs": "exit 0"}, "install", 1),
    ],
)
def test_the_menu_is_told_in_a_word_what_came_of_it_and_nothing_is_asked(
    box: Box, apt: dict[str, str], word: str, status: int
) -> None:
    box.apt(**apt)
    assert box.update("--box", "http://box.example") == status
    assert box.word == f"{word}\n"


def test_a_place_that_cannot_be_read_is_said(box: Box, capsys: pytest.CaptureFixture[str]) -> None:
    box.apt(looks="echo E: Could not connect; exit 100", plans="true")
    assert box.update("http://signs.example") == 1
    assert capsys.readouterr().out == "E: Could not connect\nthis box has 0.2.0; nothing newer was found\n"


def test_while_another_apt_is_at_work_it_waits(box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[float] = []
    monkeypatch.setattr("time.sleep", waited.append)
    busy = "E: Could not get lock /var/lib/apt/lists/lock. It is held by process 18610 (apt-get)"
    box.apt(looks=f"test $(grep -c update {box.root}/asked) -gt 2 || {{ echo '{busy}' >&2; exit 100; }}")
    assert box.update("--box", "http://box.example") == 0
    assert box.asked[:4] == ["-a", "update", "update", "update"]
    assert waited == [update.WAIT] * 2


def test_why_apt_cannot_install_anything_is_said(box: Box, capsys: pytest.CaptureFixture[str]) -> None:
    box.apt(plans="echo 'E: Unmet dependencies' >&2; exit 100")
    assert box.update("http://box.example") == 1
    assert capsys.readouterr().out == "E: Unmet dependencies\nthis box has 0.2.0; apt cannot install anything\n"


def test_with_neither_drive_nor_address_apt_is_not_asked(box: Box, capsys: pytest.CaptureFixture[str]) -> None:
    assert box.update("--box") == 1
    assert box.word == "nowhere\n"
    assert "no folder tabletop-companion on a USB drive, and no address in the settings" in capsys.readouterr().out
    assert not (box.root / "asked").exists()


def test_a_version_that_failed_here_is_not_installed_and_the_mark_is_named(
    box: Box, capsys: pytest.CaptureFixture[str]
) -> None:
    box.places.failed_versions.mkdir()
    box.places.failed("0.3.0rc1+b2").touch()
    assert box.update("--box", "http://box.example") == 1
    assert box.word == "failed\n"
    assert f"sudo rm {box.places.failed('0.3.0rc1+b2')}" in capsys.readouterr().out
    assert box.asked == ["-a", "update", "--simulate"]


def test_an_update_that_ends_with_an_error_leaves_no_word_of_the_one_before(box: Box) -> None:
    box.places.update_outcome.write_text("newest\n")
    box.settings.write_text("wrong")
    assert box.update("--box") == 1
    assert not box.places.update_outcome.exists()


def test_only_root_updates_and_only_what_was_installed_from_a_package(
    box: Box, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    assert box.update() == 1
    assert "sudo companion update" in capsys.readouterr().err
    box.places.current.unlink()
    assert box.update() == 1
    assert "was not installed from a package" in capsys.readouterr().err
