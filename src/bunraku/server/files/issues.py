"""Errors of the file server's configuration."""

from __future__ import annotations

from bunraku.base.errors import Issue

LONE_CODE_COMMAND = Issue(
    "SERVER_LONE_CODE_COMMAND",
    "The setting {name} requires the setting {missing}",
    hint="static catalogs need both; without both, catalogs are not static",
)
FILESERVER_CONFIGURATION = Issue(
    "SERVER_FILESERVER_CONFIGURATION", "Invalid configuration of mounts: {reason}"
)
