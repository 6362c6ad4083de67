"""Every text fits on the panel in every language."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from itertools import islice
from random import Random
from string import Formatter
from typing import Any

import pytest
from msgspec import convert
from PIL import Image

from companion.core.cards import Suit
from companion.core.game import TextPage
from companion.core.prompt import Answer, Prompt
from companion.core.session import Step
from companion.core.text import IllegalEventError, Seat, Text
from companion.games import GAMES
from companion.ui.few_keys import asked
from companion.ui.fonts import face, fit_with_names
from companion.ui.keys import AnswerCodes
from companion.ui.panel import bar_texts, draw
from companion.ui.screens.questions import hints, typed
from companion.ui.symbols import GLYPHS
from companion.ui.tables import HEAD, SIDE, WIDTH
from companion.ui.translations import Translator, languages
from companion.ui.view import ListBody, OpenGame, SeatRow, TableBody, TextBody, View, table_body
from tests.games.seeds import deal, random_answer
from tests.ui.pixels import dark_on, rows_of, watched
from tests.ui.scenes import BY_NAME, seen
from tools.extract_words import templates

pytestmark = [pytest.mark.unmeasured, pytest.mark.one_python]

OTHERS = tuple(language for language in languages() if language != "en")
NAMES = ("Aki", "Béa", "Cyr", "はな", "Dai")
EMPTY = TextBody("", ())
LINES = 4
"""The maximum number of lines of a notice."""

EACH_GAME = pytest.mark.parametrize("game", GAMES)
SPOKEN = pytest.mark.parametrize("language", languages())
TRANSLATED = pytest.mark.parametrize("language", OTHERS)


def cut(view: View) -> list[str]:
    """Return the texts that are shortened with an ellipsis when a view is drawn."""
    with watched() as found:
        draw(view)
    return found.shortened


def lines_of(sentence: str, room: int = WIDTH - 7) -> int:
    return len(face("text").wrap(sentence, room))


# Every scene


@TRANSLATED
def test_no_screen_cuts_a_word_that_english_does_not(language: str) -> None:
    for scene in BY_NAME:
        names = (BY_NAME[scene].header or {}).get("players", ())
        english, other = (
            [word for word in cut(seen(scene, each).view()) if word not in names] for each in ("en", language)
        )
        assert len(other) <= len(english), (scene, other)


def title_of(view: View) -> str:
    """Return the text above the rule of a screen, or nothing; the game of a set-up before it if both fit."""
    if isinstance(view.body, OpenGame) and view.notice:
        return ""  # the outcome is then among the sentences
    if isinstance(view.body, TableBody) and len(view.body.told) > 1:
        return ""  # what is told can take the title's place
    if isinstance(view.body, ListBody) and face("small").width(view.body.heading) <= WIDTH - 2:
        return view.body.heading
    return str(getattr(view.body, "outcome", "") or getattr(view.body, "title", ""))


@SPOKEN
def test_a_title_is_whole_and_touches_nothing_and_a_notice_has_its_lines(language: str) -> None:
    for scene in BY_NAME:
        view = seen(scene, language).view()
        sign = GLYPHS["alert"] + " " if view.alert else ""
        left = SIDE if isinstance(view.body, OpenGame) and not view.body.pile_signs and not view.alert else 0
        assert sum(lines_of(sign + sentence, WIDTH - left - 7) for sentence in view.notice) <= LINES, scene
        if isinstance(view.body, TextBody):
            assert max(lines_of(sentence, WIDTH - 6) for sentence in view.body.sentences) <= LINES, scene
        alone = Image.new("1", (WIDTH, HEAD))
        names = view.body.names if isinstance(view.body, ListBody) else ()
        end = face("small").draw(alone, (1, 0), fit_with_names(face("small"), title_of(view), names, WIDTH - 2))
        if title_of(view):
            assert draw(view).crop((0, 0, end, HEAD)).tobytes() == alone.crop((0, 0, end, HEAD)).tobytes(), scene


# Words in reverse


def in_reverse(words: str) -> Iterator[View]:
    """Yield views with words in reverse: a question, each row of a list, and the name of each player to act."""
    yield View(ListBody("", ()), words)
    for chosen in range(LINES):
        yield View(ListBody("", ((words, ""),) * LINES, chosen))
    for count in range(2, 5):
        for seat in range(count):
            yield View(OpenGame("", None, (), (), tuple(SeatRow(words, turn=at == seat) for at in range(count))))
    for seat in range(2):
        piles = tuple(SeatRow(words, piles=(0,), turn=at == seat) for at in range(2))
        yield View(OpenGame("", None, (), ("",), piles))


@pytest.mark.parametrize("words", ["Édgj", "Çyļ", "言語", "qÂjÿ"])
def test_words_in_reverse_are_whole_from_their_accents_to_their_descenders(words: str) -> None:
    assert [view for view in in_reverse(words) if not dark_on(rows_of(draw(view)), words)] == []


# Every question of every game


SPOKEN_TO = pytest.mark.parametrize(
    ("language", "name"), [*((language, "Konstantin-Alexander") for language in languages()), ("ja", "はるな")]
)
"""Every language, with a name that is always shortened, and one of wide characters."""


MOST_ANSWERS = 30
"""The most answers of an entry that are tried: at random, a sheet whose figures cannot be is changed for ever."""


@cache
def prompts(game: str) -> tuple[tuple[Prompt, tuple[Answer, ...]], ...]:
    """Return the distinct prompts of random games at every level of detail, each with the answers before it.

    The games cover every number of players and every rule.
    """
    found: dict[object, tuple[Prompt, tuple[Answer, ...]]] = {}
    chance = Random(7)
    for state in (step.state for seed in range(18) for step in walked(game, seed)):
        for tracking in GAMES[game].trackings:
            given: tuple[Answer, ...] = ()
            prompt = GAMES[game].ask(state, tracking, ())
            while isinstance(prompt, Prompt) and len(given) < MOST_ANSWERS:
                words = (
                    prompt.text,
                    prompt.alternative,
                    prompt.skip,
                    prompt.legend,
                    prompt.bare,
                    prompt.alternate is None,
                )
                found.setdefault((repr(words), given if prompt.sheet is None else bool(given)), (prompt, given))
                given = (*given, random_answer(prompt, chance)) if prompt.answers else given
                with suppress(IllegalEventError):
                    prompt = GAMES[game].ask(state, tracking, given) if prompt.answers else None
                    continue
                break
    return tuple(found.values())


def walked(game: str, seed: int) -> Iterator[Step]:
    return islice(deal(game, seed, edits=0.0, most_rounds=2).session().steps(), 150)


@SPOKEN_TO
@EACH_GAME
def test_a_question_is_never_cut_nor_what_is_typed_nor_what_else_can_be_done(
    game: str, language: str, name: str
) -> None:
    words = Translator(language, (name,) * 5)
    for prompt, given in prompts(game):
        book = AnswerCodes(prompt)
        rows = {code[:length] for code in book.codes for length in range(len(code))}
        whole = {keys: book.press(keys, "#") is not None for keys in rows}
        shown = {keys: words(typed(prompt, keys, whole[keys])) for keys in rows}
        for keys in ("", max(rows, key=lambda keys: face("text").width(shown[keys]))):
            long, short = map(words, hints(prompt, given, keys, whole[keys]))
            view = View(ListBody("", ()), words(prompt.text), shown[keys], long, short, names=words.players)
            number = 4 + face("small").width("R10") if not given and not keys else 0  # of the round that begins
            with watched() as found:
                _question, end = bar_texts(view, WIDTH - 4)
                bar_texts(view, WIDTH - 4 - number)
            assert set(found.shortened) <= {name}, (view.question, view.typed, view.brief)
            assert end in (long, short) or not long.startswith(("#", "D ", "9 ")), (view.question, long)


@SPOKEN_TO
@EACH_GAME
def test_a_question_stands_whole_beside_every_answer_that_is_turned_to(game: str, language: str, name: str) -> None:
    words = Translator(language, (name,) * 5)
    for prompt, _given in prompts(game):
        turned_to = {
            (words(group.label) + "…", words(group.short) + "…" if group.short else "")
            if within is None
            else (words(within.label), words(within.short))
            for group in asked(AnswerCodes(prompt), "").groups
            for within in (*group.options, *(() if group.alone else (None,)))
            if within is None or within.name not in ("skip", "other")  # these may lack the question
        }
        for choice, short in turned_to:
            view = View(ListBody("", ()), words(prompt.text), choice=choice, short=short, names=words.players)
            assert bar_texts(view, WIDTH - 19)[0], (view.question, choice)


@pytest.mark.parametrize(
    ("view", "room", "shown"),
    [
        # What else can be done gives way to the question
        (View(EMPTY, "Aki:", hint="one two three"), 200, ("Aki:", "one two three")),
        (View(EMPTY, "Aki:", hint="one two three"), 70, ("Aki:", "three")),
        (View(EMPTY, "Aki:", hint="one two three", brief="short"), 70, ("Aki:", "short")),
        (View(EMPTY, "Aki:", hint="D one two"), 30, ("Aki:", "")),
        (View(EMPTY, "Aki:"), 30, ("Aki:", "")),
        # An option too long for the line stands alone and is shortened
        (View(EMPTY, "Aki:", choice="an option that is too long"), 60, ("", "an option t…")),
        # A name is shortened before anything else is
        (View(EMPTY, "Tricks: Béatrice", hint="D last", names=("Béatrice",)), 100, ("Tricks: Béat…", "D last")),
        (View(EMPTY, "Béatriceの得点は", hint="D last", names=("Béatrice",)), 100, ("Béat…の得点は", "D last")),
        (View(EMPTY, "Tricks: Béa", hint="D last trick", names=("Béa",)), 116, ("Tricks: Béa", "D last trick")),
        (View(EMPTY, "Béatrice wins, Béa loses:", names=("Béa", "Béatrice")), 116, ("Béat… wins, Béa loses:", "")),
    ],
)
def test_the_bottom_line_has_the_question_and_the_longest_hint_that_fits(
    view: View, room: int, shown: tuple[str, str]
) -> None:
    assert bar_texts(view, room) == shown


# Rules, levels of detail, the words below the large glyph


@pytest.mark.parametrize(
    ("game", "language"), [("eternity", "en"), *((game, language) for game in GAMES for language in OTHERS)]
)
def test_every_rule_of_a_set_up_stands_beside_each_of_its_values(game: str, language: str) -> None:
    words = Translator(language)
    values = [
        (option.label, choice.label if choice.number is None else choice.with_number(100))
        for option in GAMES[game].options
        for choice in option.choices
    ]
    ways = GAMES[game].trackings.values()
    for label, value in (*values, *((Text("Detail"), way) for way in ways)):
        assert cut(View(ListBody("", ((words(label), words(value)),) * 5))) == []
    for way in ways:
        assert cut(View(ListBody("", ((words(way), GLYPHS["check"]),) * 11))) == []


@SPOKEN
def test_what_the_large_glyph_means_stands_below_it_and_where_the_game_stands_above(language: str) -> None:
    words, text = Translator(language), face("text")
    suits = {card.suit for game in GAMES.values() for card in game.cards.values()}
    meant: list[object] = [suit for suit in suits if isinstance(suit, Suit)]
    for word in (*meant, Text("Any"), Text("Mixed"), Seat(4)):
        assert text.width(words(word)) <= SIDE, words(word)
    for status in (Text("R{round} T{trick}", round=3, trick=10), Text("R{round}", round=12)):
        assert text.width(words(status)) <= SIDE + 1


@pytest.mark.parametrize(
    ("status", "shortened"),
    [("R12, wind is east, Aki", []), ("Round 12, wind is east, Aki deals", ["Round 12, wind is east, Aki deals"])],
)
def test_a_head_that_is_too_long_ends_in_an_ellipsis(status: str, shortened: list[str]) -> None:
    assert cut(View(OpenGame(status, None, (), (), (SeatRow("Aki", "", "0"),), brief=status))) == shortened


def agreements(game: str) -> Iterator[tuple[int, Any]]:
    """Yield numbers of players with rules: the default rules, and those with one rule changed."""
    played = GAMES[game]
    for seats in played.seats:
        yield seats, played.rules()
        for option in played.options:
            if seats in option.seats:
                for choice in option.choices:
                    yield seats, convert({option.name: choice.value}, played.rules)


@SPOKEN
@EACH_GAME
def test_every_page_of_the_rules_card_and_every_line_about_the_keys_is_whole(game: str, language: str) -> None:
    card, words = GAMES[game].optional.rules_card, Translator(language)
    assert card is not None
    for seats, rules in agreements(game):
        for page in card(seats, rules):
            if isinstance(page, TextPage):
                assert sum(lines_of(words(sentence), WIDTH - 6) for sentence in page.lines) <= LINES, page.lines
            else:
                assert cut(View(words.told(table_body(page, seats)))) == []
            assert face("text").width(words(page.title)) <= WIDTH - 2
        keys = GAMES[game].optional.keys(seats, rules)
        assert [line for line in keys if lines_of(words(line), WIDTH - 6) > LINES and language != "en"] == []


# Every sentence, with or without a scene


@cache
def long_values(language: str) -> dict[str, object]:
    """Return a long value for each placeholder that templates use."""
    words = Translator(language)
    cards = [card for game in GAMES.values() for card in game.cards.values()]
    longest = max((words(card) for card in cards), key=face("text").width)
    suit = max({words(card.suit) for card in cards}, key=face("text").width)
    return {
        **dict.fromkeys(("player", "turn", "one", "other", "name", "old", "new"), "Béatrice"),
        **dict.fromkeys(("card", "entry", "held"), longest),
        **dict.fromkeys(("suit", "domain", "attribute", "virtue"), suit),
        **dict.fromkeys(("why",), words(Text("the game is over"))),
        **dict.fromkeys(("suits",), "A=… B=… C=… D=…"),
        **dict.fromkeys(("extra", "does"), words(Text("last trick"))),
        **dict.fromkeys(("figures",), "10/10 10/10 10/10 10/10"),
        **dict.fromkeys(("front", "pledge", "coin", "sea", "sun", "moon", "red", "black", "sign"), GLYPHS["sea"]),
        **dict.fromkeys(("fault",), "the journal cannot be written: the disk is full"),
    }


def filled(template: str, language: str) -> str:
    """Return a template in a language with a long value for each placeholder."""
    values = long_values(language)
    names = {name for _before, name, _form, _how in Formatter().parse(template) if name is not None}
    return Translator(language, NAMES)(Text(template, **{name: values.get(name, 10) for name in names}))


def is_foot(template: str) -> bool:
    """Return whether a template is a bottom line that explains keys."""
    return template.startswith(("# ", "* ", "A B ", "A {alphabet}", "C ")) and "   " in template.replace("  ", "   ")


@TRANSLATED
def test_every_sentence_can_be_read_whole_in_a_notice_and_every_question_in_the_bottom_line(language: str) -> None:
    sign, text = GLYPHS["alert"] + " ", face("text")
    for template in templates():
        said, english = filled(template, language), filled(template, "en")
        assert lines_of(sign + said) <= max(LINES, lines_of(sign + english)), said
        if template.endswith((":", "?")) and text.width(english) <= WIDTH - 4:
            assert text.width(said) <= WIDTH - 4, template


@SPOKEN
@pytest.mark.parametrize("why", ["{card} was already seen in this round", "{card} was already seen twice"])
def test_where_a_card_was_seen_can_be_read_whole_in_a_notice(why: str, language: str) -> None:
    words = Translator(language, ("Konstantin-Alexander",))
    card = GAMES["eternity"].cards["earth-14"]
    told = Text(
        "{why}: {player}, {when}", why=Text(why, card=card), player=Seat(0), when=Text("trick {trick}", trick=10)
    )
    assert lines_of(f"{GLYPHS['alert']} {words.sentence(Text('{message}; * held: look', message=told))}") <= LINES


@SPOKEN
def test_every_bottom_line_of_keys_fits(language: str) -> None:
    feet = [template for template in templates() if is_foot(template)]
    assert len(feet) >= 10
    assert [foot for foot in feet if cut(View(ListBody("", ()), filled(foot, language)))] == []
