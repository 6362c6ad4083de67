"""`companion update` lets apt look and install, and says in one word for the menu what came of it."""

from __future__ import annotations

import io
import os
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from companion.cli import main, update
from companion.installation.places import InstallationPaths
from tests.line_tables import Row, cases, given, says

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


def test_while_another_apt_is_at_work_it_waits(box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[float] = []
    monkeypatch.setattr("time.sleep", waited.append)
    busy = "E: Could not get lock /var/lib/apt/lists/lock. It is held by process 18610 (apt-get)"
    box.apt(looks=f"test $(grep -c update {box.root}/asked) -gt 2 || {{ echo '{busy}' >&2; exit 100; }}")
    assert box.update("--box", "http://box.example") == 0
    assert box.asked[:4] == ["-a", "update", "update", "update"]
    assert waited == [update.WAIT] * 2


def updates(given: str | bytes) -> str:
    """Return what a box with 0.2.0 prints, its status, its word, and the last word of each thing that was asked.

    Before the words of the command, parted by `` ; ``: ``looks SCRIPT``, ``plans SCRIPT`` and ``installs SCRIPT`` (what
    apt does then), ``typed TEXT``, ``failed VERSION``, ``settings TEXT``, ``user NUMBER``, ``from sources``.
    """
    *facts, words = str(given).split(" ; ")
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patches:
        box, apt, out = Box(Path(folder), patches), dict[str, str](), io.StringIO()
        box.places.update_outcome.write_text("of the update before\n")
        box.places.failed_versions.mkdir()
        for fact in facts:
            match fact.split(" ", 1):
                case ["typed", text]:
                    patches.setattr("sys.stdin", io.StringIO(f"{text}\n"))
                case ["failed", version]:
                    box.places.failed(version).touch()
                case ["settings", text]:
                    box.settings.write_text(text)
                case ["user", number]:
                    patches.setattr("os.geteuid", lambda: int(number))
                case ["from", _]:
                    box.places.current.unlink()
                case [name, script]:
                    apt[name] = script
        box.apt(**apt)
        with redirect_stdout(out), redirect_stderr(out):
            status = box.update(*words.split())
        word = box.places.update_outcome
        said = [f"{status}, {word.read_text().strip() if word.exists() else 'no word'}", *out.getvalue().splitlines()]
        asked = " ".join(box.asked) if (box.root / "asked").exists() else "nothing"
        return " | ".join((*said, f"asked: {asked}")).replace(str(box.root), "")


@pytest.mark.parametrize(("name", "rows"), cases("updates"))
def test_of_each_update_is_said_what_was_accepted(name: str, rows: list[Row]) -> None:
    assert [(row.given, says(name)(given(row.given))) for row in rows] == rows
