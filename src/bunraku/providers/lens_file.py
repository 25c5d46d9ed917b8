"""Resources that are nodes of files which a lens of the library Augeas reads, as in the modules augeasproviders.

All files of a lens are in one tree, which is opened once per run. A file is read again after it was
written, and after something else changed it.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, ClassVar

from bunraku.providers.attributes import BinaryText
from bunraku.providers.errors import ResourceFailure
from bunraku.providers.lens_append import Entries, EntryTexts, appended, entries_at
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import Provider, State
from bunraku.providers.rewriting import rewrite
from bunraku.providers.ruby_classes import implicit_class, ruby_class
from bunraku.providers.run import Run
from bunraku.types.ruby_semantics.values import inspect, to_s
from bunraku.world.augeas import AugeasTree, library_text

Value = Any
Signature = tuple[float, int, int] | None
FIRST_THAT_KEEPS = (1, 13)
SAVE_FAILED = "Failed to save Augeas tree to file. See debug logs for details."
QUOTED = re.compile(r"^([\"'])(.*)\1$", re.MULTILINE)
NEEDS_QUOTES = re.compile(r"[|&;()<>\s]")


def module_lenses(run: Run) -> Iterator[str]:
    """Yield the directories of lenses that modules bring along."""
    libraries = [
        posixpath.join(directory, name, "lib")
        for directory in run.modules
        if run.host.is_directory(directory)
        for name in run.host.list_directory(directory)
    ]
    for library in (*libraries, *run.libraries):
        lenses = posixpath.join(library, "augeas", "lenses")
        if run.host.is_directory(lenses):
            yield lenses


class LensTree:
    """The files that a lens reads, as one tree."""

    def __init__(self, run: Run, lens: str, *, free_labels: bool = False) -> None:
        self.run = run
        self.host = run.host
        self.lens = lens
        self.load_path = ":".join(module_lenses(run))
        self.tree: AugeasTree = run.host.open_augeas(
            "", self.load_path, type_check=False, autoload=False
        )
        self.transform = f"/augeas/load/{lens.partition('.')[0]}"
        self.tree.set(f"{self.transform}/lens", lens)
        version = re.findall(r"\d+", self.tree.get("/augeas/version") or "")
        self.keeps_files = tuple(map(int, version)) >= FIRST_THAT_KEEPS
        """Whether the library reads only files again that others changed."""
        self.loaded: dict[str, Signature] = {}
        """File → what identifies the content that was read."""
        self.opened: set[str] = set()
        """The files that resources have used; others are only read."""
        self.has_saved = False
        """Whether the library has written files."""
        self.failed = False
        """Whether a save has failed."""
        self.changed: set[str] = set()
        """The files with changes that are not saved yet.

        As in the module, the next save writes them, also if it is that of another resource.
        """
        self.texts = EntryTexts(self.tree, lens, free_labels=free_labels)
        self.entries: dict[str, Entries | None] = {}
        """File → what it has without the changes; None for too many nodes."""

    def signature(self, file: str) -> Signature:
        """Return what identifies the content of a file; None if it is absent."""
        status = self.host.status(file, follow=True)
        return None if status is None else (status.modified, status.size, status.inode)

    def load(self, files: Iterable[str]) -> None:
        """Read files, also those that have been read before."""
        for file in files:
            if file not in self.loaded:
                self.tree.set(f"{self.transform}/incl[last()+1]", file)
            else:
                self.tree.remove(f"/files{file}")
                self.tree.remove(f"/augeas/files{file}")
            self.loaded[file] = self.signature(file)
            self.entries.pop(file, None)
        self.tree.load()

    def reload(self) -> None:
        """Let the library read what it takes as changed, as often as the module does.

        Since version 1.13, changes that could not be saved remain in the tree, so later saves fail, too.
        """
        self.tree.load()
        if self.keeps_files:
            self.tree.load()

    def open(self, file: str) -> AugeasTree:
        """Return the tree with a file as ``$target``."""
        if file not in self.loaded or (
            file not in self.changed and self.loaded[file] != self.signature(file)
        ):
            self.load([file])
        elif self.failed and file not in self.opened:
            self.tree.load()  # as the module, which reads each file when it is first used
        self.opened.add(file)
        path = f"/files{file}"
        if self.loaded[file] is not None and not self.tree.match(path):
            raise ResourceFailure(self.load_error(file))
        self.tree.set("/augeas/context", path)
        self.tree.define_node("target", path, None)
        return self.tree

    def load_error(self, file: str) -> str:
        """Return why a file could not be read."""
        error = f"/augeas/files{file}/error"
        message = self.tree.get(f"{error}/message") or ""
        if self.tree.match(f"{error}/pos"):
            line, char = self.tree.get(f"{error}/line"), self.tree.get(f"{error}/char")
            message += f" (line:{line}, character:{char})"
        origin = f" from {self.load_path}" if self.load_path else ""
        return f"Augeas didn't load {file} with {self.lens}{origin}: {message}"

    def begin_changes(self, file: str) -> None:
        """Note that a file is changed, and what it has before."""
        if file not in self.changed and file not in self.entries and self.has_saved:
            self.entries[file] = entries_at(self.tree, f"/files{file}")
        self.changed.add(file)

    def append(self) -> bool:
        """Write a new entry at the end of a file; return False if that is not the only change."""
        file = next(iter(self.changed), "")
        old = self.entries.get(file)
        if old is None or len(self.changed) != 1 or self.failed:
            return False
        new = entries_at(self.tree, f"/files{file}")
        entry = None if new is None else appended(old, new)
        added = None if entry is None else self.texts.text(entry)
        read = self.loaded[file]
        if new is None or added is None or read is None or read != self.signature(file):
            return False
        content = self.host.read(file) + library_text(added)
        text = content.decode("utf-8", "surrogateescape")
        if not text.removesuffix(added).endswith("\n") or not self.texts.reads_as(text, new):
            return False
        try:
            rewrite(self.host, file, content)
        except OSError:
            return False
        self.entries[file], self.loaded[file] = new, self.signature(file)
        self.changed.clear()
        return True

    def save(self) -> None:
        """Write the changed files; raise ResourceFailure if that fails."""
        if self.append():
            return
        self.has_saved = True
        for file in self.changed:
            self.entries.pop(file, None)
        saved = self.tree.save()
        if not saved:
            self.failed = True
            self.log_errors()
        self.reload()
        for file in self.changed:
            self.loaded[file] = self.signature(file)
        self.changed.clear()
        if not saved:
            raise ResourceFailure(SAVE_FAILED)

    def log_errors(self) -> None:
        """Log why files could not be written."""
        nodes = (node for error in self.tree.match("/augeas//error") for node in (f"{error}/*",))
        lines = [
            f"{path} = {self.tree.get(path)}" for node in nodes for path in self.tree.match(node)
        ]
        self.run.log("debug", "Save failure details:\n" + "\n".join(lines))


class LensProvider(Provider):
    """Manages nodes of files. A subclass says which lens, file and path belong to a resource."""

    name = "augeas"
    is_independent = True
    lens: ClassVar[str]
    default_target: ClassVar[str | None] = None
    free_labels: ClassVar[bool] = False
    """Whether the lens takes any name as the label of a setting, and writes all of them alike."""

    def suitable(self) -> bool:
        """Return whether the library is installed."""
        return self.host.has_augeas()

    # -- places ----------------------------------------------------------------------------------

    def target(self, resource: ManagedResource) -> str:
        """Return the file of a resource."""
        found = resource["target"] or self.default_target
        if found is None:
            raise ResourceFailure("No target file given")
        return to_s(found).removesuffix("/")

    def path(self, resource: ManagedResource) -> str:
        """Return the expression for the nodes of a resource, which become ``$resource``."""
        return f"$target/{resource.name}"

    # -- the tree --------------------------------------------------------------------------------

    def files(self, resource: ManagedResource) -> LensTree:
        """Return the tree with the file of a resource."""
        return self.tree(self.lens)

    def tree(self, lens: str) -> LensTree:
        """Return the tree of a lens, one for each run."""
        found = self.run.shared.get((LensTree, lens))
        if found is None:
            found = LensTree(self.run, lens, free_labels=self.free_labels)
            self.run.shared[LensTree, lens] = found
        assert isinstance(found, LensTree)
        return found

    def open(self, resource: ManagedResource) -> AugeasTree:
        """Return the tree, with ``$target`` and ``$resource``."""
        tree = self.files(resource).open(self.target(resource))
        tree.define_variable("resource", self.path(resource))
        return tree

    def change(self, resource: ManagedResource) -> AugeasTree:
        """Return the tree for changes, which :meth:`flush` writes."""
        tree = self.open(resource)
        self.files(resource).begin_changes(self.target(resource))
        return tree

    def prefetch(self, resources: Sequence[ManagedResource]) -> None:
        """Read the files of all resources at once."""
        targets: dict[LensTree, set[str]] = {}
        for one in resources:
            if one["target"] or self.default_target:
                targets.setdefault(self.files(one), set()).add(self.target(one))
        for files, wanted in targets.items():
            files.load(sorted(wanted - files.loaded.keys()))

    # -- state and changes -----------------------------------------------------------------------

    def exists(self, resource: ManagedResource) -> bool:
        """Return whether the file has nodes of the resource."""
        return bool(self.open(resource).match("$resource"))

    def destroy(self, resource: ManagedResource) -> None:
        """Remove the nodes."""
        self.change(resource).remove("$resource")

    def flush(self, resource: ManagedResource) -> None:
        """Write the changes."""
        self.files(resource).save()


def present(names: Iterable[str]) -> dict[str, State]:
    """Return the states of existing resources; as in Puppet, only their names are known."""
    return {name: {"ensure": "present"} for name in names}


# -- nodes -----------------------------------------------------------------------------------------


def set_all(tree: AugeasTree, path: str, value: Value) -> None:
    """Set a node to a value; of several values, the last one remains, as in Ruby's binding."""
    for one in value if isinstance(value, list) else [value]:
        if one is not None and not isinstance(one, str):
            raise ResourceFailure(f"no implicit conversion of {implicit_class(one)} into String")
        tree.set(path, one)


def values(tree: AugeasTree, paths: Iterable[str]) -> list[str | None]:
    """Return the values of nodes."""
    return [tree.get(path) for path in paths]


def binary(value: str | None) -> BinaryText | None:
    """Return a text of the library as a state."""
    return None if value is None else BinaryText(value)


def is_empty(comment: Value) -> bool:
    """Return whether a comment is empty; ResourceFailure for a value that has no length in Ruby."""
    if isinstance(comment, str | list | dict):
        return not comment
    shown, kind = inspect(comment), ruby_class(comment)
    raise ResourceFailure(f"undefined method `empty?' for {shown}:{kind}")


def label(path: str) -> str:
    """Return the label of a node.

    >>> label("/files/etc/ssh/sshd_config/Port[2]")
    'Port'
    """
    return path.rpartition("/")[2].partition("[")[0]


def without_name(comment: str | None, name: str, *, flags: re.RegexFlag = re.NOFLAG) -> str:
    """Return the text of a comment without the name of its setting before it.

    >>> without_name("Port: the usual one", "Port"), without_name(None, "Port")
    ('the usual one', '')
    """
    try:
        return re.sub(rf"^{name}:\s*", "", comment or "", count=1, flags=flags | re.MULTILINE)
    except re.error as error:
        raise ResourceFailure(f"{error}: /^{name}:\\s*/") from None


def next_number(tree: AugeasTree) -> str:
    """Return the label for a new node of a sequence."""
    labels = [label(path) for path in tree.match("$target/*")]
    return str(max((int(one) for one in labels if one.isdigit()), default=0) + 1)


def unquoted(value: str) -> str:
    """Return a value without the quotes around it."""
    match = QUOTED.search(value)
    return value if match is None else match[2]


def quote(value: str, kind: str, old: str | None) -> str:
    """Return the quote for a value; with ``auto``, the quote of the old value or one if it is needed."""
    if kind == "auto":
        match = QUOTED.search(old or "")
        if match is not None:
            return match[1]
        kind = "double" if NEEDS_QUOTES.search(value) else "none"
    return {"double": '"', "single": "'"}.get(kind, "")
