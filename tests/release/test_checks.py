"""The checks before a commit, and those of CI."""

from __future__ import annotations

import re

from tests import needed
from tools import ROOT
from tools.wheels import SYSTEMS

PYTHONS = [system.python for system in SYSTEMS.values()]


def test_pre_commit_mends_what_make_lint_checks() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    recipe = makefile.partition("\nlint: ")[2].partition("\n\n")[0].splitlines()[1:]
    hooks = re.findall(r"entry: (.*)", (ROOT / ".pre-commit-config.yaml").read_text("utf-8"))
    checked = [line.strip().replace("$(BIN)", ".venv/bin").replace(" --check", "") for line in recipe]
    assert sorted(hook.replace(" --fix", "") for hook in hooks) == sorted(checked)


def test_ci_runs_the_suite_on_the_oldest_and_the_newest_python_of_the_package() -> None:
    script = (ROOT / ".ci/run").read_text("utf-8")
    assert re.findall(r"^(?:oldest|newest)=(.*)", script, re.MULTILINE) == [PYTHONS[0], PYTHONS[-1]]
    assert f'requires-python = ">={PYTHONS[0]}"' in (ROOT / "pyproject.toml").read_text("utf-8")


def test_ci_requires_every_tool_but_a_python_that_others_can_run() -> None:
    (required,) = re.findall(r'COMPANION_REQUIRED="(.*)"', (ROOT / ".ci/run").read_text("utf-8"))
    assert {*required.split()} == {*needed.TOOLS} - {"another-user"}
