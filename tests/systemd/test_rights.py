"""The service's user becomes root by no unit: tried with systemd and polkit of Debian 13."""

from __future__ import annotations

import re
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.installation.__main__ import limits_of
from tests.systemd.debian_13 import BootedDebian, booted
from tests.waiting import until

FOLDER = Path(__file__).parents[2] / "systemd"
INSTALLED = "/usr/lib/systemd/system"
MAY = {
    "companion-clock.service": {"start", "stop"},
    "companion-wifi.service": {"start", "stop"},
    "companion-update.service": {"start"},
}
OTHERS = ("companion.service", "systemd-timesyncd.service", "other.service")
VERBS = ("start", "stop", "restart", "try-restart", "reload-or-restart", "kill", "reset-failed", "clean", "freeze")


@pytest.fixture(scope="module")
def debian(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BootedDebian]:
    with booted(tmp_path_factory.mktemp("debian-13")) as running:
        running.write("/usr/lib/sysusers.d/companion.conf", (FOLDER / "companion.sysusers.conf").read_text())
        running.write("/usr/share/polkit-1/rules.d/50-companion.rules", (FOLDER / "companion.rules").read_text())
        rules = FOLDER.parent / "companion/club/system/companion-club.rules"
        running.write("/etc/polkit-1/rules.d/50-companion-club.rules", rules.read_text())
        running.write(
            "/usr/lib/systemd/system.conf.d/10-companion.conf", (FOLDER / "companion.system.conf").read_text()
        )
        running.write("/usr/lib/sysusers.d/club.conf", "u companion-club -\nu somebody -\n")
        running.run("systemd-sysusers")
        assert running.run("systemctl", "restart", "polkit.service").returncode == 0
        yield running


@pytest.fixture
def installed(debian: BootedDebian) -> Iterator[BootedDebian]:
    """All units; in place of the real ones, but that for the clock, programs that do nothing."""
    units = dict.fromkeys((*MAY, *OTHERS), "[Service]\nExecStart=/usr/bin/sleep infinity\n")
    units["companion-clock.service"] = (FOLDER / "companion-clock.service").read_text()
    for name, text in units.items():
        debian.write(f"{INSTALLED}/{name}", text)
    debian.run("systemctl", "daemon-reload")
    yield debian
    debian.run("systemctl", "stop", *units)
    debian.run("systemctl", "reset-failed")
    for name in units:
        (debian.root / INSTALLED.lstrip("/") / name).unlink()
    debian.run("systemctl", "daemon-reload")


def make_unit(debian: BootedDebian, *options: str) -> bool:
    """As the service's user, make a unit with a program of its own; return whether root ran the program."""
    mark = debian.root / "root/was-here"
    debian.run(
        "systemd-run", "--no-ask-password", "--wait", *options, "/usr/bin/touch", "/root/was-here", user="companion"
    )
    made = mark.exists()
    mark.unlink(missing_ok=True)
    return made


def test_root_itself_can_make_such_a_unit(debian: BootedDebian) -> None:
    assert debian.run("systemd-run", "--wait", "--unit=other.service", "/usr/bin/touch", "/root/it").returncode == 0
    assert (debian.root / "root/it").exists()


@pytest.mark.parametrize("unit", [*MAY, *OTHERS])
def test_a_unit_that_is_not_installed_cannot_be_made(debian: BootedDebian, unit: str) -> None:
    assert not make_unit(debian, f"--unit={unit}")


@pytest.mark.parametrize("unit", [*MAY, *OTHERS])
def test_a_unit_that_is_installed_cannot_be_replaced(installed: BootedDebian, unit: str) -> None:
    assert not make_unit(installed, f"--unit={unit}")


@pytest.mark.parametrize("unit", MAY)
def test_a_masked_unit_cannot_be_made(installed: BootedDebian, unit: str) -> None:
    installed.run("systemctl", "mask", "--runtime", unit)
    made = make_unit(installed, f"--unit={unit}")
    installed.run("systemctl", "unmask", "--runtime", unit)
    assert not made


def test_units_of_other_kinds_cannot_be_made(debian: BootedDebian) -> None:
    for unit in MAY:
        name = unit.removesuffix(".service")
        debian.run(
            "systemd-run", "--no-ask-password", f"--unit={name}", "--on-active=0", "--timer-property=AccuracySec=1us",
            "/usr/bin/touch", "/root/was-here", user="companion",
        )  # fmt: skip
        listed = debian.run("systemctl", "list-units", "--all", "--plain", "--no-legend", f"{name}.timer").stdout
        assert listed == ""


def test_it_may_do_with_units_what_its_menu_needs_and_nothing_else(installed: BootedDebian) -> None:
    allowed = {unit: set[str]() for unit in (*MAY, *OTHERS)}
    for unit, verbs in allowed.items():
        for verb in VERBS:
            installed.run("systemctl", "start", unit)  # systemd knows nothing of a unit that neither runs nor failed
            done = installed.run("systemctl", "--no-ask-password", verb, unit, user="companion")
            if done.returncode == 0:
                verbs.add(verb)
    assert {unit: verbs for unit, verbs in allowed.items() if verbs} == MAY


def test_it_cannot_change_a_unit(installed: BootedDebian) -> None:
    for unit in MAY:
        for change in (
            ("set-property", "--runtime", unit, "CPUWeight=50"),
            ("enable", unit),
            ("mask", "--runtime", unit),
        ):
            assert installed.run("systemctl", "--no-ask-password", *change, user="companion").returncode != 0


@pytest.mark.parametrize(("user", "may"), [("companion", False), ("companion-club", False), ("somebody", True)])
def test_who_took_over_a_service_gets_no_manager_of_its_user_outside_the_unit(
    debian: BootedDebian, user: str, *, may: bool
) -> None:
    """Logind lets any other user linger: a manager for the user's own units starts, in no sandbox and at each boot."""
    done = debian.run("loginctl", "--no-ask-password", "enable-linger", user, user=user)
    lingers = debian.root / "var/lib/systemd/linger" / user
    assert (done.returncode == 0, lingers.exists()) == (may, may), done.stderr


def test_while_the_clock_is_set_by_hand_timesyncd_rests_and_works_again_as_often_as_wanted(
    installed: BootedDebian,
) -> None:
    def works() -> bool:
        return installed.run("systemctl", "is-active", "systemd-timesyncd.service").stdout == "active\n"

    def clock(verb: str) -> None:
        done = installed.run("systemctl", "--no-ask-password", verb, "companion-clock.service", user="companion")
        assert done.returncode == 0, done.stderr

    installed.run("systemctl", "start", "systemd-timesyncd.service")
    for _ in range(12):
        assert works()
        clock("start")
        assert not works()
        clock("stop")
        until(works, "timesyncd")
    assert installed.run("systemctl", "is-active", "companion-clock.service").stdout == "inactive\n"


def test_timesyncd_that_is_started_by_root_ends_the_unit_that_holds_it(installed: BootedDebian) -> None:
    installed.run("systemctl", "start", "companion-clock.service")
    assert installed.run("systemctl", "start", "systemd-timesyncd.service").returncode == 0
    assert installed.run("systemctl", "is-active", "companion-clock.service").stdout == "inactive\n"
    assert installed.run("systemctl", "is-active", "systemd-timesyncd.service").stdout == "active\n"


def test_the_own_wifi_opens_and_ends_within_the_limits_of_its_unit(debian: BootedDebian) -> None:
    debian.write(f"{INSTALLED}/companion-wifi.service", (FOLDER / "companion-wifi.service").read_text())
    debian.write(f"{INSTALLED}/NetworkManager.service", "[Service]\nExecStart=/usr/bin/sleep infinity\n")
    shared = debian.root / "etc/NetworkManager/dnsmasq-shared.d"
    shared.mkdir(parents=True)
    (debian.root / "etc/NetworkManager/system-connections").mkdir()
    programs = {
        "/usr/lib/tabletop-companion/networks": (FOLDER / "networks.py").read_text(),
        "/usr/bin/nmcli": '#!/bin/sh\necho "$*" >&2\n',
    }
    for path, text in programs.items():
        debian.write(path, text)
        (debian.root / path.lstrip("/")).chmod(0o755)
    assert debian.run("/usr/lib/tabletop-companion/networks").returncode == 0
    assert debian.run("cat", "/var/lib/companion-wifi/network", user="companion").returncode == 0
    profile = "/etc/NetworkManager/system-connections/companion-own-wifi.nmconnection"
    assert debian.run("cat", profile, user="companion").returncode != 0
    debian.run("systemctl", "daemon-reload")
    debian.run("systemctl", "start", "NetworkManager.service")
    hosts, running = shared / "companion.conf", debian.root / "run/companion-wifi"
    for verb, there in (("start", True), ("stop", False)):
        done = debian.run("systemctl", "--no-ask-password", verb, "companion-wifi.service", user="companion")
        assert done.returncode == 0, debian.run("journalctl", "-u", "companion-wifi", "--no-pager").stdout
        assert (hosts.exists(), running.exists()) == (there, there)
    said = debian.run("journalctl", "-o", "cat", "-u", "companion-wifi").stdout.splitlines()
    asked = [line.removeprefix("connection ") for line in said if line.startswith("connection ")]
    assert asked == [f"load {profile}", "up companion-own-wifi", "down companion-own-wifi"]


def test_a_network_that_does_not_open_ends_its_unit_and_leaves_nothing(debian: BootedDebian) -> None:
    debian.write("/usr/bin/nmcli", "#!/bin/sh\nexit 4\n")
    done = debian.run("systemctl", "--no-ask-password", "start", "companion-wifi.service", user="companion")
    assert done.returncode != 0
    assert not (debian.root / "run/companion-wifi").exists()
    assert not (debian.root / "etc/NetworkManager/dnsmasq-shared.d/companion.conf").exists()


def test_code_that_the_service_planted_in_its_home_is_not_run(debian: BootedDebian) -> None:
    version = debian.run("python3", "-c", "import sys; print('python{}.{}'.format(*sys.version_info))").stdout.strip()
    debian.write(f"/var/lib/companion/.local/lib/{version}/site-packages/usercustomize.py", "print('planted')\n")
    debian.run("chown", "-R", "companion:companion", "/var/lib/companion")
    environment = re.findall("^Environment=.*$", (FOLDER / "companion.service").read_text(), flags=re.MULTILINE)
    for name, lines in (("closed", environment), ("open", [])):
        program = "User=companion\nWorkingDirectory=/var/lib/companion\nExecStart=/usr/bin/python3 -c pass"
        debian.write(f"{INSTALLED}/{name}.service", "\n".join(["[Service]", "Type=oneshot", program, *lines, ""]))
        debian.run("systemctl", "daemon-reload")
        debian.run("systemctl", "start", f"{name}.service")
    said = {name: debian.run("journalctl", "-o", "cat", "-u", name).stdout for name in ("closed", "open")}
    assert {name: "planted" in text for name, text in said.items()} == {"closed": False, "open": True}


@pytest.mark.parametrize("unit", [*MAY, "companion.service"])
def test_systemd_of_debian_13_calls_no_unit_more_exposed_than_5(debian: BootedDebian, unit: str) -> None:
    debian.write(f"/root/{unit}", (FOLDER / unit).read_text())
    done = debian.run("systemd-analyze", "security", "--offline=true", "--threshold=50", "--no-pager", f"/root/{unit}")
    assert done.returncode == 0, done.stdout[-300:] + done.stderr


CHECK = ("systemd-run", "--quiet", "--pipe", "--wait", "--collect", *limits_of(FOLDER / "companion.service"))
"""What runs a command as a new version is checked."""


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ("id -un", "companion\n"),
        ("grep ^CapBnd /proc/self/status | tr -d '[:space:]'", "CapBnd:0000000000000000"),
        ("touch /var/lib/companion/x 2>/dev/null && echo written || echo refused", "refused\n"),
        ("touch /media/x 2>/dev/null && echo written || echo refused", "refused\n"),
        ("echo $PYTHONNOUSERSITE", "1\n"),
    ],
)
def test_a_check_has_user_and_limits_of_the_service_and_writes_nowhere(
    debian: BootedDebian, what: str, said: str
) -> None:
    for folder in ("/var/lib/companion", "/media"):
        debian.run("install", "-d", "-o", "companion", folder)
    done = debian.run(*CHECK, "sh", "-c", what)
    assert (done.stdout, done.returncode) == (said, 0), done.stderr


def test_apt_configures_packages_within_the_limits_of_the_update_s_unit(debian: BootedDebian, tmp_path: Path) -> None:
    stage = tmp_path / "stage"
    checked = shlex.join((*CHECK, "sh", "-c", "! touch /opt/tried/of-a-check"))
    control = "Package: tried\nVersion: 1\nArchitecture: all\nMaintainer: nobody <a@b.c>\nDescription: tried\n"
    configured = f"""#!/bin/sh
set -ex
chown companion:companion /opt/tried
chmod u+s /usr/lib/tried
setpriv --reuid=companion --regid=companion --init-groups touch /opt/tried/of-companion
{checked}
mkdir -p /usr/lib/modules/tried /boot/tried /etc/tried
systemctl daemon-reload
systemctl restart tried.service
echo done >/opt/tried/done
"""
    unit = "[Service]\nType=oneshot\nExecStart=/usr/bin/touch /opt/tried/restarted\n"
    for path, text in (
        ("DEBIAN/control", control), ("DEBIAN/postinst", configured), ("usr/lib/tried", "x"), ("opt/tried/x", "x"),
        ("usr/lib/systemd/system/tried.service", unit),
    ):  # fmt: skip
        (stage / path).parent.mkdir(parents=True, exist_ok=True)
        (stage / path).write_text(text)
    (stage / "DEBIAN/postinst").chmod(0o755)
    package = debian.root / "root/tried.deb"
    subprocess.run(
        ("dpkg-deb", "--root-owner-group", "--build", str(stage), str(package)), check=True, stdout=subprocess.DEVNULL
    )
    debian.run("mv", "/root/tried.deb", "/var/cache/tried.deb")
    written = (FOLDER / "companion-update.service").read_text()
    installing = "ExecStart=/usr/bin/apt-get install --yes /var/cache/tried.deb"
    debian.write(
        f"{INSTALLED}/companion-update.service", re.sub("^ExecStart=.*$", installing, written, flags=re.MULTILINE)
    )
    debian.run("systemctl", "daemon-reload")
    done = debian.run("systemctl", "--no-ask-password", "start", "companion-update.service", user="companion")
    assert done.returncode == 0, debian.run("journalctl", "-u", "companion-update", "--no-pager").stdout
    assert {file.name for file in (debian.root / "opt/tried").iterdir()} == {"x", "of-companion", "restarted", "done"}


def test_systemd_takes_the_setting_of_the_watchdog_and_an_owner_s_own_before_it(debian: BootedDebian) -> None:
    def period() -> str:
        debian.run("systemctl", "daemon-reload")
        return debian.run("systemctl", "show", "--property=RuntimeWatchdogUSec", "--value").stdout.strip()

    assert period() == "15s"
    debian.write("/etc/systemd/system.conf.d/60-watchdog.conf", "[Manager]\nRuntimeWatchdogSec=0\n")
    assert period() == "0"
