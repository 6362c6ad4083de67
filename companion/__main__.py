"""Runs the command line: ``python -m companion``."""

import signal
import sys

try:
    from companion.cli import run

    run()
except KeyboardInterrupt:  # before there was a command to stop
    sys.exit(128 + signal.SIGINT)
