"""A package for tests: a wheel of a small program, pip's wheel, and the file of hashes, below a root folder."""

from __future__ import annotations

import hashlib
import sys
import zipfile
from pathlib import Path

import pip

from companion.installation.places import InstallationPaths

PROGRAM = """
import sys
def run():
    print(sys.argv[1:])
"""


def add_package(root: Path, version: str = "0.3.0") -> InstallationPaths:
    """Put a package below a root folder."""
    places = InstallationPaths(root)
    wheels = places.package / "wheels"
    wheels.mkdir(parents=True, exist_ok=True)
    _pip(wheels)
    ours = wheels / f"tabletop_companion-{version}-py3-none-any.whl"
    about = f"tabletop_companion-{version}.dist-info"
    with zipfile.ZipFile(ours, "w") as wheel:
        wheel.writestr("program.py", PROGRAM)
        wheel.writestr(f"{about}/METADATA", f"Metadata-Version: 2.1\nName: tabletop-companion\nVersion: {version}\n")
        wheel.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{about}/entry_points.txt", "[console_scripts]\ncompanion = program:run\n")
        wheel.writestr(f"{about}/RECORD", "".join(f"{name},,\n" for name in wheel.namelist()))
    digest = hashlib.sha256(ours.read_bytes()).hexdigest()
    python = f"python{sys.version_info.major}.{sys.version_info.minor}"
    (places.package / f"{python}.txt").write_text(f"tabletop-companion=={version} --hash=sha256:{digest}\n")
    return places


def _pip(wheels: Path) -> None:
    made = wheels / f"pip-{pip.__version__}-py3-none-any.whl"
    source = Path(pip.__file__).parent
    with zipfile.ZipFile(made, "w") as wheel:
        for path in sorted(source.rglob("*.py")) + sorted(source.rglob("*.pem")) + sorted(source.rglob("*.txt")):
            wheel.write(path, path.relative_to(source.parent))
