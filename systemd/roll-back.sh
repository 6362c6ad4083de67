#!/bin/sh
# Counts the failures of the service, and goes back to the version before after three of them in ten minutes.
# systemd runs it as root after each end of the service, and says in variables how it ended.
#
# COMPANION_ROOT: another root folder, for tests.
set -eu
umask 022
root=${COMPANION_ROOT:-}
home=$root/opt/companion
failures=$root/run/companion-failures

# A failure is every end but a wanted one: not ready in time, killed by the watchdog, a crash. Exit status 78 says that the
# program works and its settings do not.
[ "${SERVICE_RESULT:-success}" != success ] || exit 0
[ "${EXIT_STATUS:-}" != 78 ] || exit 0

# The failures of the last ten minutes since the start of the machine. A pulled plug is none.
read -r now _ <"$root/proc/uptime"
now=${now%%.*}
recent=
if [ -e "$failures" ]; then
    while read -r at; do
        if [ "$at" -ge $((now - 600)) ]; then recent="$recent $at"; fi
    done <"$failures"
fi
# shellcheck disable=SC2086 # numbers, each an argument
set -- $recent "$now"
printf '%s\n' "$@" >"$failures"
[ $# -ge 3 ] || exit 0

# Back: one rename, then the note for the panel.
previous=$(readlink "$home/previous") || exit 0
current=$(readlink "$home/current") || exit 0
if [ "$previous" = "$current" ] || [ ! -x "$home/previous/bin/python" ]; then exit 0; fi
left=${current##*/} started=${previous##*/}
echo "companion: ${left%%~*} failed three times in ten minutes: back to ${started%%~*}"
ln -sfn "$previous" "$home/current.back" # not current.new: an installation may be under way
mv -T "$home/current.back" "$home/current"
sync
rm -f "$home/previous" "$failures"
note=$root/var/lib/companion/went-back
rm -rf "$note.new" # the folder is the service's: a link there must not lead root elsewhere; the service has ended
printf '%s %s\n' "${left%%~*}" "${started%%~*}" >"$note.new"
if [ -z "$root" ]; then chown -h companion:companion "$note.new"; fi
mv -T "$note.new" "$note"
sync
