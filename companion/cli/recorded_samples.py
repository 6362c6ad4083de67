"""Compares sample games and screens with those that were recorded when the program was packed.

The log and the final state of a sample game are in the game's package; a game without them is not checked. The picture
of the screens is in the folder ``samples``.
``python -m tools.write_self_check_samples`` writes them anew after an intended change.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path

from msgspec import json
from PIL import Image

from companion.core.prompt import DetailLevel
from companion.core.session import Session
from companion.gamelog import encode, replay
from companion.games import GAMES
from companion.ui.panel import draw
from companion.ui.pictures import SIZE, drawn_hello
from companion.ui.screens.context import CurrentGame, ScreenContext
from companion.ui.screens.home import HomeScreen
from companion.ui.screens.table import PlayScreen
from companion.ui.translations import Translator, languages

SCREENS = Path(__file__).parent / "samples" / "screens.png"


def games_with_sample() -> list[str]:
    """Return the names of the games that have a sample."""
    return [name for name, game in GAMES.items() if game.optional.package is not None and log_of(name).exists()]


def log_of(game: str) -> Path:
    return _file(game, "sample.jsonl")


def state_of(game: str) -> Path:
    return _file(game, "sample.json")


def _file(game: str, name: str) -> Path:
    return Path(str(files(str(GAMES[game].optional.package)) / name))


def plays_as_before(game: str) -> bool:
    """Return whether a sample game ends in the same state as before; raise InvalidLineError if an entry is refused."""
    session = _sessions(game)[-1]
    state = json.decode(encode(session.header.game.snapshot(session.state)))
    return bool(state == json.decode(state_of(game).read_bytes()))


def screens() -> Mapping[str, Image.Image]:
    """Return screens by name, drawn now: the start, home in every language, each game half-way through its sample."""
    drawn = {"the start": drawn_hello()}
    for language in languages():
        words = Translator(language)
        drawn[f"home ({language})"] = draw(words.told(HomeScreen().show(ScreenContext(words)).view))
    for game in games_with_sample():
        sessions = _sessions(game)
        session = sessions[len(sessions) // 2]
        words = Translator("en", session.header.players)
        context = ScreenContext(words, game=CurrentGame(game, session, DetailLevel.FULL))
        drawn[f"a table ({game})"] = draw(words.told(PlayScreen().show(context).view))
    return drawn


def sheet(pictures: Mapping[str, Image.Image]) -> Image.Image:
    """Return pictures of the panel's size, one below the other."""
    whole = Image.new("1", (SIZE[0], SIZE[1] * len(pictures)))
    for place, picture in enumerate(pictures.values()):
        whole.paste(picture, (0, SIZE[1] * place))
    return whole


def changed_screens() -> list[str]:
    """Return the names of the screens that are not drawn as in the samples."""
    drawn = screens()
    with Image.open(SCREENS) as opened:
        sample = opened.convert("1")
    if sample.height != SIZE[1] * len(drawn):
        return [*drawn]
    tops = (SIZE[1] * place for place in range(len(drawn)))
    crops = [sample.crop((0, top, SIZE[0], top + SIZE[1])) for top in tops]
    return [
        name for (name, picture), crop in zip(drawn.items(), crops, strict=True) if picture.tobytes() != crop.tobytes()
    ]


def _sessions(game: str) -> list[Session]:
    return [reading.session for reading in replay(log_of(game).read_bytes())]
