"""Rules card of East Rune: score, deal, start of a round, turn, end of a round, capture."""

from __future__ import annotations

from msgspec.structs import replace

from companion.core.game import Table, TextPage
from companion.core.text import N_, NN_, Text, joined
from companion.games.kit import changed, named_table, notes

from .cards import DOMAINS, MINERAL, SACRED, VASSALS_IN_ALL, dealt_to_each
from .options import Rules
from .presentation import CHAIR, MONARCH
from .state import State, start

END = notes(
    N_("End of the round"), N_("After a vassal: all but its player pass"), N_("No vassal: all pass, and all stays")
)


def card(seats: int, rules: Rules) -> tuple[Table | TextPage, ...]:
    return _score(seats, rules), _deal(seats, rules), _start(seats, rules), _turn(rules), END, _capture(seats)


def _score(seats: int, rules: Rules) -> Table:
    """Return the page on scoring; each value is computed by adding one card and comparing the points."""
    before = start(seats, rules)

    def more(after: State) -> int:
        return after.totals[0] - before.totals[0]

    rows = [
        (Text(N_("{sign} Monarch"), sign=MONARCH), more(replace(before, monarchs=changed(before.monarchs, 0, 1)))),
        (Text(N_("Card left in hand")), more(replace(before, hand=changed(before.hand, 0, 1)))),
    ]
    if seats > 2:
        chair = more(replace(before, chairs=changed(before.chairs, 0, 1)))
        rows.insert(0, (Text(N_("{sign} Chair"), sign=CHAIR), chair))
    if rules.blank_character:
        rows.append((Text(N_("First dealer")), more(replace(before, given=0))))
    return named_table(Text(N_("Score")), [(name, f"{points:+}".replace("-", "−")) for name, points in rows])


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


def _capture(seats: int) -> TextPage:
    return TextPage(
        Text(N_("Capture")),
        (
            Text(N_("Last vassal: one more turn, takes all {sign}, deals next"), sign=MONARCH if seats == 2 else CHAIR),
            Text(N_("Rest: to all, next first")),
        ),
    )
