"""Sentences as data, and their translation."""

from __future__ import annotations

import pytest

from companion.core.cards import Suit
from companion.core.text import NN_, Glyph, HasLabel, IllegalEventError, Seat, Text, isolated, listed, plain, tell

SEA = Suit("sea", "Sea")


class Trophy(HasLabel):
    """A labelled thing whose label holds a name and a glyph."""

    @property
    def label(self) -> Text:
        return Text("{player}'s {cup}", player=Seat(1), cup=Glyph("cup"))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (Text("nothing to fill in"), "nothing to fill in"),
        (Text("braces {stay} without arguments"), "braces {stay} without arguments"),
        (Text("{count} trees", count=3), "3 trees"),
        (Text("{word}", word="{not a place}"), "{not a place}"),
        (Text("trump {suit}", suit=SEA), "trump Sea"),
        (Text("a{tree}", tree=Glyph("tree")), "a<tree>"),
        (Text("1, {rest}", rest=Text("2, {rest}", rest=Text("3"))), "1, 2, 3"),
        ("a word", "a word"),
        (7, "7"),
        (SEA, "Sea"),
    ],
)
def test_a_text_becomes_words(text: object, words: str) -> None:
    assert tell(text) == words


@pytest.mark.parametrize(
    ("seat", "words"), [(0, "Aki"), (1, "Bea"), (2, "seat 3"), (-1, "seat 0")], ids=["first", "last", "beyond", "none"]
)
def test_a_seat_is_worded_as_who_sits_there(seat: int, words: str) -> None:
    assert tell(Text("{player}", player=Seat(seat)), ("Aki", "Bea")) == words


def test_a_number_is_never_taken_for_a_seat() -> None:
    assert tell(Text("{count}", count=1), ("Aki", "Bea")) == "1"


def test_every_template_is_looked_up_in_the_catalogue() -> None:
    catalogue = {"{player} plays {suit}": "{suit} von {player}", "Sea": "Meer", "seat {number}": "Platz {number}"}
    text = Text("{player} plays {suit}", player=Seat(4), suit=SEA)
    assert tell(text, (), lambda template, _count: catalogue[template]) == "Meer von Platz 5"


def test_a_name_is_not_looked_up() -> None:
    assert tell(Text("{player}", player=Seat(0)), ("Sea",), lambda template, _count: template) == "Sea"


def test_a_text_with_a_plural_takes_the_form_for_its_count() -> None:
    games = NN_("{count} game", "{count} games", "history")
    assert [str(Text(games, count=count)) for count in (0, 1, 2)] == ["0 games", "1 game", "2 games"]
    assert str(Text(games)) == "{count} game"
    assert Text("{count} of {all}", count=5, all=7).count == Text(games, count="many").count == 1


def test_a_glyph_is_drawn_by_whoever_shows_it() -> None:
    assert tell(Text("3{tree}", tree=Glyph("tree")), draw=lambda name: name.upper()) == "3TREE"


def test_names_and_glyphs_are_worded_in_the_label_of_anything_as_well() -> None:
    assert tell(Text("{it}!", it=Trophy()), ("Aki", "Bea"), draw=str.upper) == "Bea's CUP!"


def test_texts_are_equal_when_template_and_arguments_are() -> None:
    assert Text("{a}", a=1) == Text("{a}", a=1)
    assert hash(Text("{a}", a=1)) == hash(Text("{a}", a=1))
    assert Text("{a}", a=1) != Text("{a}", a=2)
    assert Text("{a}", a=1) != Text("{a}!", a=1)
    assert Text("a") != "a"


def test_a_text_as_a_string_is_its_own_language_without_names() -> None:
    assert str(Text("{player} starts", player=Seat(0))) == "seat 1 starts"


def test_a_text_shows_what_it_is_made_of() -> None:
    assert repr(Text("{count} trees", count=3)) == "Text('{count} trees', {'count': 3})"


def test_a_refusal_has_a_code_for_programs_and_a_sentence_for_people() -> None:
    refused = IllegalEventError("turn", "it is {turn}'s turn", turn=Seat(1))
    assert refused.reason == "turn"
    assert refused.args == ("turn",)
    assert str(refused) == "it is seat 2's turn"
    assert tell(refused.text, ("Aki", "Bea")) == "it is Bea's turn"


@pytest.mark.parametrize(
    ("items", "words"), [(("Aki",), "Aki"), (("Aki", "Bea"), "Aki, Bea"), (iter(("Aki", SEA, 3)), "Aki, Sea, 3")]
)
def test_a_list_has_commas_between_its_items_as_the_language_writes_them(items: tuple[object, ...], words: str) -> None:
    text = listed(items)
    assert tell(text) == words
    japanese = {"{one}, {other}": "{one}、{other}"}
    assert tell(text, (), lambda template, _count: japanese.get(template, template)) == words.replace(", ", "、")


def test_a_list_can_be_empty_or_long() -> None:
    assert tell(listed(())) == ""
    assert tell(listed(range(5000))) == ", ".join(map(str, range(5000)))


def test_a_plural_without_a_number_is_one_thing() -> None:
    template = NN_("one card", "{count} cards")
    assert [plain(template), plain(template, 1), plain(template, 2)] == ["one card", "one card", "{count} cards"]
    assert tell(Text(template)) == "one card"
    assert tell(Text(template, count=2)) == "2 cards"


def test_the_same_english_with_a_plural_can_have_a_context() -> None:
    assert "card" in NN_("card", "cards", "deck")
    assert NN_("card", "cards", "deck") != NN_("card", "cards")


def test_an_empty_text_is_not_looked_up() -> None:
    assert tell(Text(""), (), lambda _template, _count: "header of the catalogue") == ""


def test_names_from_right_to_left_are_isolated_once() -> None:
    for name in ("משה", "בן־אב", "بن علی", "می‌نا"):
        assert isolated(f"{name} −5") == isolated(isolated(f"{name} −5")) == f"\u2068{name}\u2069 −5"
    assert isolated("משה, נועה") == "\u2068משה\u2069, \u2068נועה\u2069"
    assert isolated("Zoë 5, はるな 7") == "Zoë 5, はるな 7"
