"""Builds the contents of a live page from a screen and its context."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache, partial

from companion.core.prompt import EnterNumber, LayCard, Prompt, SecondOffer, Skip
from companion.gamelog import decode_header
from companion.ui.answer_names import answer_name
from companion.ui.open_game import colour_code, open_game, with_scores
from companion.ui.screens.buttons import Buttons
from companion.ui.screens.context import CurrentGame, Screen, ScreenContents, ScreenContext
from companion.ui.screens.machine.phones import PhonesStatus
from companion.ui.screens.prompt_texts import answer_label
from companion.ui.screens.rules_card import rules_page
from companion.ui.translations import Translator
from companion.ui.view import ListBody, OpenGame, TableBody, TextBody, View

from .content import Choice, LivePageContent, Question, SuitRow
from .game_course import game_course

AWAY = ("*", "h*", "h#", "h#h#")
"""The keys that lead back or elsewhere."""

BUTTONS = 30
"""Maximum number of numbers that are buttons; more are entered by steps."""
BESIDE = 16
"""Maximum number of cards in the alternate mode that are shown beside the others."""


def live_page_content(
    screen: Screen, context: ScreenContext, contents: ScreenContents, view: View, number: int, refused: bool
) -> LivePageContent:
    """Return everything that a live page shows of a screen.

    Args:
        view: Its view, with the message over it.
        refused: Whether the message refuses something.
    """
    words, taps, body, game = context.words, contents.taps, view.body, context.game
    phones = context.machine.get(PhonesStatus)
    prompt = None if taps.codes is None else taps.codes.prompt
    return LivePageContent(
        words.language,
        number,
        None if game is None else _table(words, game, taps.table),
        _question(words, view, taps, prompt, screen.expected_text(context)),
        body=None if isinstance(body, OpenGame) else body,
        notice=tuple(view.notice),
        alert=view.alert and not refused,
        refused=refused,
        offers=tuple(Choice(f"offer {place}", label) for place, label in enumerate(taps.offers, 1)),
        actions=(*_rows(body, taps), *_actions(taps)),
        said=_said(words, context, view),
        address="" if phones is None or "//127." in phones.address else phones.address,
        pin="" if phones is None else phones.pin,
        link="" if phones is None else phones.link,
        rules=() if game is None else _rules(words.language, game.session.header.written),
    )


def _rows(body: object, taps: Buttons) -> Iterator[Choice]:
    if not isinstance(body, ListBody):
        return
    for place, (text, value) in enumerate(body.rows[: taps.rows]):
        below = " ".join(filter(None, body.below[place])) if place < len(body.below) else ""
        yield Choice(f"row {place + 1}", text, place == body.chosen, value, below)


def _actions(taps: Buttons) -> Iterator[Choice]:
    """Yield the choices that are neither answers nor rows: stepping back and the ways elsewhere come last."""
    for keys in sorted(taps.actions, key=lambda keys: AWAY.index(keys) if keys in AWAY else -1):
        yield Choice(keys, taps.actions[keys])


def _said(words: Translator, context: ScreenContext, view: View) -> tuple[str, str]:
    """Return what a screen reader says of the last entry: a short sentence, then the question."""
    notice = ". ".join(view.notice)
    latest = None if context.game is None or notice else context.game.session.head.event
    if context.game is not None and latest is not None:
        notice = words(context.game.session.header.game.describe(latest))
    rest = " ".join(filter(None, (view.ahead, view.question)))
    return words.aloud(notice), words.aloud(rest)


def _table(words: Translator, current: CurrentGame, table: OpenGame | None) -> OpenGame:
    """Return the table with its scores: the one that the screen shows, else the open game's latest state."""
    session, over = current.session, current.over
    game = session.header.game
    shown = table or open_game(words, game.title, current.position.face)
    return with_scores(words, shown, game.score_sheet(session.state), over, game_course(words, session, over))


@lru_cache(maxsize=8)
def _rules(language: str, written: str) -> tuple[TableBody | TextBody, ...]:
    """Return the pages of the rules card of a game, by the line of its header."""
    header = decode_header(written.encode())
    words, card = Translator(language, header.players), header.game.optional.rules_card
    return () if card is None else tuple(rules_page(words, page) for page in card(len(header.players), header.rules))


# The question


def _question(words: Translator, view: View, taps: Buttons, prompt: Prompt | None, text_label: str) -> Question:
    text = f"{view.ahead} {view.question}".strip() if prompt is not None else ""
    if prompt is None:
        return Question(text, text_label=text_label)
    cards = [answer for answer in prompt.answers if isinstance(answer, LayCard)]
    numbers = [answer.value for answer in prompt.answers if isinstance(answer, EnterNumber)]
    many = len(numbers) > BUTTONS
    label = partial(answer_label, words, prompt)
    ways_round = [answer for answer in prompt.answers if isinstance(answer, Skip | SecondOffer)]
    rest = [
        answer
        for answer in prompt.answers
        if not isinstance(answer, LayCard | Skip | SecondOffer | (EnterNumber if many else LayCard))
    ]
    return Question(
        text,
        prompt.seat,
        tuple(_suit_rows(words, prompt, cards)),
        words(prompt.alternate.label) if prompt.alternate and any(card.alternate for card in cards) else "",
        is_mode(prompt),
        tuple(Choice(answer_name(answer), label(answer)) for answer in rest),
        (min(numbers), max(numbers), prompt.likely(numbers)) if many else None,
        tuple(Choice(answer_name(answer), label(answer)) for answer in ways_round),
        text_label,
        taps.begun,
    )


def is_mode(prompt: Prompt) -> bool:
    """Return whether the alternate mode is switched on first, as its cards are too many to stand beside the others."""
    cards = [answer for answer in prompt.answers if isinstance(answer, LayCard)]
    aside = sum(card.alternate for card in cards)
    return BESIDE < aside < len(cards)


def _suit_rows(words: Translator, prompt: Prompt, cards: Sequence[LayCard]) -> Iterator[SuitRow]:
    """Yield the cards that can be laid, suit by suit, the likeliest suit first."""
    offered = {(answer.card, answer.alternate) for answer in cards}
    deck = dict.fromkeys((*prompt.deck, *(answer.card for answer in cards)))
    suits = dict.fromkeys((*prompt.bare, *prompt.suits, *(card.suit for card in deck)))
    alternate = any(laid_aside for _card, laid_aside in offered)
    for suit in suits:
        own = [card for card in deck if card.suit is suit]
        usual = tuple(Choice(card.name, words(card.figure)) if (card, False) in offered else None for card in own)
        aside = tuple(
            Choice(f"{card.name} aside", words(card.figure)) if (card, True) in offered else None for card in own
        )
        if any(usual) or any(aside):
            yield SuitRow(words(suit.sign), words(suit), colour_code(suit.colour), usual, aside if alternate else ())
