"""The command ``check-game``: tries a game by random games, and says in one sentence each what is wrong or missing.

Its keys, pictures and words are checked, too.
"""

from __future__ import annotations

import re
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from random import Random
from time import monotonic
from types import ModuleType
from typing import Any
from unicodedata import category

from msgspec.structs import fields, replace

from companion.app.games import InstalledGames, looked_over, opened
from companion.app.terminal import say
from companion.core.game import Amend, Event, Finish, Game, Redo, TextPage, Undo, tracking_of
from companion.core.games import GameFaultError, faults
from companion.core.prompt import DetailLevel, Prompt
from companion.core.session import Session
from companion.core.text import Glyph, HasLabel, IllegalEventError, Text, tell
from companion.gamelog import LogError, decode_line, encode, encode_line
from companion.games import GAMES, shipped
from companion.games.toml_games import GameFileError, declared
from companion.games.toml_games.trial import endless, texts_with_lines
from companion.history.results import result_of, seat_ranks
from companion.ui.few_keys import asked
from companion.ui.fonts import face
from companion.ui.keys import AnswerCodes
from companion.ui.panel import cut_choices, draw
from companion.ui.pictures import has_drawing
from companion.ui.screens.context import CurrentGame, ScreenContext
from companion.ui.screens.questions import choices, hints
from companion.ui.screens.table import PlayScreen
from companion.ui.symbols import GLYPHS
from companion.ui.tables import WIDTH
from companion.ui.translations import Translator, languages
from companion.ui.view import OpenGame, View

from .common import WRONG, CommandError
from .log_to_keys import LogToKeys
from .manage_game_files import game_file
from .random_play import StuckGameError, random_game, random_header

BETWEEN = 5.0
"""Seconds between two messages on the progress."""


def check_game_arguments(one: ArgumentParser) -> None:
    one.set_defaults(finds_games=True)
    one.add_argument(
        "game", metavar="NAME|FILE|PACKAGE", help="a game's name, a .toml or .py file, or a Python package"
    )
    one.add_argument("--games", metavar="N", type=_count, default=30, help="random games to play (default: 30)")
    one.add_argument("--seed", metavar="N", type=int, default=1, help="for other random games (default: 1)")


def _count(written: str) -> int:
    if not re.fullmatch("[0-9]{1,5}", written) or not int(written):
        raise ArgumentTypeError(f"{written!r} is not a number from 1 to 99999")
    return int(written)


def check_game(arguments: Namespace) -> int:
    """Try a game. Return 1 if something is wrong with it; what is only missing is said, too."""
    try:
        games = _found(arguments.game)
    except GameFaultError as error:
        say(error, error=True)
        return WRONG
    return max(_tried(game, arguments.games, arguments.seed, texts) for game, texts in games)


def _tried(game: Game[Any], games: int, seed: int, texts: Mapping[str, int]) -> int:
    is_new = game.name not in GAMES
    if is_new:
        GAMES[game.name] = game
    elif not GAMES.holds(game):
        say(f"{game.name}: another game has this name", error=True)
        return WRONG
    told = monotonic()

    def progress(number: int, entries: int) -> None:
        nonlocal told
        if monotonic() - told >= BETWEEN:
            told = monotonic()
            say(f"{game.name}: game {number} of {games}, entry {entries}", error=True, flush=True)

    trials = GameTrial(GAMES[game.name], seed, progress, texts)
    trials.run(games)
    if is_new:
        del GAMES[game.name]
    for sentence in trials.wrong:
        say(f"{game.name}: {sentence}")
    for sentence in trials.missing:
        say(f"{game.name}: (could be better) {sentence}")
    if trials.wrong:
        return WRONG
    say(f"{game.name}: nothing is wrong in {games} random games with {trials.entries} entries")
    return 0


def _found(named: str) -> list[tuple[Game[Any], Mapping[str, int]]]:
    """Return the games of a name, a file or a package; those of files with their texts, as `GameTrial` takes them.

    Raises:
        GameFileError: The file has faults, an example in it is wrong, or its game cannot end.
        GameFaultError: The game is in a file or a package that was added, and cannot be used.
    """
    texts: Mapping[str, int] = {}
    if named in shipped.names():
        text = shipped.text(named)
        found = declared(text, f"{named}.toml", new=True)  # who plays it does not wait for its examples
        texts = texts_with_lines(found, text)
    with suppress(KeyError):
        return [(GAMES[named], texts)]
    if named.endswith(".toml"):
        _content, text = game_file(named)
        found, game = looked_over(text, named)
        never_ends = endless(found, text)
        if never_ends is not None:
            raise GameFileError(named, [never_ends])
        return [(game, texts_with_lines(found, text))]
    module = _module(named)
    games = [value for value in vars(module).values() if isinstance(value, Game)]
    if not games:
        raise CommandError(f"{named} holds no game: a value of companion.core.game.Game")
    installed = InstalledGames()
    for name, point in installed.points.items():
        if point.module == module.__name__:
            opened(installed.source(name), partial(installed.load, name))  # raises for a package that cannot be used
    return [(game, texts) for game in games]


def _module(named: str) -> ModuleType:
    """Import a file or a package; a file is found from the folder it is in."""
    file = Path(named)
    if file.is_dir() and not named.isidentifier():
        raise CommandError(f"{named} is a folder: give the .py file in it, or the package's name")
    folder, name = "", named
    if named.endswith(".py"):
        if not file.is_file():
            raise CommandError(f"there is no file {named}")
        place = file.resolve()
        place = place.parent if file.name == "__init__.py" else place  # a package, which may read files beside it
        folder, name = str(place.parent), place.stem
        if "." in name or name in sys.builtin_module_names:
            raise CommandError(f"{named}: {name} is no name for a module of one's own; rename the file")
        sys.modules.pop(name, None)  # another module of this name
    sys.path.insert(0, folder)
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        raise CommandError(f"there is no game, file or package {named}: {error}") from None
    except Exception as error:
        raise CommandError(f"{named} cannot be imported: {type(error).__name__}: {error}") from None


# The trial


_BRACES = re.compile(r"\{[^}]*\}")
_DIGITS = re.compile(r"\d+")
ACTION_LETTERS = 14
"""The most letters of a counted action's name in a list."""
MOST_ENTRIES = 1000
"""The most entries of a random game."""
TRIED = 200
"""The entries that are tried of a game that does not end."""
WIDE, SOME = 200, 20
"""Of more answers than the first, so many are tried at either end, and between."""
_ALIKE = Text("")
SPELLED = 40
"""The entries of a game that are spelled in keys and drawn."""


class GameTrial:
    """Tries a game and collects a sentence for everything that is wrong or missing."""

    def __init__(
        self,
        game: Game[Any],
        seed: int = 1,
        progress: Callable[[int, int], None] = lambda _game, _entry: None,
        texts: Mapping[str, int] = {},
    ) -> None:
        """Take a game; nothing is called yet.

        Args:
            progress: Is told the numbers of the game and the entry.
            texts: The texts of a game's file; those of questions with the lines at which they begin, others with 0.
        """
        self.game = game
        self.wrong: dict[str, None] = {}  # what stops or misleads people
        self.missing: dict[str, None] = {}  # what works, but could look or read better
        self.entries = 0  # how many entries were tried
        self._chance = Random(seed)  # a game, no secret
        self._templates: dict[str, None] = {}
        self._texts = texts
        for text in texts:
            self._remember(Text(text))
        self._astray: set[type[Event]] = set()  # the events to which their answers do not lead back
        self._wide: dict[str, tuple[int, str]] = {}  # by question without figures: how much it is too wide, at most
        self._cut: dict[str, None] = {}  # what can be chosen, and is cut on the panel
        self._tried: Session | None = None  # the game after the entry that is tried
        self._progress = progress
        self._number = 0  # the number of the game that is tried
        self._endless: set[int] = set()  # the numbers of players with whom a game did not end
        self._failures: set[str] = set()  # what made functions fail: it may do so in several, and with all players
        self._tried_keys: set[Prompt] = set()  # the questions whose keys and wheel were tried, without what only shows

    def run(self, games: int) -> None:
        """Try the declaration, and so many random games."""
        self._find(faults(self.game))
        self._find(self._declaration())
        if self.wrong:
            return
        for number in range(games):
            seats = self.game.seats[number % len(self.game.seats)]
            if seats in self._endless:
                continue
            self._number = number + 1
            GAMES.ask_for(self.game.name)
            try:
                self._one_game(seats, thorough=number < len(self.game.seats))
            except GameFaultError as error:
                failure = str(error.__cause__ or error)
                if failure not in self._failures:
                    self.wrong.setdefault(f"with {seats} players: {error}")
                self._failures.add(failure)
            except (LogError, StuckGameError) as error:
                self.wrong.setdefault(f"with {seats} players: {error}")
            except IllegalEventError as refused:
                self.wrong.setdefault(f"with {seats} players{self._place}: what was possible is refused: {refused}")
            except Exception as error:
                self.wrong.setdefault(f"with {seats} players: {type(error).__name__}: {error}")
        for pixels, question in self._wide.values():
            self.missing.setdefault(f"the question {question} is {pixels} pixels too long")
        if self._cut:
            self.missing.setdefault(f"cut on the panel, where all choices stand: {', '.join(self._cut)}")
        self._words()

    @property
    def _place(self) -> str:
        """Return which entry is being tried, as the middle of a sentence."""
        session = self._tried
        if session is None or session.head.event is None:
            return ""
        entry = tell(self.game.describe(session.head.event), session.header.players)
        return f", {tell(self.game.moment(session.state))}, at “{entry}”"

    def _find(self, sentences: Iterator[str]) -> None:
        try:
            for sentence in sentences:
                self.wrong.setdefault(sentence)
        except GameFaultError as error:
            self.wrong.setdefault(str(error))
        except Exception as error:
            self.wrong.setdefault(f"the declaration cannot be checked: {type(error).__name__}: {error}")

    # The declaration

    def _declaration(self) -> Iterator[str]:
        game = self.game
        tags = Counter(kind.__struct_config__.tag for kind in game.events)
        yield from (f"two events have the tag {tag}" for tag, count in tags.items() if count > 1)
        own = {"start", "undo", "redo", "amend", "splice"}
        yield from (f"an event has the tag {tag}, which every log uses" for tag in tags if tag in own)
        for kind in (game.rules, *game.events):
            if not kind.__struct_config__.frozen:
                yield f"{kind.__name__} is not frozen"
        yield from (f"event {kind.__name__} is no Event" for kind in game.events if not issubclass(kind, Event))
        usual = game.rules()
        for option in game.options:
            for text in (option.label, *(choice.label for choice in option.choices)):
                self._text(text)
            if encode(option.choices[0].value) != encode(getattr(usual, option.name)):
                yield f"option {option.name}: its first choice is not the default of the rule"
        left_out = {field.name for field in fields(game.rules)} - {option.name for option in game.options}
        yield from (f"rule {name} cannot be chosen: it is no option" for name in sorted(left_out))
        if not game.optional.keys(max(game.seats), usual):
            self.missing.setdefault("keys: the menu has no help on typing its entries")
        for what, name in game.optional.action_names.items():
            self._text(name)
            if len(str(name)) > ACTION_LETTERS:
                self.missing.setdefault(f"action {what}: its name has more than {ACTION_LETTERS} letters")

    # Random games

    def _one_game(self, seats: int, thorough: bool) -> None:
        steps = []
        for session in random_game(random_header(self.game, seats, self._chance), self._chance, most=MOST_ENTRIES):
            steps.append(session)
            self._progress(self._number, session.head.number)
        if not session.progress.over:
            self._endless.add(seats)
            self.missing.setdefault(
                f"with {seats} players: a random game is not over after {len(steps) - 1} entries: can it end?"
            )
            steps = steps[:TRIED]
            session = steps[-1]
        for before, after in pairwise(steps):
            self._entry(before, after)
            self._progress(self._number, after.head.number)
        for each in steps[:: max(1, len(steps) // (20 if thorough else 4))]:
            self._state(each)
        self._log(session)
        if thorough:
            self._spelled(steps)

    def _entry(self, before: Session, after: Session) -> None:
        """Try what an entry shows, writes and counts, and whether its answers lead back to it."""
        self.entries += 1
        self._tried = after
        game, event, optional = before.header.game, after.head.event, self.game.optional
        assert event is not None  # an entry has been added
        if decode_line(encode_line(event), after.header) != event:
            self.wrong.setdefault(f"event {type(event).__name__} is not read as it was written")
        report = game.outcome(before.state, event, after.state)
        for text in (*report.lines, game.describe(event)):
            self._text(text)
        optional.counted_actions(before.state, event, after.state)
        if optional.log_likelihood is not None:
            optional.log_likelihood(before.state, event)
        try:
            tracking_of(game, next(iter(game.trackings)), before.state, event)
        except (IllegalEventError, LookupError):
            self._leads_astray(before, event)

    def _leads_astray(self, before: Session, event: Event) -> None:
        """Say at which question the answers of an entry do not lead back to it; once for each kind of entry."""
        if type(event) in self._astray:
            return
        self._astray.add(type(event))
        met = max(([*self._met(before, event, level)] for level in self.game.trackings), key=len)
        players = before.header.players
        at = self._quoted(met[-1].text, players) if met else "the first question"
        why = f"{at}: “{tell(self.game.describe(event), players)}” was entered, and cannot be entered in this way again"
        package = f"answers: for {type(event).__name__} they do not lead back to it through ask: "
        self.wrong.setdefault(why if self._texts else package + why)

    def _met(self, before: Session, event: Event, level: DetailLevel) -> Iterator[Prompt]:
        """Yield the questions that the answers of an entry meet, up to the first that does not take its answer."""
        game, state = before.header.game, before.state
        with suppress(IllegalEventError):
            answers = game.answers(state, event)
            for count, answer in enumerate((*answers, None)):
                prompt = game.ask(state, level, answers[:count])
                if not isinstance(prompt, Prompt):
                    return
                yield prompt
                if answer is None or not prompt.takes(answer):
                    return

    def _quoted(self, question: Text, players: Sequence[str]) -> str:
        """Return a question in quotes, with its line in a game's file."""
        parts = (question, *question.args.values())
        lines = (self._texts.get(part.template, 0) for part in parts if isinstance(part, Text))
        line = next(filter(None, lines), None)
        return f"“{tell(question, players)}”" + (f" (line {line})" if line else "")

    def _state(self, session: Session) -> None:
        """Try everything that is shown of a state."""
        game, state, optional = session.header.game, session.state, self.game.optional
        view, sheet = game.view(state), game.score_sheet(state)
        if len(view.seats) != len(session.progress.totals):
            self.wrong.setdefault(f"view has no line for each of {len(session.progress.totals)} seats")
        for text in (view.status, sheet.title, *sheet.columns, game.moment(state), game.short(state)):
            self._text(text)
        self._snapshot(game.snapshot(state))
        for text in optional.alerts(state):
            self._text(text)
        optional.finished_rounds(state)
        if optional.round_points is not None:
            optional.round_points(state)
        if view.headline is not None and not has_drawing(view.headline.picture):
            self.missing.setdefault(f"the headline {view.headline.picture} has no drawing: its word is shown")
        over = session.progress.over
        if not over:
            ended = session.add(Finish())
            self._text(ended.score_sheet.title)
            result_of("000001-game", 1, ended, (), "full")
        for level in game.trackings:
            prompt = game.ask(state, level, ())
            if over != (prompt is None):
                self.wrong.setdefault(
                    f"ask: level {level.value} asks although the game is over, or asks nothing before"
                )
            if isinstance(prompt, Prompt):
                self._prompt(prompt, session)

    def _snapshot(self, snapshot: object) -> None:
        try:
            encode(snapshot)
        except TypeError as error:
            self.wrong.setdefault(f"snapshot cannot be written as JSON: {error}")

    def _prompt(self, prompt: Prompt, session: Session) -> None:
        """Try the keys, the wheel and the length of a question."""
        words = Translator("en", session.header.players)
        alike = replace(prompt, text=_ALIKE, seat=None, named=(), sheet=None, legend=None, note=None)
        if alike not in self._tried_keys:
            self._tried_keys.add(alike)
            self._keys(prompt, words)
        self._text(prompt.text)
        too_wide = face("text").width(words(prompt.text)) - WIDTH + 4
        if too_wide > 0:
            anybody = _DIGITS.sub("", words.at([""] * len(words.players))(prompt.text))
            found = too_wide, self._quoted(prompt.text, words.players)
            self._wide[anybody] = max(found, self._wide.get(anybody, found))
        long, short = hints(prompt, ())
        table = OpenGame[object]("", None, (), (), ())
        view = View(table, prompt.text, hint=long, brief=short, choices=choices(prompt), names=session.header.players)
        self._cut |= dict.fromkeys(f"“{choice}”" for choice in cut_choices(words.told(view)))
        for suit in prompt.suits:
            if isinstance(suit.sign, Glyph) and suit.sign not in GLYPHS:
                self.missing.setdefault(f"the suit {suit.name} has no drawing: its word is shown")

    def _keys(self, prompt: Prompt, words: Translator) -> None:
        """Try the keys of all answers, and the wheel: of a wide range of numbers the ends and some between."""
        typed = {*AnswerCodes(prompt).codes.values()}
        for answer in prompt.answers:
            if answer not in typed:
                self.wrong.setdefault(f"the question “{words(prompt.text)}”: no keys are left for {answer!r:.80}")
        if len(prompt.answers) > WIDE:
            some = *prompt.answers[:SOME], *Random(1).sample(prompt.answers, SOME), *prompt.answers[-SOME:]
            prompt = replace(prompt, answers=tuple(dict.fromkeys(some)))
        words.told(tuple(group.options for group in asked(AnswerCodes(prompt), "").groups))

    def _log(self, session: Session) -> None:
        """Try to take back and bring again, to correct by the same entry, and the result."""
        count = session.head.number
        for number in self._chance.sample(range(1, count + 1), min(5, count)):
            session.add(Amend(number, session.entry(number).event))
        back = session
        for _ in range(count):
            back = back.add(Undo())
        for _ in range(count):
            back = back.add(Redo())
        if back.state is not session.state:
            self.wrong.setdefault("taking all back and bringing it again gives another state")
        result = result_of("000001-game", 1, session, (), "full")
        if result is not None:
            seat_ranks(result)
            unnamed = result.counts.keys() - self.game.optional.action_names.keys()
            self._find(f"action {what} has no name" for what in unnamed)

    def _spelled(self, steps: list[Session]) -> None:
        """Spell every entry in keys, and draw the panel after it."""
        keys = LogToKeys(steps[0])
        words = Translator("en", steps[0].header.players)
        for before, session in pairwise(steps[:SPELLED]):
            event = session.head.event
            assert event is not None
            if type(event) in self._astray:
                break
            self._tried = session
            if not keys.spell(event):
                self.wrong.setdefault(f"no keys enter “{words(self.game.describe(event))}”")
            for prompt in self._met(before, event, keys.tracking):
                self._prompt(prompt, before)
            game = CurrentGame("000001-game", session, next(iter(self.game.trackings)))
            draw(words.told(PlayScreen().show(ScreenContext(words, game=game)).view))
        card = self.game.optional.rules_card
        for page in () if card is None else card(len(steps[0].header.players), steps[0].header.rules):
            for text in (page.title, *(page.lines if isinstance(page, TextPage) else page.columns)):
                self._text(text)

    # Words

    def _text(self, text: object) -> None:
        """Try a text that people read, and remember its templates."""
        if not isinstance(text, Text | str | HasLabel):
            self.wrong.setdefault(f"a text is {type(text).__name__}: {text!r:.80}")
        elif any(category(letter) == "Cc" for letter in tell(text)):
            self.wrong.setdefault(f"a text has control characters: {tell(text)!r:.80}")
        self._remember(text)

    def _remember(self, text: object) -> None:
        if isinstance(text, Text):
            if any(map(str.isalpha, _BRACES.sub("", text.template))):
                self._templates.setdefault(text.template)
            for value in text.args.values():
                self._remember(value)

    def _words(self) -> None:
        """Say which languages lack words."""
        for language in languages():
            words = Translator(language)
            lacking = [template for template in self._templates if language != "en" and not words.knows(template)]
            if lacking:
                named = ", ".join(f"“{template.rpartition(chr(4))[2]}”" for template in lacking)
                self.missing.setdefault(f"no words in {language}: {named}")
