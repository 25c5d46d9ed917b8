"""Errors of sites in one directory."""

from __future__ import annotations

from bunraku.base.errors import Issue

NO_SITE = Issue(
    "SITE_MISSING",
    "'{directory}' is not a site: it has no site.json",
    hint="'bunraku site init' makes a site; --site names the directory of one",
)
UNREADABLE_SITE = Issue("SITE_UNREADABLE", "Cannot use '{path}': {reason}")
OCCUPIED = Issue(
    "SITE_OCCUPIED",
    "'{directory}' is not an empty directory: it has '{entry}'",
    hint="name a directory that does not exist, or an empty one; nothing was changed",
)
FOREIGN_BACKUP = Issue(
    "SITE_BACKUP_FOREIGN",
    "'{path}' is not a backup of a site: {reason}",
    hint="'bunraku site backup FILE' writes one",
)
DAMAGED_BACKUP = Issue(
    "SITE_BACKUP_DAMAGED",
    "The backup '{path}' is damaged: {reason}",
    hint="use another backup; nothing was restored",
)
FAILED = Issue("SITE_FAILED", "Cannot {action}: {reason}")
