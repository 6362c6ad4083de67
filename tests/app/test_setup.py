"""The set-up, from home to the first card."""

from companion.app.box import Box
from companion.journal import Journal, JournalError
from companion.ui.panel import draw
from companion.ui.view import ListBody, View
from tests.app.boxes import new_box, playing, press, says, written


def test_how_closely_the_last_game_was_followed_is_seen_before_the_next_starts() -> None:
    journal = Journal()
    playing("h#8", journal=journal, tracking="round")
    box = press(new_box(journal), "2 1 1")
    first = seen(box)
    press(box, "1")
    assert seen(box) != first  # the row is visible


def seen(box: Box) -> bytes:
    """Return the part of the picture that shows rows, without the highlighted row."""
    return box.picture.crop((60, 11, 124, 54)).tobytes()


def test_a_seat_is_freed_and_taken_anew_after_a_step_back_and_changed_rules_stay() -> None:
    box = press(new_box(Journal()), "1 2 1 1 # 2")
    assert "Auction easy game" in says(box)
    assert "Seat 3: who? P1·P2 | > Go on with 2 | P1 1 | P2 2 |" in says(press(box, "*"))
    assert "Seat 2: who? P1 | P1 1 | > P2 no name |" in says(press(box, "2"))
    press(box, "2")
    assert "Auction easy game" in says(press(box, "#"))


def test_the_number_of_a_rule_is_typed_and_the_one_it_has_is_proposed() -> None:
    box = press(new_box(Journal()), "1 2 1 1 # 3 2 5")
    assert "Ending: rounds | 25 |" in says(box)
    assert "Ending: to a total |  |" in says(press(box, "A"))
    assert "Ending to 45" in says(press(box, "4 5 #"))
    assert "Ending: to a total |  |" in says(press(box, "3"))
    assert "Ending to 45" in says(press(box, "#"))


def test_a_game_that_cannot_be_read_is_kept_and_said() -> None:
    journal = Journal()
    written(journal, '{"format":1,"game":"whist","players":["a","b"]}')
    header = '{"format":1,"game":"eternity","players":["a","b"]}'
    broken = written(journal, header, '{"type":"start","player":7}')
    journal.set_open_game(broken)
    box = new_box(journal)
    assert "Game 2 cannot be read: line 2: there is no seat 7" in says(box)
    press(box, "4 2")
    assert "This game cannot be read; it is kept as it is" in says(box)
    assert "unreadable" in says(box)
    press(box, "*1")
    assert "Game 2 cannot be read" in says(box)
    assert len(journal.lines(broken)) == 1


class _Torn(Journal):
    """A journal whose lines cannot be read."""

    def lines(self, game: str) -> list[str]:
        raise JournalError("game 1 is damaged")


def test_a_game_whose_lines_are_damaged_leaves_the_box_at_home() -> None:
    journal = _Torn()
    playing("1", journal=journal)
    box = new_box(journal)
    assert "game 1 is damaged" in says(box)
    assert "Tabletop Companion" in says(box)


def test_the_game_of_a_set_up_is_on_the_panel_where_it_has_room() -> None:
    rows = (("Detail", "Every card"),)
    named = ListBody("Aki·Bea", rows, game="Eternity")
    assert draw(View(named)).tobytes() == draw(View(ListBody("Eternity · Aki·Bea", rows))).tobytes()
    names = ("Konstantin", "Alexander", "Wilhelmine")
    long = ListBody("·".join(names), rows, names=names, game="Eternity")
    assert draw(View(long)).tobytes() == draw(View(ListBody("·".join(names), rows, names=names))).tobytes()
