"""Every text fits on the panel in every language."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from itertools import islice, pairwise
from random import Random
from string import Formatter
from typing import Any

import pytest
from msgspec import convert
from PIL import Image

from companion.core.cards import Suit
from companion.core.errors import IllegalEventError
from companion.core.game_view import TextPage
from companion.core.prompt import Answer, Prompt
from companion.core.session import Step
from companion.core.text import Seat, Text
from companion.games import GAMES
from companion.ui.few_keys import asked
from companion.ui.fonts import BitmapFont, face, fit_with_names
from companion.ui.keys import AnswerCodes, CompleteAnswer
from companion.ui.panel import _above_foot, bar_texts, draw
from companion.ui.screens.questions import hints, typed
from companion.ui.symbols import GLYPHS
from companion.ui.tables import FOOT, HEAD, ROW, SIDE, WIDTH
from companion.ui.translations import Translator, languages
from companion.ui.view import ListBody, OpenGame, SeatRow, TableBody, TextBody, View, table_body
from tests.games.seeds import deal, random_answer
from tests.ui.pixels import dark_on, rows_of
from tests.ui.scenes import BY_NAME, seen
from tools.extract_words import templates

pytestmark = [pytest.mark.unmeasured, pytest.mark.one_python]

OTHERS = tuple(language for language in languages() if language != "en")
NAMES = ("Aki", "Béa", "Cyr", "はな", "Dai")
LINES = 4
"""The maximum number of lines of a notice."""


@contextmanager
def shortened() -> Iterator[list[str]]:
    """Collect every text that is shortened with an ellipsis while drawing."""
    found: list[str] = []
    fit = BitmapFont.fit
    _above_foot.cache_clear()  # a body drawn before would not be fitted again

    def watched(self: BitmapFont, text: str, width: int) -> str:
        fitted = fit(self, text, width)
        if fitted != text and self.width(text) > width:
            found.append(text)
        return fitted

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(BitmapFont, "fit", watched)
        yield found


def cut(view: View) -> list[str]:
    with shortened() as found:
        draw(view)
    return found


def notice_lines(view: View) -> int:
    sign = GLYPHS["alert"] + " " if view.alert else ""
    left = SIDE if isinstance(view.body, OpenGame) and not view.body.pile_signs and not view.alert else 0
    return sum(len(face("text").wrap(sign + sentence, WIDTH - left - 7)) for sentence in view.notice)


# Every screen with a golden picture


@pytest.mark.parametrize("language", OTHERS)
def test_no_screen_cuts_a_word_that_english_does_not(language: str) -> None:
    for scene in BY_NAME:
        names = (BY_NAME[scene].header or {}).get("players", ())
        english, other = (
            [word for word in cut(seen(scene, each).view()) if word not in names] for each in ("en", language)
        )
        assert len(other) <= len(english), (scene, other)


@pytest.mark.parametrize("language", languages())
def test_everything_that_is_not_shortened_has_its_room_on_a_screen(language: str) -> None:
    text = face("text")
    assert FOOT - HEAD > LINES * ROW
    for scene in BY_NAME:
        view = seen(scene, language).view()
        assert notice_lines(view) <= LINES, scene
        match view.body:
            case OpenGame(brief=status, columns=columns) if columns:
                assert text.width(status) <= SIDE + 1, scene
            case TextBody(sentences=sentences):
                assert max(len(text.wrap(sentence, WIDTH - 6)) for sentence in sentences) <= LINES, scene
            case TableBody(heads=heads, rows=rows) if view.body.cell is None:
                widths = [max(map(text.width, column)) + 5 for column in zip(heads, *rows, strict=True)]
                assert sum(widths) <= WIDTH - 24, scene


@pytest.mark.parametrize("language", languages())
def test_no_screen_shows_a_character_that_has_no_picture(language: str) -> None:
    for scene in BY_NAME:
        view = seen(scene, language).view()
        names = set("".join((BY_NAME[scene].header or {}).get("players", ())))  # of any script; may be transliterated
        said = [view.question, view.typed, view.hint, *view.notice]
        match view.body:
            case ListBody(title, rows):
                said += [title, *(word for row in rows for word in row)]
            case TextBody(title, sentences):
                said += [title, *sentences]
            case TableBody(title, heads, _names, rows):
                said += [title, *heads, *(figure for row in rows for figure in row)]
            case OpenGame(brief=status, symbol=symbol):
                said += [status, "" if symbol is None else symbol.word]
        lacking = [sign for words in said for sign in words if not face("text").has(sign) and sign not in names]
        assert not lacking, scene


# Pixels


def title_of(view: View) -> str:
    """Return the text above the rule of a screen, or nothing; the game of a set-up before it if both fit."""
    if isinstance(view.body, ListBody) and face("small").width(view.body.heading) <= WIDTH - 2:
        return view.body.heading
    return str(getattr(view.body, "outcome", "") or getattr(view.body, "title", ""))


@pytest.mark.parametrize("language", languages())
def test_a_title_is_whole_and_touches_nothing(language: str) -> None:
    for scene in BY_NAME:
        view = seen(scene, language).view()
        small, alone = face("small"), Image.new("1", (WIDTH, HEAD))
        if isinstance(view.body, OpenGame) and view.notice and view.body.outcome:
            continue  # the outcome is then among the sentences
        if isinstance(view.body, TableBody) and len(view.body.told) > 1:
            continue  # what is told can take the title's place
        names = view.body.names if isinstance(view.body, ListBody) else ()
        shown = fit_with_names(small, title_of(view), names, WIDTH - 2)
        end = small.draw(alone, (1, 0), shown)
        if shown:
            assert draw(view).crop((0, 0, end, HEAD)).tobytes() == alone.crop((0, 0, end, HEAD)).tobytes(), scene


HIGH_AND_LOW = ("Édgj", "Çyļ", "言語", "qÂjÿ")


@pytest.mark.parametrize("words", HIGH_AND_LOW)
def test_a_question_is_whole_from_its_accents_to_its_descenders(words: str) -> None:
    assert dark_on(rows_of(draw(View(ListBody("", ()), words))), words)


@pytest.mark.parametrize("chosen", range(LINES))
@pytest.mark.parametrize("words", HIGH_AND_LOW)
def test_so_is_the_row_that_is_highlighted(words: str, chosen: int) -> None:
    assert dark_on(rows_of(draw(View(ListBody("", ((words, ""),) * LINES, chosen)))), words)


@pytest.mark.parametrize("seat", range(4))
@pytest.mark.parametrize("words", HIGH_AND_LOW)
def test_so_is_the_name_of_the_player_whose_turn_it_is(words: str, seat: int) -> None:
    for count in range(max(2, seat + 1), 5):
        players = tuple(SeatRow(words, turn=place == seat) for place in range(count))
        assert dark_on(rows_of(draw(View(OpenGame("", "", None, (), (), players)))), words)
    if seat < 2:
        players = tuple(SeatRow(words, piles=(0,), turn=place == seat) for place in range(2))
        assert dark_on(rows_of(draw(View(OpenGame("", "", None, (), ("",), players)))), words)


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


@pytest.mark.parametrize("game", GAMES)
def test_the_games_that_are_walked_through_are_for_every_number_of_players_and_by_every_rule(game: str) -> None:
    headers = [deal(game, seed, edits=0.0, most_rounds=2).session().header for seed in range(18)]
    assert {len(header.players) for header in headers} == set(GAMES[game].seats)
    for option in GAMES[game].options:
        assert len({str(getattr(header.rules, option.name)) for header in headers}) > 1, option.name


@SPOKEN_TO
@pytest.mark.parametrize("game", GAMES)
def test_a_question_is_never_cut_nor_what_is_typed_nor_what_else_can_be_done(
    game: str, language: str, name: str
) -> None:
    words = Translator(language, (name,) * 5)
    for prompt, given in prompts(game):
        book = AnswerCodes(prompt)
        rows = {code[:length] for code in book.codes for length in range(len(code))}
        whole = {keys: isinstance(book.press(keys, "#"), CompleteAnswer) for keys in rows}
        shown = {keys: words(typed(prompt, keys, whole[keys])) for keys in rows}
        for keys in ("", max(rows, key=lambda keys: face("text").width(shown[keys]))):
            long, short = map(words, hints(prompt, given, keys, whole[keys]))
            view = View(ListBody("", ()), words(prompt.text), shown[keys], long, short, names=words.players)
            with shortened() as found:
                _question, end = bar_texts(view, WIDTH - 4)
            assert set(found) <= {name}, (view.question, view.typed, view.brief)
            assert end in (long, short) or not long.startswith(("#", "D ", "9 ")), (view.question, long)


@SPOKEN_TO
@pytest.mark.parametrize("game", GAMES)
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
    ("question", "names", "shown"),
    [
        ("Tricks: Béatrice", ("Béatrice",), ("Tricks: Bé…", "D last trick")),
        ("Béatriceの得点は", ("Béatrice",), ("Bé…の得点は", "D last trick")),
        ("Tricks: Béa", ("Béa",), ("Tricks: Béa", "D last trick")),
        ("Béatrice wins, Béa loses:", ("Béa", "Béatrice"), ("Béat… wins, Béa loses:", "")),
    ],
)
def test_a_name_is_shortened_before_anything_else_is(
    question: str, names: tuple[str, ...], shown: tuple[str, str]
) -> None:
    assert bar_texts(View(ListBody("", ()), question, hint="D last trick", names=names), 116) == shown


# Rules, levels of detail, the words below the large glyph


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("game", GAMES)
def test_every_rule_of_a_set_up_stands_beside_each_of_its_values(game: str, language: str) -> None:
    words = Translator(language)
    for option in GAMES[game].options:
        for choice in option.choices:
            value = choice.label if choice.number is None else choice.with_number(100)
            view = View(ListBody("", ((words(option.label), words(value)),) * 5))
            assert cut(view) == []
    for way in GAMES[game].trackings.values():
        assert cut(View(ListBody("", ((words(Text("Detail")), words(way)),) * 5))) == []
        assert cut(View(ListBody("", ((words(way), GLYPHS["check"]),) * 11))) == []


def test_every_rule_of_eternity_stands_beside_each_of_its_values_in_english() -> None:
    words = Translator()
    for option in GAMES["eternity"].options:
        for choice in option.choices:
            value = choice.label if choice.number is None else choice.with_number(100)
            assert cut(View(ListBody("", ((words(option.label), words(value)),) * 5))) == []


@pytest.mark.parametrize("language", languages())
def test_what_the_large_glyph_means_stands_below_it(language: str) -> None:
    words = Translator(language)
    suits = {card.suit for game in GAMES.values() for card in game.cards.values()}
    meant: list[object] = [suit for suit in suits if isinstance(suit, Suit)]
    for word in (*meant, Text("Any"), Text("Mixed")):
        assert face("text").width(words(word)) <= SIDE, words(word)


@pytest.mark.parametrize("language", languages())
def test_where_a_game_stands_ends_before_the_columns(language: str) -> None:
    words = Translator(language)
    for status in (
        Text("R{round} T{trick}", round=3, trick=10),
        Text("R{round}", round=12),
    ):
        assert face("text").width(words(status)) <= SIDE + 1


def agreements(game: str) -> Iterator[tuple[int, Any]]:
    """Yield numbers of players with rules: the default rules, and those with one rule changed."""
    played = GAMES[game]
    for seats in played.seats:
        yield seats, played.rules()
        for option in played.options:
            if seats in option.seats:
                for choice in option.choices:
                    yield seats, convert({option.name: choice.value}, played.rules)


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("game", GAMES)
def test_every_line_about_the_keys_can_be_read_at_once(game: str, language: str) -> None:
    words = Translator(language)
    for seats, rules in agreements(game):
        for line in GAMES[game].optional.keys(seats, rules):
            assert len(face("text").wrap(words(line), WIDTH - 6)) <= LINES


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("game", GAMES)
def test_every_page_of_the_rules_card_is_whole(game: str, language: str) -> None:
    card, words = GAMES[game].optional.rules_card, Translator(language)
    assert card is not None
    for seats, rules in agreements(game):
        for page in card(seats, rules):
            if isinstance(page, TextPage):
                lines = [line for sentence in page.lines for line in face("text").wrap(words(sentence), WIDTH - 6)]
                assert len(lines) <= LINES, lines
            else:
                assert cut(View(words.told(table_body(page, seats)))) == []
            assert face("text").width(words(page.title)) <= WIDTH - 2


# Every sentence, with or without a golden picture


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


def filled(template: str, language: str) -> Text:
    """Return a template's text with a long value for each placeholder."""
    values = long_values(language)
    names = {name for _before, name, _form, _how in Formatter().parse(template) if name is not None}
    return Text(template, **{name: values.get(name, 10) for name in names})


def is_foot(template: str) -> bool:
    """Return whether a template is a bottom line that explains keys."""
    return template.startswith(("# ", "* ", "A B ", "A {alphabet}", "C ")) and "   " in template.replace("  ", "   ")


@pytest.mark.parametrize("language", OTHERS)
def test_every_sentence_can_be_read_whole_in_a_notice(language: str) -> None:
    text, words, english = face("text"), Translator(language, NAMES), Translator("en", NAMES)
    sign = GLYPHS["alert"] + " "
    for template in templates():
        lines = len(text.wrap(sign + words(filled(template, language)), WIDTH - 7))
        allowed = len(text.wrap(sign + english(filled(template, "en")), WIDTH - 7))
        assert lines <= max(LINES, allowed), words(filled(template, language))


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("why", ["{card} was already seen in this round", "{card} was already seen twice"])
def test_where_a_card_was_seen_can_be_read_whole_in_a_notice(why: str, language: str) -> None:
    words = Translator(language, ("Konstantin-Alexander",))
    card = GAMES["eternity"].cards["earth-14"]
    told = Text(
        "{why}: {player}, {when}", why=Text(why, card=card), player=Seat(0), when=Text("trick {trick}", trick=10)
    )
    message = words.sentence(Text("{message}; * held: look", message=told))
    assert len(face("text").wrap(f"{GLYPHS['alert']} {message}", WIDTH - 7)) <= LINES


@pytest.mark.parametrize("language", languages())
def test_every_bottom_line_of_keys_fits(language: str) -> None:
    words = Translator(language, NAMES)
    feet = [template for template in templates() if is_foot(template)]
    assert len(feet) >= 10
    for template in feet:
        assert cut(View(ListBody("", ()), words(filled(template, language)))) == [], template


@pytest.mark.parametrize("language", OTHERS)
def test_no_question_is_longer_than_the_bottom_line_if_it_is_not_in_english(language: str) -> None:
    text, words, english = face("text"), Translator(language, NAMES), Translator("en", NAMES)
    for template in templates():
        if template.endswith((":", "?")) and text.width(english(filled(template, "en"))) <= WIDTH - 4:
            assert text.width(words(filled(template, language))) <= WIDTH - 4, template


@pytest.mark.parametrize("language", OTHERS)
def test_a_seat_that_nobody_sits_on_is_a_short_word(language: str) -> None:
    assert face("text").width(Translator(language)(Seat(4))) <= SIDE


def test_heads_for_which_there_is_no_line_take_no_room_from_names() -> None:
    names = ("Aki", "Bea", "Cyr", "Dai", "Émile-Gustave")
    rows = (("11", "11", "11", "11"),) * 5
    with_heads, without = (
        draw(View(TableBody("Aki wins the whole game", heads, names, rows), ""))
        for heads in (("R1", "R2", "R3", "total"), ("",) * 4)
    )
    assert with_heads.tobytes() == without.tobytes()


def test_heads_above_two_halves_have_the_width_of_their_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[tuple[int, int], str]] = []
    draw_text = BitmapFont.draw

    def noted(self: BitmapFont, pen: Any, place: tuple[int, int], text: str, *more: Any, **ink: Any) -> None:
        seen.append((place, text))
        draw_text(self, pen, place, text, *more, **ink)

    monkeypatch.setattr(BitmapFont, "draw", noted)
    body = TableBody("Round 3: Aki", ("bid", "tricks"), tuple("ABCDEF"), (("1", "1"),) * 6)
    draw(View(body, "", notice=("Aki has reached the most points now, the game is over",)))
    heads = [(left, text) for (left, top), text in seen if text in body.heads and top == 0]
    assert heads
    for (left, text), (following, _text) in pairwise(sorted(heads)):
        assert left + face("small").width(text) < following
