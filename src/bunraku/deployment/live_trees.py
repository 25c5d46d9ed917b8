"""Which tree the directory of an environment is now, for servers that read it while it may be switched.

:func:`tree_identity` is compared before and after something is read: it changes with each switch. A switch
exchanges the directory of the environment, or that of one module, after its record was written
(:mod:`bunraku.deployment.deployed`). So the directory itself, the newest record, and the directory that this
record names show each switch.

The version of the code (``code_id``) is the digest of the trees of a record. Their files are in the store.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any

from bunraku.base.bounded_cache import BoundedCache
from bunraku.base.file_reading import open_regular
from bunraku.base.records import record
from bunraku.deployment.deployed import SCHEMA, STATE_END
from bunraku.deployment.layers import path_is_below
from bunraku.deployment.store import LINK, Entry, Store, Tree, is_unchanged
from bunraku.world.file_signatures import Signature, signature_of
from bunraku.world.file_signatures import is_unchanged as is_unchanged_file

Identity = tuple[int, ...]


@record(frozen=True)
class DeployedCode:
    """A record of a deployment, as a server needs it; see :class:`~bunraku.deployment.deployed.Deployed`.

    ``layers`` are directory, digest of the tree and whether ``spec`` is left out. ``store`` is the
    directory of the store. ``written`` is when the record was written, in nanoseconds since the epoch.
    ``remotes`` are the modules with their remotes and versions; the control repository has no name.
    """

    number: int
    anchor: str
    inode: int
    layers: tuple[tuple[str, str, bool], ...]
    store: str
    written: int
    remotes: tuple[tuple[str, str, str], ...] = ()

    @property
    def code_id(self) -> str:
        """The version of the code: equal for the same files at the same paths."""
        return sha256(json.dumps(self.layers).encode("utf-8", "surrogateescape")).hexdigest()

    def entry(self, path: str) -> Entry | None:
        """Return the entry of a file by its path in the environment; None if no layer has it."""
        for directory, digest, without_spec in reversed(self.layers):
            if path_is_below(path, directory):
                below = path[len(directory) + 1 :] if directory else path
                if without_spec and below.startswith("spec/"):
                    return None
                tree = self.tree(digest)
                return None if tree is None else tree.entries.get(below)
        return None

    def tree(self, digest: str) -> Tree | None:
        """Return a tree of the store; None if it does not have it, or cannot be read."""
        key = (self.store, digest)
        found = TREES.get(key)
        if found is None:
            try:
                found = Store(self.store).listing(digest)
            except OSError:
                return None
            if found is not None:
                TREES.keep(key, found)
        return found

    def content(self, path: str) -> bytes | None:
        """Return the content of a file; None if no layer has it. Raise STORE_FAILED, STORE_DAMAGED."""
        entry = self.entry(path)
        if entry is None or entry[0] == LINK:
            return None
        return Store(self.store).read(entry)

    def has_same(self, directory: str, path: str) -> bool:
        """Return whether a file in the directory of the environment is as it was deployed."""
        entry = self.entry(path)
        if entry is None or entry[0] == LINK:
            return False
        try:
            return is_unchanged(os.lstat(f"{directory}/{path}"), entry)
        except OSError:
            return False


@record(frozen=True)
class Newest:
    """The newest record of an environment, and the signature of the directory that it was found in."""

    signature: Signature | None
    found: DeployedCode


RECORDS: BoundedCache[str, Newest] = BoundedCache("newest records of deployments", 1000)
PLACES: BoundedCache[tuple[str, Identity], tuple[str, ...]] = BoundedCache(
    "places of records", 1000
)
TREES: BoundedCache[tuple[str, str], Tree] = BoundedCache("trees of deployments", 500)


# -- identity --------------------------------------------------------------------------------------


def tree_identity(directory: str) -> Identity:
    """Return numbers that differ after each switch of an environment; none if it has no directory.

    For an environment that bunraku has not deployed, they show only that its directory was replaced.
    """
    try:
        status = os.stat(directory)
    except OSError:
        return ()
    found: Identity = (status.st_dev, status.st_ino)
    newest = newest_in(places_of(directory, found))
    if newest is None:
        return found
    found = (*found, newest.number, newest.written)
    return (*found, inode_of(directory, newest.anchor)) if newest.anchor else found


def inode_of(directory: str, anchor: str) -> int:
    """Return the inode of a directory in an environment; 0 if it is absent."""
    try:
        return os.stat(f"{directory}/{anchor}").st_ino
    except OSError:
        return 0


# -- records ---------------------------------------------------------------------------------------


def newest_code(directory: str) -> DeployedCode | None:
    """Return the newest record of an environment; None if bunraku has not deployed it.

    It is written before the switch, so it may be about a tree that is not in place yet.
    """
    return newest_in(places_of(directory))


def newest_in(places: Sequence[str]) -> DeployedCode | None:
    """Return the newest record in the first directory that has one."""
    for records in places:
        known = RECORDS.get(records)
        if known is not None and known.signature is not None:
            if is_unchanged_file(records, known.signature):
                return known.found
        if known is None and not os.path.isdir(records):
            continue
        signature = signature_of(records)
        found = next(codes_in(records), None)
        if found is not None:
            RECORDS.keep(records, Newest(signature, found))
            return found
    return None


def live_code(directory: str) -> DeployedCode | None:
    """Return the record of the tree that is in place; None if bunraku has not deployed it."""
    newest = newest_code(directory)
    if newest is None or is_live(directory, newest):
        return newest
    return next((one for one in deployed_codes(directory) if is_live(directory, one)), None)


def is_live(directory: str, code: DeployedCode) -> bool:
    """Return whether the tree of a record is in place."""
    return inode_of(directory, code.anchor) == code.inode


def deployed_codes(directory: str) -> Iterator[DeployedCode]:
    """Yield the records of an environment, the newest first."""
    for records in places_of(directory):
        yield from codes_in(records)


def places_of(directory: str, known_as: Identity | None = None) -> tuple[str, ...]:
    """Return the places where the records of an environment can be; none if it has no directory.

    They depend on its real path, see ``state_directory`` of :mod:`bunraku.deployment.deployed`. That stays
    the same for a directory with one device and inode, ``known_as``.
    """
    if known_as is None:
        try:
            status = os.stat(directory)
        except OSError:
            return ()
        known_as = (status.st_dev, status.st_ino)
    key = (directory, known_as)
    found = PLACES.get(key)
    if found is None:
        base, name = os.path.split(os.path.realpath(directory))
        above, folder = os.path.split(base)
        states = (f"{base}/.bunraku", f"{above}/.{folder}{STATE_END}")
        found = PLACES.keep(key, tuple(f"{state}/records/{name}" for state in states))
    return found


def codes_in(records: str) -> Iterator[DeployedCode]:
    """Yield the records in a directory that can be read, the newest first."""
    try:
        names = os.listdir(records)
    except OSError:
        return
    for number in sorted((int(name) for name in names if name.isdecimal()), reverse=True):
        found = read_code(f"{records}/{number}", number)
        if found is not None:
            yield found


def read_code(path: str, number: int) -> DeployedCode | None:
    """Return a record; None if it cannot be read or is of another version of bunraku."""
    try:
        with open_regular(path) as file:
            written = os.fstat(file.fileno()).st_mtime_ns
            data = json.load(file)
    except (OSError, ValueError):
        return None
    if not isinstance(data, Mapping) or data.get("schema") != SCHEMA:
        return None
    store = str(data.get("store") or "")
    layers = layers_of(data["layers"])
    remotes = tuple((one["name"], one["remote"], one["version"]) for one in data["layers"])
    return DeployedCode(number, data["anchor"], data["inode"], layers, store, written, remotes)


def layers_of(data: Sequence[Mapping[str, Any]]) -> tuple[tuple[str, str, bool], ...]:
    """Return what the layers of a record contain, in their order."""
    return tuple((one["directory"], one["tree"], bool(one["exclude_spec"])) for one in data)
