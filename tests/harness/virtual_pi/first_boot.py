"""A box without a shell: cloud-init installs the package from the card at the first start, without a network."""

from __future__ import annotations

import time
from collections.abc import Iterator

from PIL import Image

from companion.app.box import Box
from companion.app.outputs import MemoryPanel, Outputs
from companion.journal import Journal
from tests.fakes.clock import FixedClock

from .evening import Evening
from .machine import UNIT
from .packages import package, signed
from .power_cuts import OLD

CUT = 45.0
"""Seconds after the first login at which the power is cut."""

# userconfig.service stands for Raspberry Pi OS's question for a user: nobody answers it, and it keeps debconf locked.
_CLOUD_INIT = """
apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install --no-install-recommends cloud-init
mkdir -p /boot/firmware /var/lib/cloud/seed/nocloud
mv /srv/package/*.deb /boot/firmware/
mv /srv/seed/user-data /var/lib/cloud/seed/nocloud/
echo 'instance-id: box' >/var/lib/cloud/seed/nocloud/meta-data
echo 'datasource_list: [NoCloud]' >/etc/cloud/cloud.cfg.d/90-card.cfg
echo 'network: {config: disabled}' >/etc/cloud/cloud.cfg.d/91-network.cfg
cat >/etc/systemd/system/userconfig.service <<'END'
[Unit]
After=cloud-config.service
[Service]
Type=oneshot
ExecStart=/bin/sh -c '. /usr/share/debconf/confmodule; sleep infinity'
[Install]
WantedBy=multi-user.target
END
systemctl enable userconfig.service
cloud-init schema --config-file /var/lib/cloud/seed/nocloud/user-data
cloud-init --version 2>&1
cloud-init clean
sync
"""


def first_boot(evening: Evening) -> Iterator[str]:
    """Start a bare machine with user-data and a package on its card; cut the power meanwhile, and start it again."""
    machine = evening.machine
    machine.down()
    machine.up(fresh=True)
    folder = signed(OLD).parent
    machine.bring(package(OLD), "/srv/package")
    machine.bring(folder / "user-data", "/srv/seed")
    told = machine.run(_CLOUD_INIT, patience=1800).splitlines()
    yield f"cloud-init: {'; '.join(line for line in told if line.startswith(('Valid', '/usr/bin/cloud-init')))}"
    machine.down()
    machine.up(network=False)
    time.sleep(CUT)
    state = machine.run("systemctl is-active install-companion || true").strip()
    machine.cut()
    began = time.monotonic()
    machine.up(network=False)
    machine.run(f"until systemctl -q is-active {UNIT}; do sleep 1; done", patience=1800)
    evening.pressed = 0
    evening.sees(_first_question(), 300)
    yield (
        f"the power was cut {CUT:.0f} s after the login, while the installation was {state}; after the next start the "
        f"first picture was there in {time.monotonic() - began:.0f} s, without a network"
    )
    machine.reboot()
    machine.wait_for_service()
    assert machine.run("systemctl is-failed install-companion || true").strip() != "failed"
    evening.sees(_first_question(), 300)
    yield "after another start it is simply there"


def _first_question() -> Image.Image:
    """Return the picture of a box that was never used: it asks for the language."""
    clock = FixedClock()
    return Box(Journal(), Outputs(MemoryPanel(), clock), clock, language=None).picture
