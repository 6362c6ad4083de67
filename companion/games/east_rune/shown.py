"""What East Rune shows: views, outcomes, scores, events in words, the rules card; what it counts, what is likely.

Chairs, monarchs and cards left are counted when the game ends, as they then are, so that they are right however it was
entered. Everything else is counted at the entry that shows it. How likely an event is assumes that people choose at
random among the cards they may lay.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from companion.core.cards import Card
from companion.core.game import (
    CardSound,
    CountedAction,
    Event,
    EventOutcome,
    GameView,
    Headline,
    PileColumn,
    SeatLine,
    Start,
    Table,
    TextPage,
)
from companion.core.text import N_, NN_, Glyph, Seat, Text, joined
from companion.games.kit import TOTAL, by_seat, cell, gain, named_table, notes, score_table, seat_table, slashed
from companion.games.kit.rounds import CARDS_HELD, ROW_HELP
from companion.games.kit.tricks import alerts, lacks, laid_as, logarithm

from .rules import (
    ATTRIBUTE_OF,
    ATTRIBUTES,
    BLANK,
    CHAIR_POINTS,
    DOMAINS,
    IS_VASSAL,
    MINERAL,
    MONARCH_VIRTUE,
    SACRED,
    TURNS,
    VASSALS_IN_ALL,
    VIRTUES,
    Claim,
    Pass,
    Play,
    Result,
    Reveal,
    Rules,
    State,
    Stop,
    dealt_to_each,
    monarch_points,
    start,
    uncovered,
)

CHAIR = Glyph("chair")
MONARCH = Glyph("crown")
FRONT = Glyph("front")
DEALER = Glyph("dealer")
CHAINS = ("chain", "extra-chain")
"""Phases in which the turn goes on."""
NOTHING = Text("{nothing}", nothing="")
PASSES = 4
"""Most cards per player that fit the panel as separate columns."""


def view(state: State) -> GameView:
    """Return the game view: needed domain, cards on the field, and a line for each seat."""
    return _view(state, state.turn if state.phase in CHAINS else None)


def _view(state: State, laying: int | None) -> GameView:
    """Return the game view with the cards of the seat whose turn it is or was; None shows no cards."""
    crowns = sum(card in MONARCH_VIRTUE for card in state.pile)
    columns = (
        PileColumn(CHAIR, len(state.chairs_up), word=Text(N_("Chairs"))),
        PileColumn(MONARCH, crowns, word=Text(N_("Monarchs"))),
        PileColumn(FRONT, len(state.pile) - crowns, word=Text(N_("Vassals"))),
    )
    seats = tuple(_seat_line(state, seat, state.chain if seat == laying else ()) for seat in range(state.seats))
    return GameView(_headline(state), _status(state), columns if state.seats > 2 else columns[1:], seats)


def _seat_line(state: State, seat: int, chain: tuple[Card, ...]) -> SeatLine:
    """Return a seat's line: cards of its turn, uncovered vassals, hand, chairs and monarchs.

    It is marked if the seat would capture. With 2 players the uncovered vassals have a line of their own, where the
    cards of a turn take their place; otherwise they follow the figures in small print.
    """
    laid = joined((short(card) for card in chain), "")
    figures = [Text("{hand}", hand=state.hand[seat])]
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
    return joined((number, Text("{attribute}{key}", attribute=attribute.sign, key=attribute.key)))


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


def outcome(before: State, event: Event, after: State) -> EventOutcome:
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
        return EventOutcome(alerts(after)[-1:], alert=True)  # it may be the same as an earlier one
    if isinstance(event, Result) or before.phase not in TURNS:
        return EventOutcome()
    chain = _chain(event, after) if isinstance(event, Play | Stop) else None
    if after.round == before.round and after.phase != "over":
        if chain is None or after.phase in ("chain", "extra-chain"):
            return EventOutcome()
        return EventOutcome(finished=replace(_view(after, before.turn), result=chain))
    if before.last is None:
        return EventOutcome((Text(N_("Nobody captures: all stays")),))
    return _capture(before, before.last, after, () if chain is None else (chain,))


def _chain(event: Play | Stop, after: State) -> Text:
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


def score_sheet(state: State) -> Table:
    """Return the score sheet: the figures that count, and the points if the game ended now."""
    columns: list[tuple[object, Sequence[object]]] = [(CHAIR, state.chairs)] if state.seats > 2 else []
    columns += [(MONARCH, state.monarchs), (Text(N_("hand")), state.hand)]
    if state.rules.blank_character:  # a point for the first dealer, who was dealt a card more
        columns.append((DEALER, [int(seat == state.given) for seat in range(state.seats)]))
    columns.append((TOTAL, state.totals))
    return score_table(state, columns)


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
        case Stop(player):
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


# What players did


ACTIONS = {
    "captures": Text(N_("Captures")),
    "chairs": Text(N_("Chairs")),
    "monarchs": Text(N_("Monarchs")),
    "left": Text(N_("Cards left")),
    "claims": Text(N_("Chairs claimed")),
    "vassals": Text(N_("Vassals laid")),
    "chained": Text(N_("Chained cards")),
    "dealt": Text(N_("Cards dealt")),
    "passes": Text(N_("Passes")),
}
"""The name of each counted action.

- ``captures``: captures of the whole field.
- ``chairs``, ``monarchs``, ``left``: captured chairs, monarchs in front and cards in hand when the game ends.
- ``claims``: chairs claimed with a card of the hand.
- ``vassals``: vassals laid, from the hand or from the front.
- ``chained``: cards laid after the first of a turn.
- ``dealt``: cards that a capture dealt to the player.
- ``passes``: rounds left by a pass; an extra turn declined is none.
"""
EXTRA = ("extra", "extra-chain")


def counted_actions(before: State, event: Event, after: State) -> tuple[CountedAction, ...]:
    found: list[CountedAction] = []
    match event:
        case Play(player, card):
            if card in IS_VASSAL:
                found.append(CountedAction("vassals", player))
            if before.phase in ("chain", "extra-chain"):
                found.append(CountedAction("chained", player))
        case Claim(int(player), card):
            found.append(CountedAction("claims", player))
            if card in IS_VASSAL:
                found.append(CountedAction("vassals", player))
        case Pass(player) if before.phase == "play":
            found.append(CountedAction("passes", player))
    if after.finished > before.finished and before.phase in EXTRA:
        assert before.last is not None  # only the player of the last vassal has an extra turn
        found.append(CountedAction("captures", before.last))
        found += [CountedAction("dealt", dealt.player) for dealt in after.dealt]
    if after.phase == "over":
        found += by_seat(chairs=after.chairs, monarchs=after.monarchs, left=after.hand)
    return tuple(found)


# How likely an event is


SHARE_OF_PASSES = 0.25
"""Share of passes and stops among turns in which something could be laid."""

FROM_HAND = 0.5
"""Share of cards from the hand where a card from the front would do as well."""


def log_likelihood(state: State, event: Event) -> float:
    match event:
        case Play(player, _, source):
            return logarithm(_laid(state, player, source))
        case Pass(player) | Stop(player):
            return logarithm(_passed(state, player))
    return 0.0


def _passed(state: State, player: int) -> float:
    return SHARE_OF_PASSES + (1 - SHARE_OF_PASSES) * (
        0.0 if _in_front(state, player) else _nothing_in_hand(state, player)
    )


def _laid(state: State, player: int, source: str) -> float:
    """Return the probability that a player lays one of the cards that fit."""
    front, none = _in_front(state, player), _nothing_in_hand(state, player)
    kinds = len(ATTRIBUTES) * (1 if state.follows is not None else len(DOMAINS))
    from_hand = (1 - none) * FROM_HAND if front else float(none < 1)
    goes_on = 1 - _passed(state, player)
    return goes_on * (from_hand / kinds if source == "hand" else (1 - from_hand) / max(len(front), 1))


def _in_front(state: State, player: int) -> tuple[Card, ...]:
    return tuple(card for card in uncovered(state, player) if state.follows in (None, card.suit))


def _nothing_in_hand(state: State, player: int) -> float:
    if not state.hand[player]:
        return 1.0
    if state.follows is None:
        return 0.0
    left = max(VASSALS_IN_ALL - state.vassals_seen, len(DOMAINS))
    return lacks(left, left // len(DOMAINS), min(state.hand[player], left))


# Rules card


END = notes(
    N_("End of the round"), N_("After a vassal: all but its player pass"), N_("No vassal: all pass, and all stays")
)


def rules_card(seats: int, rules: Rules) -> tuple[Table | TextPage, ...]:
    return _score(seats, rules), _deal(seats, rules), _start(seats, rules), _turn(rules), END, _capture_page(seats)


def _score(seats: int, rules: Rules) -> Table:
    rows = [
        *((Text(N_("{sign} Chair"), sign=CHAIR), CHAIR_POINTS) for _ in range(seats > 2)),
        (Text(N_("{sign} Monarch"), sign=MONARCH), monarch_points(seats)),
        (Text(N_("Card left in hand")), -1),
        *((Text(N_("First dealer")), 1) for _ in range(rules.blank_character)),
    ]
    return named_table(Text(N_("Score")), [(name, gain(points)) for name, points in rows])


def _deal(seats: int, rules: Rules) -> TextPage:
    hand = dealt_to_each(seats)
    lines = [
        Text(NN_("{count} card each", "{count} cards each"), count=hand),
        Text(NN_("{count} round", "{count} rounds"), count=start(seats, rules).rounds),
    ]
    if rules.blank_character:
        lines.insert(1, Text(N_("First dealer: {count}"), count=hand + 1))
    if seats == 2:
        lines.append(
            Text(NN_("{count} vassal to draw", "{count} vassals to draw"), count=VASSALS_IN_ALL - seats * hand)
        )
    else:
        only = rules.monarchs == "claimed"
        lines.append(Text(N_("Monarchs: on chairs only") if only else N_("Monarchs: like any card")))
    return TextPage(Text(N_("{count} players"), count=seats), tuple(lines))


def _start(seats: int, rules: Rules) -> TextPage:
    if seats == 2:
        lines = [Text(N_("The dealer turns up a {sign} and begins"), sign=MONARCH), Text(N_("The other draws a card"))]
    else:
        claim = N_("{chair}: from the dealer on, the first with its {crown} lays it and begins")
        lines = [
            Text(claim, chair=CHAIR, crown=MONARCH),
            Text(N_("Blank: any vassal") if rules.blank_chair else N_("Nobody: dealer begins")),
        ]
    return TextPage(Text(N_("Start of the round")), tuple(lines))


def _turn(rules: Rules) -> TextPage:
    cycle = joined((domain.sign for domain in (*DOMAINS, DOMAINS[0])), " › ")
    lines = [cycle, Text(N_("Same attribute: go on")), Text(N_("Pass: out for the round"))]
    if rules.sacred_is_mineral:
        lines.insert(2, Text("{one} = {other}", one=SACRED.sign, other=MINERAL.sign))
    return TextPage(Text(N_("A turn")), tuple(lines))


def _capture_page(seats: int) -> TextPage:
    return TextPage(
        Text(N_("Capture")),
        (
            Text(N_("Last vassal: one more turn, takes all {sign}, deals next"), sign=MONARCH if seats == 2 else CHAIR),
            Text(N_("Rest: to all, next first")),
        ),
    )
