"""Plays the transcripts in `tests/transcripts/box`: what people do at the box, and the words that answer them.

A file is about one subject. Its scenes are parted by blank lines, and each begins with a sentence:

    # A card seen before is refused, and the next is typed anew
    game eternity Aki Bea Cyr Dai
    after 1 A3 B9 A4           without a word of what follows
    keys A4                    → Sea 4 was already seen in this round …
    restart                    → …

What stands after an arrow, and on the indented lines below it, is written by `make accept`: the entries that were added
to the log (`+`), the sentences over the panel, the lines of its body that have changed (`>` is the highlighted one, `…`
are those that are too many to tell), and the bottom line (whose hint is told when it changes: `–` if it has gone). The
first paragraph of a file is what every scene begins with that does not begin with a `start` or a `game` of its own.
What comes before the first `case` of a scene is done anew for each of them.

To start, unheard: `start in fr on buttons at 2026-11-22 22:00 with sleep`, `game NAME PLAYERS at LEVEL RULE=VALUE`,
`after KEYS`, `evenings` (nine games of four Fridays), `past DAY TIME GAME keys KEYS` (a game of an earlier evening, or
of some: `2026-11-01..25`), `add HEADER` (a game that this box did not begin), `open HEADER` (another such game, on
the table at the next start), `line LINE` (of it). In a name `_` is a space.

To do: `case KEYS`, `keys KEYS`, `choose LABEL / LABEL`, `turn ANSWER / ANSWER` (with few keys), `write TEXT`,
`tap CHOICE by PHONE`, `restart`, `wait SECONDS`, `search`, `call TABLE PLAYERS for MINUTES` (by the club), `attend` (by
its director; `attend earlier`: to the call before), `clock MINUTES` (the box's is set so far), `disk full` or `empty`,
`refuse SENTENCE` (by the system, to set the clock), `ended WORD` (the update that the system was asked for), `wifi
starts`, `pair PHONE` (with the PIN that is shown), `role PHONE ROLE NAME`.

To look closer: `panel`, `labels KEYS`, `entries`, `typed` (the keys of the latest line), `games`, `rules NAMES`,
`lamp`, `asleep`, `asked` (of the system, for updates), `controller` (of the panel, and whether it shows a frame),
`text` (what can be written now), `phone asks`, `offers`, `title`, `notice` or `actions`.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

from tests.accepted import ARROW, accept_all, answered, paragraphs, write_anew
from tests.app.box_driver import BoxDriver, Panel

FOLDER = Path(__file__).parents[1] / "transcripts" / "box"
BEGIN = ("start", "game")
LOOKS = (
    *("panel", "labels", "entries", "typed", "games", "rules", "lamp", "asleep", "text", "phone"),
    *("asked", "controller"),
)
MOST = 8  # lines of the panel's body that are told of it without being asked


class Scene(NamedTuple):
    """A scene of a file.

    Attributes:
        title: Its sentence.
        first: What every scene of the file begins with.
        lines: Its lines as they are written, without its sentence.
    """

    title: str
    first: tuple[str, ...]
    lines: tuple[str, ...]

    @property
    def done(self) -> list[str]:
        """Return what people do, line by line, and what they look at."""
        return [line.partition(ARROW.rstrip())[0].rstrip() for line in self.lines if not line.startswith(" ")]

    def play(self) -> list[str]:
        """Play the scene; return its lines as they should be."""
        done, played = self.done, list[str]()
        set_up = [] if done and done[0].split()[0] in BEGIN else [*self.first]
        cases = next((place for place, line in enumerate(done) if line.split()[0] == "case"), 0)
        player = Player(set_up, done[:cases])
        for line in done:
            answer = player.does(line)
            played += answered(line, answer)
        return played


class Player:
    """Does what the lines of a scene say, and tells what is seen then."""

    def __init__(self, first: list[str], every: list[str]) -> None:
        """Begin with some lines, and with more of them in every case."""
        self._set_up = [*first, *every]
        self._box, self._seen, self._lengths, self._known = BoxDriver(), Panel(), dict[str, int](), set[int]()
        self._begin(first)

    def does(self, line: str) -> str:
        """Do what a line says. Return what is seen then, or an empty text where nobody looks."""
        verb, _, rest = line.partition(" ")
        if verb.startswith("#"):
            return ""
        if verb == "case":
            self._begin(self._set_up)
            verb = "keys"
        try:
            if verb in LOOKS:
                return self._box.look(verb, rest)
            told: str | None = getattr(self, f"_{verb}")(rest)
            return self._changes() if told is None else told
        except Exception as wrong:
            wrong.add_note(f"at the line {line!r}")
            raise

    def _begin(self, lines: list[str]) -> None:
        self._box = BoxDriver()
        for line in lines:
            self.does(line)
        self._changes()

    def _changes(self) -> str:
        """Return what is new since the last look."""
        panel, lengths, log = self._box.panel(), self._box.lengths(), self._box.log()
        new = log[self._lengths.get([*lengths][-1], 0) :] if log else []
        entered = [f"+ {new[0]}"] if len(new) == 1 else [f"+ {len(new)} lines"] if new else []
        games = self._box.games()
        begun = [f"begins {game}" for number, game in games.items() if number not in self._known]
        before = Counter(self._seen.body)
        changed = [line for line in panel.body if not _take(before, line)]
        if len(changed) > MOST:
            changed = [*changed[: MOST - 1], *(line for line in changed[MOST - 1 :] if line.startswith("> ")), "…"]
        foot = panel.asked if panel.hint == self._seen.hint else f"{panel.asked} {panel.hint or '–'}"
        self._seen, self._lengths, self._known = panel, lengths, {*games}
        return " | ".join((*begun, *entered, *panel.said, *changed, *foot.strip().splitlines())) or "as before"

    def _knows_games(self) -> str:
        self._known = {*self._box.games()}
        return ""

    # To start

    def _start(self, given: str) -> str:
        how: dict[str, str] = {}
        for word in given.split():
            if word in ("in", "on", "at", "with"):
                how[asked := word] = ""
            else:
                how[asked] = f"{how[asked]} {word}".strip()
        self._box.start(how)
        return ""

    def _game(self, given: str) -> str:
        game, *words = given.split()
        rules: dict[str, Any] = {}
        for word in [word for word in words if "=" in word]:
            words.remove(word)
            rule, _, value = word.partition("=")
            rules[rule] = _value(value)
        players, level = (words[:-2], words[-1]) if "at" in words else (words, "full")
        self._box.begin(game, [name.replace("_", " ") for name in players], level, rules)
        return self._knows_games()

    def _evenings(self, _nothing: str) -> str:
        self._box.play_evenings()
        return self._knows_games()

    def _past(self, given: str) -> str:
        evening, _, keys = given.partition(" keys ")
        days, time, game = evening.split(" ", 2)
        first, _, last = days.partition("..")
        month, number = first[:-2], int(first[-2:])
        for day in range(number, int(last or number) + 1):
            self._start(f"at {month}{day:02} {time}")
            self._game(game)
            self._box.press(keys)
            self._box.leave()
        return ""

    def _add(self, header: str) -> str:
        self._box.add(header)
        return ""

    def _open(self, header: str) -> str:
        self._box.add(header, on_table=True)
        return ""

    def _line(self, line: str) -> str:
        self._box.add_line(line)
        return ""

    def _after(self, keys: str) -> str:
        self._keys(keys)
        return ""

    # To do

    def _keys(self, keys: str) -> None:
        first, *later = keys.split("restart")
        self._box.press(first)
        for more in later:
            self._box.start({})
            self._box.press(more)

    def _choose(self, labels: str) -> None:
        for label in labels.split(" / "):
            self._box.choose(label)

    def _turn(self, wanted: str) -> None:
        for answer in wanted.split(" / "):
            self._box.turn(answer)

    def _write(self, text: str) -> None:
        self._box.write(json.loads(text) if text.startswith('"') else text)

    def _tap(self, given: str) -> str:
        choice, _, phone = given.partition(" by ")
        told = self._box.tap(choice, phone)
        return " | ".join((*([f"told: {told}"] if told else []), self._changes()))

    def _restart(self, given: str) -> None:
        self._start(given)

    def _wait(self, seconds: str) -> str:
        self._box.wait(float(seconds))
        return "" if self._box.panel() == self._seen else self._changes()

    def _call(self, given: str) -> None:
        who, _, minutes = given.partition(" for ")
        table, *players = who.split()
        self._box.call(int(table), players, float(minutes or 0))

    def _pair(self, name: str) -> str:
        told = self._box.pair(name)
        return " | ".join((*([f"told: {told}"] if told else []), self._changes()))

    def _role(self, given: str) -> None:
        phone, role, *person = given.split()
        self._box.choose_role(phone, role, " ".join(person))

    def _wifi(self, given: str) -> str:
        self._box.let_wifi_start(given == "starts")
        return ""

    def _attend(self, given: str) -> None:
        self._box.attend(given == "earlier")

    def _clock(self, minutes: str) -> str:
        self._box.set_clock(float(minutes))
        return ""

    def _disk(self, given: str) -> str:
        self._box.fill_disk(given == "full")
        return ""

    def _refuse(self, sentence: str) -> str:
        self._box.refuse(sentence)
        return ""

    def _ended(self, word: str) -> None:
        self._box.end_update(word)

    def _search(self, _nothing: str) -> None:
        self._box.search()


def _take(lines: Counter[str], line: str) -> bool:
    """Take a line out of some, if it is among them; return whether it is."""
    lines[line] -= 1
    return lines[line] >= 0


def _value(text: str) -> Any:
    """Return the value of a rule: as JSON, or as it is."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def scenes(file: Path) -> list[Scene]:
    """Return the scenes of a file."""
    (_about, *first), *rest = paragraphs(file)
    return [Scene(title.removeprefix("# "), tuple(first), tuple(lines)) for title, *lines in rest]


def accept(file: Path) -> bool:
    """Write a file anew, with what is seen today. Return whether it has changed."""
    head, *_rest = paragraphs(file)
    parts = [head, *([f"# {scene.title}", *scene.play()] for scene in scenes(file))]
    return write_anew(file, parts)


if __name__ == "__main__":
    accept_all(FOLDER, accept)
