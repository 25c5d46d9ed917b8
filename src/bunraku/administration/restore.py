"""Restore a site from its backup: all of it, or nothing."""

from __future__ import annotations

import json
import os
import pwd
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress

from bunraku.administration import issues, postgresql
from bunraku.administration import site as places
from bunraku.administration.archive import Unpacked, unpack
from bunraku.administration.backup import DUMP
from bunraku.administration.owners import give
from bunraku.administration.site import SiteDirectory, check_free, read_site
from bunraku.base.lazy_typing import Any
from bunraku.world.scratch import scratch_directory
from bunraku.world.whole_files import edit_whole

RECORDS = "code/.environments.bunraku/records"
WITH_PATHS = ("etc", places.UNITS, places.RECORD, RECORDS)
"""Where the path of the site is in files."""
SECRET = ("etc/puppet/ssl", places.AUTHORITY)
"""Directories without paths, whose files are left alone."""


def restore_backup(path: str, directory: str) -> SiteDirectory:
    """Restore a site into a directory that is absent or empty; PuppetError, and then nothing is there."""
    root = os.path.abspath(directory)
    check_free(root)
    above = os.path.dirname(root)
    if not os.path.isdir(above):
        raise issues.FAILED(action=f"restore to {root}", reason=f"{above} does not exist")
    try:
        with scratch_directory(above) as scratch:
            staged = os.path.join(scratch, "site")
            os.mkdir(staged, places.PRIVATE)
            found = unpack(path, staged)
            settle(staged, root, found, path)
            give_back(staged, found.header)
            load_database(staged)
            if os.path.isdir(root):
                os.rmdir(root)
            os.rename(staged, root)
    except OSError as error:
        place = error.filename or root
        raise issues.FAILED(
            action=f"restore to {root}", reason=f"{error.strerror}: {place}"
        ) from None
    return read_site(root)


def load_database(staged: str) -> None:
    """Replace the database of a site by the one in its backup, unless that is a file of the site. Raise PuppetError, OSError.

    This is the last step that can fail.
    """
    dump = os.path.join(staged, DUMP)
    if os.path.exists(dump):
        postgresql.load(staged, dump)
        os.unlink(dump)


def settle(staged: str, root: str, found: Unpacked, archive: str) -> None:
    """Make links, and write the new place of the site where the old one is written. Raise OSError."""
    old = old_root(found.header, archive)
    for name, target in found.links.items():
        os.symlink(moved(target, old, root), os.path.join(staged, name))
    edits = {}
    for file in files_with_paths(staged):
        with open(file, encoding="utf-8", errors="surrogateescape") as content:
            text = content.read()
        changed = moved(text, old, root)
        if file.startswith(os.path.join(staged, RECORDS, "")):
            changed = with_inode(changed, file, staged, found.header)
        if changed != text:
            edits[file] = changed.encode("utf-8", "surrogateescape")
    edit_whole(edits)


def give_back(staged: str, header: Mapping[str, Any]) -> None:
    """Give all files to the user who had them, where root restores and the user exists. Raise OSError."""
    with suppress(KeyError):
        user = pwd.getpwnam(str(header.get("user")))
        if os.geteuid() == 0:
            give(staged, user.pw_uid, user.pw_gid)


def old_root(header: Mapping[str, Any], archive: str) -> str:
    """Return the directory that the site was in; PuppetError for a header without it."""
    site = header.get("site")
    if not isinstance(site, dict) or not isinstance(site.get("root"), str):
        raise issues.FOREIGN_BACKUP(path=archive, reason="it does not say where the site was")
    return str(site["root"])


def moved(text: str, old: str, new: str) -> str:
    """Return a text with another directory of the site.

    >>> moved("dir = /srv/puppet/etc, /srv/puppet-backups", "/srv/puppet", "/new")
    'dir = /new/etc, /srv/puppet-backups'
    """
    return re.sub(rf"{re.escape(old)}(?![\w.+-])", lambda _match: new, text)


def files_with_paths(staged: str) -> Iterator[str]:
    """Yield the regular files in which the path of the site may be."""
    for name in WITH_PATHS:
        top = os.path.join(staged, name)
        if os.path.isfile(top):
            yield top
        for directory, folders, files in os.walk(top):
            kept = [one for one in folders if not is_secret(staged, os.path.join(directory, one))]
            folders[:] = kept
            paths = (os.path.join(directory, file) for file in files)
            yield from (path for path in paths if not os.path.islink(path))


def is_secret(staged: str, path: str) -> bool:
    """Return whether a directory has certificates and keys."""
    return os.path.relpath(path, staged) in SECRET


def with_inode(text: str, file: str, staged: str, header: Mapping[str, Any]) -> str:
    """Return the record of a deployment with the inode of its directory, if it is the live one.

    A deployment finds its own record by the inode, which a restored directory has not got from the old one.
    """
    environment, number = os.path.basename(os.path.dirname(file)), os.path.basename(file)
    if str(header.get("live", {}).get(environment)) != number:
        return text
    data = json.loads(text)
    place = os.path.join(staged, places.ENVIRONMENTS, environment, data["anchor"])
    return json.dumps({**data, "inode": os.lstat(place).st_ino})
