#!/bin/sh
# Builds the version of the package with the system's Python, from the modules in the package's own wheel.
set -eu
umask 022
package=/usr/share/tabletop-companion
wheel=$(echo "$package"/wheels/tabletop_companion-*.whl)
version=${wheel##*/tabletop_companion-}
PYTHONPATH=$wheel exec /usr/bin/python3 -s -P -B -m companion.installation "$1" --version "${version%%-*}"
