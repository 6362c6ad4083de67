"""Which file system holds a folder, and whether its content is gone with the power."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from companion.cli.start_notices import keeps_no_games
from hardware.mounted_drives import is_in_memory

OVERLAY = """\
overlayroot / overlay rw,lowerdir=/lower,upperdir=/upper 0 0
/dev/mmcblk0p3 /var/lib/companion ext4 rw,noatime 0 0
tmpfs /run tmpfs rw 0 0
"""


@pytest.mark.parametrize(
    ("text", "folder", "in_memory"),
    [
        ("/dev/root / ext4 rw 0 0\n", "/var/lib/companion", False),
        ("/dev/root / ext4 rw 0 0\ntmpfs /var tmpfs rw 0 0\n", "/var/lib/companion", True),
        (OVERLAY, "/var/lib/companion", False),
        (OVERLAY, "/var/lib/companion/games", False),
        (OVERLAY, "/var/lib", True),
        (OVERLAY + "overlay /var/lib/companion overlay rw 0 0\n", "/var/lib/companion", True),
        ("tmpfs /var tmpfs rw 0 0\n/dev/sda1 /var ext4 rw 0 0\n", "/var/lib/companion", False),
        (r"tmpfs /a\040b tmpfs rw 0 0", "/a b/c", True),
        ("", "/", False),
        ("nonsense\n", "/", False),
    ],
)
def test_the_nearest_mount_tells(tmp_path: Path, text: str, folder: str, in_memory: bool) -> None:
    (tmp_path / "mounts").write_text(text)
    assert is_in_memory(Path(folder), tmp_path / "mounts") is in_memory


def test_without_the_kernels_list_nothing_is_claimed(tmp_path: Path) -> None:
    assert not is_in_memory(tmp_path, tmp_path / "none")


@pytest.mark.needs("root")
@pytest.mark.parametrize("kind", ["tmpfs", "overlay"])
def test_a_real_mount_in_memory_is_noticed(tmp_path: Path, kind: str) -> None:
    there = tmp_path / "there"
    there.mkdir()
    memory = tmp_path / "memory"
    memory.mkdir()
    layers = f"lowerdir={tmp_path / 'lower'},upperdir={memory}/upper,workdir={memory}/work"
    (tmp_path / "lower").mkdir()
    mount = {
        "tmpfs": f"mount -t tmpfs none {there}",
        "overlay": f"mount -t tmpfs none {memory} && mkdir {memory}/upper {memory}/work && "
        f"mount -t overlay -o {layers} none {there}",
    }[kind]
    script = tmp_path / "ask.py"
    script.write_text(
        "import sys\nfrom pathlib import Path\nfrom hardware.mounted_drives import is_in_memory\n"
        "print(is_in_memory(Path(sys.argv[1])))\n"
    )
    done = subprocess.run(
        ["unshare", "--mount", "sh", "-c", f"{mount} && exec {sys.executable} {script} {there}"],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        pytest.skip(f"nothing can be mounted here: {done.stderr}")
    assert done.stdout == "True\n"


def test_the_service_says_so_on_the_panel_and_others_do_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hardware.mounted_drives.is_in_memory", lambda _folder: True)
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)
    assert keeps_no_games(tmp_path) is None
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    assert str(keeps_no_games(tmp_path)) == "Games are in memory only: they are gone with the power"
    monkeypatch.setattr("hardware.mounted_drives.is_in_memory", lambda _folder: False)
    assert keeps_no_games(tmp_path) is None
