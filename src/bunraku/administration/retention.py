"""Backups in a directory: one file for each moment, of which the newest are kept."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Sequence

from bunraku.administration import issues
from bunraku.administration.site import PRIVATE, SiteDirectory
from bunraku.world.whole_files import make_folders

MOMENT = "%Y%m%dT%H%M%SZ"


def next_file(site: SiteDirectory, directory: str) -> str:
    """Return the path of a new backup in a directory, which is made if it is missing. Raise PuppetError.

    The name has the site and the moment in UTC, so names sort by time.
    """
    try:
        make_folders(os.path.abspath(directory), PRIVATE)
    except OSError as error:
        raise issues.FAILED(action=f"make {directory}", reason=error.strerror) from None
    moment = time.strftime(MOMENT, time.gmtime())
    return os.path.join(directory, f"{site.certname}-{moment}.tar.gz")


def backups_in(site: SiteDirectory, directory: str) -> Sequence[str]:
    """Return the paths of the backups of a site, the newest first; those of other names are none. Raise OSError."""
    pattern = re.compile(rf"{re.escape(site.certname)}-\d{{8}}T\d{{6}}Z\.tar\.gz", re.ASCII)
    names = [one.name for one in os.scandir(directory) if one.is_file(follow_symlinks=False)]
    found = sorted(filter(pattern.fullmatch, names), reverse=True)
    return [os.path.join(directory, name) for name in found]


def remove_old(site: SiteDirectory, directory: str, keep: int) -> Sequence[str]:
    """Remove all but the newest backups of a site; return the paths of those removed. Raise PuppetError."""
    try:
        old = backups_in(site, directory)[keep:]
        for path in old:
            os.unlink(path)
    except OSError as error:
        place = error.filename or directory
        raise issues.FAILED(action=f"remove {place}", reason=error.strerror) from None
    return old
