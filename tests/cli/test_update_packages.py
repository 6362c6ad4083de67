"""An update is taken from a folder or an address if a release key signed it, and is handed to apt."""

from __future__ import annotations

import errno
import io
import os
import shutil
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from http.server import BaseHTTPRequestHandler, SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from companion.cli.update import fetch_package, find_packages, signed_package
from companion.cli.update.fetch_package import UpdateError, fetched
from companion.cli.update.find_packages import (
    FoundPackage,
    is_newer,
    newest,
    package_at_address,
    packages_in_folder,
)
from companion.cli.update.signed_package import checked_copy, install
from companion.installation.places import InstallationPaths

pytestmark = pytest.mark.needs("dpkg-deb", "ssh-keygen")


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make the release key, and another one."""
    folder = tmp_path_factory.mktemp("keys")
    for name in ("release", "foreign"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(folder / name)], check=True)
    return folder


@pytest.fixture
def places(tmp_path: Path, keys: Path) -> InstallationPaths:
    """Return a box that trusts the release key."""
    places = InstallationPaths(tmp_path / "box")
    places.package.mkdir(parents=True)
    kind, body, *_comment = (keys / "release.pub").read_text().split()
    places.signers.write_text(f'release namespaces="tabletop-companion" {kind} {body}\n')
    return places


def take(offer: FoundPackage, places: InstallationPaths, processor: str) -> Path:
    """Take an offer, and leave it again; return where it was."""
    with checked_copy(offer, places, processor) as package:
        assert package.is_file()
    return package


Packer = Callable[..., Path]


@pytest.fixture
def pack(tmp_path: Path, keys: Path) -> Packer:
    """Return a function that makes a signed package in the folder of a stick."""

    def made(version: str, name: str = "tabletop-companion", processor: str = "arm64", key: str = "release") -> Path:
        stage = tmp_path / "stage"
        (stage / "DEBIAN").mkdir(parents=True, exist_ok=True)
        about = (
            f"Package: {name}\nVersion: {version}\nArchitecture: {processor}\nMaintainer: a <a@b.c>\nDescription: x\n"
        )
        (stage / "DEBIAN/control").write_text(about)
        stick = tmp_path / "stick"
        stick.mkdir(exist_ok=True)
        package = stick / f"tabletop-companion_{version}_arm64.deb"
        subprocess.run(["dpkg-deb", "--build", str(stage), str(package)], check=True, capture_output=True)
        if key:
            sign = ["ssh-keygen", "-q", "-Y", "sign", "-f", str(keys / key), "-n", "tabletop-companion", str(package)]
            subprocess.run(sign, check=True, capture_output=True)
        return package

    return made


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    """Serve the folder of the stick at an address."""
    (tmp_path / "stick").mkdir(exist_ok=True)

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(tmp_path / "stick"))) as served:
        thread = threading.Thread(target=served.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{served.server_port}"
        served.shutdown()
        thread.join()


def test_the_newest_package_of_a_stick_is_found(pack: Packer, tmp_path: Path) -> None:
    for version in ("0.9.0", "0.10.0", "0.10.0~rc1"):
        pack(version)
    best = newest(packages_in_folder(tmp_path / "stick", "arm64"))
    assert best is not None
    assert best.version == "0.10.0"
    assert packages_in_folder(tmp_path / "stick", "armhf") == []
    assert newest([]) is None


@pytest.mark.parametrize(
    "name",
    ["tabletop-companion_0.3.0_arm64.deb\n", "tabletop-companion_0.3.0_armhf.deb", "x_0.3.0_arm64.deb",
     "tabletop-companion_-x_arm64.deb", "tabletop-companion_0.3.0_arm64.deb.part"],
)  # fmt: skip
def test_files_with_other_names_are_left_alone(tmp_path: Path, name: str) -> None:
    (tmp_path / name).touch()
    (tmp_path / f"{name}.sig").touch()
    assert packages_in_folder(tmp_path, "arm64") == []


def test_folders_pipes_and_packages_without_a_signature_are_no_offers(tmp_path: Path) -> None:
    for version in ("0.1", "0.2", "0.3", "0.5"):
        (tmp_path / f"tabletop-companion_{version}_arm64.deb.sig").touch()
    (tmp_path / "tabletop-companion_0.1_arm64.deb").mkdir()
    os.mkfifo(tmp_path / "tabletop-companion_0.2_arm64.deb")
    for version in ("0.4", "0.5"):
        (tmp_path / f"tabletop-companion_{version}_arm64.deb").touch()
    assert [offer.version for offer in packages_in_folder(tmp_path, "arm64")] == ["0.5"]


def test_a_package_whose_signature_was_not_copied_is_said(tmp_path: Path) -> None:
    (tmp_path / "tabletop-companion_0.4_arm64.deb").touch()
    with pytest.raises(
        UpdateError, match=r"0\.4_arm64\.deb has no signature beside it: copy .*\.deb\.sig, too"
    ) as raised:
        packages_in_folder(tmp_path, "arm64")
    assert raised.value.kind == "unsigned"


def test_a_folder_that_cannot_be_read_is_said(tmp_path: Path) -> None:
    with pytest.raises(UpdateError, match="cannot be read: no such file or directory"):
        packages_in_folder(tmp_path / "gone", "arm64")


@pytest.mark.parametrize(
    ("version", "than", "newer"),
    [("0.3.0", "0.2.0", True), ("0.10.0", "0.9.0", True), ("0.3.0", "0.3.0", False), ("0.3.0~rc1", "0.3.0", False),
     ("0.1.0", None, True)],
)  # fmt: skip
def test_versions_are_compared_as_dpkg_does(version: str, than: str | None, newer: bool) -> None:
    assert is_newer(version, than) is newer


def test_a_signed_package_is_copied_and_taken(pack: Packer, places: InstallationPaths) -> None:
    package = pack("0.3.0")
    with checked_copy(FoundPackage("0.3.0", str(package)), places, "arm64") as copy:
        assert copy.parent == places.downloads
        assert copy.read_bytes() == package.read_bytes()
        assert places.downloads.stat().st_mode & 0o777 == 0o700, "only root reads what is not checked yet"
    assert list(places.downloads.iterdir()) == []


def test_an_address_offers_its_newest_package(
    pack: Packer, places: InstallationPaths, server: str, tmp_path: Path
) -> None:
    pack("0.3.0")
    (tmp_path / "stick/version.txt").write_text("0.3.0\n")
    offer = package_at_address(f"{server}/", "arm64")
    assert offer == FoundPackage("0.3.0", f"{server}/tabletop-companion_0.3.0_arm64.deb")
    assert take(offer, places, "arm64").name == "tabletop-companion_0.3.0_arm64.deb"


@pytest.mark.parametrize("said", ["", "<html>", "../../etc", "0.3.0 ; rm", "0" * 100])
def test_an_address_that_names_no_version_is_refused(server: str, tmp_path: Path, said: str) -> None:
    (tmp_path / "stick/version.txt").write_text(said)
    with pytest.raises(UpdateError, match="does not name a version"):
        package_at_address(server, "arm64")


def test_an_address_that_cannot_be_reached_is_said(server: str) -> None:
    with pytest.raises(UpdateError, match=r"version.txt cannot be fetched: 404"):
        package_at_address(server, "arm64")
    with pytest.raises(UpdateError, match=r"cannot be fetched: .*refused"):
        package_at_address("http://127.0.0.1:1", "arm64")


def test_a_version_file_without_an_end_is_not_read_on(server: str, tmp_path: Path) -> None:
    (tmp_path / "stick/version.txt").write_text("0" * 1000)
    with pytest.raises(UpdateError, match="is larger than 200 bytes"):
        package_at_address(server, "arm64")


def test_a_package_signed_with_another_key_is_refused(pack: Packer, places: InstallationPaths) -> None:
    with pytest.raises(UpdateError, match="damaged, or was not signed"):
        take(FoundPackage("0.3.0", str(pack("0.3.0", key="foreign"))), places, "arm64")


def test_a_package_signed_with_a_key_that_was_revoked_is_refused(
    pack: Packer, places: InstallationPaths, keys: Path
) -> None:
    package = pack("0.3.0")
    places.revoked_signers.write_text("")
    take(FoundPackage("0.3.0", str(package)), places, "arm64")
    places.revoked_signers.write_bytes((keys / "foreign.pub").read_bytes())
    take(FoundPackage("0.3.0", str(package)), places, "arm64")
    places.revoked_signers.write_bytes((keys / "release.pub").read_bytes())
    with pytest.raises(UpdateError, match="damaged, or was not signed"):
        take(FoundPackage("0.3.0", str(package)), places, "arm64")


def test_a_package_signed_with_a_second_key_is_taken(pack: Packer, places: InstallationPaths, keys: Path) -> None:
    kind, body, *_comment = (keys / "foreign.pub").read_text().split()
    with places.signers.open("a") as signers:
        signers.write(f'release namespaces="tabletop-companion" {kind} {body}\n')
    for key, version in (("release", "0.3.0"), ("foreign", "0.4.0")):
        take(FoundPackage(version, str(pack(version, key=key))), places, "arm64")


@pytest.mark.parametrize(
    ("target", "followed"),
    [
        ("http://127.0.0.1:{port}/there", True),  # the server itself
        ("http://localhost:{port}/there", False),
        ("http://192.168.178.1/there", False),
        ("http://[::1]:{port}/there", False),
        ("http://no-such-host.invalid/there", False),
    ],
)
def test_a_redirect_into_the_network_at_home_is_not_followed(target: str, followed: bool) -> None:
    class Redirecting(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            there = self.path == "/there"
            self.send_response(200 if there else 302)
            if not there:
                self.send_header("Location", target.format(port=served.server_port))
            self.end_headers()
            self.wfile.write(b"content" if there else b"")

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Redirecting) as served:
        thread = threading.Thread(target=served.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            address = f"http://127.0.0.1:{served.server_port}/here"
            if followed:
                assert fetched(address, 100) == b"content"
            else:
                with pytest.raises(UpdateError, match="which is no address of the internet"):
                    fetched(address, 100)
        finally:
            served.shutdown()
            thread.join()


def test_nothing_is_left_of_a_package_that_is_refused(pack: Packer, places: InstallationPaths) -> None:
    with pytest.raises(UpdateError):
        take(FoundPackage("0.3.0", str(pack("0.3.0", key="foreign"))), places, "arm64")
    assert list(places.downloads.iterdir()) == []


def test_a_link_is_no_offer_and_is_not_followed(pack: Packer, places: InstallationPaths, tmp_path: Path) -> None:
    package = pack("0.3.0")
    link = tmp_path / "stick" / "tabletop-companion_0.4.0_arm64.deb"
    link.symlink_to(package)
    shutil.copy(f"{package}.sig", f"{link}.sig")
    assert [offer.version for offer in packages_in_folder(tmp_path / "stick", "arm64")] == ["0.3.0"]
    with pytest.raises(UpdateError, match="cannot be copied"):
        take(FoundPackage("0.4.0", str(link)), places, "arm64")


def test_a_pipe_in_place_of_a_package_is_refused(places: InstallationPaths, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "x.deb")
    with pytest.raises(UpdateError, match="is no file"):
        take(FoundPackage("0.3.0", str(tmp_path / "x.deb")), places, "arm64")


def test_two_updates_do_not_share_a_folder(pack: Packer, places: InstallationPaths) -> None:
    offer = FoundPackage("0.3.0", str(pack("0.3.0")))
    with checked_copy(offer, places, "arm64") as first:
        with pytest.raises(UpdateError, match="another update is going on"):
            take(offer, places, "arm64")
        assert first.exists()
    take(offer, places, "arm64")


def test_a_folder_that_cannot_be_used_is_said(pack: Packer, places: InstallationPaths) -> None:
    places.downloads.parent.mkdir(parents=True)
    places.downloads.touch()
    with pytest.raises(UpdateError, match=r"tabletop-companion cannot be used: file exists"):
        take(FoundPackage("0.3.0", str(pack("0.3.0"))), places, "arm64")


def test_what_a_pulled_plug_left_of_an_update_is_removed(pack: Packer, places: InstallationPaths) -> None:
    places.downloads.mkdir(parents=True)
    (places.downloads / "old.deb").touch()
    with checked_copy(FoundPackage("0.3.0", str(pack("0.3.0"))), places, "arm64"):
        assert not (places.downloads / "old.deb").exists()


def test_a_damaged_package_is_refused(pack: Packer, places: InstallationPaths) -> None:
    package = pack("0.3.0")
    data = bytearray(package.read_bytes())
    data[len(data) // 2] ^= 1
    package.write_bytes(data)
    with pytest.raises(UpdateError, match="damaged, or was not signed"):
        take(FoundPackage("0.3.0", str(package)), places, "arm64")


def test_an_older_package_under_a_newer_name_is_refused(pack: Packer, places: InstallationPaths) -> None:
    old = pack("0.1.0")
    named = old.with_name("tabletop-companion_0.3.0_arm64.deb")
    shutil.copy(old, named)
    shutil.copy(f"{old}.sig", f"{named}.sig")
    with pytest.raises(UpdateError, match=r"not what its name says: Package: tabletop-companion Version: 0\.1\.0"):
        take(FoundPackage("0.3.0", str(named)), places, "arm64")


@pytest.mark.parametrize("other", [{"name": "bash"}, {"processor": "armhf"}])
def test_another_package_is_refused_even_if_it_is_signed(
    pack: Packer, places: InstallationPaths, other: dict[str, str]
) -> None:
    with pytest.raises(UpdateError, match="is not what its name says"):
        take(FoundPackage("0.3.0", str(pack("0.3.0", **other))), places, "arm64")


def test_a_package_without_a_signature_is_refused(pack: Packer, places: InstallationPaths) -> None:
    with pytest.raises(UpdateError, match="has no signature beside it"):
        take(FoundPackage("0.3.0", str(pack("0.3.0", key=""))), places, "arm64")


def test_a_box_without_release_keys_takes_nothing(pack: Packer, places: InstallationPaths) -> None:
    places.signers.write_text("")
    with pytest.raises(UpdateError, match="knows no release key"):
        take(FoundPackage("0.3.0", str(pack("0.3.0"))), places, "arm64")


def test_a_package_without_an_end_is_not_copied_on(
    pack: Packer, places: InstallationPaths, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(signed_package, "LARGEST", 100)
    with pytest.raises(UpdateError, match="is larger than 100 bytes"):
        take(FoundPackage("0.3.0", str(pack("0.3.0"))), places, "arm64")


def test_a_server_that_never_ends_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It sends a byte now and then: each is in time, and the sum is not."""
    clock = iter(range(0, 10_000, 10))
    monkeypatch.setattr("time.monotonic", lambda: float(next(clock)))

    class Trickle(io.BufferedIOBase):
        def read1(self, size: int = -1, /) -> bytes:
            return b"0"

    monkeypatch.setattr("companion.cli.update.fetch_package.open_address", lambda *_, **__: closing(Trickle()))
    with pytest.raises(UpdateError, match="takes longer than 30 minutes"):
        fetch_package.copy_bounded("http://192.0.2.1/x.deb", tmp_path / "x.deb", 10_000)


def test_an_address_that_holds_up_a_look_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """Such as one that sends its headers byte by byte, or a name with many addresses that do not answer."""
    ended = threading.Event()
    monkeypatch.setattr("companion.cli.update.fetch_package.open_address", lambda *_, **__: ended.wait())
    monkeypatch.setattr(find_packages, "LONGEST_REQUEST", 0.01)
    with pytest.raises(UpdateError, match=r"^http://192\.0\.2\.1 takes longer than 0 seconds$"):
        package_at_address("http://192.0.2.1", "arm64")
    ended.set()


def test_what_is_gone_meanwhile_is_said(places: InstallationPaths, tmp_path: Path) -> None:
    with pytest.raises(UpdateError, match="cannot be copied: no such file or directory"):
        take(FoundPackage("0.3.0", str(tmp_path / "gone.deb")), places, "arm64")


def test_a_machine_without_ssh_keygen_is_told_what_to_install(
    pack: Packer, places: InstallationPaths, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = pack("0.3.0")
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(UpdateError, match="sudo apt install openssh-client"):
        take(FoundPackage("0.3.0", str(package)), places, "arm64")
    with pytest.raises(UpdateError, match="dpkg is missing"):
        find_packages.architecture()


def test_apt_installs_it_after_finishing_what_was_interrupted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("dpkg", "apt-get"):
        (tmp_path / name).write_text(f'#!/bin/sh\necho "{name} $*" >>{tmp_path}/told\n')
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    install(Path("/var/x.deb"))
    first, second = (tmp_path / "told").read_text().splitlines()
    assert first == "dpkg --configure -a"
    assert second.startswith("apt-get -o DPkg::Lock::Timeout=600 install --yes ")
    assert second.endswith(" /var/x.deb")


def test_a_package_that_cannot_be_configured_does_not_hold_up_its_successor(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, body in (("dpkg", "exit 1"), ("apt-get", f"touch {tmp_path}/asked")):
        (tmp_path / name).write_text(f"#!/bin/sh\n{body}\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    install(Path("/var/x.deb"))
    assert (tmp_path / "asked").exists()


def test_what_apt_says_is_passed_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, status in (("dpkg", 0), ("apt-get", 100)):
        (tmp_path / name).write_text(f"#!/bin/sh\necho no room; exit {status}\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    with pytest.raises(UpdateError, match="the package cannot be installed:\nno room"):
        install(Path("/var/x.deb"))


# the kind of a fault, for the panel


def kind_of(do: Callable[[], object]) -> str:
    """Return the kind of the fault that a call raises."""
    with pytest.raises(UpdateError) as raised:
        do()
    return raised.value.kind


def test_each_fault_has_its_kind(pack: Packer, places: InstallationPaths, server: str, tmp_path: Path) -> None:
    def checked_copy(package: Path | str) -> Callable[[], object]:
        return lambda: take(FoundPackage("0.3.0", str(package)), places, "arm64")

    assert kind_of(lambda: packages_in_folder(tmp_path / "gone", "arm64")) == "drive"
    assert kind_of(lambda: package_at_address(server, "arm64")) == "address"
    assert kind_of(checked_copy(f"{server}/gone.deb")) == "address"
    assert kind_of(checked_copy(tmp_path / "gone.deb")) == "drive"
    assert kind_of(checked_copy(pack("0.3.0", key=""))) == "unsigned"
    assert kind_of(checked_copy(pack("0.3.0", key="foreign"))) == "signature"
    assert kind_of(checked_copy(pack("0.4.0", processor="armhf"))) == "package"
    places.signers.write_text("")
    assert kind_of(checked_copy(pack("0.5.0"))) == "signature"


@pytest.mark.parametrize("by_address", [True, False])
def test_a_full_disk_is_a_kind_of_its_own(
    pack: Packer, places: InstallationPaths, server: str, monkeypatch: pytest.MonkeyPatch, by_address: bool
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    package = pack("0.3.0")
    monkeypatch.setattr(fetch_package, "_pour", full)
    place = f"{server}/{package.name}" if by_address else str(package)
    assert kind_of(lambda: take(FoundPackage("0.3.0", place), places, "arm64")) == "space"
