"""Draws a game under way: the large symbol or figures, the seats and the cards they have laid."""

from __future__ import annotations

from collections.abc import Sequence

from PIL import Image, ImageDraw

from .fonts import face, glyph, large
from .panel_layout import (
    BODY,
    FOOT,
    GLYPH,
    HEAD,
    LARGE_CARDS,
    NAME,
    ROW,
    SIDE,
    SMALL_ROW,
    WIDTH,
    card_face,
    shortened,
    title,
    wrapped,
)
from .view import OpenGame

SHORT_NAME = 14
"""Minimum width of a name beside large cards; with more cards, they are drawn in the small face."""


MOST_ROWS = 5
"""Most seats below each other; more stand in two columns."""
TWO_COLUMNS = 26
"""Minimum width of a name in two columns, if figures, or more than a card, stand beside it."""
ONE_CARD = 18
"""Width of a suit with two digits in the small face."""


def game(image: Image.Image, pen: ImageDraw.ImageDraw, body: OpenGame) -> None:
    """Draw the large symbol, the columns or the outcome, and the seats."""
    text = face("text")
    if body.symbol is not None:
        image.paste(large(body.symbol.picture, body.symbol.word), (1, 10))
        if body.symbol.figure:
            _figure(image, body.symbol.figure)
        word = text.fit(body.symbol.word, SIDE)
        text.draw(pen, (max(0, (SIDE - 2 - text.width(word)) // 2), FOOT - 11), word)
    if len(body.seats) > MOST_ROWS:
        _in_two_columns(pen, body)
    else:
        _players(pen, body)
    if body.outcome:
        title(pen, body.outcome, SIDE, [seat.name for seat in body.seats])
        return
    status = _status(body, WIDTH if body.symbol is None and not body.columns else SIDE)
    text.draw(pen, (1, 0), status)
    x = SIDE + 2
    wide = (WIDTH - SIDE) // max(1, len(body.columns))
    for column in body.columns:
        named = text.fit(column.sign, max(GLYPH, wide - text.width(str(column.count)) - 1))
        after = text.draw(pen, (x, 0), f"{named}{column.count}")
        if column.more:
            face("small").draw(pen, (after, 0), f"+{column.more}")
        x += wide
    wide = body.symbol is None and text.width(status) > SIDE + 10  # the rule begins under no word
    pen.line((0 if wide else SIDE, HEAD, WIDTH - 1, HEAD), fill=255)


def _status(body: OpenGame, room: int) -> str:
    """Return the state of play, in full where that fits."""
    return body.status if face("text").width(body.status) <= room - 2 else body.brief


def _figure(image: Image.Image, figure: str) -> None:
    numerals = face("numerals")
    wide = numerals.width(figure)
    left, top = 1 + (32 - wide) // 2, 10 + (32 - numerals.height) // 2
    pen = ImageDraw.Draw(image)
    pen.rectangle((left - 2, top - 2, left + wide, top + numerals.height + 1), fill=0)
    numerals.draw(pen, (left, top), figure)


def _players(pen: ImageDraw.ImageDraw, body: OpenGame) -> None:
    """Draw one line for each seat; two players get a second line for their cards.

    Figures are left out beside cards that leave too little room for the name. After a trick they are left out
    everywhere if any name is not whole beside them. Without a large symbol, names that need it have its room, too.
    """
    small, players = face("small"), body.seats
    text = face("text") if len(players) <= LARGE_CARDS else small
    laid = card_face(player.laid for player in players)
    tall = 2 if len(players) == 2 else 1
    pitch = (FOOT - BODY) // len(players)
    high = min(pitch, ROW * tall)
    marks = [(glyph("lead") if player.leads else "") + (f"{player.key} " if player.key else "") for player in players]
    needs = [text.width(mark + player.shown_name) for mark, player in zip(marks, players, strict=True)]
    others = [small.width(player.figures) + (laid.width(player.laid) if tall == 1 else 0) for player in players]
    whole = max(need + other for need, other in zip(needs, others, strict=True)) <= WIDTH - SIDE - 9
    left = SIDE if body.symbol is not None or whole else 0
    most = WIDTH - left - 6 if tall == 2 else WIDTH - left - 9 - SHORT_NAME
    faces = [laid if laid.width(player.laid) <= most else small for player in players]
    cards = [each.fit(player.laid, most) for each, player in zip(faces, players, strict=True)]
    figures = [small.fit(player.figures, WIDTH - left - NAME) for player in players]
    beside = [0 if tall == 2 else each.width(own) for each, own in zip(faces, cards, strict=True)]
    rooms = [WIDTH - left - 6 - (3 + wide if wide else 0) for wide in beside]
    over = [need - room + small.width(more) for more, need, room in zip(figures, needs, rooms, strict=True)]
    narrow = [wide > 0 and min(need, NAME) > need - out for wide, need, out in zip(beside, needs, over, strict=True)]
    if body.outcome and any(wide and out > 0 for wide, out in zip(beside, over, strict=True)):
        narrow = [True] * len(players)
    for seat, player in enumerate(players):
        top = BODY + seat * pitch + (pitch - high) // 2
        shown = "" if narrow[seat] else figures[seat]
        right = WIDTH - 1 - small.width(shown)
        small.draw(pen, (right, top + (high // tall - SMALL_ROW) // 2), shown)
        place = (left + 4, top + ROW) if tall == 2 else (right - 4 - beside[seat], top)
        faces[seat].draw(pen, place, cards[seat])
        name = marks[seat] + text.fit(player.shown_name, rooms[seat] - small.width(shown) - text.width(marks[seat]))
        if player.turn:
            pen.rectangle((left + 1, top, left + 2 + text.width(name), top + high // tall - 1), fill=255)
        text.draw(pen, (left + 2, top), name, 0 if player.turn else 1)


def _in_two_columns(pen: ImageDraw.ImageDraw, body: OpenGame) -> None:
    """Draw seats down the left column, then down the right: each with its cards, or else its figures.

    Without a large symbol, the columns take the whole width. Where a seat is chosen by its number, a name that is not
    whole beside the figures has their room.
    """
    small = face("small")
    text = face("text") if body.symbol is None else small
    left = 0 if body.symbol is None else SIDE + 1
    down = -(-len(body.seats) // 2)
    wide, pitch = (WIDTH - left) // 2, (FOOT - BODY) // down
    for seat, player in enumerate(body.seats):
        start, top = left + seat // down * wide, BODY + seat % down * pitch + (pitch - ROW) // 2 + 1
        right = start + wide - 5
        mark = (glyph("lead") if player.leads else "") + (f"{player.key} " if player.key else "")
        most = max(ONE_CARD, wide - TWO_COLUMNS - text.width(mark))
        beside = player.laid or player.figures
        if small.width(beside) > most:
            cards = player.cards.replace(glyph("joker"), "")  # a joker's name says which one it is
            beside = small.fit(cards or player.figures, most)
        room = wide - 7 - small.width(beside) - 2 * bool(beside)
        if player.key and text.width(mark + player.shown_name) > room:
            beside, room = "", wide - 4
        small.draw(pen, (right - small.width(beside), top + 1), beside)
        name = mark + text.fit(player.shown_name, room - text.width(mark))
        if player.turn:
            pen.rectangle((start, top, start + 1 + text.width(name), top + text.height - 1), fill=255)
        text.draw(pen, (start + 1, top), name, 0 if player.turn else 1)


def piles(pen: ImageDraw.ImageDraw, body: OpenGame) -> None:
    """Draw the name, the cards and the large figures of each seat, below the signs of the columns."""
    text, small, numerals = face("text"), face("small"), face("numerals")
    laid = card_face(player.laid for player in body.seats)
    wide = (WIDTH - SIDE) // len(body.pile_signs)
    if body.outcome:
        title(pen, body.outcome, names=[seat.name for seat in body.seats])
    else:
        text.draw(pen, (1, 0), text.fit(_status(body, SIDE), SIDE - 2))
        for column, sign in enumerate(text.fit(sign, wide - 1) for sign in body.pile_signs):
            text.draw(pen, (SIDE + column * wide + (wide - text.width(sign)) // 2, 0), sign)
        pen.line((0, HEAD, WIDTH - 1, HEAD), fill=255)
    high = (FOOT - BODY) // len(body.seats)
    for seat, player in enumerate(body.seats):
        top = BODY + seat * high
        room = SIDE - 5 + (wide - numerals.width(str(player.piles[0]))) // 2
        mark = f"{player.key} " if player.key else glyph("lead") if player.leads else ""
        name = mark + text.fit(player.name, room - text.width(mark))
        ink = 1
        if player.turn:
            pen.rectangle((0, top, max(SIDE - 2, text.width(name) + 1), top + high - 2), fill=255)
            ink = 0
        text.draw(pen, (1, top), name, ink)
        own = laid if laid.width(player.laid) <= SIDE - 3 else text
        after = own.draw(pen, (1, top + text.height), own.fit(player.laid, SIDE - 3), ink)
        right = SIDE - 3 - small.width(player.figures)
        if after <= right:
            small.draw(pen, (right, top + 12), player.figures, ink)
        for column, count in enumerate(player.piles):
            figure = str(count)
            x = SIDE + column * wide + (wide - numerals.width(figure)) // 2
            numerals.draw(pen, (x, top + (high - numerals.height) // 2), figure)


def trick(
    pen: ImageDraw.ImageDraw, sentences: Sequence[str], laid: Sequence[tuple[str, str]], *, shorten: bool = True
) -> bool:
    """Draw sentences above the cards of a trick, so that no card is hidden.

    The cards are large if all fit side by side and leave room for the sentences.

    Args:
        shorten: Whether sentences that do not fit are shortened; otherwise nothing is drawn then.

    Returns:
        Whether it was drawn.
    """
    small, told = face("small"), [*filter(None, sentences)]
    across = 1 if len(laid) == 2 else 2
    wide, down = WIDTH // across, -(-len(laid) // across)
    fitting = [small]
    large = card_face(cards for _name, cards in laid)
    if all(large.width(cards) + SHORT_NAME <= wide - 6 for _name, cards in laid):
        fitting = [large, small]
    for cards_in in fitting:
        row = SMALL_ROW if cards_in is small else ROW
        top = FOOT - 1 - down * row
        text, lines = wrapped(told, WIDTH - 8, top - 4)
        fits = len(lines) * text.height <= top - 4
        if fits:
            break
    if not fits and not shorten:
        return False
    for seat, (name, cards) in enumerate(laid):
        place = seat % across * wide + 1, top + seat // across * row
        right = place[0] + wide - 4 - cards_in.width(cards)
        small.draw(pen, (place[0], place[1] + (row - SMALL_ROW) // 2), small.fit(name, right - place[0] - 2))
        cards_in.draw(pen, (right, place[1]), cards)
    text, lines = shortened(told, WIDTH - 8, top - 4)
    pen.rectangle((0, 0, WIDTH - 1, 3 + len(lines) * text.height), outline=255)
    for place_of_line, line in enumerate(lines):
        text.draw(pen, (4, 2 + place_of_line * text.height), line)
    return True
