"""Views that are made by hand, of what the scenes do not reach: `tests/golden/made` has their pictures."""

from __future__ import annotations

from msgspec.structs import replace

from companion.ui.symbols import GLYPHS, glyph
from companion.ui.view import (
    Body,
    CodeBody,
    LargeSymbol,
    ListBody,
    OpenGame,
    SeatRow,
    TableBody,
    TextBody,
    TypingBody,
    View,
)

NAMES = ("Aki", "Bea", "Cyr", "はるな", "Eve")
SEVEN = tuple(SeatRow(f"P{number}", figures="12/3") for number in range(1, 8))
COLUMNS = tuple(seat.name for seat in SEVEN)
LONG = "Domingue"
REVOKED = "R1 T6: はるな revoked, Earth 11 shows it"
RED, EARTH = GLYPHS["red"], f"{GLYPHS['pledge']}{GLYPHS['earth']}"


def table(*seats: SeatRow, sign: str = "", alert: str = "", **more: object) -> View:
    """Return the view of a table, with a large symbol or an alert."""
    symbol = LargeSymbol(sign, sign.title(), "#0046ff") if sign else None
    view = View(OpenGame("R1 T1", symbol, (), (), seats), notice=(alert,) if alert else (), alert=bool(alert))
    return replace(view, **more)


def laid(count: int, cards: str, alert: str = "") -> View:
    """Return the view of a trick under way: a card of each seat, told apart by its rank."""
    seats = (SeatRow(NAMES[seat], f"{cards}1{seat}", "0 0") for seat in range(count))
    return table(*seats, sign="sea", alert=alert)


def round_over(count: int) -> View:
    """Return the view of a round's figures with the cards of its last trick, and alerts."""
    cards = tuple(f"{EARTH}1{seat}" for seat in range(count))
    body = TableBody("R1 over", ("pts", "total"), NAMES[:count], (("+3", "12"),) * count, laid=cards)
    return View(body, notice=(REVOKED,) * (1 + (count < 4)), alert=True)


def captured(count: int) -> View:
    """Return the view of a capture, below which stands what was laid last."""
    body = TableBody("Cyr captures 1", ("1", "2"), NAMES[:count], (("a", "b"),) * count)
    return View(body, notice=(f"{GLYPHS['noon']}3{GLYPHS['dusk']}4, Gigi",))


def scores(heads: str, row: str, sheet: bool = True) -> View:
    """Return the view of a score sheet of two rows that are alike."""
    figures = (tuple(row.split()),) * 2
    return View(TableBody("Aki wins", tuple(heads.split()), ("Maximilian", "Konstantin"), figures, scores=sheet))


def listed(count: int, word: str) -> View:
    """Return the view of a question with more choices than the bottom line has room for."""
    choices = tuple(f"{number} {word}" for number in range(1, count + 1))
    return table(*SEVEN[:3], question="Which is it?", hint=" ".join(choices), choices=choices)


def entries(*rows: tuple[str, str], names: tuple[str, ...] = ()) -> View:
    """Return the view of a list of entries, with what stands beside each."""
    return View(ListBody("Entries", rows, 0, by_number=False, counted=True, names=names))


ROUNDS = "start R1 R2 R3 R4 R5 total"
SHEET = TableBody("Round 1", ("Bid", "Tricks", "Bonus"), COLUMNS, (("1", "2", "30"),) * 7, sheet=True)
COURSE = TableBody("Course", ("R1", "end"), COLUMNS, (("1", "9"),) * 7, lines=((1, 5, 9),) * 7)
ASKED = {"question": "Points?"}
BODIES: dict[str, Body] = {
    # Six seats and more stand in halves with the columns that matter most; a whole sheet has a row's figures as one
    "seven-scores": TableBody("Scores", ("1", "Sum"), COLUMNS, tuple((str(10 + at), str(30 + at)) for at in range(7))),
    "seven-sheet": SHEET,
    "seven-sheet-asked": replace(SHEET, cell=(6, 2)),
    "seven-sheet-result": replace(SHEET, sheet=False),
    "seven-course": COURSE,  # without their lines
    "level-line": TableBody("Course", ("R1", "end"), ("Aki",), (("0", "0"),), lines=((0, 0, 0),)),
    "no-line-for-heads": TableBody("Aki wins the whole game", ("R1", "R2", "total"), NAMES, (("11", "11", "11"),) * 5),
    # The end of a name, a bar beside a sentence that goes on
    "name-too-long": TypingBody("Name", "m" * 40 + "the end", "x", ()),
    "sentence-goes-on": TextBody("Alerts", ("word " * 40,)),
    "sentence-goes-on-before-more": TextBody("Alerts", ("word " * 40, "One more.")),
}
VIEWS: dict[str, View] = {
    **{name: View(body) for name, body in BODIES.items()},
    # An address beside a code is never cut
    **{
        f"address-{len(address)}": View(CodeBody("", ("#" * 33,) * 33, (address,), "483921"), "* back")
        for address in ("10.77.0.1:8443", "192.168.178.123:8080", "companion-of-the-house.local:8080")
    },
    "heads-above-halves": View(
        TableBody("Round 3: Aki", ("bid", "tricks"), tuple("ABCDEF"), (("1", "1"),) * 6),
        notice=("Aki has reached the most points now, the game is over",),
    ),
    # Names and cards give way to what matters more
    "seven-turn": table(*SEVEN[:6], replace(SEVEN[6], turn=True), **ASKED),
    "seven-told": table(*SEVEN[:6], SeatRow(LONG, figures="12/3"), **ASKED),
    "seven-chosen": table(*SEVEN[:6], SeatRow(LONG, figures="12/3", key="7"), **ASKED),
    "seven-wide-cards": table(*SEVEN[:6], SeatRow("P7", cards="10-11-12-13-14-15"), **ASKED),
    **{
        f"six-led-{suit}": table(*SEVEN[:5], SeatRow(LONG, f"{glyph(suit)}13", "0/1", leads=True), sign=suit)
        for suit in ("clubs", "diamonds", "hearts", "spades")
    },
    "name-without-symbol": table(SeatRow("Konstantin-Alexander", figures="12"), *SEVEN[1:3], **ASKED),
    **{
        f"name-beside-{len(cards)}": table(*[SeatRow("Maximilian", cards, "12 0A", leads=True)] * 4, sign="red")
        for cards in (f"{RED}A", f"{RED}10", f"{RED}10{RED}10")
    },
    "suit-in-letters": table(*(SeatRow(name, "Lava 7", "0") for name in NAMES[:3])),
    "long-chain": table(
        *(
            SeatRow(name, "".join(f"{GLYPHS[each]}3" for each in ("noon", "dusk", "night", "dawn", "noon")), "7")
            for name in NAMES[:3]
        ),
        sign="noon",
    ),
    # Choices without room in the bottom line are listed whole above it
    "choices-four": listed(4, "of diamonds"),
    "choices-eight": listed(8, "club"),
    "choices-eight-small": listed(8, "clubs again"),
    # An alert hides no card: they are small, or only a longer one stands alone
    **{f"alert-in-trick-{count}": laid(count, EARTH, REVOKED) for count in range(2, 6)},
    "alert-long": laid(4, GLYPHS["sea"], " ".join(["enough"] * 10)),
    "alert-longer": laid(4, GLYPHS["sea"], " ".join(["enough"] * 13)),
    **{f"alert-after-round-{count}": round_over(count) for count in range(2, 6)},
    **{f"captured-{count}": captured(count) for count in range(2, 5)},
    # Rounds that have no room are their sum, but only of figures that add up
    "sum": scores(ROUNDS, "5 12 10 6 8 10 51"),
    "sum-below-zero": scores(ROUNDS, "5 −12 3* 6 8 10 20"),
    "sum-of-pairs": scores(f"{ROUNDS} pair", "5 12 10 6 8 10 51 99"),
    "sum-that-is-wrong": scores(ROUNDS, "5 12 10 6 8 10 50"),
    "sum-of-signs": scores(ROUNDS, "5 ★1 1 6 8 10 1"),
    "sum-of-no-scores": scores(ROUNDS, "5 12 10 6 8 10 51", sheet=False),
    "sum-without-room": scores("start R1 total", f"{'1' * 14} {'2' * 14} {'3' * 14}"),
    # An entry goes on in two more lines; names are shortened before that, and a moment beside it leaves its first whole
    "entry-two-lines": entries(("none", ""), ("Bid: 2 3 4 4, Tricks: 2 3 7 1", "")),
    "entry-three-lines": entries((" ".join(["figures"] * 30), "")),
    "entry-names": entries(("none", ""), ("Alexandrine 12, Bartholomew 13", ""), names=("Alexandrine", "Bartholomew")),
    "entry-moment": entries(("M\u202f: 1/1 4/2 2/2 3/4", "M2"), ("none", "")),
}
