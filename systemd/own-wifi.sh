#!/bin/sh
# Starts and ends the box's own Wi-Fi with NetworkManager: `own-wifi start FILE`, `own-wifi stop`. Root runs it for
# companion-wifi.service.
#
# FILE: name and password of the network, a line each. The service companion, which has no rights, writes it; so both
# are checked before they are used.
set -eu
profile=companion-own-wifi
names=${OWN_WIFI_NAMES:-/etc/NetworkManager/dnsmasq-shared.d/companion.conf}
settings=${OWN_WIFI_SETTINGS:-/etc/companion.toml}

stop() { echo "companion: $*" >&2; exit 1; }

end() {
    nmcli connection down "$profile" >/dev/null 2>&1 || true
    nmcli connection delete "$profile" >/dev/null 2>&1 || true
    nft delete table ip companion 2>/dev/null || true
    rm -f "$names"
}

[ "${1:-}" != stop ] || { end; exit 0; }
[ "${1:-}" = start ] && [ $# -eq 2 ] || stop "own-wifi start FILE, or own-wifi stop"
[ -f "$2" ] && [ ! -L "$2" ] || stop "$2 is no file"
[ "$(wc -c < "$2")" -le 100 ] || stop "$2 is too long"
{ read -r name && read -r password; } < "$2" || stop "$2 has no two lines"
case $name in Companion-????) ;; *) stop "the network's name is not one of the companion's" ;; esac
case ${name#Companion-} in *[!A-Z0-9]*) stop "the network's name is not one of the companion's" ;; esac
case $password in *[!a-z0-9]*) stop "the password has other characters than small letters and digits" ;; esac
[ ${#password} -ge 8 ] && [ ${#password} -le 20 ] || stop "a password has 8 to 20 characters"

end
# Phones ask whether a network leads to the internet; Android leaves one without an answer. The page gives it.
port=$(sed -n '/^\[page\]/,/^\[/s/^port *= *\([0-9]\{1,5\}\).*/\1/p' "$settings" 2>/dev/null | head -n 1)
mkdir -p "$(dirname "$names")"
for host in connectivitycheck.gstatic.com connectivitycheck.android.com clients3.google.com; do
    echo "address=/$host/10.42.0.1"
done > "$names"
nmcli connection add type wifi ifname '*' con-name "$profile" autoconnect no ssid "$name" \
    802-11-wireless.mode ap 802-11-wireless.band bg ipv4.method shared ipv4.addresses 10.42.0.1/24 ipv6.method disabled \
    wifi-sec.key-mgmt wpa-psk wifi-sec.proto rsn wifi-sec.pairwise ccmp wifi-sec.group ccmp wifi-sec.psk "$password" \
    >/dev/null
nmcli connection up "$profile" >/dev/null || { end; stop "NetworkManager cannot start the network"; }
nft -f - <<RULES || true
table ip companion {
    chain prerouting {
        type nat hook prerouting priority dstnat;
        ip daddr 10.42.0.1 tcp dport 80 redirect to :${port:-8080}
    }
}
RULES
