"""Games that files declare, on the box: chosen at set-up, played, kept, found again."""

from __future__ import annotations

import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from companion.cli import main
from companion.core.games import Games
from companion.games import GAMES
from companion.journal import Journal
from companion.ui.translations import Translator
from tests.app.boxes import new_box, press, says


def test_a_hidden_game_is_offered_by_no_set_up_until_it_is_shown_again(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    def offered() -> str:
        with closing(Journal(tmp_path)) as journal:
            box = press(new_box(journal), "1")
            return says(box) + says(press(box, "4"))

    assert main(["game", "hide", "gear", "--data", str(tmp_path)]) == 0
    assert main(["game", "hide", "belote", "--data", str(tmp_path)]) == 0
    assert "belote is not offered when a game is set up" in capfd.readouterr().out
    shown = offered()
    assert "Gear" not in shown
    assert "Belote" not in shown
    assert "Briscola" in shown
    assert main(["game", "show", "gear", "--data", str(tmp_path)]) == 0
    assert "Gear" in offered()
    assert main(["game", "hide", "chess", "--data", str(tmp_path)]) == 1
    assert "there is no game called chess" in capfd.readouterr().err


def test_a_game_that_is_found_is_opened_when_it_is_asked_for_and_guarded() -> None:
    opened: list[str] = []

    class Found:
        def titles(self) -> dict[str, str]:
            return {"hearts": "Hearts", "eternity": "not this one"}

        def fingerprint(self) -> str:
            return "as it was"

        def changed(self, name: str) -> float:
            return 0

        def game(self, name: str) -> object:
            game = GAMES.found.game(name)  # type: ignore[union-attr]  # there is one
            opened.append(name)
            return game

    games = Games([GAMES["eternity"]], Found())  # type: ignore[arg-type]  # it opens games
    assert games.found_titles == {"hearts": "Hearts"}
    assert games.titles() == {"eternity": "Eternity", "hearts": "Hearts"}
    assert "chess" not in games
    assert [*games] == ["eternity"]
    assert opened == []
    assert "hearts" in games  # it can be used
    assert games.get("chess") is None
    assert games["hearts"] is games.get("hearts")
    assert games["hearts"].apply is not GAMES.found.game("hearts").apply  # type: ignore[union-attr]  # there is one
    assert opened == ["hearts"]
    with pytest.raises(KeyError):
        Games()["hearts"]
    assert Games().found_titles == {}
    assert (games.fingerprint, Games().fingerprint) == ("as it was", "")
    assert "hearts:" in GAMES.fingerprint


def test_the_first_question_waits_for_no_game_s_rules() -> None:
    program = (
        "import sys\n"
        "from tests.app.boxes import new_box, press, says\n"
        "from companion.games import GAMES\n"
        "assert 'Which game?' in says(press(new_box(), '1'))\n"
        "games = [name.replace('-', '_') for name in GAMES]\n"
        "print([name for name in sys.modules if name.rpartition('.')[2] in games or 'toml_games' in name])"
    )
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert said.stdout == "[]\n"


@pytest.mark.parametrize(("language", "title"), [("fr", "Dame de pique"), ("ja", "ハーツ")])
def test_titles_are_listed_in_the_language_of_the_box(language: str, title: str) -> None:
    from companion.core.text import Text

    assert Translator(language)(Text(GAMES.found_titles["hearts"])) == title
