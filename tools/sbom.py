"""Writes a bill of materials for each package in dist: CycloneDX, JSON; ``python -m tools.sbom`` (or ``make sbom``).

It lists every wheel in the package with its hash and licence, and below it the parts that the wheel itself lists, such
as Pillow's libraries. The same package always gives the same bytes.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from email.message import Message
from email.parser import Parser
from pathlib import Path
from uuid import NAMESPACE_URL, uuid5
from zipfile import ZipFile

from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model import HashAlgorithm, HashType
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.model.license import LicenseAcknowledgement
from cyclonedx.output.json import JsonV1Dot6
from packageurl import PackageURL

from .debian_package import ARCHITECTURES, NAME, SHARE, moment
from .release import ROOT


class SbomError(Exception):
    """The bill of materials cannot be written; the message is a sentence."""


def bill(package: Path, wheels: Sequence[Path], when: int) -> str:
    """Return the bill of materials of a package.

    Args:
        package: The Debian package.
        wheels: The wheels in it.
        when: Its time, in seconds since 1970.
    """
    name, version, architecture = package.stem.split("_")
    digest = hashlib.sha256(package.read_bytes()).hexdigest()
    root = Component(
        name=name,
        version=version,
        type=ComponentType.APPLICATION,
        bom_ref=package.name,
        purl=PackageURL("deb", None, name, version, {"arch": architecture}),
        hashes=[HashType(alg=HashAlgorithm.SHA_256, content=digest)],
    )
    made = Bom(components=[component(wheel) for wheel in sorted(wheels)], serial_number=uuid5(NAMESPACE_URL, digest))
    made.metadata.component = root
    made.metadata.timestamp = datetime.fromtimestamp(when, UTC)
    made.register_dependency(root, made.components)
    return JsonV1Dot6(made).output_as_string(indent=2) + "\n"


def component(path: Path) -> Component:
    """Return the entry of a wheel, with the parts that it lists itself."""
    with ZipFile(path) as wheel:
        names = sorted(wheel.namelist())
        about = Parser().parsestr(wheel.read(next(name for name in names if _is_metadata(name))).decode())
        lists = [json.loads(wheel.read(name)) for name in names if ".dist-info/sboms/" in name and name[-1] != "/"]
    name, version = about["Name"], about["Version"]
    said = licence(about)
    return Component(
        name=name,
        version=version,
        type=ComponentType.LIBRARY,
        bom_ref=path.name,
        purl=PackageURL("pypi", None, name.lower(), version, {"file_name": path.name}),
        description=about["Summary"],
        hashes=[HashType(alg=HashAlgorithm.SHA_256, content=hashlib.sha256(path.read_bytes()).hexdigest())],
        licenses=[LicenseFactory().make_from_string(said, license_acknowledgement=LicenseAcknowledgement.DECLARED)]
        if said
        else [],
        components=list(_parts(path.name, lists)),
    )


def licence(about: Message) -> str:
    """Return the licence in a wheel's metadata: an SPDX expression if it gives one, else a name; empty if it says none.

    A field that holds the whole text of a licence is passed over for the trove classifiers.
    """
    for field in ("License-Expression", "License"):
        if about[field] and "\n" not in about[field]:
            return str(about[field])
    classifiers = [str(each) for each in about.get_all("Classifier", []) if str(each).startswith("License ::")]
    return ", ".join(each.rpartition(" :: ")[2] for each in classifiers)


def _is_metadata(name: str) -> bool:
    return name.endswith(".dist-info/METADATA") and name.count("/") == 1


def _parts(wheel: str, lists: Sequence[dict[str, object]]) -> Iterator[Component]:
    """Yield the parts in the CycloneDX lists of a wheel, each with a reference of its own; the wheel itself is none."""
    for number, each in enumerate(lists):
        itself = each["metadata"]["component"]["bom-ref"]  # type: ignore[index]  # every CycloneDX list of a wheel has it
        for part in sorted(Bom.from_json(each).components):  # type: ignore[attr-defined]
            if part.bom_ref.value != itself:
                part.bom_ref.value = f"{wheel}#{number}/{part.bom_ref.value}"
                yield part


def write(package: Path) -> Path:
    """Write the bill of materials of a package beside it, and return its path.

    Raises:
        SbomError: The package cannot be opened.
    """
    with tempfile.TemporaryDirectory() as folder:
        opened = ["dpkg-deb", "--extract", str(package), folder]
        done = subprocess.run(opened, check=False, capture_output=True, text=True)
        if done.returncode:
            raise SbomError(f"{package} cannot be opened: {done.stderr.strip()}")
        text = bill(package, list((Path(folder) / SHARE / "wheels").glob("*.whl")), moment())
    path = package.with_suffix(".cdx.json")
    path.write_text(text, "utf-8")
    return path


def main(dist: Path = ROOT / "dist") -> int:
    """Write the bills of materials of all packages in a folder; return the exit status."""
    packages = [path for name in ARCHITECTURES for path in sorted(dist.glob(f"{NAME}_*_{name}.deb"))]
    if not packages:
        print(f"There is no package in {dist}: make deb", file=sys.stderr)
        return 1
    try:
        print(*(write(package) for package in packages), sep="\n")
    except SbomError as fault:
        print(f"No bill of materials was written: {fault}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
