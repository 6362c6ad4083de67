"""The text notation of keys."""

import pytest

from companion.ui.keys import Key, UnknownKeyError, parse


def test_keys_are_read_one_by_one_and_blanks_do_not_count() -> None:
    assert parse("A 1 2\t#") == (Key("A"), Key("1"), Key("2"), Key("#"))


def test_small_letters_are_keys_too() -> None:
    assert parse("abcd") == (Key("A"), Key("B"), Key("C"), Key("D"))


def test_an_h_holds_the_key_after_it() -> None:
    assert parse("h#h*#") == (Key("#", True), Key("*", True), Key("#"))


@pytest.mark.parametrize("written", ["E", "hA", "h", "h h#", "1é", "hh#"])
def test_what_is_no_key_is_named_in_a_sentence(written: str) -> None:
    with pytest.raises(UnknownKeyError, match=r"key"):
        parse(written)


def test_keys_written_down_are_read_back() -> None:
    keys = parse("A10 D7 h# *")
    assert parse("".join(map(str, keys))) == keys
