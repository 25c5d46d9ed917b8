#!/bin/sh
# isolated.sh FOLDER COMMAND…: run a command as root without a network, on a disk that it can only read, but for FOLDER.
set -eu
folder=$(realpath "$1")
shift
exec unshare --net --mount sh -c '
    mount --make-rprivate /
    mount --bind "$0" "$0"
    mount -o remount,bind,ro /
    mount -t sysfs sysfs /sys # the one of this network
    mount -t tmpfs tmpfs /tmp
    mount -t tmpfs tmpfs /var/tmp
    ip link set lo up 2>/dev/null || true
    export TMPDIR=/tmp HOME=/tmp LC_ALL=C.UTF-8 # as Facter has it in the tests
    exec "$@"
' "$folder" "$@"
