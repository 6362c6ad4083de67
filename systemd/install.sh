#!/bin/sh
# Installs the companion as a service: `sudo make install`. Run it again to update.
#
# DESTDIR: the root folder of another system, such as a mounted SD card; nothing is started.
# PYTHON:  the Python of that system (default: python3).
set -eu
umask 022 # the service must be able to read the files
cd "$(dirname "$0")/.."
root=${DESTDIR:-}
python=${PYTHON:-python3}
home=/opt/companion
new=$root$home.new

say() { echo "companion: $*"; }
stop() { say "$*" >&2; exit 1; }

# Requirements

if [ -z "$root" ] && [ "$(id -u)" -ne 0 ]; then
    stop "installing needs root's rights: sudo make install"
fi
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null ||
    stop "Python 3.11 or newer is needed: sudo apt install python3 python3-venv (Raspberry Pi OS 12 or newer has it)"
"$python" -c 'import ensurepip, venv' 2>/dev/null ||
    stop "Python's venv is missing: sudo apt install python3-venv"

# The program: installed beside the running one, which it replaces when it is complete. So an interrupted
# installation leaves a working box. It can import Debian's own python3-lgpio and python3-spidev.

say "installing the program into $root$home (on a small Pi this takes some minutes)"
rm -rf "$new"
mkdir -p "$root/opt"
"$python" -m venv --system-site-packages --prompt companion "$new"
"$new/bin/python" -m pip install --quiet --disable-pip-version-check --no-compile '.[page,pi]' || {
    rm -rf "$new"
    stop "the program could not be installed, see above; a 32-bit system may have to compile a part of it:" \
        "sudo apt install gcc python3-dev libjpeg-dev zlib1g-dev python3-cbor2"
}
# Replace the temporary path by the final one.
grep -rlIF "$new" "$new/bin" "$new/pyvenv.cfg" | xargs sed -i "s#$new#$home#g"
"$new/bin/python" -m compileall -q -s "$new" -p "$home" "$new/lib" || stop "the program could not be compiled"
rm -rf "$root$home.old"
if [ -e "$root$home" ]; then mv "$root$home" "$root$home.old"; fi
mv "$new" "$root$home"
rm -rf "$root$home.old"

# System files

put() { mkdir -p "$(dirname "$root$2")" && install -m 644 "systemd/$1" "$root$2"; }

put companion.service /etc/systemd/system/companion.service
put companion-wifi.service /etc/systemd/system/companion-wifi.service
put own-wifi.sh /usr/local/lib/companion/own-wifi
chmod 755 "$root/usr/local/lib/companion/own-wifi"
put companion.sysusers.conf /etc/sysusers.d/companion.conf
put companion.rules /etc/polkit-1/rules.d/50-companion.rules
put companion.udev.rules /etc/udev/rules.d/90-companion.rules
if [ -e "$root/etc/companion.toml" ]; then
    say "your settings in $root/etc/companion.toml stay as they are"
else
    put companion.toml /etc/companion.toml
fi
# The page is announced in the network where others may reach it, with the port of the settings.
page() { sed -n '/^\[page\]/,/^\[/p' "$root/etc/companion.toml" | sed -n "s/^$1 *= *\"*\([a-z0-9.:]*\).*/\1/p" | head -n 1; }
rm -f "$root/etc/avahi/services/companion.service"
case $(page host) in ""|127.*|::1|localhost) reachable=false ;; *) reachable=$(page on) ;; esac
if [ "$reachable" = true ]; then
    put companion.avahi.service /etc/avahi/services/companion.service
    port=$(page port)
    sed -i "s/8080/${port:-8080}/" "$root/etc/avahi/services/companion.service"
fi
mkdir -p "$root/usr/local/bin"
ln -sfn "$home/bin/companion" "$root/usr/local/bin/companion"

# The service

if [ -n "$root" ]; then
    systemctl --root="$root" enable --quiet companion.service
    say "installed into $root; it starts when that machine does"
    exit 0
fi
systemd-sysusers /etc/sysusers.d/companion.conf
if [ ! -d /run/systemd/system ]; then
    systemctl enable --quiet companion.service
    say "installed; systemd does not run here, so nothing was started"
    exit 0
fi
udevadm control --reload
udevadm trigger --settle --subsystem-match=gpio --subsystem-match=i2c-dev --subsystem-match=spidev \
    --subsystem-match=graphics
systemctl daemon-reload
systemctl enable --quiet companion.service
if ! ls /dev/i2c-* >/dev/null 2>&1; then
    say "there is no I2C bus, which most panels need: sudo raspi-config nonint do_i2c 0, then sudo reboot"
fi
systemctl restart companion.service || stop "it is installed, but does not start: journalctl -u companion says why"
say "installed, and running. What it finds of panel, keys and settings: sudo companion doctor"
