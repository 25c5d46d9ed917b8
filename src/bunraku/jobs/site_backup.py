"""Back up and restore a site that ``bunraku site init`` has made."""

from __future__ import annotations

import os
from collections.abc import Sequence

from bunraku.administration import retention
from bunraku.administration.backup import write_backup
from bunraku.administration.files import COMMAND
from bunraku.administration.restore import restore_backup
from bunraku.administration.site import SiteDirectory, read_site
from bunraku.base.records import record
from bunraku.base.usage import UsageError


@record(frozen=True)
class Backup:
    """A backup that was written: its file, its size and its SHA-256; and older ones that were removed."""

    path: str
    size: int
    digest: str
    removed: Sequence[str] = ()


def back_up_site(directory: str, path: str, keep: int | None = None) -> Backup:
    """Write the backup of a site, which may be running, to a file. Raise UsageError and PuppetError.

    With ``keep``, the path is a directory: the file gets the time as its name, and all but so many of the
    newest backups of the site are removed once it is written.
    """
    site = read_site(os.path.abspath(directory))
    check_place(site, path)
    if keep is None:
        digest = write_backup(site, path)
        return Backup(path, os.stat(path).st_size, digest)
    if keep < 1:
        raise UsageError("--keep: keep at least one backup", COMMAND)
    file = retention.next_file(site, path)
    digest = write_backup(site, file)
    size = os.stat(file).st_size
    return Backup(file, size, digest, retention.remove_old(site, path, keep))


def check_place(site: SiteDirectory, path: str) -> None:
    """Raise UsageError for a path in a site, where a backup would be a part of the next one."""
    real = os.path.join(os.path.realpath(path), "")
    if real.startswith(os.path.join(os.path.realpath(site.root), "")):
        raise UsageError("a backup must be outside of the site", COMMAND)


def restore_site(path: str, directory: str) -> SiteDirectory:
    """Restore a site into a directory that is absent or empty. Raise PuppetError; then nothing is there."""
    return restore_backup(path, directory)
