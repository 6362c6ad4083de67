"""The backup page, for a browser on this computer alone: download a backup, look one over, and have it restored.

A backup is restored when the program starts next, before it opens its journal.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import tempfile
from datetime import date
from pathlib import Path

from msgspec import Struct
from starlette.background import BackgroundTask
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from companion.core.text import N_, Text, why
from companion.journal import JournalError
from companion.journal.backup import WAITING, BackupContent, content_of_backup, write_backup
from companion.journal.disk import written_beside

from .accepted_language import language_of
from .error_answers import RequestError
from .live_template_values import translator, words_of
from .page_templates import render
from .phone_checks import require_this_computer

PATH = "/backup"
LARGEST = 64 * 1024 * 1024  # the most bytes of a backup that a browser may send
KIND = "application/zip"
THIS_FILE = Text(N_("This file"))


class _Looked(Struct, frozen=True):
    """A backup that was sent and is whole."""

    file: Path
    content: BackupContent


class BackupPage:
    """The routes of the backup page."""

    def __init__(self, folder: Path | None) -> None:
        """Serve the journal in a folder; None if it is kept in memory."""
        self._folder = folder
        self._looked: _Looked | None = None
        self.routes = [
            Route(PATH, self._show, methods=["GET"]),
            Route(f"{PATH}/file", self._download, methods=["GET"]),
            Route(f"{PATH}/look", self._look, methods=["POST"]),
            Route(f"{PATH}/restore", self._restore, methods=["POST"]),
            Route(f"{PATH}/drop", self._drop, methods=["POST"]),
        ]

    def close(self) -> None:
        """Forget a backup that was sent and is not to be restored."""
        if self._looked is not None:
            self._looked.file.unlink(missing_ok=True)
        self._looked = None

    def _journal(self, request: Request) -> Path:
        """Return the journal's folder; raise RequestError unless a browser on this computer asks."""
        require_this_computer(
            request.scope, N_("Only a browser on the computer that runs the program backs up and restores.")
        )
        if self._folder is None:
            raise RequestError(404, N_("This box keeps its journal in memory only."))
        return self._folder

    async def _show(self, request: Request) -> Response:
        folder, language = self._journal(request), language_of(request.scope)
        looked = self._looked
        page = render(
            "backup.html",
            language=language,
            say=words_of(language),
            found=None if looked is None else looked.content,
            waits=(folder / WAITING).exists(),
        )
        return HTMLResponse(page)

    async def _download(self, request: Request) -> Response:
        folder, language = self._journal(request), language_of(request.scope)
        file = _new_file()
        try:
            written = await asyncio.to_thread(write_backup, folder, file)
        except (JournalError, OSError) as error:
            file.unlink(missing_ok=True)
            raise RequestError(503, _told(error, language)) from None
        name = f"companion-backup-{date.today()}{'-incomplete' if written.damaged else ''}.zip"
        return FileResponse(file, media_type=KIND, filename=name, background=BackgroundTask(file.unlink, True))

    async def _look(self, request: Request) -> Response:
        """Look a backup over that a browser sends. Nothing is restored."""
        self._journal(request)
        if request.headers.get("content-type", "") != KIND:  # no foreign page may send it
            raise RequestError(415, f"A backup is sent as {KIND}.")
        file = _new_file()
        try:
            await _received(request, file)
            content = await asyncio.to_thread(content_of_backup, file)
        except (JournalError, OSError) as error:
            file.unlink(missing_ok=True)
            return JSONResponse({"why": _told(error, language_of(request.scope), THIS_FILE)})
        except BaseException:
            file.unlink(missing_ok=True)
            raise
        self.close()
        self._looked = _Looked(file, content)
        return JSONResponse({"why": ""})

    async def _restore(self, request: Request) -> Response:
        """Have the backup that was checked restored at the next start."""
        folder = self._journal(request)
        if self._looked is not None:
            await asyncio.to_thread(_copy, self._looked.file, folder / WAITING)
            self.close()
        return RedirectResponse(PATH, 303)

    async def _drop(self, request: Request) -> Response:
        """Forget the backup that was checked, and one that waits for the next start."""
        folder = self._journal(request)
        self.close()
        (folder / WAITING).unlink(missing_ok=True)
        return RedirectResponse(PATH, 303)


def _told(error: JournalError | OSError, language: str, file: Text | None = None) -> str:
    """Return why something fails, with other words in place of the name of its file, which only the program knows."""
    if isinstance(error, JournalError):
        args = error.text.args if file is None else {**error.text.args, "file": file}
        return translator(language).sentence(Text(error.text.template, **args))
    return translator(language).sentence(Text(N_("The backup cannot be read: {why}"), why=why(error)))


def _new_file() -> Path:
    descriptor, name = tempfile.mkstemp(prefix="companion-backup-", suffix=".zip")
    os.close(descriptor)
    return Path(name)


async def _received(request: Request, file: Path) -> None:
    """Write the body of a request to a file."""
    size = 0
    try:
        with file.open("wb") as writing:
            async for chunk in request.stream():
                size += len(chunk)
                if size > LARGEST:
                    raise RequestError(413, f"A backup has up to {LARGEST >> 20} MB here; use companion restore.")
                writing.write(chunk)
    except ClientDisconnect:
        raise RequestError(400, "The sender has gone.") from None  # nobody receives this


def _copy(file: Path, to: Path) -> None:
    """Copy a file in pieces; at every moment the earlier one or the new one is there."""
    with file.open("rb") as reading, written_beside(to) as writing:
        shutil.copyfileobj(reading, writing)
