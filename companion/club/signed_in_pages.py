"""Pages to sign in and out, and those that need it: calling the director, naming a table."""

from __future__ import annotations

import time
from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from companion.bridge.records import is_name
from companion.web.error_answers import RequestError

from . import accounts, page_markup
from .accounts import SignInLimit
from .database import Connection
from .page_context import COOKIE, ClubData, form_of
from .page_database import T
from .request_worker import WorkThread
from .store_game_lines import CHANGED, DEVICES


class SignedInPages:
    """The routes for players and directors."""

    def __init__(self, club: ClubData) -> None:
        self._club = club
        self._limit = SignInLimit(time.monotonic)
        self._passwords = WorkThread(50)  # a hash takes so long that no page may wait for it
        self.routes = [
            Route("/sign-in", self._sign_in, methods=["GET", "POST"]),
            Route("/sign-out", self._sign_out, methods=["POST"]),
            Route("/tables/{number:int}/call", self._call, methods=["POST"]),
            Route("/tables/{number:int}/name", self._rename, methods=["POST"]),
        ]

    async def _sign_in(self, request: Request) -> Response:
        refusal = ""
        if request.method == "POST":
            given, address = await form_of(request), request.client.host if request.client else ""
            name, password = given.get("name", "").strip(), given.get("password", "")
            if not self._limit.may_try(name, address):
                raise RequestError(429, "Too many wrong passwords: wait a minute.", again=60)
            self._limit.failed(name, address)  # until it is known to be right: many tries at once are many
            database = self._club.database
            kept = await database.ask(lambda connection: accounts.kept_password(connection, name))
            right = await self._passwords.do(lambda: accounts.is_right(password, kept))
            token = await database.ask(lambda c: accounts.begin_visit(c, name, kept)) if right else None
            if token is not None:
                self._limit.worked(name, address)
                answer = RedirectResponse("/", 303)
                age = accounts.LASTS * 24 * 3600
                secure = request.url.scheme == "https"
                answer.set_cookie(COOKIE, token, max_age=age, httponly=True, samesite="strict", secure=secure)
                return answer
            refusal = "Name or password is wrong."
        return HTMLResponse(page_markup.page("sign_in", "Sign in", refusal=refusal), 403 if refusal else 200)

    async def _sign_out(self, request: Request) -> Response:
        await form_of(request)
        token = request.cookies.get(COOKIE, "")
        await self._club.database.ask(lambda connection: accounts.sign_out(connection, token))
        answer = RedirectResponse("/", 303)
        answer.delete_cookie(COOKIE)
        return answer

    async def _call(self, request: Request) -> Response:
        """Call the director to a table, or note that one has been there."""
        table, calls = self._club.table_of(request), (await form_of(request)).get("calls") == "yes"
        who = await self._club.require(request, directs=not calls)

        def work(connection: Connection) -> bool:
            """Return whether the box knows of a call that is ticked off."""
            change = "called_at = now()" if calls else "called_at = NULL, call = -abs(call)"
            self._change_device(connection, f"UPDATE device SET {change} WHERE device = %s", [table.device])
            what = "called the director" if calls else "has been at the table"
            accounts.log_change(connection, who.name, what, table.device)
            found = connection.execute("SELECT call <> 0 FROM device WHERE device = %s", [table.device]).fetchone()
            return not calls and found == (True,)

        if await self._club.database.ask(lambda connection: _in_transaction(connection, work)):
            self._club.teller.wake()
        return RedirectResponse(f"/tables/{table.note.number}", 303)

    async def _rename(self, request: Request) -> Response:
        table, name = self._club.table_of(request), (await form_of(request)).get("name", "").strip()
        who = await self._club.require(request, directs=True)
        if not is_name(name) or len(name) > 40:
            raise RequestError(400, "A name has 1 to 40 characters.")

        def work(connection: Connection) -> None:
            self._change_device(connection, "UPDATE device SET name = %s WHERE device = %s", [name, table.device])
            accounts.log_change(connection, who.name, f"renamed the table {table.name} to {name}", table.device)

        await self._club.database.ask(lambda connection: _in_transaction(connection, work))
        return RedirectResponse(f"/tables/{table.note.number}", 303)

    @staticmethod
    def _change_device(connection: Connection, statement: str, values: list[str]) -> None:
        connection.execute(statement.encode(), values)
        connection.execute("SELECT pg_notify(%s, %s)", [CHANGED, DEVICES])


def _in_transaction(connection: Connection, work: Callable[[Connection], T]) -> T:
    with connection.transaction():
        return work(connection)
