#!/bin/sh
# Remove old logs.
set -eu
find "$1" -type f -mtime "+$2" -delete
