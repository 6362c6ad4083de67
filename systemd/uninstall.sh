#!/bin/sh
# Uninstalls the companion, but keeps games and settings: `sudo make uninstall`.
set -eu
root=${DESTDIR:-}

if [ -z "$root" ] && [ "$(id -u)" -ne 0 ]; then
    echo "companion: uninstalling needs root's rights: sudo make uninstall" >&2
    exit 1
fi

running() { [ -z "$root" ] && [ -d /run/systemd/system ]; }

if running && [ -e /etc/systemd/system/companion.service ]; then
    systemctl disable --quiet --now companion.service
fi
rm -rf "$root/opt/companion" "$root/opt/companion.new" "$root/opt/companion.old"
if running; then
    systemctl stop companion-wifi.service 2>/dev/null || true
    /usr/local/lib/companion/own-wifi stop 2>/dev/null || true  # what a pulled plug left of it
fi
rm -rf "$root/usr/local/lib/companion"
rm -f "$root/etc/systemd/system/companion.service" \
    "$root/etc/systemd/system/companion-wifi.service" \
    "$root/etc/avahi/services/companion.service" \
    "$root/etc/systemd/system/multi-user.target.wants/companion.service" \
    "$root/etc/sysusers.d/companion.conf" \
    "$root/etc/polkit-1/rules.d/50-companion.rules" \
    "$root/etc/udev/rules.d/90-companion.rules" \
    "$root/usr/local/bin/companion"
if running; then
    systemctl daemon-reload
    systemctl reset-failed companion.service 2>/dev/null || true
    udevadm control --reload
fi

echo "companion: uninstalled. Kept: the games in $root/var/lib/companion, the settings in $root/etc/companion.toml,"
echo "companion: and the user companion they belong to. To remove these too: sudo rm -r /var/lib/companion \\"
echo "companion:   /etc/companion.toml; sudo userdel companion"
