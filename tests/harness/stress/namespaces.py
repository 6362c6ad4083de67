"""Network namespaces of Linux: computers with addresses of their own, on this computer, joined by virtual cables.

Nothing outside of the namespaces made here is changed. They need root.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

TABLE, STRANGERS, PHONE = "table", "strangers", "phone"
PORT = 8080
PHONES = 20
"""How many addresses the phone's namespace has."""
TABLES = {STRANGERS: "10.77.1.1", PHONE: "10.77.2.1"}
"""The table's address for each of the others."""


class NamespaceError(Exception):
    """There are no namespaces here; the message says why."""


@dataclass(frozen=True, slots=True)
class Namespaces:
    """A table, a phone, and a computer with many addresses, each in a namespace of its own.

    Attributes:
        prefix: What the names of the namespaces begin with.
    """

    prefix: str

    def start(self, where: str, *command: str) -> subprocess.Popen[str]:
        """Start a Python module in a namespace; strangers get the processor that the others leave."""
        gently = ("nice", "-n", "19") if where == STRANGERS else ()
        words = [*gently, "ip", "netns", "exec", self.prefix + where, sys.executable, "-m", *command]
        return subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


@contextmanager
def namespaces(addresses: int) -> Iterator[Namespaces]:
    """Make the namespaces, and remove them after the block.

    Args:
        addresses: How many addresses the strangers have.

    Raises:
        NamespaceError: They cannot be made here.
    """
    if shutil.which("ip") is None or os.geteuid() != 0:
        raise NamespaceError("network namespaces need root and the program ip")
    made = Namespaces(f"tc{os.getpid()}-")
    with ExitStack() as stack:
        for name in (TABLE, STRANGERS, PHONE):
            _ip("netns", "add", made.prefix + name)
            stack.callback(_ip, "netns", "del", made.prefix + name)
            _ip("-n", made.prefix + name, "link", "set", "lo", "up")
        for other, own in ((STRANGERS, addresses), (PHONE, PHONES)):
            network = TABLES[other].rpartition(".")[0]
            here, there = ("-n", made.prefix + TABLE), ("-n", made.prefix + other)
            _ip(*here, "link", "add", other, "type", "veth", "peer", "name", "table", "netns", made.prefix + other)
            _ip(*here, "address", "add", f"{TABLES[other]}/24", "dev", other)
            _ip(*here, "link", "set", other, "up")
            for number in range(2, 2 + own):
                _ip(*there, "address", "add", f"{network}.{number}/24", "dev", "table")
            _ip(*there, "link", "set", "table", "up")
        yield made


def _ip(*words: str) -> None:
    """Run the program ip.

    Raises:
        NamespaceError: It refuses.
    """
    done = subprocess.run(["ip", *words], capture_output=True, text=True, check=False)
    if done.returncode:
        raise NamespaceError(f"ip {' '.join(words)}: {done.stderr.strip()}")
