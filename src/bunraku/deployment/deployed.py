"""What was deployed to a directory, and the switch from its old tree to a new one.

Records are kept beside the directory with the environments, ``.NAME.bunraku`` for ``NAME``, or in it
where the directory above cannot be written to. A record names the inode of the directory that was
switched in. So the record of the live tree is known after every interruption: it is the newest one whose
inode is there.
"""

from __future__ import annotations

import fcntl
import json
import os
import stat
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from bunraku.base.records import record, replace
from bunraku.deployment import issues
from bunraku.deployment.layers import Layer, parents
from bunraku.deployment.store import Store, is_unchanged
from bunraku.deployment.update import Update
from bunraku.world import linked_files
from bunraku.world.whole_files import make_folders

SCHEMA = 1
PRIVATE = 0o600
KEPT = 10
"""How many deployments of an environment are remembered for a rollback."""


@record(frozen=True)
class Deployed:
    """A deployment: its number, its time in seconds since the epoch, its layers, its signature.

    ``anchor`` is the directory that was switched, relative to the environment, ``inode`` its inode.
    ``name`` is the name of the environment in its source, ``source`` that source.
    """

    number: int
    time: float
    name: str
    signature: str
    layers: tuple[Layer, ...]
    source: str = ""
    anchor: str = ""
    inode: int = 0


class DeploymentState:
    """Records and staging directories for the environments in a directory."""

    def __init__(self, basedir: str, store: Store) -> None:
        self.basedir = os.path.abspath(basedir)
        self.store = store
        self.root = state_directory(self.basedir)

    @contextmanager
    def held(self, waiting: Callable[[], None] = lambda: None) -> Iterator[None]:
        """Hold the environments against other deployments; ``waiting`` is called if one runs.

        What an interrupted deployment left is removed. Raise DEPLOYMENT_FAILED.
        """
        with reported(self.basedir):
            os.makedirs(self.basedir, exist_ok=True)
            make_folders(self.root, 0o700)
            flags = os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC
            handle = os.open(f"{self.root}/lock", flags, PRIVATE)
        try:
            with reported(self.basedir):
                try:
                    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    waiting()
                    fcntl.flock(handle, fcntl.LOCK_EX)
                linked_files.remove_tree(f"{self.root}/staging")
            yield
        finally:
            os.close(handle)

    # -- records -----------------------------------------------------------------------------------

    def records_directory(self, environment: str) -> str:
        """Return the directory with the records of an environment."""
        return f"{self.root}/records/{environment}"

    def records(self, environment: str) -> list[Deployed]:
        """Return the deployments of an environment that can be read and that the store has, oldest first."""
        directory = self.records_directory(environment)
        try:
            names = os.listdir(directory)
        except FileNotFoundError:
            return []
        numbers = sorted(int(name) for name in names if name.isdecimal())
        found = (self.read(f"{directory}/{number}") for number in numbers)
        return [one for one in found if one is not None]

    def live(self, environment: str) -> Deployed | None:
        """Return the deployment that is in place; None if bunraku has not made it."""
        directory = self.records_directory(environment)
        try:
            names = os.listdir(directory)
        except FileNotFoundError:
            return None
        for number in sorted((int(name) for name in names if name.isdecimal()), reverse=True):
            one = self.read(f"{directory}/{number}")
            if one is not None:
                path = f"{self.basedir}/{environment}/{one.anchor}".rstrip("/")
                with suppress(OSError):
                    if os.lstat(path).st_ino == one.inode:
                        return one
        return None

    def read(self, path: str) -> Deployed | None:
        """Return a record; None if it is damaged, or if the store does not know one of its trees."""
        try:
            with open(path, encoding="utf-8", errors="surrogateescape") as file:
                data = json.load(file)
        except (OSError, ValueError):
            return None
        if not isinstance(data, dict) or data.pop("schema", None) != SCHEMA:
            return None
        layers = []
        for one in data.pop("layers"):
            tree = self.store.listing(one.pop("tree"))
            if tree is None:
                return None
            layers.append(Layer(tree=tree, **one))
        return Deployed(layers=tuple(layers), **data)

    def write(self, environment: str, deployed: Deployed) -> None:
        """Write a record, before the switch. Raise OSError."""
        directory = self.records_directory(environment)
        make_folders(directory, 0o700)
        content = json.dumps(record_data(deployed), indent=1, sort_keys=True).encode(
            "utf-8", "surrogateescape"
        )
        linked_files.replace_file(f"{directory}/{deployed.number}", content, PRIVATE)
        numbers = sorted(int(name) for name in os.listdir(directory) if name.isdecimal())
        for number in numbers[:-KEPT]:
            os.unlink(f"{directory}/{number}")

    def next_number(self, environment: str) -> int:
        """Return the number of the next deployment of an environment."""
        try:
            names = os.listdir(self.records_directory(environment))
        except FileNotFoundError:
            return 1
        return 1 + max((int(name) for name in names if name.isdecimal()), default=0)

    # -- the switch --------------------------------------------------------------------------------

    def switch(
        self,
        environment: str,
        update: Update,
        deployed: Deployed,
        extra: Mapping[str, bytes],
        directories: Sequence[str],
    ) -> Deployed:
        """Build the new tree beside the live one, verify it, and put it in place in one step.

        ``extra`` are files that no layer has, such as the one with the time of the deployment.
        Where all changes are in one of ``directories``, that one is switched. Raise OSError, and NOT_VERIFIED.
        """
        anchor = update.smallest(directories)
        live = f"{update.root}/{anchor}".rstrip("/")
        staging = f"{self.root}/staging/{environment}-{os.urandom(6).hex()}"
        make_folders(os.path.dirname(staging), 0o700)
        try:
            self.build(update, anchor, staging)
            if not anchor:
                for name, content in extra.items():
                    linked_files.replace_file(f"{staging}/{name}", content, 0o644)
            self.verify(update, anchor, staging)
            made = replace(
                deployed,
                number=self.next_number(environment),
                anchor=anchor,
                inode=os.lstat(staging).st_ino,
            )
            self.write(environment, made)
            if os.path.lexists(live):
                linked_files.exchange(staging, live)
            else:
                os.rename(staging, live)
        finally:
            linked_files.remove_tree(staging)
        if anchor:
            write_extra(update.root, extra)
        return made

    def build(self, update: Update, anchor: str, staging: str) -> None:
        """Make the new tree: links into the store, and what stays of the live tree."""
        prefix = f"{anchor}/" if anchor else ""
        start = len(prefix)
        files = {p[start:]: e for p, e in update.files.items() if p.startswith(prefix)}
        carried = [p[start:] for p in update.carried if p.startswith(prefix)]
        live = f"{update.root}/{anchor}".rstrip("/")
        os.mkdir(staging)
        with suppress(FileNotFoundError):
            copy_rights(live, staging)
        made = parents(files) | parents(carried) | {p for p in carried if p.endswith("/")}
        for directory in sorted(made):
            os.mkdir(f"{staging}/{directory}")
            if directory in carried:
                with suppress(FileNotFoundError):
                    copy_rights(f"{live}/{directory}", f"{staging}/{directory}")
        place = self.store.place
        for path, entry in files.items():
            place(entry, f"{staging}/{path}")
        for path in carried:
            if not path.endswith("/"):
                carry(f"{live}/{path}", f"{staging}/{path}")

    def verify(self, update: Update, anchor: str, staging: str) -> None:
        """Raise NOT_VERIFIED unless the new tree has all files as the store should have them."""
        prefix = f"{anchor}/" if anchor else ""
        for path, entry in update.files.items():
            if path.startswith(prefix):
                status = os.lstat(f"{staging}/{path[len(prefix) :]}")
                if not is_unchanged(status, entry):
                    self.store.discard([entry])
                    raise issues.NOT_VERIFIED(path=update.root, file=path)

    def remove(self, environment: str) -> None:
        """Remove an environment in one step, and its records. Raise OSError."""
        staging = f"{self.root}/staging/{environment}-{os.urandom(6).hex()}"
        make_folders(os.path.dirname(staging), 0o700)
        os.rename(f"{self.basedir}/{environment}", staging)
        linked_files.remove_tree(staging)
        linked_files.remove_tree(self.records_directory(environment))


def record_data(deployed: Deployed) -> dict[str, Any]:
    """Return a record as it is written."""
    names = ("number", "time", "name", "signature", "source", "anchor", "inode")
    layers = []
    for layer in deployed.layers:
        one = {name: getattr(layer, name) for name in LAYER_NAMES}
        layers.append({**one, "tree": layer.tree.digest})
    data = {name: getattr(deployed, name) for name in names}
    return {"schema": SCHEMA, **data, "layers": layers}


LAYER_NAMES = ("directory", "kind", "name", "version", "revision", "remote", "exclude_spec")


def state_directory(basedir: str) -> str:
    """Return where the records are: beside a directory, or in it if only that can be written to.

    Both must be on one file system: a rename cannot leave it.
    """
    inside = f"{basedir}/.bunraku"
    if os.path.isdir(inside):
        return inside
    above, name = os.path.split(basedir)
    first = above
    while not os.path.isdir(first):
        first = os.path.dirname(first)
    beside = f"{above}/.{name}.bunraku"
    if os.path.isdir(beside):
        return beside
    if not os.access(first, os.W_OK) or os.path.ismount(basedir) or os.path.islink(basedir):
        return inside
    return beside


@contextmanager
def reported(path: str) -> Iterator[None]:
    """Raise DEPLOYMENT_FAILED for an error of the operating system."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        where = f" ({error.filename})" if isinstance(error.filename, str) else ""
        raise issues.DEPLOYMENT_FAILED(path=path, reason=f"{reason}{where}") from None


def write_extra(root: str, extra: Mapping[str, bytes]) -> None:
    """Write files that no layer has into a live directory. Raise OSError."""
    for name, content in extra.items():
        linked_files.replace_file(f"{root}/{name}", content, 0o644)


def is_same_info(path: str, info: Mapping[str, Any]) -> bool:
    """Return whether the information about a deployment is on the disk already, but for its times."""
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            old = json.load(file)
    except (OSError, ValueError):
        return False
    times = {"started_at": "", "finished_at": ""}
    return isinstance(old, dict) and {**old, **times} == {**info, **times}


def copy_rights(old: str, new: str) -> None:
    """Give a new directory the mode and, if allowed, the owner of another one. Raise OSError."""
    status = os.stat(old)
    with suppress(PermissionError):
        os.chown(new, status.st_uid, status.st_gid)
    os.chmod(new, stat.S_IMODE(status.st_mode))


def carry(old: str, new: str) -> None:
    """Take an unmanaged file into a new tree: it stays the same file. Raise OSError."""
    status = os.lstat(old)
    if stat.S_ISLNK(status.st_mode):
        os.symlink(os.readlink(old), new)
        return
    try:
        os.link(old, new)
    except OSError as error:
        if error.errno not in linked_files.NO_LINK or not stat.S_ISREG(status.st_mode):
            raise
        mode = stat.S_IMODE(status.st_mode)
        linked_files.copy_file(old, new, mode, int(status.st_mtime))
