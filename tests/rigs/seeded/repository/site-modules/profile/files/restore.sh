#!/bin/sh
# Get a file back.
set -eu
restic restore latest --include "$1" --target /
