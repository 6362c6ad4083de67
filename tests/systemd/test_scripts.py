"""Every shell script of the project is free of the faults that shellcheck knows."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.waiting import LAST_RESORT

ROOT = Path(__file__).parents[2]
FOLDERS = ".ci", "debian", "systemd"


def is_script(file: Path) -> bool:
    return file.is_file() and file.read_bytes().partition(b"\n")[0] in {
        b"#!/bin/sh",
        b"#!/bin/sh -e",
        b"#!/bin/bash",
        b"#!/usr/bin/env bash",
    }


@pytest.mark.needs("shellcheck")
def test_shellcheck_warns_of_nothing_in_any_script() -> None:
    scripts = [str(file) for folder in FOLDERS for file in (ROOT / folder).rglob("*") if is_script(file)]
    assert any(name.endswith(".ci/run") for name in scripts)
    command = ["shellcheck", "--severity=warning", "--external-sources", *scripts]
    said = subprocess.run(command, capture_output=True, text=True, timeout=LAST_RESORT, check=False)
    assert said.returncode == 0, said.stdout + said.stderr
