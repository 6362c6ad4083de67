"""At every moment of a switch, `current` leads to a whole version: the old or the new one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.installation import __main__ as installation
from companion.installation.__main__ import remove_others, switch, works
from companion.installation.places import InstallationPaths, version_of


class PowerCut(BaseException):
    """The power goes."""


def version(places: InstallationPaths, name: str) -> Path:
    folder = places.versions / name
    (folder / "bin").mkdir(parents=True)
    (folder / "bin/python").touch()
    return folder


def test_the_links_are_relative_so_that_a_card_can_be_mounted_elsewhere(tmp_path: Path) -> None:
    places = InstallationPaths(tmp_path)
    switch(places, version(places, "0.2.0"))
    switch(places, version(places, "0.3.0"))
    assert (str(places.current.readlink()), str(places.previous.readlink())) == ("versions/0.3.0", "versions/0.2.0")


@pytest.mark.parametrize(("name", "stays"), [("0.2.0~2", True), ("0.3.0", False)])
def test_only_another_version_takes_the_sentence_about_a_roll_back_away(tmp_path: Path, name: str, stays: bool) -> None:
    places = InstallationPaths(tmp_path)
    switch(places, version(places, "0.2.0"))
    places.roll_back_note.write_text("0.3.0 0.2.0 exit-code 0\n")
    (places.versions / "0.2.0/bin/python").unlink()  # as after an upgrade of the system
    switch(places, version(places, name))
    assert places.roll_back_note.exists() is stays


def test_choosing_the_current_version_again_keeps_the_one_before(tmp_path: Path) -> None:
    places = InstallationPaths(tmp_path)
    switch(places, version(places, "0.2.0"))
    folder = version(places, "0.3.0")
    switch(places, folder)
    switch(places, folder)
    assert version_of(places.previous) == "0.2.0"


@pytest.mark.parametrize("had", [(), ("0.2.0",), ("0.1.0", "0.2.0")])
def test_a_power_cut_before_any_change_of_the_disk_leaves_the_old_or_the_new_version(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch, had: tuple[str, ...]
) -> None:
    changes = ("symlink_to", "replace", "unlink")
    originals = {name: getattr(Path, name) for name in changes}
    seen = set()
    for cut in range(20):
        places = InstallationPaths(tmp_path_factory.mktemp("machine"))
        for name in had:
            switch(places, version(places, name))
        new = version(places, "0.3.0")
        left = cut

        def counted(original: Callable[..., Any]) -> Callable[..., Any]:
            def change(*args: Any, **kwargs: Any) -> Any:
                nonlocal left
                left -= 1
                if left < 0:
                    raise PowerCut
                return original(*args, **kwargs)

            return change

        with monkeypatch.context() as patched:
            for name in changes:
                patched.setattr(Path, name, counted(originals[name]))
            try:
                switch(places, new)
                ended = True
            except PowerCut:
                ended = False
        now = version_of(places.current)
        seen.add(now)
        assert now in {"0.3.0", had[-1] if had else None}
        if now is not None:
            assert works(places.current)
        switch(places, new)  # the next installation puts everything right
        remove_others(places, None)
        assert version_of(places.current) == "0.3.0"
        if ended:
            break
    else:
        pytest.fail("it never ended")
    assert len(seen) == 2


def test_there_is_nothing_to_remove_on_a_bare_machine(tmp_path: Path) -> None:
    remove_others(InstallationPaths(tmp_path), None)
    assert not works(InstallationPaths(tmp_path).current)
    assert installation.works(tmp_path) is False
