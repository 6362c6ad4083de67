"""What each page request of the club needs: the database, the list of tables, the signed-in person, the sent form."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qsl

from starlette.requests import Request

from companion.bridge.mqtt import Access
from companion.web.error_answers import RequestError
from companion.web.request_bodies import FORM, body_of, check_origin

from . import accounts, archive_search
from .accounts import Visitor
from .archive_search import StoredGame
from .evening.evening_folder import EveningFolder
from .game_score import ScoredGame
from .game_summaries import GameSummaries
from .live_feed import LiveFeed
from .messages_to_boxes import BoxTeller
from .overview import TableRow
from .page_database import PageDatabase

COOKIE = "club"
EVENING = Path("/var/lib/companion-club/evening")
LARGEST_FORM = 16 * 1024  # bytes


class ClubData:
    """Gives each request of a page its tables, its visitor and its form.

    Args:
        database: The address of the database.
        access: How the broker is reached, for corrections.
        prefix: What the topics of all boxes begin with.
        said: Is called with sentences for the log.
        evening: The folder of the evening.
    """

    def __init__(
        self, database: str, access: Access, prefix: str, said: Callable[[str], None], evening: Path = EVENING
    ) -> None:
        self.access, self.prefix = access, prefix
        self.database = PageDatabase(database, 1000)
        self.slow_database = PageDatabase(database, 50)  # for work that takes longer: nothing else waits for it
        self.results_database = PageDatabase(database, 50)  # for the evening: no search of the archive may stop it
        self.said = said
        self.evening = EveningFolder(evening)
        self.feed = LiveFeed(lambda: self.scorer.tables)
        self.scorer = GameSummaries(database, self.feed.wake, said)
        self.teller = BoxTeller(access, prefix, self.database, self.evening, lambda: self.boxes, self.feed.wake)

    async def visitor(self, request: Request) -> Visitor | None:
        """Return who sends a request; None if nobody has signed in."""
        token = request.cookies.get(COOKIE)
        return await self.database.ask(lambda connection: accounts.visitor_of(connection, token)) if token else None

    async def require(self, request: Request, *, directs: bool) -> Visitor:
        """Return who sends a request; refuse everybody else."""
        visitor = await self.visitor(request)
        if visitor is None or (directs and not visitor.directs):
            raise RequestError(403, "Only a director may do this." if directs else "Sign in to do this.")
        return visitor

    def table_of(self, request: Request) -> TableRow:
        number = request.path_params["number"]
        table = next((table for table in self.scorer.tables if table.note.number == number), None)
        if table is None:
            raise RequestError(404, f"There is no table {number}.")
        return table

    async def game_of(self, request: Request) -> StoredGame:
        """Return the game that an address names; refuse one that is not there."""
        id = request.path_params["id"]
        game = None
        if id < 2**63:
            game = await self.database.ask(lambda connection: archive_search.stored_game(connection, id))
        if game is None:
            raise RequestError(404, f"There is no game {id}.")
        return game

    @property
    def boxes(self) -> list[str]:
        """Return the boxes that were ever online, in the order of their tables; none before they are read."""
        return [table.device for table in self.scorer.tables if table.note.online is not None]

    async def scored(self, game: StoredGame) -> ScoredGame:
        """Return a game as far as it is stored; one that is played is in memory."""
        kept = self.scorer.game(game.id)
        if kept is not None:
            return kept
        return await self.slow_database.ask(lambda connection: archive_search.scored_game(connection, game))


async def form_of(request: Request, largest: int = LARGEST_FORM) -> dict[str, str]:
    """Return the fields of a form; refuse one of another site."""
    check_origin(request)
    try:
        return dict(parse_qsl((await body_of(request, FORM, largest)).decode(), keep_blank_values=True))
    except UnicodeDecodeError:
        raise RequestError(400, "The form is not UTF-8 text.") from None
