#!/bin/sh
# Lets the file system of a folder wait two minutes before it writes the times of files to the disk: fewer-writes FOLDER.
#
# Each entry changes the times of two files. ext4 writes them to the card every five seconds, in three blocks or more,
# where the entry itself takes one. At one entry every three seconds, Linux 6.18, 11.5 to 12.9 kB an entry were measured
# (11.8 with lazytime), and 6.0 to 7.4 with an interval of two minutes. An entry is on the card before it is shown, with
# either. Files that other programs do not sync may be two minutes older after a power cut. The option holds for the
# whole file system until the next boot; an interval that its options name stays, as do all others.
set -eu
options=$(findmnt -n -o OPTIONS -T "$1")
place=$(findmnt -n -o TARGET -T "$1")
exec mount -o "remount,commit=120,$options" "$place"
