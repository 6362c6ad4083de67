"""``python -m companion``."""

from companion.cli import run

run()
