"""Contents of live pages for tests: moments of games worked out by hand."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from companion.core.game import Event, EventOutcome, GameView
from companion.core.prompt import DetailLevel, Prompt
from companion.core.session import Session
from companion.gamelog import replay
from companion.ui.faces import Faces
from companion.ui.live_page.build import game_course, lasting
from companion.ui.live_page.content import LivePageContent, Question
from companion.ui.translations import Translator
from companion.ui.view import OpenGame, for_page, open_game

FOLDER = Path(__file__).parents[1] / "transcripts"


class Moment(Struct, frozen=True):
    """A moment of a transcript.

    Attributes:
        name: Its name.
        log: The transcript, without ``.jsonl``.
        lines: How many of its lines are entered; 0 is all.
        names: The names of the players in place of the transcript's.
    """

    name: str
    log: str
    lines: int = 0
    names: tuple[str, ...] = ()


LONG = ("Aki", "Béatrice", "Cyr", "はるな", "Émile-Gustave")

MOMENTS = (
    Moment("eternity", "eternity/whole-game-of-five-fr", 99, LONG),
    Moment("eternity-won", "eternity/whole-game-of-three-with-open-cards", 51),
    Moment("eternity-over", "eternity/whole-game-of-five-fr", 0, LONG),
    Moment("gear", "gear/whole-game-of-two", 32),
    Moment("gear-auction", "gear/whole-game-of-five", 6),
    Moment("gear-over", "gear/whole-rounds-in-every-phase"),
    Moment("hipparchus", "hipparchus/whole-game-of-three-rounds", 36),
    Moment("hipparchus-over", "hipparchus/whole-game-of-three-rounds"),
    Moment("east-rune", "east-rune/whole-game-of-four-last-chair-breaks-the-tie", 31, LONG[:4]),
    Moment("east-rune-over", "east-rune/whole-game-of-three"),
    Moment("east-rune-result", "east-rune/result-in-reveal-tie-broken-by-fewest-cards"),
)


def sample(moment: Moment, language: str = "en", address: str = "", pin: str = "", link: str = "") -> LivePageContent:
    """Return the content of a live page at a moment of a transcript."""
    data = (FOLDER / f"{moment.log}.jsonl").read_bytes()
    steps = list(replay(data))[: moment.lines or None]
    before, after = steps[-2].session if len(steps) > 1 else steps[-1].session, steps[-1].session
    header = after.header
    words = Translator(language, moment.names or header.players)
    outcome = EventOutcome()
    if isinstance(steps[-1].line, Event):
        outcome = header.game.outcome(before.state, steps[-1].line, after.state)
    prompt = header.game.ask(after.state, DetailLevel.FULL, ())
    asked = prompt if isinstance(prompt, Prompt) else None
    question = Question("" if asked is None else words.sentence(asked.text), None if asked is None else asked.seat)
    return LivePageContent(
        words.language,
        len(steps),
        _table(words, after, outcome.finished, asked),
        question,
        notice=tuple(map(words.sentence, outcome.lines)),
        alert=outcome.alert,
        address=address,
        pin=pin,
        link=link,
        faces=Faces.at(words.players, {}, range(len(words.players))),
    )


def empty(language: str = "en", address: str = "", pin: str = "", link: str = "") -> LivePageContent:
    """Return the content while no game is open."""
    return LivePageContent(language, 0, None, Question(""), address=address, pin=pin, link=link)


def _table(words: Translator, session: Session, finished: GameView | None, asked: Prompt | None) -> OpenGame:
    game, state = session.header.game, session.state
    seat, over = None if asked is None else asked.seat, asked is None
    view = finished or game.view(state)
    table = lasting(open_game(view, seat), game)
    table = for_page(table, game.title, view.suits, game.score_sheet(state), over, game_course(session, over))
    told: OpenGame = words.told(table)
    return told
