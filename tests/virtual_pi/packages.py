"""Makes Debian packages of this tree for the virtual Pi: of any version, and broken on purpose."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from .machine import PROJECT

FOLDER = PROJECT / "build" / "lab" / "packages"

_PLAYS = "        run(box, inbox, clock, pulse)\n"
_READY = "        notify(READY)\n"
_STARTS = "    gc.disable()  # until there is a picture"
_READS = "        return load(file, _Languages()), None\n"

FAULTS = {
    "import": (_STARTS, "    import no_such_module\n" + _STARTS),
    "hang": (_READY, "        time.sleep(100_000)\n" + _READY),
    "crash": (_PLAYS, "        import threading\n        threading.Timer(5, os._exit, (3,)).start()\n" + _PLAYS),
    "silent": (_PLAYS, _PLAYS.replace("pulse)", "())")),
    "ends": (_PLAYS, "        import threading\n        threading.Timer(8, os._exit, (0,)).start()\n" + _PLAYS),
    "refuses": (_READS, '        raise SettingsFault("these settings are refused")\n'),
    "syntax": (_STARTS, "    )\n" + _STARTS),
}
"""What each fault replaces in companion/cli/device.py: an import that fails, a start that never ends, a crash five
seconds after the start, a watchdog that is never fed, an end with status 0 after eight seconds, refused settings.
A version's check of itself notices none of them. The last one, an error of syntax, it does."""

RESULTS = {
    "import": "exit-code",
    "hang": "timeout",
    "crash": "exit-code",
    "silent": "watchdog",
    "ends": "success",
    "refuses": "exit-code",
}
"""How each of them ends, in systemd's words, but for the one that is never chosen."""


def tree() -> list[str]:
    """Return the names of the project's files, uncommitted ones included."""
    told = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=PROJECT, capture_output=True, text=True, check=True
    )
    return [name for name in told.stdout.split("\0") if name and (PROJECT / name).exists()]


def package(version: str, fault: str = "") -> Path:
    """Make a package of this tree with another version, and perhaps a fault; return its path."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        for name in tree():
            if name.startswith("tests/"):
                continue
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(PROJECT / name, copy / name)
        (copy / "build").symlink_to(PROJECT / "build")  # where the wheels are kept
        _replace(copy / "pyproject.toml", '^version = ".*"', f'version = "{version}"')
        _replace(copy / "debian/changelog", r"\A(\S+) \(.*?\)", rf"\1 ({version})")
        if fault:
            device = copy / "companion/cli/device.py"
            right, wrong = FAULTS[fault]
            text = device.read_text("utf-8")
            assert text.count(right) == 1, f"device.py has changed: the fault {fault} fits no more"
            device.write_text(text.replace(right, wrong), "utf-8")
        key = FOLDER / "release-key"
        made = FOLDER / (fault or "right")
        command = [sys.executable, "-m", "tools.debian_package", "amd64", "--key", str(key), "--dist", str(made)]
        done = subprocess.run(command, cwd=copy, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return made / f"tabletop-companion_{version}_amd64.deb"


def _replace(file: Path, pattern: str, by: str) -> None:
    """Replace a pattern in a file."""
    file.write_text(re.sub(pattern, by, file.read_text("utf-8"), count=1, flags=re.MULTILINE), "utf-8")
