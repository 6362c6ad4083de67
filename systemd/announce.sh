#!/bin/sh
# Announces the page in the network, if the settings let others reach it; avahi must be there.
# systemd runs it as root after each start of the service.
#
# COMPANION_ROOT: another root folder, for tests.
set -eu
umask 022
root=${COMPANION_ROOT:-}
services=$root/etc/avahi/services
[ -d "$services" ] || exit 0

page() { sed -n '/^\[page\]/,/^\[/p' "$root/etc/companion.toml" 2>/dev/null | sed -n "s/^$1 *= *\"*\([a-z0-9.:]*\).*/\1/p" | head -n 1; }

case $(page host) in "" | 127.* | ::1 | localhost) reachable=false ;; *) reachable=$(page on) ;; esac
if [ "$reachable" != true ]; then
    rm -f "$services/companion.service"
    exit 0
fi
port=$(page port)
sed "s/8080/${port:-8080}/" "$root/usr/share/tabletop-companion/companion.avahi.service" >"$services/companion.service.new"
if cmp -s "$services/companion.service.new" "$services/companion.service"; then
    rm "$services/companion.service.new"
else
    mv "$services/companion.service.new" "$services/companion.service"
fi
