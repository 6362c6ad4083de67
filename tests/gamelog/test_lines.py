"""Lines below the header are decoded strictly: a misspelt key must not be ignored."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from companion.core.game import (
    Amend,
    Event,
    Finish,
    Line,
    Splice,
    Start,
    Substitute,
    Undo,
)
from companion.gamelog import LogError, decode_header, decode_line, encode, encode_line
from companion.gamelog.log import _as_written, _sentence, _strictly
from companion.games.eternity.rules import DECK, Deal, Play, Pledge, PledgeInTrick, Reveal, Round, Rules, Trick
from companion.games.kit import Ending

HEADER = decode_header('{"format":1,"game":"eternity","players":["Aki","Bea","Cyr","Dai"]}')
SEA, SKY = DECK.by_name["sea-3"], DECK.by_name["sky-9"]
WORDS = [
    (Start(1), '{"type":"start","player":1}'),
    (Deal((SEA, SKY)), '{"type":"deal","board":["sea-3","sky-9"]}'),
    (Deal((SKY, SEA), (SEA,)), '{"type":"deal","board":["sky-9","sea-3"],"shown":["sea-3"]}'),
    (Reveal((SEA, SKY)), '{"type":"reveal","cards":["sea-3","sky-9"]}'),
    (Play(1, SEA), '{"type":"play","player":1,"card":"sea-3"}'),
    (Pledge(1, SEA), '{"type":"pledge","player":1,"card":"sea-3"}'),
    (Trick(1, ()), '{"type":"trick","winner":1,"pledges":[]}'),
    (
        Trick(1, (PledgeInTrick(2, SKY),)),
        '{"type":"trick","winner":1,"pledges":[{"player":2,"card":"sky-9"}]}',
    ),
    (Round((3, 2, 5, 0), (3, 2, 4, 1)), '{"type":"round","tricks":[3,2,5,0],"trees":[3,2,4,1]}'),
    (Round((3, 2, 5, 0), (3, 2, 4, 1), 2), '{"type":"round","tricks":[3,2,5,0],"trees":[3,2,4,1],"last":2}'),
]


def fault(text: bytes | str) -> str:
    with pytest.raises(LogError) as caught:
        decode_line(text, HEADER)
    assert str(caught.value).isprintable()
    return str(caught.value)


def test_a_header_says_who_plays_what_by_which_rules() -> None:
    rules = '{"edition":"fr","ending":{"target":12},"tiles":["sky","earth","sea"]}'
    header = decode_header(f'{{"format":1,"game":"eternity","players":["Aki","Bea"],"rules":{rules}}}')
    assert (header.game.name, header.players) == ("eternity", ("Aki", "Bea"))
    assert header.rules == Rules(edition="fr", ending=Ending(target=12), tiles=("sky", "earth", "sea"))
    assert header.first == header.game.start(2, header.rules)
    assert HEADER.rules == Rules()


@pytest.mark.parametrize(("event", "text"), WORDS)
def test_an_event_is_read_and_written(event: Event, text: str) -> None:
    assert decode_line(text, HEADER) == decode_line(text.encode(), HEADER) == event
    assert encode_line(event) == text
    amend = f'{{"type":"amend","event":7,"to":{text}}}'
    assert decode_line(amend, HEADER) == Amend(7, event)
    assert encode_line(Amend(7, event)) == amend
    splice = f'{{"type":"splice","event":7,"drop":2,"put":[{text},{text}]}}'
    assert decode_line(splice, HEADER) == Splice(7, 2, (event, event))
    assert encode_line(Splice(7, 2, (event, event))) == splice


def test_whose_name_it_is_follows_from_who_sits_there_now() -> None:
    now = HEADER.with_players(("Aki", "Eva", "Cyr", "Dai"))
    assert decode_line('{"type":"substitute","player":0,"name":"Bea"}', now) == Substitute(0, "Bea")
    with pytest.raises(LogError, match="two players are called Eva"):
        decode_line('{"type":"substitute","player":0,"name":"Eva"}', now)


CHANGES: dict[str, Callable[[str], str]] = {
    "as it is": lambda text: text,
    "with spaces": lambda text: text.replace(",", " , ").replace(":", ": "),
    "with a tab": lambda text: "\t" + text,
    "a key twice": lambda text: text[:-1] + "," + text[1:],
    "a fraction": lambda text: text.replace("1", "1.0"),
    "an exponent": lambda text: text.replace("1", "1e0"),
    "a sign": lambda text: text.replace("1", "-1"),
    "a nought before": lambda text: text.replace("1", "01"),
    "a space in a word": lambda text: text.replace("sea-", "sea -"),
    "a key more": lambda text: text[:-1] + ',"junk":0}',
    "nothing for something": lambda text: text.replace("1", "null"),
    "another case": lambda text: text.replace("sea", "Sea"),
    "something behind it": lambda text: text + "}",
    "half a character": lambda text: text.replace("sea", "\ud800"),
}


LINES: list[tuple[Line, str]] = [
    *WORDS,
    (Undo(), '{"type":"undo"}'),
    (Finish(), '{"type":"finish"}'),
    (Substitute(1, "Eva"), '{"type":"substitute","player":1,"name":"Eva"}'),
    *((Amend(1, event), f'{{"type":"amend","event":1,"to":{text}}}') for event, text in WORDS),
    *((Splice(11, 1, (event,)), f'{{"type":"splice","event":11,"drop":1,"put":[{text}]}}') for event, text in WORDS),
    (Splice(1, 0, (Play(1, SEA),) * 9), encode_line(Splice(1, 0, (Play(1, SEA),) * 9))),
    (Splice(1, 10, ()), '{"type":"splice","event":1,"drop":10,"put":[]}'),
]


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize(("line", "text"), LINES)
def test_a_line_as_the_box_writes_it_is_read_fast_and_as_strictly_as_any_other(
    line: Line, text: str, change: str
) -> None:
    changed = CHANGES[change](text)
    fast = _as_written(changed, HEADER.game)
    try:
        strictly: object = _strictly(changed, HEADER.game)
    except (LogError, UnicodeEncodeError):
        strictly = None
    assert fast in (None, strictly)
    if change in ("as it is", "with spaces"):
        assert fast == line


def test_what_the_decoder_says_in_other_words_is_passed_on_with_its_place() -> None:
    assert str(_sentence("Too odd")) == "Too odd"
    assert str(_sentence("Too odd - at `$.put[0].pledges[1].X`")) == "put 1, pledges 2, X: Too odd"


def test_a_fault_of_the_log_is_told_in_its_traceback() -> None:
    with pytest.raises(LogError) as caught:
        decode_line("{}", HEADER)
    assert caught.value.args == (caught.value.text,)


@pytest.mark.parametrize(
    "text", ["[" * 100_000, '{"to":' * 100_000, '{"put":[' * 100_000, "[" * 100_000 + "]" * 100_000]
)
def test_what_is_nested_too_deeply_is_refused(text: str) -> None:
    assert fault(text) == "this is nested too deeply"


def test_what_is_nested_less_deeply_is_refused_all_the_same() -> None:
    assert (
        fault('{"type":"amend","event":1,"to":' + "[" * 500 + "]" * 500 + "}") == "to: expected an object, got a list"
    )
    assert fault('{"type":"splice","event":1,"drop":0,"put":' + "[" * 500 + "]" * 500 + "}") == (
        "put 1: expected an object, got a list"
    )


def test_a_number_of_thousands_of_digits_is_refused() -> None:
    assert fault('{"type":"start","player":' + "9" * 100_000 + "}") == "a number is too long"
    assert fault('{"type":"start","player":' + "9" * 100_000 + ".5}") == f"{'9' * 39}… is not a whole number"


def test_only_cards_can_be_written_besides_plain_data() -> None:
    assert encode({"card": SEA, "of": (1, None)}) == b'{"card":"sea-3","of":[1,null]}'
    with pytest.raises(TypeError):
        encode(HEADER.game)
