"""Views of East Rune for the panel: game view, outcome of an event, score sheet, alerts, events in words."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from companion.core.cards import Card
from companion.core.game import CardSound, Event, EventOutcome, GameView, Headline, PileColumn, SeatLine, Start, Table
from companion.core.text import N_, Glyph, Seat, Text, joined
from companion.games.kit import cell, outcome, seat_table, slashed
from companion.games.kit.rounds import CARDS_HELD, ROW_HELP
from companion.games.kit.tricks import laid_as

from .cards import ATTRIBUTE_OF, ATTRIBUTES, BLANK, CHAIR_VIRTUE, DOMAINS, MONARCH_VIRTUE, VIRTUES
from .events import Claim, EndTurn, Pass, Play, Result, Reveal
from .options import Rules
from .state import TURNS, MissedClaim, State, uncovered

CHAIR = Glyph("chair")
MONARCH = Glyph("crown")
FRONT = Glyph("front")
DEALER = Glyph("dealer")
CHAINS = ("chain", "extra-chain")
"""Phases in which the turn goes on."""
NOTHING = Text("{nothing}", nothing="")
PASSES = 4
"""Most cards per player that fit the panel as separate columns."""


def face(state: State) -> GameView:
    """Return the game view: needed domain, cards on the field, and a line for each seat."""
    return _view(state, state.turn if state.phase in CHAINS else None)


def _view(state: State, laying: int | None) -> GameView:
    """Return the game view with the cards of the seat whose turn it is or was; None shows no cards."""
    crowns = sum(card in MONARCH_VIRTUE for card in state.pile)
    at_stake = (PileColumn(MONARCH, crowns), PileColumn(FRONT, len(state.pile) - crowns))
    columns = at_stake if state.seats == 2 else (PileColumn(CHAIR, len(state.chairs_up)), *at_stake)
    seats = tuple(_seat_line(state, seat, state.chain if seat == laying else ()) for seat in range(state.seats))
    return GameView(_headline(state), _status(state), columns, seats)


def _seat_line(state: State, seat: int, chain: tuple[Card, ...]) -> SeatLine:
    """Return a seat's line: cards of its turn, uncovered vassals, hand, chairs and monarchs.

    It is marked if the seat would capture. With 2 players the uncovered vassals have a line of their own, where the
    cards of a turn take their place; otherwise they follow the figures in small print.
    """
    laid = joined((short(card) for card in chain), "")
    figures = [Text("{cards}", cards=state.hand[seat])]
    if state.chairs[seat]:
        figures.append(Text("{chairs}{sign}", chairs=state.chairs[seat], sign=CHAIR))
    if state.monarchs[seat]:
        figures.append(Text("{monarchs}{sign}", monarchs=state.monarchs[seat], sign=MONARCH))
    if seat in state.passed:
        figures.insert(0, Text("×"))
    cards = _uncovered_text(state, seat)
    if state.seats == 2:
        return SeatLine(laid if chain else joined(cards, ""), joined(figures), seat == state.last)
    return SeatLine(laid, joined((*figures, joined(cards, "")) if cards else figures), seat == state.last)


def _headline(state: State) -> Headline | None:
    if state.phase not in TURNS:
        return None
    if state.needs is None:
        return Headline("anyday", Text(N_("Any")), (255, 255, 255))
    return Headline(state.needs.name, state.needs.label, state.needs.colour)


def _status(state: State) -> Text:
    """Return the status: the round and, during a turn, the attribute that lets it go on."""
    number = Text(N_("R{round}"), round=state.round)
    if not state.pile or state.phase not in TURNS:
        return number
    top = state.pile[-1]
    if top is BLANK:
        return joined((number, BLANK.suit.sign))
    attribute = ATTRIBUTE_OF[top]
    return joined((number, Text("{sign}{key}", sign=attribute.sign, key=attribute.key)))


def _uncovered_text(state: State, seat: int) -> list[object]:
    """Return the uncovered vassals in front of a seat, as typed, grouped by domain."""
    cards = uncovered(state, seat)
    shown: list[object] = []
    for domain in DOMAINS:
        keys = "".join(sorted(card.keys[0] for card in cards if card.suit is domain))
        if keys:
            shown.append(Text("{domain}{keys}", domain=domain.sign, keys=keys))
    if BLANK in cards:
        shown.append(BLANK.suit.sign)
    return shown


def short(card: Card) -> Text:
    """Return a character's shortest text: domain glyph, attribute digit and virtue glyph."""
    if card is BLANK:
        return Text("{sign}", sign=card.suit.sign)
    if card in MONARCH_VIRTUE:
        return Text(
            "{domain}{key}{virtue}", domain=card.suit.sign, key=ATTRIBUTE_OF[card].key, virtue=MONARCH_VIRTUE[card].sign
        )
    return card.sign


def report(before: State, event: Event, after: State) -> EventOutcome:
    return replace(_told(before, event, after), laid_as=_laid_as(event, after))


def _laid_as(event: Event, after: State) -> CardSound | None:
    """Return what kind of card was laid, as there is no suit to follow: each card is of the domain that comes next.

    A card from the front is in the alternate mode. Of the others, one leads if its player goes on: a claim, a chain.
    """
    match event:
        case Claim(player=int()) | Play(source="hand"):
            return laid_as(leads=isinstance(event, Claim) or after.phase in CHAINS, follows=True)
        case Play():
            return CardSound.ALTERNATE
    return None


def _told(before: State, event: Event, after: State) -> EventOutcome:
    """Return the outcome without the kind of card."""
    if len(after.alerts) > len(before.alerts):
        return EventOutcome((_alert(after.alerts[-1]),), alert=True)
    if isinstance(event, Result) or before.phase not in TURNS:
        return EventOutcome()
    chain = _chain(event, after) if isinstance(event, Play | EndTurn) else None
    if after.round == before.round and after.phase != "over":
        if chain is None or after.phase in ("chain", "extra-chain"):
            return EventOutcome()
        return EventOutcome(finished=replace(_view(after, before.turn), result=chain))
    if before.last is None:
        return EventOutcome((Text(N_("Nobody captures: all stays")),))
    return _capture(before, before.last, after, () if chain is None else (chain,))


def _chain(event: Play | EndTurn, after: State) -> Text:
    cards = joined((short(card) for card in after.chain), "")
    return Text(N_("{card}, {player}"), card=cards, player=Seat(event.player))


def _capture(before: State, capturer: int, after: State, chain: tuple[Text, ...]) -> EventOutcome:
    """Return the outcome of a capture: a table of the cards each player gets, in order.

    If they do not fit as columns, they are listed in one line, from the player after the capturer on.
    """
    now, then, sign = (
        (after.monarchs, before.monarchs, MONARCH) if after.seats == 2 else (after.chairs, before.chairs, CHAIR)
    )
    gain = Text("{count}{sign}", count=now[capturer] - then[capturer], sign=sign)
    title = Text(N_("{player} captures {gain}"), player=Seat(capturer), gain=gain)
    gets = [[_dealt_text(dealt.card) for dealt in after.dealt if dealt.player == seat] for seat in range(after.seats)]
    passes = max(map(len, gets))
    if passes > PASSES:
        dealt = joined(_dealt_text(dealt.card) for dealt in after.dealt)
        return EventOutcome((dealt, *chain), seat_table(title, [(Text(N_("cards")), [len(cards) for cards in gets])]))
    heads = tuple(cell(number + 1) for number in range(passes))
    rows = tuple((*cards, *[NOTHING] * (passes - len(cards))) for cards in gets)
    return EventOutcome(chain, Table(title, heads, rows))


def _dealt_text(card: Card) -> Text:
    """Return the short text of a card dealt out; all monarchs look the same, as each is one point."""
    return Text("{sign}", sign=MONARCH) if card in MONARCH_VIRTUE else short(card)


def sheet(state: State) -> Table:
    """Return the score sheet: the figures that count, and the points if the game ended now."""
    columns: list[tuple[object, Sequence[object]]] = [(CHAIR, state.chairs)] if state.seats > 2 else []
    columns += [(MONARCH, state.monarchs), (Text(N_("hand")), state.hand)]
    if state.rules.blank_character:  # a point for the first dealer, who was dealt a card more
        columns.append((DEALER, [int(seat == state.given) for seat in range(state.seats)]))
    columns.append((Text(N_("total")), state.totals))
    return seat_table(outcome(state.winners, Text(N_("Scores"))), columns, state.winners)


def _alert(alert: MissedClaim) -> Text:
    return Text(N_("Nobody claimed {virtue}: look for its monarch"), virtue=CHAIR_VIRTUE[alert.chair])


def alerts(state: State) -> tuple[Text, ...]:
    return tuple(_alert(alert) for alert in state.alerts)


def moment(state: State) -> Text:
    return Text(N_("round {round}"), round=state.round)


def short_moment(state: State) -> Text:
    """Return the round and, once it has begun, the turn, short."""
    if state.phase not in TURNS:
        return Text(N_("R{round}"), round=state.round)
    return Text(N_("R{round} turn {turn}"), round=state.round, turn=state.turns)


def describe(event: Event) -> Text:
    match event:
        case Start(player):
            return Text(N_("{player} deals"), player=Seat(player))
        case Reveal(card):
            return card.label
        case Claim(None):
            return Text(N_("Nobody claims"))
        case Claim(int(player), Card() as card):
            return Text(N_("{player} claims: {card}"), player=Seat(player), card=short(card))
        case Play(player, card, source):
            if source == "front":
                return Text(N_("{front}{card}, {player}"), player=Seat(player), front=FRONT, card=short(card))
            return Text(N_("{card}, {player}"), player=Seat(player), card=short(card))
        case EndTurn(player):
            return Text(N_("{player} stops"), player=Seat(player))
        case Pass(player):
            return Text(N_("{player} passes"), player=Seat(player))
        case Result(chairs, monarchs, hand):
            return Text(N_("End: {figures}"), figures=slashed(chairs, monarchs, hand))
    raise TypeError(f"not an event of East Rune: {event!r}")


def keys(seats: int, rules: Rules) -> tuple[Text, ...]:
    """Return the help lines: how the entries that these rules have are typed."""
    chairs = N_("Chair: 6 7 8, blank 9") if rules.blank_chair else N_("Chair: 6 7 8")
    lines = [
        joined(Text(f"{key}={{sign}}", sign=domain.sign) for key, domain in zip("ABCD", DOMAINS, strict=True)),
        joined(Text("{key}{sign}", key=icon.key, sign=icon.sign) for icon in ATTRIBUTES),
        joined(Text("{key}{sign}", key=icon.key, sign=icon.sign) for icon in VIRTUES),
        Text(N_("3 = {animal} as needed"), animal=ATTRIBUTES[2].sign),
        Text("A3 = {noon}{animal}", noon=DOMAINS[0].sign, animal=ATTRIBUTES[2].sign),
        Text(N_("0 first: from the front")),
        Text(N_("# = pass, or stop")),
        *((Text(N_("Two play: A36 turned up")),) if seats == 2 else (Text(chairs), Text(N_("Claim: seat A3, or #")))),
        *((Text(N_("6 = blank character")),) if rules.blank_character else ()),
        *((Text(N_("9: a monarch, 36")),) if rules.monarchs == "playable" else ()),
        Text(N_("Sheet: # = rest of a row 0")),
        ROW_HELP,
        CARDS_HELD,
    ]
    return tuple(lines)
