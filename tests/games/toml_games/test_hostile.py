"""Hostile files: whatever they say, they are refused in a sentence."""

from __future__ import annotations

import pytest

from companion.games.toml_games import GameFileError, load

from .files import BIDS, TALLY


def _with(key: str, value: str) -> str:
    """Return a tally with another value of a key at the beginning of a line."""
    lines = [f"{key} = {value}" if line.startswith(f"{key} =") else line for line in TALLY.splitlines()]
    assert lines != TALLY.splitlines()
    return "\n".join(lines)


def _points(formula: str) -> str:
    return TALLY.replace('points = "points"', f"points = {formula}")


FORMULAS = [
    "__import__('os').system('true')",
    "().__class__.__bases__[0].__subclasses__()",
    "points.__class__",
    "points.__init__.__globals__",
    "(lambda: 1)()",
    "[x for x in range(10**9)]",
    "{1: 2}",
    "{1, 2}",
    "{**points}",
    "(1, 2)",
    "f'{points}'",
    "points if points",
    "points := 3",
    "points = 3",
    "points; points",
    "yield points",
    "await points",
    "9**9**9**9",
    "2 ** points",
    "points << 99999",
    "points >> 1",
    "points | 1",
    "points & 1",
    "points ^ 1",
    "points @ 1",
    "~points",
    "+points",
    "points / 0",
    "1e308",
    "1j",
    "0x" + "f" * 200,
    "9" * 280,
    "inf",
    "nan",
    "None",
    "True",
    "...",
    "b'a'",
    "''",
    "exec(points)",
    "eval('1')",
    "open('/etc/passwd')",
    "getattr(points, 'x')",
    "sum(sum(sum(points)))",
    "sum(*points)",
    "sum(points, start=3)",
    "sum(x=points)",
    "min()",
    "points()",
    "sum.__call__(points)",
    "globals",
    "__builtins__",
    "self",
    "points in points",
    "points is points",
    "not",
    "(((((",
    ")",
    "#",
    "points \\\\\n",
    "a" * 301,
    "-" * 290 + "1",
    "not " * 70 + "1",
    "(" * 299,
    "1 if " * 40 + "1" + " else 1" * 40,
    "abs(" * 70 + "1" + ")" * 70,
    "1<" * 149 + "points.x",
    "pоints",  # a Cyrillic letter
    "points\u200b",
    "points\u202e",
    "１ + 1",
]
TEXTS = {
    "nothing": "",
    "a blank": " ",
    "no TOML": "{}",
    "JSON": '{"name": "tally"}',
    "YAML": "name: tally",
    "a program": "import os\nos.remove('x')",
    "a null sign": 'name = "a\x00b"',
    "10 MB": "a" * 10_000_000,
    "10 MB of keys": "a = 1\n" * 1_700_000,
    "10 MB of lines": "\n" * 10_000_000,
    "deep lists": "a = " + "[" * 450 + "]" * 450,
    "deeper lists over lines": "a = " + "[\n" * 20_000 + "]\n" * 5_000,
    "deep tables": "a = " + "{a = " * 180 + "1" + "}" * 180,
    "dotted keys": ".".join("a" * 490) + " = 1",
    "many dotted keys": "".join(f"a{number}{'.a' * 400} = 1\n" for number in range(70)),
    "a huge number": "seats = " + "9" * 990,
    "a huge number over the limit of Python": "x = [" + ",\n".join(["9" * 900] * 60) + "]",
    "an infinite number": _with("least", "inf"),
    "no number": _with("least", "nan"),
    "a date": _with("least", "1979-05-27"),
    "a fraction": _with("least", "0.5"),
    "a double key": TALLY + 'points = "1"',
    "a double table": TALLY + "[score]",
    "a table over a list": TALLY + "[ask]",
    "a double question": TALLY + '[[ask]]\nname = "points"',
    "an option and a question of one name": TALLY + '[options.points]\nlabel = "a"\nvalues = [1]',
    "a cycle": TALLY + '[define]\na = "b"\nb = "c"\nc = "a"',
    "a cycle that a question asks": TALLY + 'when = "a"\n[define]\na = "b"\nb = "a"',
    "a cycle of one": TALLY + '[define]\na = "a"',
    "a chain of names": TALLY + "[define]\na0 = 1\n" + "".join(f'a{n} = "a{n - 1}"\n' for n in range(1, 2000)),
    "many names": TALLY + "[define]\n" + "".join(f"a{number} = 1\n" for number in range(4000)),
    "many questions": TALLY + "".join(f'[[ask]]\nname = "a{number}"\n' for number in range(1500)),
    "many options": TALLY + "".join(f'[options.a{number}]\nlabel = "a"\nvalues = [1]\n' for number in range(900)),
    "many choices": TALLY + 'kind = "choice"\n[ask.choices]\n' + "".join(f"a{n} = {n}\n" for n in range(2000)),
    "many words": TALLY + "[words.fr]\n" + "".join(f'a{number} = "b"\n' for number in range(3000)),
    "many unknown keys": TALLY + "".join(f"[x{number}]\n" for number in range(4000)),
    "a path as a name": _with("name", '"../../etc/passwd"'),
    "a root path as a name": _with("name", '"/etc/passwd"'),
    "a Windows path as a name": _with("name", r'"..\\x"'),
    "a dot as a name": _with("name", '"."'),
    "an empty name": _with("name", '""'),
    "a name with a null sign": _with("name", '"a\\u0000"'),
    "a name with a line break": _with("name", '"a\\nb"'),
    "a name of one million letters": _with("name", '"' + "a" * 1_000_000 + '"'),
    "a name with capitals": _with("name", '"Tally"'),
    "a name with wide letters": _with("name", '"ｔally"'),
    "a name of a question with dots": TALLY.replace('name = "points"', 'name = "a.b"'),
    "__class__ as a question": TALLY.replace('name = "points"', 'name = "__class__"'),
    "__class__ as a rule": TALLY + '[options.__class__]\nlabel = "a"\nvalues = [1]',
    "__class__ as a key": TALLY + "__class__ = 1",
    "__proto__ as a section": TALLY + "[__proto__]\na = 1",
    "an event's name as a question": TALLY.replace('name = "points"', 'name = "undo"'),
    "a word of formulas as a question": TALLY.replace('name = "points"', 'name = "lambda"'),
    "format of a text": _with("title", '"{0.__class__}"'),
    "format of the player": BIDS.replace('name = "bid"', 'name = "bid"\ntext = "{player.__class__}"'),
    "format in a translation": TALLY + '[words.fr]\nPoints = "{x}"',
    "a brace": _with("title", '"{"'),
    "a control sign": _with("title", '"\\u001b[2J"'),
    "a line break in a text": _with("title", '"a\\nb"'),
    "reversed text": _with("title", '"a\\u202eb"'),
    "half a character": 'name = "\\ud800"',
    "a long title": _with("title", '"' + "a" * 900 + '"'),
    "no seats": _with("seats", '""'),
    "negative seats": _with("seats", "-4"),
    "a million seats": _with("seats", '"2-1000000"'),
    "true seats": _with("seats", "true"),
    "a million figures": _with("least", "-1000000"),
    "a text as a list": TALLY.replace("[[ask]]", "ask = 'x'\n[b]"),
    "lists in lists": TALLY + "card = [[[[1]]]]",
    "numbers as a rules card": TALLY.replace('title = "Points"', 'title = "Points"\ncard = [1]'),
    "a huge rules card": TALLY.replace('title = "Points"', 'title = "Points"\ncard = [' + '"a",\n' * 9000 + "]"),
    "seats as a side": TALLY.replace('title = "Points"', 'title = "Points"\nsides = "points"'),
    "a deck of nothing": TALLY + '[tricks]\npoints = "points"\nlead = "clubs-2"\ndeck.ranks = ""',
    "a deck of everything": TALLY + '[tricks]\npoints = "points"\ndeck.ranks = "' + "2 " * 400 + '"',
    "a huge joker": TALLY + '[tricks.deck.jokers.x]\nlabel = "x"\nnumber = 1000000000\nwins = true',
    **{
        formula[:40] + (f"… {len(formula)}" if len(formula) > 40 else ""): _points(repr(formula))
        for formula in FORMULAS
    },
}


def test_there_are_a_hundred_kinds() -> None:
    assert len(TEXTS) >= 140


@pytest.mark.parametrize("text", TEXTS.values(), ids=list(TEXTS))
def test_a_hostile_file_is_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(GameFileError) as caught:
        load(text, "hostile.toml")
    assert caught.value.findings
    for finding in caught.value.findings:
        assert 0 < len(str(finding.text)) < 2500
        assert finding.line > 0
        assert finding.column > 0
