"""Pictures of every kind of screen: the real application, in the state of a scene."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime

from PIL import Image, ImageDraw

from companion.app.box import Box
from companion.app.inputs import HubNews
from companion.app.machine import Feature, FeatureTask
from companion.app.machine.club_calls import ClubCalls
from companion.app.outputs import MemoryPanel, Outputs
from companion.app.state import PANEL
from companion.cli.log_to_keys import LogToKeys
from companion.core.text import N_, Text
from companion.gamelog import decode_header, decode_line
from companion.journal import Journal
from companion.ui.club import HubMessage, SeatCall
from companion.ui.fonts import face
from companion.ui.keys import BUTTONS, KEYPAD, KeyLayout, parse
from companion.ui.pictures import goodbye, hello, sentence
from companion.ui.translations import Translator
from tests.app.boxes import ask, idle
from tests.fakes.clock import FixedClock
from tests.fakes.lamp_and_buzzer import MemoryBuzzer
from tests.fakes.machine import MemoryClockSetter, MemoryControllers, MemoryDrive, MemoryGames, MemoryUpdater

from .past_games import play
from .scenes import SCENES, Scene

EVENING = datetime(2026, 11, 22, 20, 15).timestamp()  # in the local time zone
SAVED = N_("Every entry is saved")
FULL = N_("the disk is full")


def box_at(scene: Scene, language: str = "en", board: KeyLayout = KEYPAD) -> Box:
    """Return an application in the state of a scene, in a language, with the keys of a board."""
    clock = FixedClock()
    clock.time = EVENING
    outputs = Outputs(MemoryPanel(), clock, buzzer=MemoryBuzzer() if scene.few else None)
    journal = Journal()
    if scene.past:
        play(journal)
    machine: list[Feature] = [MemoryClockSetter()] if scene.machine else []
    if scene.past:
        machine += [MemoryDrive(clock), MemoryGames()]
    if scene.machine:
        machine.append(MemoryControllers(clock))
    if scene.update is not None:
        machine.append(MemoryUpdater(scene.update or None, clock=clock))
    if scene.club:
        machine.append(ClubCalls(journal, clock))
    board = BUTTONS if scene.few else board
    box = Box(journal, outputs, clock, language=language, board=board, machine=machine)
    if scene.club:
        ask(box, HubNews(HubMessage(SeatCall(2, 7, ("Aki", "Béatrice", "Cyr", "はるな"), EVENING + 43 * 60))))
    if scene.header is not None:
        header = decode_header(json.dumps(scene.header))
        box.begin(header, scene.tracking)
        for line in scene.lines:
            assert box.game is not None  # it was just begun
            keys_of_log = LogToKeys(box.game.session, box.game.tracking)
            for key in parse(keys_of_log.spell(decode_line(line, header))):
                box.take(PANEL, key)
    for key in parse(scene.keys):
        box.take(PANEL, key)
    idle(box)
    for task in box.tasks:
        if task.due is not None and isinstance(task, FeatureTask):
            task.tick()
    journal.fault = Text(FULL) if scene.unsaved else None
    for key in parse(scene.unsaved):
        box.take(PANEL, key)
    return box


def pictures(language: str = "en", board: KeyLayout = KEYPAD) -> Iterator[tuple[str, Image.Image]]:
    """Yield the name and picture of every scene, and of the splash, goodbye and error screens."""
    words = Translator(language)
    yield "splash", hello()
    yield "goodbye", goodbye(words(Text(SAVED)))
    yield "cannot-start", sentence('/etc/companion.toml: panel.chip is "ssd1307" (ssd1306?)')
    for scene in SCENES:
        yield scene.name, box_at(scene, language, board).picture


def contact_sheet(named: list[tuple[str, Image.Image]], columns: int = 4, scale: int = 2) -> Image.Image:
    """Return one picture that shows all others, each with its name below it."""
    width, height = 128 * scale + 12, 64 * scale + 24
    rows = -(-len(named) // columns)
    sheet = Image.new("L", (columns * width + 12, rows * height + 12), 70)
    pen = ImageDraw.Draw(sheet)
    for place, (name, picture) in enumerate(named):
        x, y = 12 + place % columns * width, 12 + place // columns * height
        large = picture.convert("L").resize((128 * scale, 64 * scale), Image.Resampling.NEAREST)
        sheet.paste(large, (x, y))
        face("text").draw(pen, (x, y + 64 * scale + 1), name)
    return sheet
