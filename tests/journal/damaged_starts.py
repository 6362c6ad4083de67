"""Starts on damaged files: nothing is lost, and damage is reported."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from companion.journal import Journal

from .damages import Damage
from .folders import Files, laid, longest, taken
from .recorded import Told
from .starts import Start, check, started


def suffer(folder: Path, files: Files, told: Told, wound: Damage, *, twice: bool = True) -> Counter[str]:
    """Damage one file and start three times: no entry is lost, and damage is reported once.

    The third start follows further entries.

    Args:
        folder: The folder of the journal.
        files: The files before the damage.
        told: What they hold.
        wound: The damage.
        twice: Whether to start more than once.
    """
    laid(folder, files)
    wound.do(folder)
    appended = _appended(folder / wound.file, files[wound.file])
    start = started(folder)
    first = wound.file.startswith("games/") or wound.file == "settings.jsonl"
    second = wound.file.startswith("copies/")
    if wound.file in ("draft.jsonl", "typed.jsonl"):
        told = replace(told, saved_open=0, killed_half=0)
    check(start, told)
    hurts = wound.hurts(files)
    if not appended:
        lost = [notice for notice in start.notices if "is mended from its copy" not in notice]
        assert not lost, f"said to be lost: {lost}"
        assert bool(start.notices) == (first and hurts), f"said: {start.notices}"
    body = None if wound.make is None else wound.make().rstrip(b"\0")
    behind = second and (wound.kind == "gone" or (body is not None and files[wound.file].startswith(body)))
    if hurts and (first or second) and not behind:  # a copy that is behind is as a power cut leaves it
        assert start.logged, "the damage is not logged"
        if wound.kind != "gone":
            kept_aside(folder, wound)
    if twice:
        again = started(folder)
        assert not again.notices, f"said again: {again.notices}"
        assert not again.logged, f"logged again: {again.logged}"
        check(again, told)
        gone_on(folder, again)
    return Counter(damages=1, said=bool(start.notices), logged=bool(start.logged))


def _appended(file: Path, before: bytes) -> bool:
    """Return whether damage left something behind the last line: that may have been lines."""
    lines = len(before.rstrip(b"\0"))
    return file.is_file() and bool(file.read_bytes()[lines:].strip(b"\0"))


def kept_aside(folder: Path, wound: Damage) -> None:
    """Check that the damaged file is kept."""
    name = Path(wound.file).name
    aside = list((folder / "damaged").glob(f"{name}.*"))
    assert aside, f"not kept: {wound.told}"
    if wound.make is not None:
        assert wound.make() in [file.read_bytes() for file in aside if file.is_file()], "it is not kept as it was"


def gone_on(folder: Path, before: Start) -> None:
    """Enter one more line in every game; the next start must have it."""
    with closing(Journal(folder)) as journal:
        for name in before.games:
            journal.append(name, '{"type":"undo"}', now=1.0, tracking="full")
        assert journal.unsaved() == 0
    after = started(folder)
    assert after.games == {name: [*lines, '{"type":"undo"}'] for name, lines in before.games.items()}
    assert not after.notices, f"said after going on: {after.notices}"


def suffer_two(folder: Path, files: Files, told: Told, wounds: Sequence[Damage]) -> Counter[str]:
    """Damage both copies of a game: the longest valid beginning is kept, and the loss is reported."""
    laid(folder, files)
    for wound in wounds:
        wound.do(folder)
    left = taken(folder)
    (name,) = {Path(wound.file).stem for wound in wounds}
    lines = told.games[name]
    contents = [left.get(f"{place}/{name}.jsonl", b"") for place in ("games", "copies")]
    provable = len(longest(name[-8:].encode(), *contents))
    start = started(folder)
    found = start.games.get(name, [])
    assert found == lines[: len(found)], f"not as it was entered: {found}"
    assert len(found) >= min(provable, len(lines)), f"{len(found)} lines, though {provable} can be proved"
    for other in told.games.keys() - {name}:
        assert start.games.get(other) == told.games[other], f"{other} suffered, too"
    lost = len(lines) - len(found)
    if lost:
        assert start.notices, f"{lost} lines lost unsaid"
        _rest_kept(folder, start, wounds)
    again = started(folder)
    assert again.games == start.games, "the next start finds something else"
    assert not again.notices, f"said again: {again.notices}"
    gone_on(folder, again)
    return Counter(pairs=1, lost=lost, said=bool(start.notices), total=not found)


def _rest_kept(folder: Path, start: Start, wounds: Sequence[Damage]) -> bool:
    """Check that damaged files are kept; return whether any held more than unfinished lines."""
    kept, anything = start.files.get(wounds[0].file, b"").rstrip(b"\0"), False
    for wound in wounds:
        body = None if wound.make is None else wound.make().rstrip(b"\0")
        unfinished = body is not None and (kept.startswith(body) or b"\n" not in body.removeprefix(kept))
        if wound.kind != "gone" and not unfinished:
            anything = True
            kept_aside(folder, wound)
    return anything


def suffer_settings(folder: Path, files: Files, told: Told, wounds: Sequence[Damage]) -> Counter[str]:
    """Damage both copies of the settings: each has a former value, and a detectable loss is reported.

    A loss is undetectable if the first file ends early but validly and the second is replaced by something else. The
    index has the number of a game's lines, but nothing has the number of settings.
    """
    laid(folder, files)
    for wound in wounds:
        wound.do(folder)
    left = taken(folder)
    whole = longest(b"settings", files["settings.jsonl"])
    provable = len(longest(b"settings", *(left.get(wound.file, b"") for wound in wounds)))
    start = started(folder)
    assert start.games == told.games, "a game suffered, too"
    chosen: list[dict[str, str | None]] = [dict.fromkeys(start.settings)]
    for line in whole:
        record = json.loads(line.split(b"\t")[0])
        chosen.append({**chosen[-1], record["name"]: record["value"]})
    assert start.settings in chosen[min(provable, len(whole)) :], f"{start.settings}, though {provable} can be proved"
    lost = start.settings != chosen[-1]
    first, second = wounds
    early = first.make is not None and files[first.file].startswith(first.make().rstrip(b"\0"))
    if (
        lost
        and _rest_kept(folder, start, wounds)
        and not (early and (second.make is None or second.kind == "another file's"))
    ):
        assert start.notices, "settings lost unsaid"
    again = started(folder)
    assert again.settings == start.settings, "the next start finds something else"
    assert not again.notices, f"said again: {again.notices}"
    return Counter(settings=1, lost=lost)
