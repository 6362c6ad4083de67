"""Several threads may be the first to read a kind."""

from __future__ import annotations

import subprocess
import sys

FIRST_BY_FOUR = """
import sys
from threading import Barrier, Thread

from msgspec import defstruct, json
from companion.decoding import convert, from_json, json_decoder

sys.setswitchinterval(1e-6)
for number in range(40):
    inner = {f"field{place}": defstruct("Inner", [("figure", "int | None")]) for place in range(20)}
    kind = defstruct("Outer", list(inner.items()))
    data = {name: {"figure": 3} for name in inner}
    ways = [
        lambda: convert(data, kind),
        lambda: from_json(json.encode(data), kind),
        lambda: json_decoder(kind).decode(json.encode(data)),
    ]
    together, read = Barrier(4), []

    def first(way):
        together.wait()
        read.append(way())

    threads = [Thread(target=first, args=(ways[place % 3],)) for place in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(read) == 4 and all(value.field7.figure == 3 for value in read)
"""


def test_threads_that_are_the_first_to_read_a_kind_all_read_it() -> None:
    ended = subprocess.run([sys.executable, "-c", FIRST_BY_FOUR], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")
