"""Lists of players: every usual form of CSV is read, and a wrong line is named."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.club.evening.evening_state import Entrant, EveningError, Presence
from companion.club.evening.read_players import read_players


@pytest.mark.parametrize(
    "written",
    [
        "Aki\nBea\nはるな\n",
        "Aki\r\nBea\r\n\r\nはるな",
        "\ufeffname\nAki\nBea\nはるな\n",
        "name;number\nAki;1\nBea;2\nはるな;\n",
        "Number,Club,Name\n1,North,Aki\n2,,Bea\n3,South,はるな\n",
        "1\tAki\n2\tBea\n3\tはるな\n",
        '"Aki","present"\n"Bea",\n"はるな"\n',
        " Aki \n\n   \nBea\nはるな\n",
        "Spieler;Nummer\nAki;1\nBea;2\nはるな;3\n",
    ],
)
def test_every_usual_form_of_a_list_is_read(written: str) -> None:
    assert read_players(written.encode()) == (Entrant(1, "Aki"), Entrant(2, "Bea"), Entrant(3, "はるな"))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252", "mac_roman"])
@pytest.mark.parametrize("heads", ["Vorname;Nachname", "Vorname;Name", "prénom;NOM", "First name;Surname"])
def test_lists_of_spreadsheets_may_have_first_and_last_names(encoding: str, heads: str) -> None:
    found = read_players(f"{heads}\r\nPeter;Müller\r\nZoë;Groß\r\nAda;\r\n".encode(encoding))
    assert [entrant.name for entrant in found] == ["Peter Müller", "Zoë Groß", "Ada"]
    assert [each.name for each in read_players("姓,名\n山田,花子\n".encode())] == ["山田 花子"]


def test_a_list_of_a_japanese_spreadsheet_is_read() -> None:
    found = read_players("氏名,番号\r\n山田 花子,7\r\nはるな,\r\nカオル,\r\n".encode("cp932"))
    assert [(each.number, each.name) for each in found] == [(7, "山田 花子"), (1, "はるな"), (2, "カオル")]


@pytest.mark.parametrize("encoding", ["cp1252", "mac_roman"])
def test_a_western_name_is_not_taken_for_a_japanese_one(encoding: str) -> None:
    assert [each.name for each in read_players("Jürgen\n".encode(encoding))] == ["Jürgen"]


@pytest.mark.parametrize("encoding", ["cp1252", "mac_roman"])
@pytest.mark.parametrize("name", ["Seán O’Brien", "Jürgen", "JÜRGEN Ärmel", "Anaïs Çelik", "Ÿves Lœb"])
def test_letters_that_only_one_western_encoding_has_are_read(encoding: str, name: str) -> None:
    assert [each.name for each in read_players(f"Aki\n{name}\n".encode(encoding))] == ["Aki", name]
    found = read_players("Tomáš Žák\nMargot Œuvrard\n".encode("cp1252"))
    assert [each.name for each in found] == ["Tomáš Žák", "Margot Œuvrard"]


def test_a_list_says_who_is_late_and_others_are_as_the_caller_says() -> None:
    found = read_players(b"name,presence\nAki,late\nBea,\nCyr,gone\n", presence=Presence.PRESENT)
    assert [entrant.presence for entrant in found] == [Presence.LATE, Presence.PRESENT, Presence.GONE]


def test_numbers_that_are_given_or_registered_are_not_given_again() -> None:
    found = read_players(b"Aki\n2,Bea\nCyr\n", known=[Entrant(1, "Zoe")])
    assert [entrant.number for entrant in found] == [3, 2, 4]


@pytest.mark.parametrize(
    ("written", "sentence"),
    [
        (b"Aki\nBea\n AKI \n", "line 3: two players are called AKI"),
        (b"Aki\nzoe\n", "line 2: two players are called zoe"),
        (b"1,Aki\n1,Bea\n", "line 2: two players have the number 1"),
        (b"9,Aki\n", "line 1: two players have the number 9"),
        (b"number;name\n1;Aki\n2;\n", "line 3: a name has 1 to 20 characters: ''"),
        (b"Aki\n,\n", "line 2: a name has 1 to 20 characters: ''"),
        (
            b"Aki\nA name that is much too long\n",
            "line 2: a name has 1 to 20 characters: 'A name that is much too long'",
        ),
        (b"Aki\nB\x1b[2Jo\n", "line 2: a name has a character that cannot be shown: U+001B"),
        (b"Aki\nB\x00o\n", "line 2: a name has a character that cannot be shown: U+0000"),
        (b'Aki\n"B\no"\n', "line 3: a name has a character that cannot be shown: U+000A"),
        ("Aki\nB\u202eo\n".encode(), "line 2: a name has a character that cannot be shown: U+202E"),
        (b"Aki\nB\x81\xe4\n", "line 2: this is no UTF-8 text; in Excel, save it as “CSV UTF-8”"),  # of no encoding
        (b"\xff\xfeA", "line 1: this is no UTF-8 text; in Excel, save it as “CSV UTF-8”"),
        (
            b"Aki\nThe first name too long\nBea,\nThe second name too long\n1,2,3,4\n",
            "line 2: a name has 1 to 20 characters: 'The first name too long'; "
            "line 4: a name has 1 to 20 characters: 'The second name too long'; "
            "line 5: 4 cells are more than the list has columns",
        ),
        (b"Aki\nzoe\n9,Bea\n", "line 2: two players are called zoe; line 3: two players have the number 9"),
        (
            b"Aki\naki\n1,2,3,4\nThe first name too long\nzoe\n",
            "line 2: two players are called aki; line 3: 4 cells are more than the list has columns; "
            "line 4: a name has 1 to 20 characters: 'The first name too long'; line 5: two players are called zoe",
        ),
        (
            b",\n" * 12,
            "; ".join([f"line {line}: a name has 1 to 20 characters: ''" for line in range(1, 11)] + ["and 2 more"]),
        ),
        (b'Aki\n"Bea\n', "line 2: unexpected end of data"),
        (b"Doe, Jane\n", "line 1: “Jane” is not present, late or gone"),
        (b"0,Aki\n", "line 1: “0” is no number from 1 to 9999"),
        (b"name,number\nAki,seven\n", "line 2: “seven” is no number from 1 to 9999"),
        (b"Aki,late,3\n", "line 1: 3 cells are more than the list has columns"),
        (b"x" * (10 << 20), "the list is too large, more than 1 MB"),
    ],
)
def test_a_wrong_list_is_refused_with_the_line(written: bytes, sentence: str) -> None:
    with pytest.raises(EveningError) as refused:
        read_players(written, known=[Entrant(9, "Zoe")])
    assert str(refused.value) == sentence


@given(st.binary(max_size=60) | st.text(alphabet='Aé1,;\t"\n\r\ufeff ', max_size=40).map(str.encode))
def test_any_bytes_are_read_or_refused_with_a_sentence(data: bytes) -> None:
    try:
        found = read_players(data)
    except EveningError:
        return
    assert len({entrant.number for entrant in found}) == len(found)
    assert all(entrant.name.strip() == entrant.name != "" for entrant in found)
