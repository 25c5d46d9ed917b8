"""Back up and restore a site that ``bunraku site init`` has made."""

from __future__ import annotations

import os

from bunraku.administration.backup import write_backup
from bunraku.administration.files import COMMAND
from bunraku.administration.restore import restore_backup
from bunraku.administration.site import SiteDirectory, read_site
from bunraku.base.records import record
from bunraku.base.usage import UsageError


@record(frozen=True)
class Backup:
    """A backup that was written: its file, its size and its SHA-256."""

    path: str
    size: int
    digest: str


def back_up_site(directory: str, path: str) -> Backup:
    """Write the backup of a site, which may be running, to a file. Raise UsageError and PuppetError."""
    site = read_site(os.path.abspath(directory))
    real = os.path.realpath(path)
    if real.startswith(os.path.join(os.path.realpath(site.root), "")):
        raise UsageError("the file of a backup must be outside of the site", COMMAND)
    digest = write_backup(site, path)
    return Backup(path, os.stat(path).st_size, digest)


def restore_site(path: str, directory: str) -> SiteDirectory:
    """Restore a site into a directory that is absent or empty. Raise PuppetError; then nothing is there."""
    return restore_backup(path, directory)
