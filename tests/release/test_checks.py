"""The checks before a commit."""

from __future__ import annotations

import re

from tools.release import ROOT


def test_pre_commit_runs_what_make_lint_runs() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    recipe = makefile.partition("\nlint: ")[2].partition("\n\n")[0].splitlines()[1:]
    hooks = re.findall(r"entry: (.*)", (ROOT / ".pre-commit-config.yaml").read_text("utf-8"))
    assert hooks == [line.strip().replace("$(BIN)", ".venv/bin") for line in recipe]
