"""Modules in the directories where people work: each is switched in alone, and edits stay.

The records of what was installed are private files of the project. They name the inode of each module's
directory, so a directory that something else has put there is known as such.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from functools import partial

from bunraku.base.errors import PuppetError
from bunraku.base.paths import inner_path
from bunraku.base.records import record
from bunraku.base.source import Place
from bunraku.deployment.contents import Content
from bunraku.deployment.deployed import Deployed, DeploymentState, reported, state_directory
from bunraku.deployment.layers import Layer, composed
from bunraku.deployment.lock_file import LockedModule
from bunraku.deployment.module_layers import KINDS, remote_of
from bunraku.deployment.site_contents import Log
from bunraku.deployment.store import Store, has_content
from bunraku.deployment.update import Update, update_of
from bunraku.project.declared_modules import DeclaredModule
from bunraku.project.fixtures import LinkedModule
from bunraku.project.puppetfile import place_of_module
from bunraku.world.whole_files import KEY_MODE, make_folders, write_whole

RECORDS = ".bunraku/modules"
"""The directory of the records in a project."""
IGNORED = b"# What bunraku keeps here is no part of the project.\n*\n"
"""The ``.gitignore`` of the directory of bunraku in a project."""
INSTALLED, UPDATED, UNCHANGED, KEPT, FAILED = (
    *("installed", "updated", "unchanged", "kept", "failed"),
)


@record()
class ModuleResult:
    """What became of a module.

    ``outcome`` is ``installed``, ``updated``, ``unchanged``, ``kept`` (a directory with edits, or one of
    something else, stays) or ``failed``. ``before`` is the layer that was there. ``reason`` says why a module was kept,
    ``edited`` are the paths of its edited files. ``is_behind`` is whether a kept module is not the
    declared one.
    """

    module: DeclaredModule
    outcome: str = FAILED
    layer: Layer | None = None
    before: Layer | None = None
    reason: str = ""
    edited: Sequence[str] = ()
    is_behind: bool = False
    error: PuppetError | None = None

    @property
    def is_done(self) -> bool:
        """Whether the module is the declared one."""
        return self.outcome != FAILED and not self.is_behind


@record()
class LinkResult:
    """What became of a link to a module: ``installed``, ``unchanged``, ``kept`` or ``failed``."""

    link: LinkedModule
    path: str
    outcome: str
    error: PuppetError | None = None


@record(frozen=True)
class InstallRules:
    """How modules are installed.

    ``force`` overwrites edits, links and directories that something else has made. ``overwrite_unknown``
    overwrites the latter two, as r10k does. ``exclude_spec`` leaves ``spec`` directories out.
    """

    force: bool = False
    exclude_spec: bool = True
    overwrite_unknown: bool = False

    @property
    def replaces_unknown(self) -> bool:
        """Whether a directory is replaced that bunraku has not installed."""
        return self.force or self.overwrite_unknown


class ModuleDirectories:
    """The directories of modules of a project, with the records of what was installed there."""

    def __init__(self, root: str, store: Store) -> None:
        self.root = root
        self.store = store
        self.states: dict[str, DeploymentState] = {}

    def state(self, directory: str) -> DeploymentState:
        """Return the records for a directory of modules."""
        found = self.states.get(directory)
        if found is None:
            found = DeploymentState(directory, self.store, self.records_root(directory))
            self.states[directory] = found
        return found

    def records_root(self, directory: str) -> str:
        """Return the directory of the records: in the project, if that is on the same file system."""
        relative = inner_path(directory, self.root)
        inside = not relative.startswith("..") and device(directory) == device(self.root)
        if not inside:
            return state_directory(directory)
        return f"{self.root}/{RECORDS}/{relative.replace('/', '+')}"

    def live(self, module_directory: str) -> Deployed | None:
        """Return the record of an installed module; None if bunraku has not installed it."""
        directory, name = os.path.split(module_directory)
        return self.state(directory).live(name)

    def hold(self, directories: Iterable[str], stack: ExitStack, log: Log) -> None:
        """Hold directories against other installations, until the stack is closed."""
        self.prepare()
        for directory in sorted(set(directories)):
            waiting = partial(log, "warn", f"Waiting for another installation in {directory}")
            stack.enter_context(self.state(directory).held(waiting))

    def prepare(self) -> None:
        """Make the directory of bunraku in the project, which git ignores. Raise DEPLOYMENT_FAILED."""
        folder = f"{self.root}/{RECORDS.partition('/')[0]}"
        if not os.path.exists(f"{folder}/.gitignore"):
            with reported(folder):
                make_folders(folder, 0o700)
                write_whole(f"{folder}/.gitignore", IGNORED, mode=KEY_MODE)


class Installer:
    """Puts the contents of modules into their directories.

    ``locked`` are modules by their directories; ``place_of`` returns where a module is declared.
    """

    def __init__(
        self,
        directories: ModuleDirectories,
        rules: InstallRules,
        contents: Callable[[DeclaredModule, Deployed | None], Content],
        locked: Mapping[str, LockedModule],
        place_of: Callable[[DeclaredModule], Place] = place_of_module,
    ) -> None:
        self.place_of = place_of
        self.directories = directories
        self.rules = rules
        self.contents = contents
        self.locked = locked

    def content(self, module: DeclaredModule) -> Content | PuppetError:
        """Return the content of a module, or why it cannot be had."""
        try:
            return self.contents(module, self.directories.live(module.directory))
        except PuppetError as error:
            return error.at(self.place_of(module))

    def install(self, module: DeclaredModule, content: Content | PuppetError) -> ModuleResult:
        """Put a content in place; the old directory stays if that fails."""
        result = ModuleResult(module)
        if isinstance(content, PuppetError):
            result.error = content
            return result
        result.layer = self.layer(module, content)
        try:
            with reported(module.directory):
                self.switch(module, result.layer, result)
        except PuppetError as error:
            result.outcome = FAILED
            result.error = error.at(self.place_of(module))
        return result

    def layer(self, module: DeclaredModule, content: Content) -> Layer:
        """Return the layer that a module is to consist of."""
        kind = KINDS[type(module.source)]
        exclude = self.rules.exclude_spec if module.exclude_spec is None else module.exclude_spec
        revision = content.revision
        remote = remote_of(module.source)
        return Layer(
            "", content.tree, kind, module.name, content.version, revision, remote, exclude
        )

    def switch(self, module: DeclaredModule, layer: Layer, result: ModuleResult) -> None:
        """Compare a directory with what it should be, and switch it if it may be replaced."""
        directory, name = os.path.split(module.directory)
        state = self.directories.state(directory)
        live = state.live(name)
        result.before = live.layers[0] if live is not None else None
        previous = live.layers if live is not None else ()
        known = live is not None
        is_there = is_occupied(module.directory)
        if is_there and not self.rules.replaces_unknown:
            reason = foreign_reason(module.directory)
            if reason:
                result.outcome, result.reason, result.is_behind = KEPT, reason, True
                return
        update = self.update(module.directory, layer, previous, known=known)
        if result.before == layer and update.is_empty:
            result.outcome = UNCHANGED
            return
        if is_there and not self.may_replace(update, known=known):
            self.keep(update, layer, result, known=known)
            return
        locked = self.locked.get(module.directory)
        signature = locked.digest if locked is not None else ""
        deployed = Deployed(0, time.time(), name, signature, (layer,))
        state.switch(name, update, deployed, {}, ())
        result.edited = update.edited
        result.outcome = UPDATED if is_there else INSTALLED

    def update(
        self, directory: str, layer: Layer, previous: Sequence[Layer], *, known: bool
    ) -> Update:
        """Return what changes in the directory of a module; only an installed one keeps foreign files."""
        if os.path.islink(directory) or not os.path.isdir(directory):
            files = composed([layer])
            return Update(directory, files, changed=list(files))
        return update_of(
            directory,
            [layer],
            previous,
            purge=lambda paths: set() if known else set(paths),
            adopted=lambda path, entry: not known and has_content(f"{directory}/{path}", entry),
        )

    def may_replace(self, update: Update, *, known: bool) -> bool:
        """Return whether a directory may be replaced: what was installed there has no edits."""
        if known:
            return self.rules.force or not update.edited
        return self.rules.replaces_unknown or update.is_empty

    def keep(self, update: Update, layer: Layer, result: ModuleResult, *, known: bool) -> None:
        """Note that a directory stays as it is."""
        result.outcome = KEPT
        result.edited = update.edited
        result.is_behind = not known or result.before != layer
        result.reason = "local modifications" if known else "bunraku has not installed it"


def make_link(directory: str, link: LinkedModule) -> LinkResult:
    """Make the link to a module in another directory; something else in its place stays."""
    path = f"{directory}/{link.name}"
    try:
        with reported(path):
            if os.path.islink(path):
                if os.path.realpath(path) == os.path.realpath(link.directory):
                    return LinkResult(link, path, UNCHANGED)
                os.unlink(path)
            elif os.path.lexists(path):
                return LinkResult(link, path, KEPT)
            os.makedirs(directory, exist_ok=True)
            os.symlink(os.path.relpath(link.directory, directory), path)
    except PuppetError as error:
        return LinkResult(link, path, FAILED, error)
    return LinkResult(link, path, INSTALLED)


def foreign_reason(directory: str) -> str:
    """Return the reason to keep a directory regardless of its files; empty without one."""
    if os.path.islink(directory):
        return "it is a link"
    if os.path.lexists(f"{directory}/.git"):
        return "it is a git repository"
    if not os.path.isdir(directory):
        return "it is not a directory"
    return ""


def is_occupied(directory: str) -> bool:
    """Return whether a path has something that a new directory would replace: an empty one has not."""
    if os.path.isdir(directory) and not os.path.islink(directory):
        return bool(os.listdir(directory))
    return os.path.lexists(directory)


def device(path: str) -> int:
    """Return the number of the file system of a path, or of the directory above that exists."""
    while not os.path.exists(path):
        path = os.path.dirname(path)
    return os.stat(path).st_dev
