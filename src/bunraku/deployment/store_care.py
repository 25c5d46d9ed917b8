"""Care for a store: its size, the removal of what no deployment needs, and of what is damaged."""

from __future__ import annotations

import gc
import json
import os
import re
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from glob import escape, glob
from hashlib import sha256

from bunraku.base.file_reading import open_regular, text_on_disk
from bunraku.base.records import record
from bunraku.deployment.git_cache import cache_name, quiet_environment
from bunraku.deployment.store import MODES, Store, stored_content, usable
from bunraku.engine.git_program import OFF
from bunraku.world import linked_files, processes, scratch
from bunraku.world.file_locks import await_lock

Waiting = Callable[[], None]
"""Is called if a deployment uses the store."""
PREFIX = 2
"""Letters of a digest that are the name of its directory."""
TEMPORARY = r"(?:\.[0-9]+-[0-9a-f]{8}\.new)?"
FILE = re.compile(r"[0-9a-f]{2}/[0-9a-f]{62}(?:\.x)?")
NAME = re.compile(rf"[0-9a-f]{{64}}{TEMPORARY}")
COPY = re.compile(r".*-[0-9a-f]{8}")
"""Names in a store. Nothing else is removed: the directory may be another one than was meant."""


@record(frozen=True)
class StoreSize:
    """What a store has: ``files`` with ``bytes``, ``trees``, git ``remotes``, ``bases`` that use it.

    ``cache_bytes`` are those of git copies and of what was downloaded from a Forge.
    """

    files: int = 0
    bytes: int = 0
    trees: int = 0
    remotes: int = 0
    cache_bytes: int = 0
    bases: int = 0


@record(frozen=True)
class StoreCheck:
    """How many files, lists of files and git copies were read, and the damaged ones, which are removed."""

    checked: int
    damaged: tuple[str, ...]


def store_size(root: str) -> StoreSize | None:
    """Return the size of a store; None if there is none. Raise STORE_FAILED."""
    if not os.path.isdir(root):
        return None
    with usable(root):
        files = [status.st_size for _path, status in stored_files(root)]
        caches = [
            status.st_size
            for kind in ("git", "forge")
            for _path, status in files_with_status(f"{root}/{kind}")
        ]
        return StoreSize(
            len(files),
            sum(files),
            len(names_in(f"{root}/trees")),
            len(copies(root)),
            sum(caches),
            len(states(root)),
        )


def prune_store(root: str, waiting: Waiting = lambda: None) -> StoreSize:
    """Remove what no record of a deployment needs; return what was removed, and the bases that stay.

    It waits until no deployment uses the store. ``bytes`` are those that become free: files
    that an environment still has are not among them. Raise STORE_FAILED.
    """
    if not os.path.isdir(root):
        return StoreSize()
    with usable(root), alone(root, waiting):
        users = states(root)
        drop_users(root, users)
        trees = {name for state in users for name in names_in(f"{state}/trees")}
        needed = set(paths_of_trees(root, users, trees))
        files = size = 0
        for path, status in stored_files(root):
            if path not in needed:
                os.unlink(path)
                files += 1
                size += status.st_size if status.st_nlink == 1 else 0
        gone = [name for name in names_in(f"{root}/trees") if name not in trees]
        for name in gone:
            os.unlink(f"{root}/trees/{name}")
        for name in names_in(f"{root}/names"):
            path = f"{root}/names/{name}"
            if (stored_content(path) or b"").decode("ascii", "replace") not in trees:
                os.unlink(path)
        remotes, cached = prune_caches(root, users)
        return StoreSize(files, size, len(gone), remotes, cached, len(users))


def verify_store(root: str, waiting: Waiting = lambda: None) -> StoreCheck:
    """Read all of a store and remove what is not as its name says: it is fetched again when it is needed.

    A damaged file is also that of the environments that have a link to it. They show it as edited
    from now on, and the next deployment replaces it. Raise STORE_FAILED.
    """
    with usable(root):
        files = [path for path, _status in stored_files(root)]
        trees = [f"{root}/trees/{name}" for name in names_in(f"{root}/trees")]
        remotes = copies(root)
        bad = [path for path in (*files, *trees) if not is_sound(path)]
        broken = [path for path in remotes if not is_sound_copy(path)]
        if bad or broken:
            with alone(root, waiting):
                for path in bad:
                    if os.path.exists(path) and not is_sound(path):
                        os.utime(path, (0, 0))
                        os.unlink(path)
                for path in broken:
                    linked_files.remove_tree(path)
    return StoreCheck(len(files) + len(trees) + len(remotes), (*bad, *broken))


@contextmanager
def alone(root: str, waiting: Waiting) -> Iterator[None]:
    """Hold a store against all that use it. Raise OSError."""
    gc.collect()  # an object of this process that nothing refers to any more would hold it, too
    lock = Store(root).lock_file()
    try:
        await_lock(lock, waiting=waiting)
        yield
    finally:
        os.close(lock)


def files_with_status(directory: str) -> Iterator[tuple[str, os.stat_result]]:
    """Yield the files below a directory with their status. Raise OSError."""
    for above, _directories, names in os.walk(directory):
        for name in names:
            yield f"{above}/{name}", os.lstat(f"{above}/{name}")


def stored_files(root: str) -> Iterator[tuple[str, os.stat_result]]:
    """Yield the files of a store with their status. Raise OSError."""
    start = len(f"{root}/files/")
    for path, status in files_with_status(f"{root}/files"):
        if FILE.fullmatch(path[start:]):
            yield path, status


def names_in(directory: str, pattern: re.Pattern[str] = NAME) -> list[str]:
    """Return the names of a form in a directory; none if it is absent. Raise OSError."""
    try:
        return sorted(name for name in os.listdir(directory) if pattern.fullmatch(name))
    except FileNotFoundError:
        return []


def states(root: str) -> list[str]:
    """Return the directories with records of deployments that need the store. Raise OSError."""
    found = [stored_content(f"{root}/users/{name}") for name in names_in(f"{root}/users")]
    paths = [os.fsdecode(one) for one in found if one]
    return [path for path in paths if os.path.isdir(path)]


def drop_users(root: str, users: list[str]) -> None:
    """Forget the directories with records that are not there any more. Raise OSError."""
    present = {sha256(os.fsencode(path)).hexdigest() for path in users}
    for name in names_in(f"{root}/users"):
        if name not in present:
            os.unlink(f"{root}/users/{name}")


def paths_of_trees(root: str, users: list[str], trees: set[str]) -> Iterator[str]:
    """Yield the paths in the store of all files of trees. Raise OSError."""
    store = Store(root)
    for digest in trees:
        for state in users:
            tree = store.listing(digest, f"{state}/trees/{digest}")
            if tree is not None:
                yield from map(store.path_of, tree.entries.values())
                break


def prune_caches(root: str, users: list[str]) -> tuple[int, int]:
    """Remove git copies that no deployment comes from, and downloads; return their number and all bytes."""
    needed = {cache_name(remote) for state in users for remote in remotes_in(f"{state}/records")}
    gone = [path for path in copies(root) if os.path.basename(path) not in needed]
    archives = glob(f"{escape(root)}/forge/*/archives")
    size = 0
    for path in (*gone, *archives):
        size += sum(status.st_size for _path, status in files_with_status(path))
        linked_files.remove_tree(path)
    for path in gone:
        linked_files.remove_tree(f"{path}.lock")
    scratch.remove_abandoned(Store(root).directory("staging"))
    return len(gone), size


def copies(root: str) -> list[str]:
    """Return the git copies in a store. Raise OSError."""
    paths = [f"{root}/git/{name}" for name in names_in(f"{root}/git", COPY)]
    return [path for path in paths if os.path.isdir(path)]


def remotes_in(directory: str) -> Iterator[str]:
    """Yield the remotes in all records below a directory. Raise OSError."""
    for path, _status in files_with_status(directory):
        try:
            layers = json.loads(text_on_disk(path))["layers"]
            yield from (layer["remote"] for layer in layers)
        except (ValueError, KeyError, TypeError):  # a damaged record: its remotes are fetched again
            continue


def is_sound(path: str) -> bool:
    """Return whether a file of a store has the digest of its name, and the mode. Raise OSError."""
    directory, name = os.path.split(path)
    prefix = os.path.basename(directory)
    wanted = prefix + name if len(prefix) == PREFIX else name
    digest = sha256()
    with open_regular(path) as file:
        mode = stat.S_IMODE(os.fstat(file.fileno()).st_mode)
        while block := file.read(linked_files.BLOCK):
            digest.update(block)
    is_mode = len(prefix) != PREFIX or mode == MODES["x" if name.endswith(".x") else "f"]
    return is_mode and digest.hexdigest() == wanted.removesuffix(".x")


def is_sound_copy(path: str) -> bool:
    """Return whether git finds no damage in a copy of a remote. Raise OSError."""
    command = ["git", *OFF, "-C", path, "fsck", "--full", "--no-dangling", "--no-progress"]
    return processes.run(command, environment=quiet_environment()).returncode == 0
