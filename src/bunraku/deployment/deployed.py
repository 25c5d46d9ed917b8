"""What was deployed to a directory, and the switch from its old tree to a new one.

Records are kept beside the directory with the environments, ``.NAME.bunraku`` for ``NAME``, or in it
where the directory above cannot be written to. They are complete without the store: the lists of
files are beside them, in ``trees``. A record names the inode of the directory that was
switched in. So the record of the live tree is known after every interruption: it is the newest one whose
inode is there.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from glob import escape, glob

from bunraku.base import system
from bunraku.base.file_reading import read_whole, text_on_disk
from bunraku.base.lazy_typing import Any
from bunraku.base.records import record, replace
from bunraku.deployment import issues
from bunraku.deployment.layers import Layer, parents
from bunraku.deployment.store import DIGEST, Store, is_in_place
from bunraku.deployment.update import Update
from bunraku.world import linked_files
from bunraku.world.file_locks import await_lock
from bunraku.world.whole_files import make_folders

SCHEMA = 1
PRIVATE = 0o600
DIRECTORY_MODE = 0o755
STATE_END = ".bunraku"
KEPT = 10
"""How many deployments of an environment are remembered for a rollback."""


@record(frozen=True)
class Deployed:
    """A deployment: its number, its time in seconds since the epoch, its layers, its signature.

    ``anchor`` is the directory that was switched, relative to the environment, ``inode`` its inode.
    ``name`` is the name of the environment in its source, ``source`` that source. ``store`` is the
    directory of the store that has the files. ``restored`` is the number of the deployment that a rollback
    has put in place again; 0 for another deployment.
    """

    number: int
    time: float
    name: str
    signature: str
    layers: tuple[Layer, ...]
    source: str = ""
    anchor: str = ""
    inode: int = 0
    store: str = ""
    restored: int = 0


class DeploymentState:
    """Records and staging directories for the environments, or the modules, in a directory.

    They are in ``root``, which must be on the file system of the directory.
    """

    def __init__(self, basedir: str, store: Store, root: str = "") -> None:
        self.basedir = os.path.realpath(basedir)
        self.store = store
        self.root = root or state_directory(self.basedir)

    @property
    def staging(self) -> str:
        """The directory in which new trees are built."""
        return f"{self.root}/staging"

    @property
    def trees(self) -> str:
        """The directory with the lists of files of the trees that records name."""
        return f"{self.root}/trees"

    @contextmanager
    def held(self, waiting: Callable[[], None] = lambda: None) -> Iterator[None]:
        """Hold the environments against other deployments; ``waiting`` is called if one runs.

        What an interrupted deployment left is removed. Raise DEPLOYMENT_FAILED.
        """
        with reported(self.basedir):
            os.makedirs(self.basedir, exist_ok=True)
            make_folders(self.root, 0o700)
            flags = os.O_WRONLY | os.O_CREAT | system.PLAIN
            handle = os.open(f"{self.root}/lock", flags, PRIVATE)
        try:
            with reported(self.basedir):
                await_lock(handle, waiting=waiting)
                self.put_back()
                linked_files.remove_tree(self.staging)
                self.store.register(self.root)
            yield
        finally:
            os.close(handle)

    def put_back(self) -> None:
        """Put back a tree that an interrupted switch of two steps has taken away. Raise OSError."""
        for old in glob(f"{escape(self.staging)}/*{linked_files.OLD}"):
            environment = os.path.basename(old).rpartition("-")[0]
            records = self.records(environment)
            place = f"{self.basedir}/{environment}/{records[-1].anchor if records else ''}"
            if not os.path.lexists(place.rstrip("/")):
                os.rename(old, place.rstrip("/"))

    # -- records -----------------------------------------------------------------------------------

    def records_directory(self, environment: str) -> str:
        """Return the directory with the records of an environment."""
        return f"{self.root}/records/{environment}"

    def numbers(self, environment: str) -> list[int]:
        """Return the numbers of the deployments of an environment, oldest first. Raise OSError."""
        try:
            names = os.listdir(self.records_directory(environment))
        except FileNotFoundError:
            return []
        return sorted(int(name) for name in names if name.isdecimal())

    def records(self, environment: str) -> list[Deployed]:
        """Return the deployments of an environment that can be read and that the store has, oldest first."""
        directory = self.records_directory(environment)
        found = (self.read(f"{directory}/{number}") for number in self.numbers(environment))
        return [one for one in found if one is not None]

    def live(self, environment: str) -> Deployed | None:
        """Return the deployment that is in place; None if bunraku has not made it."""
        directory = self.records_directory(environment)
        for number in reversed(self.numbers(environment)):
            one = self.read(f"{directory}/{number}")
            if one is not None and self.is_live(environment, one):
                return one
        return None

    def is_live(self, environment: str, deployed: Deployed) -> bool:
        """Return whether the directory that a deployment has switched in is there."""
        top = f"{self.basedir}/{environment}"
        with suppress(OSError):
            status = os.lstat(f"{top}/{deployed.anchor}".rstrip("/"))
            return status.st_ino == deployed.inode and not os.path.islink(top)
        return False

    def history(self, environment: str, live: Deployed | None) -> list[Deployed]:
        """Return the deployments up to the live one: an interrupted one may have left a record, too."""
        found = self.records(environment)
        return [one for one in found if live is None or one.number <= live.number]

    def read(self, path: str) -> Deployed | None:
        """Return a record; None if it or the list of files of one of its trees is damaged."""
        try:
            data = json.loads(text_on_disk(path))
        except (OSError, ValueError):
            return None
        if not isinstance(data, dict) or data.pop("schema", None) != SCHEMA:
            return None
        layers = []
        try:
            for one in data.pop("layers"):
                digest = one.pop("tree")
                tree = self.store.listing(digest, f"{self.trees}/{digest}")
                if tree is None:
                    return None
                layers.append(Layer(tree=tree, **one))
            return Deployed(layers=tuple(layers), **data)
        except (AttributeError, KeyError, TypeError):  # not what bunraku has written
            return None

    def write(self, environment: str, deployed: Deployed) -> None:
        """Write a record, before the switch. Raise OSError."""
        directory = self.records_directory(environment)
        for needed in (directory, self.trees, self.staging):
            make_folders(needed, 0o700)
        for layer in deployed.layers:
            self.keep_tree(layer.tree.digest)
        text = json.dumps(
            record_data(deployed)
        )  # with indentation, Python would write it without C
        content = text.encode("utf-8", "surrogateescape")
        path = f"{directory}/{deployed.number}"
        linked_files.replace_file(path, content, PRIVATE, self.staging)
        old = self.numbers(environment)[:-KEPT]
        if old:
            for number in old:
                os.unlink(f"{directory}/{number}")
            self.drop_trees()

    def keep_tree(self, digest: str) -> None:
        """Keep the list of the files of a tree. Raise OSError."""
        path = f"{self.trees}/{digest}"
        if not os.path.exists(path):
            temporary = self.new_path("tree")
            linked_files.place_file(self.store.path_of_tree(digest), temporary, PRIVATE, link=True)
            os.replace(temporary, path)

    def drop_trees(self) -> None:
        """Remove the lists of files that no record names. Raise OSError."""
        needed = {digest for text in self.texts() for digest in DIGEST.findall(text)}
        for digest in set(os.listdir(self.trees)) - needed:
            os.unlink(f"{self.trees}/{digest}")

    def texts(self) -> Iterator[str]:
        """Yield the texts of all records. Raise OSError."""
        for directory, _names, files in os.walk(f"{self.root}/records"):
            for name in files:
                yield read_whole(f"{directory}/{name}").decode("utf-8", "replace")

    def forget_interrupted(self, environment: str) -> None:
        """Remove the records of deployments that were never switched in. Raise OSError."""
        live = self.live(environment)
        for number in self.numbers(environment):
            if live is not None and number > live.number:
                os.unlink(f"{self.records_directory(environment)}/{number}")

    def next_number(self, environment: str) -> int:
        """Return the number of the next deployment of an environment."""
        return 1 + max(self.numbers(environment), default=0)

    # -- the switch --------------------------------------------------------------------------------

    def switch(
        self,
        environment: str,
        update: Update,
        deployed: Deployed,
        extra: Mapping[str, bytes],
        directories: Sequence[str],
        finish: Callable[[str], None] = lambda _tree: None,
    ) -> Deployed:
        """Build the new tree beside the live one, verify it, and put it in place in one step.

        ``extra`` are files that no layer has, such as the one with the time of the deployment.
        Where all changes are in one of ``directories``, that one is switched. ``finish`` adds to the new
        tree what is made of it. Raise OSError, NOT_VERIFIED, and what ``finish`` raises.
        """
        anchor = update.smallest(directories)
        live = f"{update.root}/{anchor}".rstrip("/")
        check_mounts(live)
        staging = self.new_path(environment)
        try:
            self.build(update, anchor, staging)
            if not anchor:
                for name, content in extra.items():
                    linked_files.replace_file(f"{staging}/{name}", content, 0o644)
            self.verify(update, anchor, staging)
            finish(staging)
            self.forget_interrupted(environment)
            made = replace(
                deployed,
                number=self.next_number(environment),
                anchor=anchor,
                inode=os.lstat(staging).st_ino,
                store=self.store.root,
            )
            self.put(environment, made, staging, live)
        finally:
            linked_files.remove_tree(staging)
        if anchor:
            self.write_extra(update.root, extra)
        return made

    def new_path(self, environment: str) -> str:
        """Return the path of a new directory that is built for an environment. Raise OSError."""
        make_folders(self.staging, 0o700)
        return f"{self.staging}/{environment}-{os.urandom(6).hex()}"

    def put(self, environment: str, deployed: Deployed, staging: str, live: str) -> None:
        """Write the record and put a tree in place of the live one. Raise OSError; then nothing changes."""
        self.write(environment, deployed)
        try:
            if os.path.lexists(live):
                linked_files.exchange(staging, live)
            else:
                os.rename(staging, live)
        except OSError:
            os.unlink(f"{self.records_directory(environment)}/{deployed.number}")
            raise

    def write_extra(self, root: str, extra: Mapping[str, bytes]) -> None:
        """Write files that no layer has into a live directory. Raise OSError."""
        make_folders(self.staging, 0o700)
        for name, content in extra.items():
            linked_files.replace_file(f"{root}/{name}", content, 0o644, self.staging)

    @contextmanager
    def preview(self, environment: str, update: Update) -> Iterator[str]:
        """Build and verify the new tree, yield its path, and remove it. Raise OSError, and NOT_VERIFIED.

        The path is the same each time, because code is cached by its path. The environments must be held.
        """
        staging = f"{self.staging}/preview/{environment}"
        make_folders(os.path.dirname(staging), 0o700)
        linked_files.remove_tree(staging)
        try:
            self.build(update, "", staging)
            self.verify(update, "", staging)
            yield staging
        finally:
            linked_files.remove_tree(staging)

    def build(self, update: Update, anchor: str, staging: str) -> None:
        """Make the new tree: links into the store, and what stays of the live tree."""
        prefix = f"{anchor}/" if anchor else ""
        start = len(prefix)
        files = {p[start:]: e for p, e in update.files.items() if p.startswith(prefix)}
        carried = [p[start:] for p in update.carried if p.startswith(prefix)]
        live = f"{update.root}/{anchor}".rstrip("/")
        make_directory(staging)
        with suppress(FileNotFoundError):
            copy_rights(live, staging)
        made = parents(files) | parents(carried) | {p for p in carried if p.endswith("/")}
        for directory in sorted(made):
            make_directory(f"{staging}/{directory}")
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
                place = f"{staging}/{path[len(prefix) :]}"
                if not is_in_place(place, os.lstat(place), entry):
                    self.store.discard([entry])
                    raise issues.NOT_VERIFIED(path=update.root, file=path)

    def remove(self, environment: str) -> None:
        """Remove an environment in one step, and its records. Raise OSError."""
        path = f"{self.basedir}/{environment}"
        check_mounts(path)
        staging = self.new_path("removed")
        os.rename(path, staging)
        linked_files.remove_tree(self.records_directory(environment))
        linked_files.remove_tree(staging)


def record_data(deployed: Deployed) -> dict[str, Any]:
    """Return a record as it is written."""
    names = (
        "number",
        "time",
        "name",
        "signature",
        "source",
        "anchor",
        "inode",
        "store",
        "restored",
    )
    layers = [layer_data(layer) for layer in deployed.layers]
    data = {name: getattr(deployed, name) for name in names}
    return {"schema": SCHEMA, **data, "layers": layers}


def layer_data(layer: Layer) -> dict[str, Any]:
    """Return a layer as it is written."""
    one = {name: getattr(layer, name) for name in LAYER_NAMES}
    return {**one, "tree": layer.tree.digest}


LAYER_NAMES = ("directory", "kind", "name", "version", "revision", "remote", "exclude_spec")


def state_directory(basedir: str) -> str:
    """Return where the records are: beside a directory, or in it if only that can be written to.

    Both must be on one mounted file system: a rename cannot leave it.
    """
    inside = f"{basedir}/.bunraku"
    if os.path.isdir(inside):
        return inside
    above, name = os.path.split(basedir)
    first = above
    while not os.path.isdir(first):
        first = os.path.dirname(first)
    beside = f"{above}/.{name}{STATE_END}"
    if basedir in linked_files.mounts_below(basedir) or os.path.ismount(basedir):
        return inside
    return beside if os.path.isdir(beside) or os.access(first, os.W_OK) else inside


def is_state(name: str) -> bool:
    """Return whether the name in a directory of environments is that of records of bunraku.

    >>> is_state(".bunraku"), is_state(".environments.bunraku"), is_state("bunraku")
    (True, True, False)
    """
    return name.startswith(".") and name.endswith(STATE_END)


def check_mounts(live: str) -> None:
    """Raise MOUNTED if a file system is mounted in what is to be replaced or removed."""
    mounts = [] if os.path.islink(live) else linked_files.mounts_below(live)
    if mounts:
        raise issues.MOUNTED(path=live, mount=mounts[0])


@contextmanager
def reported(path: str) -> Iterator[None]:
    """Raise DEPLOYMENT_FAILED for an error of the operating system."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        where = f" ({error.filename})" if isinstance(error.filename, str) else ""
        raise issues.DEPLOYMENT_FAILED(path=path, reason=f"{reason}{where}") from None


def is_same_info(path: str, info: Mapping[str, Any]) -> bool:
    """Return whether the information about a deployment is on the disk already, but for its times."""
    try:
        old = json.loads(text_on_disk(path))
    except (OSError, ValueError):
        return False
    times = {"started_at": "", "finished_at": ""}
    return isinstance(old, dict) and {**old, **times} == {**info, **times}


def make_directory(path: str) -> None:
    """Make a directory with the mode that archives and git's files have, whatever the mask is. Raise OSError.

    Agents copy modes: with that of the mask, they would change after a deployment by another service.
    """
    os.mkdir(path)
    os.chmod(path, DIRECTORY_MODE)


def copy_rights(old: str, new: str) -> None:
    """Give a new directory the mode and, if allowed, the owner of another one. Raise OSError."""
    status = os.stat(old)
    if system.HAS_OWNERS:
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
        linked_files.copy_file(old, new, stat.S_IMODE(status.st_mode))
