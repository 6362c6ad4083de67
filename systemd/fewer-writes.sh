#!/bin/sh
# Lets the system wait before it writes to the disk of a folder what no program syncs: fewer-writes FOLDER.
#
# Each entry changes the times of two files. ext4 writes them to the card every five seconds, in three blocks or more,
# where the entry itself takes one. At one entry every three seconds, Linux 6.18, 11.5 to 12.9 kB an entry were measured
# (11.8 with lazytime), and 6.0 to 7.4 with an interval of two minutes. An entry is on the card before it is shown, with
# either. Files that other programs do not sync may be two minutes older after a power cut. The option holds for the
# whole file system until the next boot; an interval that its options name stays, as do all others.
#
# The second copy of an entry is not synced. Linux writes such a block after 30 seconds, or with its next look, every
# five, where more waits than the disk's share of the memory for that. The share follows what the disk has written of
# late: at an entry now and then it is nothing, so each copy cost a block of its own. min_ratio is the least share, in
# percent. With control groups it is divided among them, and rounded down: with 1 and 5 copies were still written early,
# with 50 none was (Linux 6.1). A share that somebody has set stays.
set -eu
options=$(findmnt -n -o OPTIONS -T "$1")
place=$(findmnt -n -o TARGET -T "$1")
device=${COMPANION_ROOT:-}/sys/dev/block/$(findmnt -n -r -o MAJ:MIN -T "$1")
# that of a whole disk, or of the disk that a partition is on; a file system in memory or of the network has none
for share in "$device/bdi/min_ratio" "$device/../bdi/min_ratio"; do
    if [ -e "$share" ] && [ "$(cat "$share")" = 0 ]; then
        echo 50 >"$share" || true
    fi
done
exec mount -o "remount,commit=120,$options" "$place"
