"""Compiles the translation catalogues into the wheel, and leaves the hub of a club out of a box's.

An editable install compiles them beside their sources. Links of the README lead to the repository, as PyPI has no other
files.
"""

from __future__ import annotations

import os
import re
import runpy
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

WORDS = Path("companion/ui/translations")


class Catalogues(BuildHookInterface[Any]):
    """Build hook that adds a ``.mo`` to the wheel for every ``.po``."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile the catalogues."""
        if "WITHOUT_CLUB" in os.environ:
            self.build_config.target_config["exclude"] += ["companion/club", "companion/cli/club.py"]
        root = Path(self.root)
        compile_all = runpy.run_path(str(root / "tools" / "catalogues.py"))["compile_all"]
        if version == "editable":
            compile_all(root / WORDS)
            return
        self._folder = tempfile.TemporaryDirectory()
        for made, place in compile_all(root / WORDS, Path(self._folder.name)):
            build_data["force_include"][str(made)] = str(WORDS / place)

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the compiled files: the wheel has them now."""
        if version != "editable":
            self._folder.cleanup()


class Readme(MetadataHookInterface):
    """Metadata hook that gives PyPI the README."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the README, with whole addresses."""
        repository = metadata["urls"]["Homepage"]
        text = Path(self.root, "README.md").read_text("utf-8")
        text = re.sub(r"(!\[[^]]*\]\()(?!\w+:)", rf"\g<1>{repository}/raw/main/", text)
        text = re.sub(r"((?<!!)\[[^]]*\]\()(?!\w+:|#)", rf"\g<1>{repository}/blob/main/", text)
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
