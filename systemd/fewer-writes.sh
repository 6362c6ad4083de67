#!/bin/sh
# Lets the system wait before it writes to the disk of a folder what no program syncs: fewer-writes FOLDER.
#
# Each entry changes the times of two files. ext4 writes them to the card every five seconds, in three blocks or more,
# where the entry itself takes one. At one entry every three seconds, Linux 6.18, 11.5 to 12.9 kB an entry were measured
# (11.8 with lazytime), and 6.0 to 7.4 with an interval of two minutes. An entry is on the card before it is shown, with
# either. Files that other programs do not sync may be two minutes older after a power cut. The option holds for the
# whole file system until the next boot; an interval that its options name stays, as do all others.
#
# The second copy of an entry is not synced. Linux writes such a block after 30 seconds, but looks every five, and then
# writes all that waits if it is more than the disk's share of the memory for that. The share follows what the disk has
# written of late: at an entry now and then it is nothing, so each copy cost a block of its own. So the system looks
# every 30 seconds, until the next boot. An interval that somebody has set stays.
set -eu
options=$(findmnt -n -o OPTIONS -T "$1")
place=$(findmnt -n -o TARGET -T "$1")
looks=${COMPANION_ROOT:-}/proc/sys/vm/dirty_writeback_centisecs
if [ "$(cat "$looks")" = 500 ]; then
    echo 3000 >"$looks" || true
fi
exec mount -o "remount,commit=120,$options" "$place"
