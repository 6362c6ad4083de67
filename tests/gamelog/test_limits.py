"""Lines of any size: each is read, or refused in a short sentence, in time proportional to its length."""

from __future__ import annotations

import pytest

from companion.gamelog import InvalidLineError, read
from companion.gamelog.log import LONGEST_NUMBER

HEADER = b'{"format":1,"game":"eternity","players":["Aki","Bea"]}\n'

WORD = b"a" * 1_000_000
SHOWN = "a" * 39 + "…"


def _header(game: bytes = b'"eternity"', players: bytes = b'["Aki","Bea"]', rules: bytes = b"{}") -> bytes:
    return b'{"format":1,"game":%s,"players":%s,"rules":%s}' % (game, players, rules)


def _said(data: bytes) -> str:
    with pytest.raises(InvalidLineError) as caught:
        read(data)
    return str(caught.value)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b'{"%s":1}' % WORD, f"1: there is no key '{SHOWN}' here"),
        (b'{"%s":1,"%s":1}' % (WORD, WORD), f"1: the key '{SHOWN}' stands twice"),
        (_header(game=b'"%s"' % WORD), f"1: the rules of '{SHOWN}' are not installed"),
        (_header(players=b'["%s","Bea"]' % WORD), f"1: a name has 1 to 20 characters: '{SHOWN}'"),
        (
            _header(rules=b'{"edition":"%s"}' % WORD),
            f"1: edition: '{SHOWN}' is not one of the words that can stand here",
        ),
        (
            HEADER + b'{"type":"it\'s%s"}' % WORD,
            f'2: type: "it\'s{"a" * 35}…" is not one of the words that can stand here',
        ),
        (HEADER + b'{"type":"reveal","cards":["%s","sea-1"]}' % WORD, f"2: cards 1: there is no card '{SHOWN}'"),
        (HEADER + b'{"type":"start","player":1.%s}' % (b"0" * 1000), f"2: 1.{'0' * 37}… is not a whole number"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_as_much_of_a_long_word_is_repeated_as_can_be_read(data: bytes, says: str) -> None:
    assert _said(data) == says


@pytest.mark.parametrize(
    "line",
    [
        b'{"type":"start","player":%s}',
        b'{"type":"start","player":-%s}',
        b'{"type":"amend","event":%s,"to":{"type":"start","player":0}}',
        b'{"type":"splice","event":%s,"drop":0,"put":[{"type":"start","player":0}]}',
        b'{"type":"splice","event":1,"drop":%s,"put":[]}',
        b'{"type":"splice","event":1,"drop":-%s,"put":[]}',
        b'{"type":"splice","event":1,"drop":0,"put":[{"type":"start","player":%s}]}',
        b'{"type":"round","tricks":[%s,1],"trees":[0,0]}',  # the sum of these has a digit more than Python writes
    ],
)
@pytest.mark.parametrize("digits", [LONGEST_NUMBER + 1, 4300, 4301])
def test_a_number_that_nobody_could_read_is_refused(line: bytes, digits: int) -> None:
    assert _said(HEADER + line % (b"9" * digits)) == "2: a number is too long"


def test_a_large_number_is_a_number() -> None:
    assert read(_header(rules=b'{"ending":{"target":%s}}' % (b"9" * LONGEST_NUMBER))).header.rules.ending.target > 1e99
    assert _said(HEADER + b'{"type":"start","player":%s}' % (b"9" * 30)) == f"2: there is no seat {'9' * 30}"


def test_one_of_very_many_keys_that_stands_twice_is_found() -> None:
    keys = b",".join(b'"%d":1' % number for number in [*range(200_000), 199_999])
    assert _said(b"{%s}" % keys) == "1: the key '199999' stands twice"


def test_very_many_players_are_counted() -> None:
    names = b",".join(b'"%d"' % number for number in range(200_000))
    assert _said(_header(players=b"[%s]" % names)) == "1: 200000 players, but it is a game for 2 to 5"


def test_a_splice_of_very_many_entries_is_refused_at_the_first_that_is_wrong() -> None:
    splice = b'{"type":"splice","event":1,"drop":0,"put":[%s]}'
    start = b'{"type":"start","player":0}'
    assert _said(HEADER + splice % b",".join([start] * 200_000)).startswith("2: the new entry 2 does not fit: ")
    undo = _said(HEADER + splice % b",".join([*[start] * 200_000, b'{"type":"undo"}']))
    assert undo == "2: put 200001, type: 'undo' is not one of the words that can stand here"


def test_as_much_can_be_put_as_can_be_entered() -> None:
    header = _header(players=b'["Aki","Bea"]', rules=b'{"ending":{"target":%s}}' % (b"9" * 30))
    sheet = b'{"type":"round","tricks":[4,3],"trees":[4,3],"last":0}'
    lines = [header, *[sheet] * 3000]
    spliced = header + b'\n{"type":"splice","event":1,"drop":0,"put":[%s]}' % b",".join([sheet] * 3000)
    assert read(spliced).state == read(b"\n".join(lines)).state


@pytest.mark.parametrize("number", [b"9" * LONGEST_NUMBER, b"-" + b"9" * LONGEST_NUMBER])
def test_a_splice_where_nothing_stands_is_refused_whatever_the_number(number: bytes) -> None:
    start = b'{"type":"start","player":0}'
    for event, drop in ((number, b"0"), (number, number), (b"1", number)):
        line = b'{"type":"splice","event":%s,"drop":%s,"put":[%s]}' % (event, drop, start)
        assert _said(HEADER + line).startswith("2: ")
