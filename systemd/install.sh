#!/bin/sh
# Runs companion.installation with the system's Python: ``install`` and ``finish`` from the wheel of the package,
# ``rebuild`` from the wheel of the current version, because the package may hold a version that failed on this box.
#
# COMPANION_ROOT: another root folder, for tests.
set -eu
umask 022
root=${COMPANION_ROOT:-}
package=$root/usr/share/tabletop-companion
wheel=$(echo "$package"/wheels/tabletop_companion-*.whl)
version=${wheel##*/tabletop_companion-}
if [ "$1" = rebuild ] && current=$(readlink "$root/opt/companion/current"); then
    current=${current##*/}
    kept=$(echo "$root/opt/companion/packages/${current%%~*}"/wheels/tabletop_companion-*.whl)
    if [ -e "$kept" ]; then wheel=$kept; fi
fi
PYTHONPATH=$wheel exec /usr/bin/python3 -s -P -B -m companion.installation "$1" --version "${version%%-*}" --root "$root/"
