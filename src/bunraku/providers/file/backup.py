"""Backups of files that are about to be replaced or removed."""

from __future__ import annotations

import posixpath

from bunraku.providers.checksums import BLOCK
from bunraku.providers.errors import ResourceFailure
from bunraku.providers.file.managed import ManagedFile
from bunraku.providers.file.walk import UNLIMITED, walk_directory
from bunraku.providers.filebucket.bucket import Bucket, ServerBucket
from bunraku.providers.filebucket.type import Filebucket
from bunraku.providers.issues import UNKNOWN_FILEBUCKET
from bunraku.providers.managed_resource import ManagedResource
from bunraku.world.host import FileStatus, Host

SUFFIX = ".puppet-bak"
"""The suffix of backups with ``backup => true``."""


def find_bucket(resource: ManagedResource) -> ManagedResource | None:
    """Return the filebucket for ``backup``, None for a suffix; PuppetError for an unknown name."""
    backup = resource["backup"]
    if not backup or backup.startswith("."):
        return None
    found = resource.run.find("filebucket", backup)
    if found is None:
        raise UNKNOWN_FILEBUCKET(name=resource.hidden(backup)).at(resource.place)
    return found


def bucket_of(resource: ManagedResource) -> Bucket | ServerBucket | None:
    """Return the filebucket for the contents of a file, None if it has none."""
    found = find_bucket(resource)
    if found is None:
        return None
    assert isinstance(found.type, Filebucket)
    found.resolve_deferred()
    return found.type.bucket(found)


def back_up(file: ManagedFile) -> None:
    """Back up a path; raise ResourceFailure or OSError on failure."""
    if file.host.status(file.path, follow=True) is None:
        return
    bucket = bucket_of(file.resource)
    if bucket is None:
        back_up_beside(file, str(file.resource["backup"]))
    elif file.status is not None:
        back_up_in(file, bucket)


def back_up_in(file: ManagedFile, bucket: Bucket | ServerBucket) -> None:
    """Back up a file, or all files of a directory, to a filebucket."""
    resource = file.resource
    status = file.host.status(file.path)
    kind = "" if status is None else status.kind
    if kind == "file":
        paths = [file.path]
    elif kind == "directory" and not recurses(resource):
        resource.log("info", "Recursively backing up to filebucket")
        found = walk_directory(file.host, file.path, max_files=UNLIMITED)
        paths = [one.path for one in found if file.host.is_file(one.path)]
    else:
        paths = []
    for path in paths:
        digest = bucket.backup(path)
        resource.log("info", f"Filebucketed {path} to {bucket.name} with sum {digest}")


def recurses(resource: ManagedResource) -> bool:
    """Return whether a resource manages the entries of its directory."""
    return resource["recurse"] in ("true", "remote")


def back_up_beside(file: ManagedFile, suffix: str) -> None:
    """Copy a file or directory to its name with a suffix."""
    target = file.path + suffix
    old = file.host.status(target, follow=file.follows)
    if old is not None and old.kind == "directory":
        raise ResourceFailure(f"Will not remove directory backup {target}; use a filebucket")
    if old is not None:
        file.resource.log("info", f"Removing old backup of type {old.kind}")
        file.host.remove_file(target)
    try:
        status = file.host.status(file.path, follow=True)
        assert status is not None
        copy(file.host, file.path, target, status)
    except OSError as error:
        raise ResourceFailure(f"Could not back {file.path} up: {error.strerror}") from None


def copy(host: Host, path: str, target: str, status: FileStatus) -> None:
    """Copy a file, link or directory with its owner and mode."""
    owner = (status.uid, status.gid)
    if status.kind == "directory":
        host.make_directory(target, status.mode)
        for name, entry in host.scan(path):
            copy(host, posixpath.join(path, name), posixpath.join(target, name), entry)
        host.set_owner(target, *owner)
        host.set_mode(target, status.mode)
    elif status.kind == "link":
        host.make_link(target, host.link_target(path))
        host.set_owner(target, *owner)
    elif status.kind == "file":
        with host.open(path) as file:
            pieces = iter(lambda: file.read(BLOCK), b"")
            host.replace_file(target, pieces, mode=status.mode, owner=owner)
