"""The bill of materials lists what is in a package, and is the same each time."""

from __future__ import annotations

import hashlib
import json
import subprocess
import zipfile
from email.message import Message
from pathlib import Path
from typing import Any

import pytest

from tools.sbom import SbomError, bill, licence, main, write

needs_dpkg = pytest.mark.needs("dpkg-deb")

PART = {"type": "library", "bom-ref": "freetype", "name": "libfreetype6", "version": "2.12.1"}
ITSELF = {"type": "library", "bom-ref": "itself", "name": "pillow", "version": "13.0.0"}
PARTS = {
    "bomFormat": "CycloneDX",
    "specVersion": "1.4",
    "version": 1,
    "metadata": {"component": ITSELF},
    "components": [ITSELF, PART],
}


def _wheel(folder: Path, name: str, about: str, parts: object = None) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    project, version, *_ = name.split("-")
    info = f"{project}-{version}.dist-info"
    with zipfile.ZipFile(folder / name, "w") as made:
        head = f"Metadata-Version: 2.4\nName: {project}\nVersion: {version}\n"
        made.writestr(zipfile.ZipInfo(f"{info}/METADATA"), head + about)
        if parts is not None:
            made.writestr(zipfile.ZipInfo(f"{info}/sboms/"), "")
            made.writestr(zipfile.ZipInfo(f"{info}/sboms/auditwheel.cdx.json"), json.dumps(parts))
    return folder / name


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """Make something in a package's place."""
    path = tmp_path / "tabletop-companion_0.3.0_arm64.deb"
    path.write_bytes(b"package")
    return path


def test_every_wheel_is_listed_with_its_hash_licence_and_parts(tmp_path: Path, package: Path) -> None:
    wheels = [
        _wheel(tmp_path, f"pillow-13.0.0-cp{python}-cp{python}-linux_aarch64.whl", "License-Expression: MIT\n", PARTS)
        for python in (313, 311)
    ]
    wheels.append(_wheel(tmp_path, "pip-26.0-py3-none-any.whl", ""))
    said = json.loads(bill(package, wheels, 1790000000))
    assert said["metadata"]["component"]["version"] == "0.3.0"
    assert said["metadata"]["component"]["hashes"][0]["content"] == hashlib.sha256(b"package").hexdigest()
    assert said["metadata"]["timestamp"] == "2026-09-21T14:13:20+00:00"
    first, second, third = said["components"]
    assert [each["bom-ref"] for each in (second, first, third)] == [wheel.name for wheel in wheels]
    assert first["purl"] == f"pkg:pypi/pillow@13.0.0?file_name={wheels[1].name}"
    assert first["hashes"][0]["content"] == hashlib.sha256(wheels[1].read_bytes()).hexdigest()
    assert first["licenses"][0]["license"]["id"] == "MIT"
    assert [part["name"] for part in first["components"]] == ["libfreetype6"]
    assert "licenses" not in third


def test_the_same_package_gives_the_same_bytes(tmp_path: Path, package: Path) -> None:
    wheels = [
        _wheel(tmp_path, f"pillow-13.0.0-cp{python}-cp{python}-linux_aarch64.whl", "", PARTS) for python in (313, 311)
    ]
    assert bill(package, wheels, 0) == bill(package, wheels[::-1], 0)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"License-Expression": "MIT", "License": "other"}, "MIT"),
        ({"License": "ISC"}, "ISC"),
        ({"License": "The whole\ntext", "Classifier": "License :: OSI Approved :: BSD License"}, "BSD License"),
        ({"Classifier": "Programming Language :: Python"}, ""),
    ],
)
def test_the_licence_is_the_shortest_that_the_metadata_say(fields: dict[str, Any], said: str) -> None:
    about = Message()
    for name, value in fields.items():
        about[name] = value
    assert licence(about) == said


@needs_dpkg
def test_the_wheels_are_those_in_the_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1790000000")
    stage = tmp_path / "stage"
    _wheel(stage / "usr/share/tabletop-companion/wheels", "pip-26.0-py3-none-any.whl", "")
    (stage / "DEBIAN").mkdir()
    (stage / "DEBIAN/control").write_text(
        "Package: tabletop-companion\nVersion: 0.3.0\nArchitecture: arm64\nMaintainer: us\nDescription: box\n"
    )
    made = tmp_path / "dist/tabletop-companion_0.3.0_arm64.deb"
    made.parent.mkdir()
    subprocess.run(["dpkg-deb", "--root-owner-group", "--build", stage, made], check=True, capture_output=True)
    assert main(made.parent) == 0
    path = made.parent / "tabletop-companion_0.3.0_arm64.cdx.json"
    assert str(path) in capsys.readouterr().out
    assert [each["name"] for each in json.loads(path.read_text())["components"]] == ["pip"]


@needs_dpkg
def test_a_damaged_package_is_said(package: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SbomError, match="cannot be opened"):
        write(package)
    assert main(package.parent) == 1
    assert "No bill of materials was written" in capsys.readouterr().err


def test_without_a_package_it_is_said_how_to_make_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(tmp_path) == 1
    assert capsys.readouterr().err.endswith("make deb\n")
