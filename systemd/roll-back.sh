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

# Every end is a failure but these.
case ${SERVICE_RESULT:-none}/${EXIT_STATUS:-} in
none/*) exit 0 ;; # systemd did not run this script
success/*)
    # Somebody asked for this end: systemd has a job for a stop, a restart or a shutdown.
    case $(systemctl show --property=Job --value companion.service || echo unknown) in "" | 0) ;; *) exit 0 ;; esac
    ;;
# A device that does not answer, or a journal that another program uses: no version would do better.
exit-code/69 | exit-code/75) exit 0 ;;
exit-code/78)
    # This version cannot read the settings or the journal. It could read them when it was chosen. So if the settings have
    # been changed since, they are wrong, and the version before could not read them either.
    if [ -n "$(find "$root/etc/companion.toml" -newer "$home/current" 2>/dev/null)" ]; then exit 0; fi
    ;;
esac

remember() {
    mkdir -p "$home/failed" && {
        date +%Y-%m-%d
        echo "$SERVICE_RESULT ${EXIT_CODE:-} ${EXIT_STATUS:-}"
        timeout 5 journalctl --unit=companion.service --boot --lines=40 --output=cat --no-pager 2>/dev/null || true
    } >"$home/failed/$left.new" && sync && mv -T "$home/failed/$left.new" "$home/failed/$left"
}

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

previous=$(readlink "$home/previous") || exit 0
current=$(readlink "$home/current") || exit 0
if [ "$previous" = "$current" ] || [ ! -x "$home/previous/bin/python" ]; then exit 0; fi
left=${current##*/} started=${previous##*/}
left=${left%%~*} started=${started%%~*}
if [ "$left" != "$started" ]; then
    if [ -e "$home/failed/$started" ]; then exit 0; fi
    # The mark comes first: a marked version is not built or offered again by itself. Its last log is kept in it, because
    # the log of the system is gone with the power. A full disk may refuse the mark; the box goes back all the same.
    remember || echo "companion: the failure of $left could not be written down"
fi

# Back: one rename, then the note for the panel.
echo "companion: $left failed three times in ten minutes: back to $started"
ln -sfn "$previous" "$home/current.back" # not current.new: an installation may be under way
mv -T "$home/current.back" "$home/current"
sync
if printf '%s %s %s %s\n' "$left" "$started" "$SERVICE_RESULT" "$(date +%s)" >"$home/went-back.new"; then
    sync
    mv -T "$home/went-back.new" "$home/went-back"
fi
rm -f "$home/previous" "$failures"
sync
