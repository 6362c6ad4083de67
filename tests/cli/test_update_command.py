"""The command `companion update` looks, asks and installs; what is missing is said in a sentence."""

from __future__ import annotations

import io
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

import pytest

from companion.cli import main
from companion.cli.update import command, find_packages, signed_package
from companion.cli.update.fetch_package import UpdateError
from companion.cli.update.find_packages import FoundPackage
from companion.installation.found_update import FoundUpdate, read_found, write_found
from companion.installation.places import InstallationPaths, version_of


def installation(stick: Path) -> InstallationPaths:
    """Return the places of the box that a stick is plugged into."""
    return InstallationPaths(stick.parent / "box")


@pytest.fixture
def box(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a box with version 0.2.0, and a stick with 0.3.0 that is mounted; return the stick."""
    installed = installation(tmp_path / "stick")
    (installed.versions / "0.2.0").mkdir(parents=True)
    installed.current.symlink_to("versions/0.2.0")
    stick = tmp_path / "stick"
    stick.mkdir()
    for name in ("tabletop-companion_0.3.0_arm64.deb", "tabletop-companion_0.3.0_arm64.deb.sig"):
        (stick / name).touch()
    monkeypatch.setattr(command, "InstallationPaths", lambda: installed)
    monkeypatch.setattr("os.geteuid", lambda: 0)
    monkeypatch.setattr(find_packages, "architecture", lambda: "arm64")
    monkeypatch.setattr(find_packages, "is_newer", lambda version, than: than is None or version > than)
    monkeypatch.setattr(signed_package, "checked_copy", lambda package, *_: nullcontext(Path(package.place)))
    monkeypatch.setattr("hardware.mounted_drives.drives", lambda **_: [stick])

    def install(package: Path) -> None:
        installed.current.unlink()
        installed.current.symlink_to(f"versions/{package.name.split('_')[1]}")
        installed.current.resolve().mkdir(exist_ok=True)

    monkeypatch.setattr(signed_package, "install", install)
    return stick


Answer = Callable[[str], None]


@pytest.fixture
def answer(monkeypatch: pytest.MonkeyPatch) -> Answer:
    return lambda text: monkeypatch.setattr("sys.stdin", io.StringIO(text))


def test_a_newer_version_on_a_stick_is_installed_if_that_is_wanted(
    box: Path, answer: Answer, capsys: pytest.CaptureFixture[str]
) -> None:
    answer("y\n")
    assert main(["update", "--config", str(box / "none.toml")]) != 0  # settings that are named must be there
    (box / "box.toml").touch()
    assert main(["update", "--config", str(box / "box.toml")]) == 0
    said = capsys.readouterr().out
    assert f"Install 0.3.0 from {box}/tabletop-companion_0.3.0_arm64.deb? This box has 0.2.0. [y/N]" in said
    assert said.endswith("installed: 0.3.0\n")


@pytest.mark.parametrize("said", ["\n", "n\n", "", "maybe\n"])
def test_whatever_is_not_yes_installs_nothing(
    box: Path, answer: Answer, capsys: pytest.CaptureFixture[str], said: str
) -> None:
    answer(said)
    assert main(["update", str(box)]) == 0
    assert "installed" not in capsys.readouterr().out


def test_without_asking_it_is_installed_at_once(box: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["update", "--yes", str(box)]) == 0
    assert "[y/N]" not in capsys.readouterr().out


def test_nothing_newer_is_said_and_left(box: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["update", "--yes", str(box)])
    (box / "box.toml").touch()
    assert main(["update", "--config", str(box / "box.toml")]) == 0
    assert "has 0.3.0; this box has 0.3.0\n" in capsys.readouterr().out


def test_an_address_in_the_settings_is_looked_at_too(
    box: Path, answer: Answer, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = box / "box.toml"
    settings.write_text('[update]\naddress = "https://example.org/box"\n')
    asked = []

    def package_at_address(address: str, processor: str) -> FoundPackage:
        asked.append((address, processor))
        raise UpdateError("it cannot be fetched")

    monkeypatch.setattr(find_packages, "package_at_address", package_at_address)
    answer("n\n")
    assert main(["update", "--config", str(settings)]) == 0
    assert asked == [("https://example.org/box", "arm64")]
    told = capsys.readouterr()
    assert "Install 0.3.0 from" in told.out, "an address that fails does not hide a stick"
    assert told.err == "companion: it cannot be fetched\n"
    monkeypatch.setattr("hardware.mounted_drives.drives", lambda **_: [])
    assert main(["update", "--config", str(settings)]) == 1
    assert capsys.readouterr().err == "companion: it cannot be fetched\n"


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        ("gone.deb", "is no package: its name is tabletop-companion_VERSION_arm64.deb"),
        ("tabletop-companion_0.3.0_arm64.deb.sig", "is no package"),
        ("empty", "there is no package for this box in"),
    ],
)
def test_a_source_without_a_package_is_said(
    box: Path, capsys: pytest.CaptureFixture[str], source: str, sentence: str
) -> None:
    (box / "empty").mkdir()
    assert main(["update", str(box / source)]) == 1
    assert sentence in capsys.readouterr().err


def test_one_package_can_be_named(box: Path) -> None:
    assert main(["update", "--yes", str(box / "tabletop-companion_0.3.0_arm64.deb")]) == 0


def test_with_no_drive_and_no_address_it_says_so(
    box: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("hardware.mounted_drives.drives", lambda **_: [])
    (box / "box.toml").touch()
    assert main(["update", "--config", str(box / "box.toml")]) == 1
    assert "the settings (no address), and no USB drive is mounted" in capsys.readouterr().err


@pytest.mark.usefixtures("box")
def test_without_roots_rights_there_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    assert main(["update"]) == 1
    assert capsys.readouterr().err == "companion: updating needs root's rights: sudo companion update\n"


def test_a_program_that_is_no_package_is_not_updated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "InstallationPaths", lambda: InstallationPaths(tmp_path))
    assert main(["update"]) == 1
    assert "not installed from a package" in capsys.readouterr().err


# for the menu of the box


def found(box: Path) -> FoundUpdate:
    """Return what root wrote for the service."""
    return read_found(installation(box).found_update)


@pytest.fixture
def settings(box: Path) -> list[str]:
    """Return the arguments that name settings without an address."""
    (box / "box.toml").touch()
    return ["--config", str(box / "box.toml")]


def test_the_box_looks_and_installs_what_it_found_without_a_question(
    box: Path, settings: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["update", "--box", "look", *settings]) == 0
    assert found(box) == FoundUpdate("0.3.0", str(box / "tabletop-companion_0.3.0_arm64.deb"))
    assert main(["update", "--box", "install", *settings]) == 0
    assert main(["update", "--box", "look", *settings]) == 0
    assert found(box) == FoundUpdate()
    assert capsys.readouterr().out == ""


def test_the_box_never_installs_what_it_did_not_find_or_what_is_not_newer(
    box: Path, settings: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    package = str(box / "tabletop-companion_0.1.0_arm64.deb")
    for there in (None, FoundUpdate(), FoundUpdate("0.2.0", package), FoundUpdate("0.1.0", package)):
        if there is not None:
            write_found(there, installation(box).found_update)
        assert main(["update", "--box", "install", *settings]) == 1
        assert "nothing newer was found" in capsys.readouterr().err
        assert found(box).fault == "other"
    assert version_of(installation(box).current) == "0.2.0"


def test_the_box_is_told_what_failed_and_the_log_why(
    box: Path, settings: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(*_: object) -> Path:
        raise UpdateError("the package was not signed", "signature")

    main(["update", "--box", "look", *settings])
    monkeypatch.setattr(signed_package, "checked_copy", refuse)
    assert main(["update", "--box", "install", *settings]) == 1
    assert found(box).fault == "signature"
    assert capsys.readouterr().err == "companion: the package was not signed\n"


@pytest.mark.parametrize("on_stick", [True, False])
def test_an_address_that_fails_does_not_hide_a_stick(
    box: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], on_stick: bool
) -> None:
    def package_at_address(*_: object) -> FoundPackage:
        raise UpdateError("it cannot be fetched", "address")

    monkeypatch.setattr(find_packages, "package_at_address", package_at_address)
    if not on_stick:
        monkeypatch.setattr("hardware.mounted_drives.drives", lambda **_: [])
    (box / "box.toml").write_text('[update]\naddress = "https://example.org/box"\n')
    assert main(["update", "--box", "look", "--config", str(box / "box.toml")]) == 0
    assert found(box) == (
        FoundUpdate("0.3.0", str(box / "tabletop-companion_0.3.0_arm64.deb"))
        if on_stick
        else FoundUpdate(fault="address")
    )
    assert "it cannot be fetched" in capsys.readouterr().err


def test_the_box_is_told_that_there_is_nowhere_to_look(
    box: Path, settings: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hardware.mounted_drives.drives", lambda **_: [])
    assert main(["update", "--box", "look", *settings]) == 0
    assert found(box) == FoundUpdate(fault="nowhere")


@pytest.mark.usefixtures("box")
def test_what_the_units_run_needs_roots_rights_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    assert main(["update", "--box", "look"]) == 1
    assert "needs root's rights" in capsys.readouterr().err


# versions that failed here


@pytest.fixture
def failed(box: Path) -> Path:
    """Let 0.3.0 be a version that failed here; return its mark."""
    mark = installation(box).failed("0.3.0")
    mark.parent.mkdir(parents=True)
    mark.write_text("2026-11-23\nwatchdog killed ABRT\n")
    return mark


def test_a_version_that_failed_here_is_installed_again_only_after_a_word(
    box: Path, failed: Path, answer: Answer, capsys: pytest.CaptureFixture[str]
) -> None:
    for arguments in ([str(box)], ["--yes", str(box)]):
        answer("n\n")
        assert main(["update", *arguments]) == 0
        assert "0.3.0 failed on this box on 2026-11-23" in capsys.readouterr().out
        assert failed.exists()
    answer("y\n")
    assert main(["update", str(box)]) == 0
    assert capsys.readouterr().out.endswith("installed: 0.3.0\n")
    assert not failed.exists()


def test_a_package_that_is_refused_leaves_the_mark_of_its_version(
    box: Path, failed: Path, answer: Answer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> AbstractContextManager[Path]:
        raise UpdateError("the package was not signed by a release key", "signature")

    monkeypatch.setattr(signed_package, "checked_copy", refuse)
    answer("y\n")
    assert main(["update", str(box)]) == 1
    assert failed.exists()


def test_an_older_version_is_installed_only_after_a_word(
    box: Path, answer: Answer, capsys: pytest.CaptureFixture[str]
) -> None:
    older = box / "tabletop-companion_0.1.0_arm64.deb"
    older.touch()
    answer("n\n")
    assert main(["update", "--yes", str(older)]) == 0
    assert "[y/N]" in capsys.readouterr().out
    assert version_of(installation(box).current) == "0.2.0"


def test_the_box_does_not_offer_a_version_that_failed_here_but_one_that_did_not(
    box: Path, failed: Path, settings: list[str]
) -> None:
    assert main(["update", "--box", "look", *settings]) == 0
    assert found(box) == FoundUpdate(fault="failed")
    for name in ("tabletop-companion_0.4.0_arm64.deb", "tabletop-companion_0.4.0_arm64.deb.sig"):
        (box / name).touch()
    assert main(["update", "--box", "look", *settings]) == 0
    assert found(box).version == "0.4.0"


def test_a_version_that_was_left_at_once_is_not_called_installed(
    box: Path, settings: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(signed_package, "install", lambda _package: None)
    assert main(["update", "--yes", str(box)]) == 1
    told = capsys.readouterr()
    assert "installed:" not in told.out
    assert "0.3.0 is not what runs: this box has 0.2.0" in told.err
    main(["update", "--box", "look", *settings])
    assert main(["update", "--box", "install", *settings]) == 1
    assert found(box).fault == "failed"


def test_the_box_is_told_that_a_version_was_left_and_not_that_apt_failed(
    box: Path, settings: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The package ends with an error after a roll-back, and so does apt."""

    def install(_package: Path) -> None:
        mark = installation(box).failed("0.3.0")
        mark.parent.mkdir()
        mark.touch()
        raise UpdateError("the package cannot be installed", "install")

    monkeypatch.setattr(signed_package, "install", install)
    assert main(["update", *settings, "--box", "look"]) == 0
    assert main(["update", *settings, "--box", "install"]) == 1
    assert found(box).fault == "failed"
