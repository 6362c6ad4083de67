"""The scenes of every kind of screen: a list of keys pressed in the real application."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from companion.core.prompt import DetailLevel

FOUR = {"format": 1, "game": "eternity", "players": ["Aki", "Béatrice", "Cyr", "はるな"]}
TWO = {**FOUR, "players": ["Aki", "Bea"]}
THREE = {**FOUR, "players": ["Aki", "Bea", "Cyr"]}
FIVE = {**FOUR, "players": ["Aki", "Bea", "Cyr", "Dai", "Émile-Gustave"], "rules": {"edition": "fr"}}
SCRIPTS = {**FOUR, "players": ["Миша", "محمد", "김철수", "🦊 Ελένη"]}
FRENCH = {**FOUR, "rules": {"edition": "fr"}}
SHORT = {**FOUR, "rules": {"ending": {"target": 7}}}

GEAR = {**FOUR, "game": "gear"}
STARS = {**TWO, "game": "hipparchus"}
RUNES = {**THREE, "game": "east-rune"}
MANY = ["Aki", "Béatrice", "Cyr", "はるな", "Émile-Gustave", "Fay", "Gustav", "Hermine"]
SIX = {**FOUR, "game": "wizard", "players": MANY[:6]}
SEVEN = {**FOUR, "game": "oh-hell", "players": MANY[:7]}
EIGHT = {**FOUR, "game": "tally", "players": MANY}
SIDES = {**FOUR, "game": "tichu"}

OPENED = "1 A3 B9"
TRICK = f"{OPENED} A4 DB11 9 C5"
FORGOTTEN = "1 A3 B9 A4 9 C5 A7"
"""The same trick without a pledge, and the next lead."""
REVOKE = f"{TRICK} C7 B2 C3 C2 A5"
REVOKE_LAST = f"{OPENED} A4 C5 A9 A6 C7 C8 C9 A0"
TIED = '{"type":"round","tricks":[5,5,0,0],"trees":[6,6,1,1]}'
LEVEL_TWO = '{"type":"round","tricks":[3,4],"trees":[3,3],"last":0}'
LEVEL = '{"type":"round","tricks":[3,3,2,2],"trees":[3,3,2,2],"last":0}'
LEVEL_FIVE = '{"type":"round","tricks":[4,2,1,1,0],"trees":[4,1,1,3,0]}'
ROUND_ONE = '{"type":"round","tricks":[3,2,5,0],"trees":[3,2,4,1],"last":2}'
ROUND_TWO = '{"type":"round","tricks":[1,4,2,3],"trees":[1,2,2,4],"last":3}'
ROUND_THREE = '{"type":"round","tricks":[2,2,2,4],"trees":[2,1,2,4]}'

AUCTION = (
    '{"type":"start","player":0}',
    '{"type":"bid","player":1,"lot":0,"price":0}',
    '{"type":"bid","player":2,"lot":1,"price":1}',
    '{"type":"bid","player":3,"lot":0,"price":2}',
    '{"type":"bid","player":0,"lot":2,"price":0}',
    '{"type":"bid","player":1,"lot":3,"price":0}',
)
OVERBID = '{"type":"bid","player":0,"lot":2,"price":6}'
GEAR_PAID = '{"type":"round","tricks":[3,2,3,0],"aces":[1,0,2,0],"last":0,"prices":[1,0,2,0]}'
GEAR_ROUND = '{"type":"round","tricks":[3,2,3,0],"aces":[1,0,2,0],"last":2}'
STARRED = ('{"type":"start","player":0}',)
STARS_ROUND = '{"type":"round","captured":[{"sun":1,"moon":2,"earth":7},{"sun":6,"moon":4,"earth":3}],"second":1}'
RUNES_TABLE = (
    '{"type":"start","player":0}',
    '{"type":"reveal","card":"light"}',
    '{"type":"claim","player":1,"card":"noon-animal-light"}',
    '{"type":"play","player":1,"card":"dusk-animal","from":"hand"}',
    '{"type":"play","player":1,"card":"night-culture","from":"hand"}',
    '{"type":"play","player":2,"card":"dawn-mineral","from":"hand"}',
    '{"type":"pass","player":0}',
    '{"type":"pass","player":1}',
    '{"type":"pass","player":2}',
)
RUNES_RESULT = '{"type":"result","chairs":[3,2,1],"monarchs":[1,2,3],"hand":[2,0,1]}'


class Scene(Struct, frozen=True):
    """A picture's name and the keys that lead to it.

    Attributes:
        name: The file name, without extension.
        keys: The keys to press last.
        header: The game to begin first, if any.
        lines: The lines to enter in it before the keys.
        tracking: The game's level of detail.
        few: Whether the board has few keys and a buzzer.
        unsaved: Keys to press at the very end, while the disk is full.
        past: Whether games of earlier evenings are in the journal, and a USB drive is plugged in.
        update: The word that an update leaves, on a box that can be updated; "" while it goes on.
        machine: Whether the box may set the machine's clock, and the controller of its panel can be exchanged.
        club: Whether the box belongs to a club, whose hub calls four players to it for 43 minutes.
    """

    name: str
    keys: str = ""
    header: dict[str, Any] | None = None
    lines: tuple[str, ...] = ()
    tracking: DetailLevel = DetailLevel.FULL
    few: bool = False
    unsaved: str = ""
    past: bool = False
    update: str | None = None
    machine: bool = False
    club: bool = False


SCENES = (
    Scene("home-first"),
    Scene("home", "h#8", FOUR, (ROUND_ONE,)),
    Scene("all-games", "h#8 4", FOUR, (ROUND_ONE,)),
    Scene("put-away", "h#8 4 C", FOUR, (ROUND_ONE,)),
    Scene("put-away-asks", "h#8 4 C 1", FOUR, (ROUND_ONE,)),
    Scene("put-away-done", "h#8 4 C 1 1", FOUR, (ROUND_ONE,)),
    Scene("bring-back", "h#8 4 C 1 1 1", FOUR, (ROUND_ONE,)),
    Scene("all-games-over", "# 2 # h#8 4 B", FIVE, (LEVEL_FIVE, LEVEL_FIVE, LEVEL_FIVE)),
    Scene("looked-at", "# 3 1", FOUR, (ROUND_ONE, ROUND_TWO, ROUND_THREE)),
    Scene("looked-at-menu", "# 3 1 h# BBB", FOUR, (ROUND_ONE, ROUND_TWO, ROUND_THREE)),
    Scene("looked-at-entries", "# 3 1 h* #", FOUR, (ROUND_ONE, ROUND_TWO, ROUND_THREE)),
    Scene("which-game", "1"),
    Scene("other-games", "1 5"),
    Scene("seat-first", "1 1"),
    Scene("name-latin", "1 1 C 22 D 33 444"),
    Scene("name-kana", "1 1 C A 6 9 55"),
    Scene("name-known", "h#8 2 1 C 2", FOUR),
    Scene("seat-tables", "h#8 2 1", FOUR),
    Scene("seat-roster", "h#8 2 1 2", FOUR),
    Scene("seat-enough", "h#8 2 1 2 3", FOUR),
    Scene("rules", "h#8 2 1 1", FOUR),
    Scene("rules-by-trick", "h#8 2 1 1 1", FOUR),
    Scene("rules-five", "h#8 2 1 1", FIVE),
    Scene("seat-stepped-back", "h#8 2 1 1 *", FIVE),
    Scene("rules-two-players", "h#8 2 1 2 3 # BBBBB", FOUR),
    Scene("rules-target", "h#8 2 1 1 3 25", FOUR),
    Scene("regulars", "1 h#8 2 2 1 # 1 h#8 4", FOUR),
    Scene("names", "h#8 5 2 2 2 B", FOUR),
    Scene("name", "h#8 5 2 2", FOUR),
    Scene("name-anew", "h#8 5 2 2 1", FOUR),
    Scene("start", "", FOUR),
    Scene("deal", "1 A3", FOUR),
    Scene("deal-open-cards", "1 A3 B9", THREE),
    Scene("neutral-pair", "1 A3", TWO),
    Scene("play-lead", OPENED, FOUR),
    Scene("play-follow", f"{OPENED} A4 1", FOUR),
    Scene("play-scripts", f"{OPENED} A4", SCRIPTS),
    Scene("play-pledge", f"{OPENED} A4 DB1", FOUR),
    Scene("trick-won", TRICK, FOUR),
    Scene("trick-won-two", "1 A3 B9 A4 B5 A6 C7", TWO),
    Scene("trick-won-five", "1 A3 B9 A4 DB11 9 DC12 A5", FIVE),
    Scene("trick-revoke", REVOKE_LAST, FOUR),
    Scene("trick-brought-back", f"{TRICK} * h#4", FOUR),
    Scene("trick-last", "1 A3 B9 111111111 h#51 A4 5 6 7", FOUR, tracking=DetailLevel.QUICK),
    Scene("play-two", "1 A3 B9 A4 B5", TWO),
    Scene("play-five", "1 A3 B9 A4 DB11 9 DC12", FIVE),
    Scene("play-lacking", f"{OPENED} B4 C5 B6 B7 B8 B0", FOUR),
    Scene("revoke", REVOKE, FOUR),
    Scene("suggestions", f"{REVOKE} h#", FOUR),
    Scene("table-figures", "1 A3 B9 111111111 h#51 A4 5 6 7 *", FOUR, tracking=DetailLevel.QUICK),
    Scene("table-differs", "1 A3 B9 111111111 h#51 A4 5 6 7 * 2 0 1#", FOUR, tracking=DetailLevel.QUICK),
    Scene("round-asked", "1 A3 B9 111111111 h#51 A4 5 6 7", FOUR, tracking=DetailLevel.QUICK),
    Scene("refused", f"{TRICK} A4", FOUR),
    Scene("which-suit", "1 4", FOUR),
    Scene("took-back", f"{TRICK} *", FOUR),
    Scene("takes-back", f"{TRICK} h#8 1 *", FOUR),
    Scene("quick", OPENED, FOUR, tracking=DetailLevel.QUICK),
    Scene("quick-pledge", f"{OPENED} B11", FOUR, tracking=DetailLevel.QUICK),
    Scene("sheet", "32", FOUR, tracking=DetailLevel.ROUND),
    Scene("sheet-trees", "33 22", FOUR, tracking=DetailLevel.ROUND),
    Scene("sheet-last", "33 22 54 1#", FOUR, tracking=DetailLevel.ROUND),
    Scene("sheet-whole", "33 22 54 1#", FRENCH, tracking=DetailLevel.ROUND),
    Scene("sheet-again", "33 22 54 1# D1 2 3", FRENCH, tracking=DetailLevel.ROUND),
    Scene("detail", "h#5", FOUR),
    Scene("noticed", "1 A3 B9 A4 h#6", FOUR),
    Scene("round-over", "33 22 54 1# 3", FOUR, tracking=DetailLevel.ROUND),
    Scene("menu", f"{TRICK} h#", FOUR),
    Scene("scores", "h#1", FOUR, (ROUND_ONE, ROUND_TWO)),
    Scene("alerts", f"{REVOKE} h#h#1#", FOUR),
    Scene("players", f"{TRICK} h#0", FOUR),
    Scene("players-review", f"{TRICK} h#0 4 2", FOUR),
    Scene("players-seats", f"{TRICK} h#0 1", FOUR),
    Scene("players-seat", f"{TRICK} h#0 1 2", FOUR),
    Scene("players-number", f"{TRICK} h#0 3", FOUR),
    Scene("players-swap", f"{TRICK} h#0 4", FOUR),
    Scene("keys", "h#9 3", FOUR),
    Scene("card-1", "h#3", FOUR),
    Scene("card-2", "h#3B", FOUR),
    Scene("card-3", "h#3BB", FOUR),
    Scene("card-4", "h#3BBB", FOUR),
    Scene("card-5", "h#3AA", FOUR),
    Scene("card-6", "h#3A", FOUR),
    Scene("card-two-players", "h#3BBB", {**TWO, "rules": {"edition": "fr"}}),
    Scene("entries", f"{TRICK} h*", FOUR),
    Scene("entries-empty", "h*", FOUR),
    Scene("correct", f"{TRICK} h* AA#", FOUR),
    Scene("corrected", f"{TRICK} h* AA# DB12", FOUR),
    Scene("correction-breaks", f"{TRICK} h* AA# A9", FOUR),
    Scene("correction-turns", f"{TRICK} A7 A8 h* 5# A1#", FOUR),
    Scene("insert", f"{FORGOTTEN} h* 4C", FOUR),
    Scene("insert-review", f"{FORGOTTEN} h* 4C DB11", FOUR),
    Scene("inserted", f"{FORGOTTEN} h* 4C DB11 #", FOUR),
    Scene("remove-review", f"{TRICK} A7 h* 4D", FOUR),
    Scene("swap-review", f"{TRICK} A7 h* 5h#", FOUR),
    Scene("swap-refused", f"{TRICK} h* 3h#", FOUR),
    Scene("correction-ends", "h* A# h#53 55 33 22 0 #", SHORT, (ROUND_ONE, ROUND_TWO), DetailLevel.ROUND),
    Scene("entries-number", f"{TRICK} h* 3", FOUR),
    Scene("starter-asked", "h#51", FRENCH, (TIED,)),
    Scene("winner", "", FOUR, (ROUND_ONE, ROUND_TWO, ROUND_THREE)),
    Scene("winner-two", "", TWO, (LEVEL_TWO, LEVEL_TWO, LEVEL_TWO)),
    Scene("winner-five", "", FIVE, (LEVEL_FIVE, LEVEL_FIVE, LEVEL_FIVE)),
    Scene("shared-win", "", FOUR, (LEVEL, LEVEL, LEVEL)),
    # Gear
    Scene("gear-bid", "", GEAR, AUCTION[:1]),
    Scene("gear-price", "1", GEAR, AUCTION[:2]),
    Scene("gear-price-higher", "1", GEAR, AUCTION[:3]),
    Scene("gear-pushed-off", "", GEAR, AUCTION[:4]),
    Scene("gear-lots", "D A1 A2 A3", GEAR, AUCTION[:1]),
    Scene("gear-lead", "", GEAR, AUCTION),
    Scene("gear-follow", "A7", GEAR, AUCTION),
    Scene("gear-pair", "AB5", GEAR, AUCTION),
    Scene("gear-trick-won", "A0 9 B3 1", GEAR, AUCTION),
    Scene("gear-black", "A0 9 B3 1 B4", GEAR, AUCTION),
    Scene("gear-overbid", "", GEAR, (*AUCTION[:4], OVERBID, AUCTION[5])),
    Scene("gear-quick", "h#52", GEAR, AUCTION),
    Scene("gear-sheet", "h#53 3", GEAR, AUCTION),
    Scene("gear-round-over", "", GEAR, (*AUCTION, GEAR_ROUND)),
    Scene("gear-keys", "h#9 3", GEAR),
    Scene("gear-card-1", "h#3", GEAR),
    Scene("gear-card-2", "h#3B", GEAR),
    Scene("gear-card-3", "h#3BB", GEAR),
    Scene("gear-card-4", "h#3BBB", GEAR),
    Scene("gear-card-5", "h#3A", GEAR),
    Scene("gear-scores", "h#1", GEAR, (GEAR_PAID, *AUCTION[1:])),
    Scene("gear-rules", "h#8 2 2 1", GEAR),
    # Hipparchus
    Scene("hipparchus-lead", "", STARS, STARRED),
    Scene("hipparchus-follow", "6", STARS, STARRED),
    Scene("hipparchus-trick-won", "6 3", STARS, STARRED),
    Scene("hipparchus-impossible", "6 6", STARS, STARRED),
    Scene("hipparchus-quick", "h#52 2", STARS, STARRED),
    Scene("hipparchus-winner-said", "h#52 D D", STARS, STARRED),
    Scene("hipparchus-sheet", "h#53 3", STARS, STARRED),
    Scene("hipparchus-round-over", "", STARS, (*STARRED, STARS_ROUND)),
    Scene("hipparchus-winner", "", STARS, (*STARRED, STARS_ROUND, STARS_ROUND)),
    Scene("hipparchus-keys", "h#9 3", STARS),
    Scene("hipparchus-card-1", "h#3", STARS),
    Scene("hipparchus-card-2", "h#3B", STARS),
    Scene("hipparchus-card-3", "h#3BB", STARS),
    Scene("hipparchus-card-4", "h#3BBB", STARS),
    Scene("hipparchus-card-5", "h#3A", STARS),
    # East Rune
    Scene("east-rune-chair", "", RUNES, RUNES_TABLE[:1]),
    Scene("east-rune-claim", "", RUNES, RUNES_TABLE[:2]),
    Scene("east-rune-unclaimed", "#", RUNES, RUNES_TABLE[:2]),
    Scene("east-rune-unclaimed-alerts", "# h#1#", RUNES, RUNES_TABLE[:2]),
    Scene("east-rune-turn", "", RUNES, RUNES_TABLE[:3]),
    Scene("east-rune-chain", "", RUNES, RUNES_TABLE[:4]),
    Scene("east-rune-turn-over", "", RUNES, RUNES_TABLE[:5]),
    Scene("east-rune-extra", "", RUNES, RUNES_TABLE[:8]),
    Scene("east-rune-captured", "", RUNES, RUNES_TABLE),
    Scene("east-rune-front", "6 # 0", RUNES, RUNES_TABLE),
    Scene("east-rune-result", "h#52 2", RUNES, RUNES_TABLE[:1]),
    Scene("east-rune-hands", "h#52 32 12 2", RUNES, RUNES_TABLE[:1]),
    Scene("east-rune-winner", "", RUNES, (RUNES_TABLE[0], RUNES_RESULT)),
    Scene("east-rune-scores", "h#1", RUNES, RUNES_TABLE),
    Scene("east-rune-keys", "h#8 3 #", RUNES),
    Scene("east-rune-card-1", "h#3", RUNES),
    Scene("east-rune-card-2", "h#3B", RUNES),
    Scene("east-rune-card-3", "h#3BB", RUNES),
    Scene("east-rune-card-4", "h#3BBB", RUNES),
    Scene("east-rune-card-5", "h#3BBBB", RUNES),
    Scene("east-rune-card-6", "h#3BBBBB", RUNES),
    # The history
    Scene("home-past", past=True),
    Scene("history", "5", past=True),
    Scene("history-games", "5 1 B", past=True),
    Scene("history-game", "5 1 2", past=True),
    Scene("history-course", "5 1 2 B", past=True),
    Scene("history-rounds", "5 1 2 BB", past=True),
    Scene("history-deeds", "5 1 2 BBBB", past=True),
    Scene("history-details", "5 1 2 A", past=True),
    Scene("history-game-two", "5 1 3", past=True),
    Scene("history-course-two", "5 1 3 B", past=True),
    Scene("history-evenings", "5 2", past=True),
    Scene("history-evening", "5 2 1", past=True),
    Scene("history-people", "5 3", past=True),
    Scene("history-person", "5 3 1", past=True),
    Scene("history-person-end", "5 3 1 BBBBBBB", past=True),
    Scene("history-person-games", "5 3 1 2", past=True),
    Scene("history-person-kinds", "5 3 1 8", past=True),
    Scene("history-person-kind", "5 3 1 8 1 BBBBBB", past=True),
    Scene("history-head-to-head", "5 3 1 9", past=True),
    Scene("history-league", "5 4", past=True),
    Scene("settings-drive", "6 B B B", past=True),
    Scene("usb-games", "6 4", past=True),
    Scene("usb-game", "6 4 1", past=True),
    Scene("usb-game-wrong", "6 4 2", past=True),
    Scene("usb-game-added", "6 4 1 #", past=True),
    # An update
    Scene("settings-update", "2 3 *", update=""),
    Scene("update-asked", "2 3", update=""),
    Scene("update-installing", "2 3 #", update=""),
    Scene("update-nothing", "2 3 #", update="newest"),
    Scene("update-fault", "2 3 #", update="signature"),
    Scene("update-nowhere", "2 3 #", update="nowhere"),
    # The machine
    Scene("settings-machine", "2", machine=True),
    Scene("clock", "2 3", machine=True),
    Scene("time-zone", "2 3 1", machine=True),
    Scene("time-zone-cities", "2 3 1 5", machine=True),
    Scene("panel-test", "2 4", machine=True),
    Scene("panel-test-picture", "2 4 #", machine=True),
    Scene("panel-test-other", "2 4 # 2", machine=True),
    # A club
    Scene("club-home", club=True),
    Scene("club-home-calls", "C", club=True),
    Scene("club-seats", "1 1", club=True),
    Scene("club-rules", "1 1 1", club=True),
    Scene("club-play", TRICK, FOUR, club=True),
    Scene("club-menu", "h#", FOUR, club=True),
    Scene("club-menu-calls", "h# C h#", FOUR, club=True),
    Scene("club-over", "", FOUR, (ROUND_ONE, ROUND_TWO, ROUND_THREE), club=True),
    # Boards with few keys
    Scene("seven-deal", "", SEVEN),
    Scene("seven-cards", "1 2 0 0 1 1 0 0 0 A7 9 8", SEVEN),
    Scene("six-cards", "1 0 1 1 0 0 0 A5 6 7 0", SIX),
    Scene("eight-sheet", "12# 5#", EIGHT),
    Scene("whole-sheet", "0 1 0 0 3 0 45", SIDES, tracking=DetailLevel.ROUND),
    Scene("few-home", few=True),
    Scene("few-club-home", "<", few=True, club=True),
    Scene("few-club-play", f"{OPENED} A4", FOUR, few=True, club=True),
    Scene("few-update", "2 4", few=True, update=""),
    Scene("few-clock", "2 4", few=True, machine=True),
    Scene("few-panel-test", "2 5", few=True, machine=True),
    Scene("few-panel-test-picture", "2 5 o", few=True, machine=True),
    Scene("unsaved", OPENED, FOUR, unsaved="A4"),
    Scene("unsaved-goes-on", OPENED, FOUR, unsaved="A4 D B11 9 C5 A"),
    Scene("unsaved-home", OPENED, FOUR, unsaved="A4 # h#8"),
    Scene("few-which-game", "o >>", few=True),
    Scene("few-other-games", "o >>>> o >", few=True),
    Scene("few-seat", "o o o <", few=True),
    Scene("few-letters", "o o < o", few=True),
    Scene("few-letter", "o o < o > o > o > o >", few=True),
    Scene("few-kana", "o o < o <<< o o > o >", few=True),
    Scene("few-rules", "o o o o o >>", few=True),
    Scene("few-rules-start", "o o o o o <", few=True),
    Scene("few-amount", "o o o o o >> o >>", few=True),
    Scene("few-lead", f"{OPENED} >", FOUR, few=True),
    Scene("few-lead-card", f"{OPENED} > o <", FOUR, few=True),
    Scene("few-follow", f"{OPENED} A4", FOUR, few=True),
    Scene("few-pledge", f"{OPENED} A4 <", FOUR, few=True),
    Scene("few-pledge-card", f"{OPENED} A4 < o >>>", FOUR, few=True),
    Scene("few-trick-won", TRICK, FOUR, few=True),
    Scene("few-quick", f"{OPENED} >", FOUR, tracking=DetailLevel.QUICK, few=True),
    Scene("few-sheet", "32 >", FOUR, tracking=DetailLevel.ROUND, few=True),
    Scene("few-menu", "h# >>", FOUR, few=True),
    Scene("few-scores", "h#1", FOUR, (ROUND_ONE, ROUND_TWO), few=True),
    Scene("few-players", f"{TRICK} h#0", FOUR, few=True),
    Scene("few-keys", "h#9 4", FOUR, few=True),
    Scene("few-card", "h#3 >", FOUR, few=True),
    Scene("few-entries", f"{TRICK} h* <", FOUR, few=True),
    Scene("few-takes-back", f"{TRICK} h#8 1 ho o", FOUR, few=True),
    Scene("few-entries-back", f"{TRICK} h* >>", FOUR, few=True),
    Scene("few-entry", f"{TRICK} h* < o", FOUR, few=True),
    Scene("few-insert-review", f"{FORGOTTEN} h* 4# 2 DB11", FOUR, few=True),
    Scene("few-correction-breaks", f"{TRICK} h* AA## A9", FOUR, few=True),
    Scene("few-unsaved", OPENED, FOUR, few=True, unsaved="A4 >"),
    Scene("few-gear-lots", "<", GEAR, AUCTION[:1], few=True),
    Scene("few-gear-pair", "AB5", GEAR, AUCTION, few=True),
    Scene("few-hipparchus", ">>", STARS, STARRED, few=True),
    Scene("few-east-rune", "", RUNES, RUNES_TABLE[:3], few=True),
    Scene("few-east-rune-pass", "<", RUNES, RUNES_TABLE[:3], few=True),
)
