"""The command line, and the composition root: which journal, which panel, which keys.

Nothing is imported before a command needs it.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, TextIO

if TYPE_CHECKING:
    from types import FrameType

    from companion.app.box import Box
    from companion.app.ports import Mirror, Panel
    from companion.core.game import Header
    from companion.core.prompt import Tracking
    from companion.journal import Journal

WRONG = 1
TRACKINGS = ("full", "quick", "round")


class Fault(Exception):
    """Something a command cannot go on from; the message is a sentence for people."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status."""
    parser = _parser()
    wanted = parser.parse_args(argv)
    command: Callable[[argparse.Namespace], int] = wanted.command
    try:
        status = command(wanted)
        if sys.stdout is not None:
            sys.stdout.flush()
        return status
    except Fault as fault:
        print(f"companion: {fault}", file=sys.stderr)
        return WRONG
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    except OSError as error:  # whoever reads us has had enough, or has no room
        if not isinstance(error, BrokenPipeError):
            print(f"companion: the output cannot be written: {_why(error)}", file=sys.stderr)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return WRONG


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="companion", description="A scorekeeper beside the card table.")
    commands = parser.add_subparsers(title="commands", required=True)

    def command(name: str, run: Callable[[argparse.Namespace], int], about: str) -> argparse.ArgumentParser:
        one = commands.add_parser(name, help=about, description=about)
        one.set_defaults(command=run)
        return one

    def with_data(one: argparse.ArgumentParser) -> None:
        one.add_argument("--data", metavar="DIR", type=Path, help="where the journal is kept")

    one = command("simulate", _simulate, "Serve the box as a page, with panel, keypad and lamp.")
    with_data(one)
    one.add_argument("--host", default="127.0.0.1", help="the address to listen on (default: this computer only)")
    one.add_argument("--port", type=_port, default=8080)
    one.add_argument("--oled", metavar="BUS", type=int, help="show the picture on an SSD1306 on this I2C bus too")
    one.add_argument("--open", action="store_true", help="open a browser where there is one")

    one = command("replay", _replay, "Print the snapshot after each log's last event.")
    one.add_argument("--each", action="store_true", help="one line after every line below the header")
    one.add_argument("logs", metavar="LOG", nargs="+", help='a game log; "-" reads standard input')

    one = command("press", _press, "Press keypad keys and show the panel.")
    with_data(one)
    one.add_argument("--new", metavar="HEADER.json", type=Path, help="begin a game from a log's header")
    one.add_argument("--tracking", choices=TRACKINGS, help="how closely the new game is followed (default: full)")
    one.add_argument("--png", metavar="OUT.png", type=Path, help="write the panel as a picture")
    one.add_argument("--text", action="store_true", help="print the panel as text blocks")
    one.add_argument("keys", metavar="KEYS", nargs="*", help='0-9 A-D * #, h# h* held; "-" reads lines of keys')

    one = command("keys", _keys, "Print the shortest keys that enter each line of a log.")
    one.add_argument("log", metavar="LOG", help='a game log; "-" reads standard input')

    one = command("export", _export, "Print a game's log.")
    with_data(one)
    one.add_argument("game", metavar="GAME", type=int, nargs="?", help="its number (default: the latest)")

    one = command("screens", _screens, "Write a picture of every kind of screen, and all of them on one sheet.")
    one.add_argument("--out", metavar="DIR", type=Path, required=True)
    return parser


def _port(written: str) -> int:
    if not written.isdecimal() or int(written) > 65535:
        raise argparse.ArgumentTypeError(f"{written!r} is not a port from 0 to 65535")
    return int(written)


# Files


def _folder(wanted: argparse.Namespace) -> Path:
    """Return where the journal is kept: as told, else the service's state directory, else the user's."""
    if wanted.data is not None:
        return Path(wanted.data)
    if os.environ.get("STATE_DIRECTORY"):
        return Path(os.environ["STATE_DIRECTORY"].split(":")[0])
    import platformdirs  # noqa: PLC0415

    return platformdirs.user_data_path("tabletop-companion", appauthor=False)


def _bytes(name: str) -> bytes:
    """Read a file, or standard input for "-"."""
    return _standard_input().buffer.read() if name == "-" else Path(name).read_bytes()


def _standard_input() -> TextIO:
    if sys.stdin is None:
        raise Fault("there is no standard input to read from")
    return sys.stdin


def _why(error: OSError) -> str:
    return (error.strerror or str(error)).lower()


# Logs


def _replay(wanted: argparse.Namespace) -> int:
    status = 0
    for name in wanted.logs:
        status = max(status, _replay_one(name, wanted.each))
    return status


def _replay_one(name: str, each: bool) -> int:
    from companion.log import Misread, encode, replay  # noqa: PLC0415

    out = sys.stdout.buffer
    try:
        data = _bytes(name)
    except OSError as error:
        print(f"{name}: {_why(error)}", file=sys.stderr)
        return WRONG
    try:
        for reading in replay(data):
            game = reading.session.header.game
            if each and reading.line is not None:
                out.write(encode(game.snapshot(reading.session.state)) + b"\n")
        if not each:
            out.write(encode(game.snapshot(reading.session.state)) + b"\n")
    except Misread as error:
        out.flush()
        print(f"{name}:{error}", file=sys.stderr)
        return WRONG
    out.flush()
    return 0


def _keys(wanted: argparse.Namespace) -> int:
    from companion.app.spell import Speller  # noqa: PLC0415
    from companion.log import Misread, replay  # noqa: PLC0415

    try:
        data = _bytes(wanted.log)
    except OSError as error:
        raise Fault(f"{wanted.log}: {_why(error)}") from None
    try:
        speller = None
        for reading in replay(data):
            if speller is None or reading.line is None:
                speller = Speller(reading.session)
            else:
                print(f"{reading.number}\t{speller.spell(reading.line)}")
    except Misread as error:
        print(f"{wanted.log}:{error}", file=sys.stderr)
        return WRONG
    return 0


# The box


def _journal(folder: Path) -> tuple[Journal, str | None]:
    from companion.journal import JournalFault  # noqa: PLC0415
    from companion.journal.opening import open_journal  # noqa: PLC0415

    try:
        return open_journal(folder, time.time())
    except JournalFault as fault:
        raise Fault(str(fault)) from None


def _box(journal: Journal, notice: str | None, panel: Panel | None = None, mirrors: tuple[Mirror, ...] = ()) -> Box:
    from companion.app.box import Box  # noqa: PLC0415
    from companion.app.clock import SystemClock  # noqa: PLC0415
    from companion.app.panel import MemoryPanel  # noqa: PLC0415
    from companion.core.text import Text  # noqa: PLC0415
    from companion.journal import JournalFault  # noqa: PLC0415

    if notice is not None:
        print(f"companion: {notice}", file=sys.stderr)
    told = None if notice is None else Text("{notice}", notice=notice)
    try:
        return Box(journal, panel or MemoryPanel(), SystemClock(), mirrors, told)
    except JournalFault as fault:
        raise Fault(str(fault)) from None


def _header(file: Path) -> Header:
    from companion.log import LogError, decode_header  # noqa: PLC0415

    try:
        first, *more = file.read_bytes().strip().split(b"\n{")
        if more:
            raise Fault(f"{file}: more than a header; its first line alone begins a game")
        return decode_header(first)
    except OSError as error:
        raise Fault(f"{file}: {_why(error)}") from None
    except LogError as error:
        raise Fault(f"{file}: {error}") from None


def _tracking(wanted: argparse.Namespace) -> Tracking:
    from companion.core.prompt import Tracking  # noqa: PLC0415

    return Tracking(wanted.tracking or "full")


def _press(wanted: argparse.Namespace) -> int:
    from companion.app.headless import converse  # noqa: PLC0415
    from companion.app.panel import blocks  # noqa: PLC0415
    from companion.journal import JournalFault  # noqa: PLC0415
    from companion.ui.keys import UnknownKey, parse  # noqa: PLC0415

    if wanted.tracking and not wanted.new:
        raise Fault("--tracking goes with --new; in a game under way the menu switches")
    reading = wanted.keys == ["-"]
    try:
        keys = () if reading else parse(" ".join(wanted.keys))
    except UnknownKey as error:
        raise Fault(str(error)) from None
    header = _header(wanted.new) if wanted.new else None
    tracking = _tracking(wanted)
    if header is not None and tracking not in header.game.trackings:
        raise Fault(f"{header.game.title} cannot be followed that way ({tracking.value})")
    if wanted.png and not wanted.png.absolute().parent.is_dir():
        raise Fault(f"{wanted.png}: there is no such folder")
    journal, notice = _journal(_folder(wanted))
    try:
        box = _box(journal, notice)
        if header is not None:
            box.begin(header, tracking)
        if reading:
            converse(box, _standard_input(), sys.stdout)
        for key in keys:
            box.press(key)
        picture = box.picture
    except JournalFault as fault:
        raise Fault(str(fault)) from None
    finally:
        journal.close()
    if wanted.png:
        try:
            picture.save(wanted.png, "PNG")
        except OSError as error:
            raise Fault(f"{wanted.png}: {_why(error)}") from None
    if wanted.text or not (wanted.png or reading):
        print(blocks(picture))
    return 0


def _export(wanted: argparse.Namespace) -> int:
    from companion.journal import JournalFault  # noqa: PLC0415
    from companion.journal.opening import read_journal  # noqa: PLC0415

    folder = _folder(wanted)
    try:
        journal = read_journal(folder)
        try:
            games = journal.games()
            latest = journal.open_game() or (games[0].number if games else None)
            number = latest if wanted.game is None else wanted.game
            saved = next((saved for saved in games if saved.number == number), None)
            lines = [] if saved is None else journal.lines(saved.number)
        finally:
            journal.close()
    except JournalFault as fault:
        raise Fault(str(fault)) from None
    if saved is None:
        if not games:
            raise Fault(f"there is no game in {folder} yet")
        raise Fault(f"there is no game {number} in {folder}; the latest is {games[0].number}")
    for line in (saved.header, *lines):
        print(line)
    return 0


def _screens(wanted: argparse.Namespace) -> int:
    from companion.app.gallery import contact_sheet, pictures  # noqa: PLC0415

    named = list(pictures())
    try:
        wanted.out.mkdir(parents=True, exist_ok=True)
        for name, picture in named:
            picture.save(wanted.out / f"{name}.png")
        contact_sheet(named).save(wanted.out / "all.png")
    except OSError as error:
        raise Fault(f"{wanted.out}: {_why(error)}") from None
    print(f"{len(named)} screens in {wanted.out}, all of them on {wanted.out / 'all.png'}")
    return 0


def _simulate(wanted: argparse.Namespace) -> int:
    from companion.app.loop import Inbox, Stop, run  # noqa: PLC0415

    try:
        from companion.web.mirror import PageMirror  # noqa: PLC0415
        from companion.web.server import PageFault, serve  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise Fault(f"the page needs {error.name}: pip install 'tabletop-companion[page]'") from None

    inbox: Inbox = Inbox()

    def stop(_signal: int, _frame: FrameType | None) -> None:
        inbox.put(Stop())

    mirror = PageMirror()
    journal, notice = _journal(_folder(wanted))
    try:
        box = _box(journal, notice, _oled(wanted.oled), (mirror,))
        try:
            server = serve(wanted.host, wanted.port, inbox.put, mirror)
        except PageFault as fault:
            raise Fault(str(fault)) from None
        signal.signal(signal.SIGTERM, stop)
        signal.signal(signal.SIGINT, stop)
        print(f"Tabletop Companion: {server.url}  (Ctrl-C ends it; every entry is saved)", flush=True)
        if wanted.open:
            _open_browser(server.url)
        try:
            run(box, inbox)
        finally:
            server.stop()
            server.join()
    finally:
        journal.close()
    return 0


def _oled(bus: int | None) -> Panel | None:
    if bus is None:
        return None
    try:
        from hardware.panel import open_panel  # noqa: PLC0415

        return open_panel(bus)
    except ModuleNotFoundError as error:
        raise Fault(f"the OLED needs {error.name}: pip install 'tabletop-companion[pi]'") from None


def _open_browser(url: str) -> None:
    import webbrowser  # noqa: PLC0415

    if sys.platform == "darwin" or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        webbrowser.open(url)


def run() -> NoReturn:
    """Run the command line and leave."""
    sys.exit(main())


if __name__ == "__main__":
    run()
