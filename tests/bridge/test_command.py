"""The command `companion bridge` publishes a journal, sets up its unit, and says what is wrong."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.cli import main
from companion.cli.bridge import DROP_IN, UNIT, set_up, switch_off
from companion.cli.common import CommandError
from tests.bridge.growing_journal import GrowingJournal
from tests.bridge.mosquitto import Mosquitto, Onlooker, free_port
from tests.waiting import LAST_RESORT, until


def settings(folder: Path, text: str) -> str:
    file = folder / "companion.toml"
    file.write_text(f"[bridge]\n{text}\n", encoding="utf-8")
    return str(file)


@pytest.mark.needs("mosquitto")
def test_it_publishes_with_user_and_password_until_it_is_told_to_stop(tmp_path: Path) -> None:
    journal = GrowingJournal(tmp_path)
    journal.write(3)
    password = tmp_path / "password"
    password.touch(0o600)
    password.write_text("sesame\n", encoding="utf-8")
    (tmp_path / "users").touch(0o600)
    subprocess.run(("mosquitto_passwd", "-b", "users", "box", "sesame"), cwd=tmp_path, check=True, capture_output=True)
    broker = Mosquitto(tmp_path, f"allow_anonymous true\npassword_file {tmp_path / 'users'}\nuser root\n")
    config = settings(
        tmp_path,
        f'broker = "mqtt://127.0.0.1:{broker.port}"\nuser = "box"\npassword_file = "{password}"\nname = "Attic"',
    )
    seen = Onlooker(broker)
    command = (sys.executable, "-m", "companion", "bridge", "--data", str(journal.folder), "--config", config)
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as one:
        assert seen.latest("/config")["device"]["name"] == "Attic"
        one.send_signal(signal.SIGTERM)
        assert one.wait(LAST_RESORT) == 0
    assert seen.latest("/status") == "offline"
    seen.close()
    broker.stop()


@pytest.mark.needs("mosquitto")
def test_it_waits_for_a_journal_and_is_removed_without_a_trace(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broker, data = Mosquitto(tmp_path), tmp_path / "not-yet"
    config = settings(tmp_path, f'broker = "mqtt://127.0.0.1:{broker.port}"')
    arguments = ("bridge", "--data", str(data), "--config", config)
    assert main([*arguments, "--remove"]) == 1
    assert "nothing was published from here" in capsys.readouterr().err
    seen = Onlooker(broker)
    with subprocess.Popen((sys.executable, "-m", "companion", *arguments), stdout=subprocess.PIPE, text=True) as one:
        assert seen.latest("/table")["game"] is None
        assert main([*arguments, "--remove"]) == 1
        assert "the bridge still runs" in capsys.readouterr().err
        one.send_signal(signal.SIGTERM)
        assert one.wait(LAST_RESORT) == 0
    seen.latest("/status", lambda status: status == "offline")
    assert main([*arguments, "--remove"]) == 0
    seen.wait_for(
        lambda messages: messages[-1][1] == "" and messages[-1][0].endswith("/call")
    )  # the last to be cleared
    later = Onlooker(broker)

    def anything_kept_comes_first() -> bool:
        later.publish("end", "")
        return bool(later.messages)

    until(anything_kept_comes_first)
    assert later.messages[0][0] == "end"
    seen.close()
    later.close()
    broker.stop()


@pytest.mark.needs("mosquitto")
def test_the_box_of_a_club_uses_only_topics_with_the_user_s_name_that_the_club_has_drawn(tmp_path: Path) -> None:
    broker, user = Mosquitto(tmp_path), "tabletop-0123abcd"
    config = settings(tmp_path, f'broker = "mqtt://127.0.0.1:{broker.port}"\nclub = true\nuser = "{user}"')
    arguments = ("bridge", "--data", str(tmp_path / "games"), "--config", config)
    seen = Onlooker(broker)
    with subprocess.Popen((sys.executable, "-m", "companion", *arguments), stdout=subprocess.PIPE, text=True) as one:
        seen.latest("/status", lambda status: status == "online")
        one.send_signal(signal.SIGTERM)
        assert one.wait(LAST_RESORT) == 0
    assert main([*arguments, "--remove"]) == 0
    seen.wait_for(lambda messages: (f"tabletop/{user}/status", "") in messages)
    assert [topic for topic, _content in seen.messages if f"/{user}/" not in topic] == []
    seen.close()
    broker.stop()


WRONG = {
    "": "there is no broker in the settings",
    'broker = "http://x"': "has to be an address like",
    'broker = "mqtt://x:99999"': "no port from 1 to 65535",
    'broker = "mqtts://x"\nauthority = "/nowhere"': "/nowhere: ",
    'broker = "mqtt://x"\npassword_file = "/nowhere"': "/nowhere: ",
}


@pytest.mark.parametrize("text", WRONG)
def test_wrong_settings_get_a_sentence(tmp_path: Path, text: str, capsys: pytest.CaptureFixture[str]) -> None:
    journal = GrowingJournal(tmp_path)
    assert main(["bridge", "--data", str(journal.folder), "--config", settings(tmp_path, text)]) == 1
    assert WRONG[text] in capsys.readouterr().err


def test_a_password_that_others_can_read_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    journal = GrowingJournal(tmp_path)
    password = tmp_path / "password"
    password.touch(0o644)
    config = settings(tmp_path, f'broker = "mqtt://x"\npassword_file = "{password}"')
    assert main(["bridge", "--data", str(journal.folder), "--config", config]) == 1
    assert "chmod 600" in capsys.readouterr().err


@pytest.fixture
def listening() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


@pytest.fixture
def as_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)


@pytest.mark.usefixtures("as_root")
@pytest.mark.parametrize(("host", "allowed"), [("127.0.0.1", "127.0.0.1"), ("localhost", "127.0.0.1 192.0.2.53")])
def test_setting_up_lets_the_unit_reach_the_broker_alone(
    tmp_path: Path, listening: int, host: str, allowed: str
) -> None:
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc/resolv.conf").write_text("nameserver 192.0.2.53\n", encoding="utf-8")
    ran: list[str] = []
    set_up(host, listening, tmp_path, lambda command: ran.append(" ".join(command)))
    words = (tmp_path / DROP_IN).read_text(encoding="utf-8").partition("IPAddressAllow=")[2].split()
    assert [word for word in words if word != "::1"] == allowed.split()
    assert ran[0] == "systemctl daemon-reload"
    assert ran[-1] == "systemctl restart companion-bridge.service"


@pytest.mark.usefixtures("as_root")
def test_removing_stops_the_unit_where_there_is_one(tmp_path: Path) -> None:
    ran: list[str] = []
    switch_off(tmp_path, lambda command: ran.append(" ".join(command)))
    assert ran == []
    units = tmp_path / "usr/lib/systemd/system"
    units.mkdir(parents=True)
    (units / UNIT).touch()
    switch_off(tmp_path, lambda command: ran.append(" ".join(command)))
    assert ran == ["systemctl disable --now companion-bridge.service"]


@pytest.mark.usefixtures("as_root")
def test_a_broker_that_does_not_answer_is_not_set_up(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="does not answer"):
        set_up("127.0.0.1", free_port(), tmp_path, lambda _command: pytest.fail("something was started"))
    assert not (tmp_path / DROP_IN).exists()


def test_setting_up_needs_root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(CommandError, match="sudo companion bridge --set-up"):
        set_up("127.0.0.1", 1883, tmp_path)


def test_it_loads_no_pictures() -> None:
    code = "import sys; import companion.bridge.bridge, companion.cli.bridge; from hardware.owner_settings import load"
    code += "; load(None, list); print('PIL' in sys.modules)"
    done = subprocess.run((sys.executable, "-c", code), capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
