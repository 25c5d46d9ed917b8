"""Both states of a repository, each with the modules of its own Puppetfile.

Modules that a Puppetfile declares are usually no part of the repository: git ignores them, or knows no file of
them. A state uses the installed ones where they are what its Puppetfile asks for. Others come from the store of deployments, and
take the place of the installed ones.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property

from bunraku.base.errors import PuppetError
from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.records import field, record, replace
from bunraku.engine.request import DISK
from bunraku.engine.revisions import Side, State, content_of, sides_of
from bunraku.project.declared_modules import DeclaredModule, ForgeModule, GitModule, LocalModule
from bunraku.project.missing import installed_version, shortened, version_asked_for
from bunraku.project.puppetfile import read_puppetfile
from bunraku.workbench.ci.change import Change
from bunraku.world.machine import Machine
from bunraku.world.mounts import MountedWorld
from bunraku.world.protocol import World
from bunraku.world.scratch import scratch_directory

Modules = Mapping[str, DeclaredModule]
"""Directory below that of the project → module."""
PUPPETFILE, LOCK = "Puppetfile", "Puppetfile.lock"
SPECS = "spec/"
COMMIT = lazy_pattern(r"[0-9a-f]{40}|[0-9a-f]{64}")
INSTALL = "run 'bunraku modules install'"


@record()
class ModuleNotes:
    """Which modules came from the store, and which cannot be had, in sentences."""

    used: list[str] = field(default_factory=list)
    lacking: list[str] = field(default_factory=list)


@contextmanager
def sides_with_modules(
    root: str,
    states: tuple[State, State],
    notes: ModuleNotes,
    *,
    offline: bool = False,
    installed_only: bool = False,
) -> Iterator[tuple[Side, Side]]:
    """Provide the files of two states, as :func:`sides_of` does, each with its own modules.

    ``offline`` asks no server. With ``installed_only``, both states have the installed modules.
    """
    with sides_of(root, states) as both:
        found = None if installed_only else modules_of_states(both)
        if found is None:
            yield both
            return
        with scratch_directory() as scratch:
            if any(one.wanted or one.hidden for one in found):
                place_modules(found, scratch, notes, offline=offline)
            old, new = (one.mounted() for one in found)
            yield old, new


@record(slots=False)
class StateModules:
    """The modules that a state declares, those of the other state, and those of the working tree.

    ``places`` are the directories with modules from the store, by directory in the project.
    """

    side: Side
    declared: Modules
    others: Modules
    here: Modules
    places: dict[str, str] = field(default_factory=dict)

    @property
    def root(self) -> str:
        """The directory of the project in the working tree."""
        return self.side.repository.shown

    @cached_property
    def wanted(self) -> list[str]:
        """The directories of the modules that the state needs from the store."""
        return [
            path
            for path, module in self.declared.items()
            if not self.is_own(path) and not self.is_installed(path, module)
        ]

    @cached_property
    def hidden(self) -> list[str]:
        """The directories of installed modules that only the other state or the working tree declares."""
        return [
            path
            for path in {**self.others, **self.here}
            if path not in self.declared
            and not self.is_own(path)
            and os.path.isdir(f"{self.root}/{path}")
        ]

    @cached_property
    def untracked(self) -> list[str]:
        """The directories of installed modules that git neither knows nor ignores: they belong to no revision."""
        tree = self.side.tree
        return [
            path
            for path, module in self.declared.items()
            if tree is not None
            and not self.is_own(path)
            and self.is_installed(path, module)
            and tree.outside(self.in_repository(path)) is None
        ]

    def is_own(self, path: str) -> bool:
        """Return whether a directory has files of the revision."""
        return self.side.tree is not None and self.side.tree.has(self.in_repository(path))

    def in_repository(self, path: str) -> str:
        """Return the path in the repository of a directory of the project."""
        part = self.side.repository.part
        return f"{part}/{path}" if part else path

    def is_installed(self, path: str, module: DeclaredModule) -> bool:
        """Return whether the installed module is what the state asks for.

        Where both states ask for the same, it is the one that was installed for the working tree. Otherwise
        the record of the installation decides, and the version in the metadata where bunraku has none.
        """
        directory = f"{self.root}/{path}"
        if not os.path.isdir(directory):
            return False
        if path in self.others and self.others[path].source == module.source:
            return path in self.here and self.here[path].source == module.source
        from bunraku.jobs.installed_modules import installed_layer, is_in_layer

        layer = installed_layer(self.root, directory)
        if layer is not None:
            return is_in_layer(module, layer)
        version = version_asked_for(module)
        installed = installed_version(replace(module, directory=directory), Machine())
        return bool(version) and version == installed

    def mounted(self) -> Side:
        """Return the state with its modules in place."""
        side = replace(self.side, has_modules=True)
        mounts: dict[str, str | None] = {
            **dict.fromkeys(self.hidden),
            **{path: f"{self.root}/{path}" for path in self.untracked},
            **self.places,
        }
        if not mounts:
            return side
        if side.tree is not None:
            inside = {self.in_repository(path): place for path, place in mounts.items()}
            return replace(side, tree=side.tree.mounted(inside))
        outside = {f"{side.directory}/{path}": place for path, place in mounts.items()}
        return replace(side, texts=MountedWorld(side.texts or DISK, outside))


def world_with_modules(side: Side) -> World:
    """Return the world of a working tree and the modules that are mounted there."""
    return side.world if side.has_mounts else Machine()


def modules_of_states(both: tuple[Side, Side]) -> list[StateModules] | None:
    """Return the modules of both states; None if one has a Puppetfile that cannot be read."""
    old, new = both
    root = old.repository.shown
    before = after = modules_of(old.directory, old.world)
    if any(content_of(old, name) != content_of(new, name) for name in (PUPPETFILE, LOCK)):
        after = modules_of(new.directory, new.world)
    here = after if new.tree is None else modules_of(root, Machine())
    if before is None or after is None or here is None:
        return None
    return [StateModules(old, before, after, here), StateModules(new, after, before, here)]


def change_from(root: str, commit: str) -> Change:
    """Return what differs between a commit and the working tree, without installed modules."""
    return Change(root, commit, modules_of(os.path.abspath(root), Machine()) or ())


def modules_of(directory: str, world: World) -> dict[str, DeclaredModule] | None:
    """Return the modules that a Puppetfile installs below its directory, by their places there.

    Return None if it has errors. A lock file decides their versions, and adds the modules that others need.
    """
    puppetfile = read_puppetfile(directory, world)
    if not puppetfile.is_readable:
        return None
    found = puppetfile.modules
    if world.is_file(f"{directory}/{LOCK}"):
        from bunraku.jobs.locked_modules import locked_modules

        found = locked_modules(found, directory, world)
    start = f"{directory}/"
    return {
        one.directory.removeprefix(start): one
        for one in found
        if one.directory.startswith(start) and not isinstance(one.source, LocalModule)
    }


def place_modules(
    states: Sequence[StateModules], scratch: str, notes: ModuleNotes, *, offline: bool
) -> None:
    """Write the modules that the states need to a directory; those that cannot be had go to the notes."""
    from bunraku.jobs.module_contents import contents_for, settings_of_base

    needed = [(state, path) for state in states for path in state.wanted]
    placed: dict[str, str] = {}
    errors: list[tuple[StateModules, DeclaredModule, PuppetError]] = []
    settings = settings_of_base(content_of(states[0].side, "r10k.yaml"))
    modules = [state.declared[path] for state, path in needed]
    contents, found = contents_for(modules, states[0].root, settings, offline=offline)
    for (state, path), content in zip(needed, found, strict=True):
        module = state.declared[path]
        if isinstance(content, PuppetError):
            errors.append((state, module, content))
            continue
        digest = content.tree.digest
        if digest not in placed:
            placed[digest] = f"{scratch}/{len(placed)}/{module.name}"
            contents.store.place_tree(content.tree, placed[digest], leaving=SPECS)
        state.places[path] = placed[digest]
    for state in states:
        if state.places:
            names = shortened([version_text(state.declared[path]) for path in state.places])
            notes.used.append(f"{state.side.state.title} has modules from the store: {names}")
    notes.lacking += lacking(errors)


def lacking(errors: Sequence[tuple[StateModules, DeclaredModule, PuppetError]]) -> Iterator[str]:
    """Yield a sentence for each state about the modules that cannot be had.

    Modules that are not installed at all are left out: those of the project's own list say so.
    """
    absent = {
        module.source
        for state, module, _error in errors
        if state.side.tree is None and not os.path.isdir(module.directory)
    }
    of_states: dict[str, list[tuple[StateModules, DeclaredModule, PuppetError]]] = {}
    for one in errors:
        if one[1].source not in absent:
            of_states.setdefault(one[0].side.name, []).append(one)
    for found in of_states.values():
        state, _module, error = found[0]
        names = shortened([module.name for _state, module, _error in found])
        todo = INSTALL if state.side.tree is None else error.diagnostic.hint
        count = "1 module" if len(found) == 1 else f"{len(found)} modules"
        title = state.side.state.title
        text = f"{count} of the Puppetfile in {title} cannot be had ({names}): {error.message}"
        yield f"{text}; {todo}" if todo else text


def version_text(module: DeclaredModule) -> str:
    """Return the name of a module with its version or ref."""
    source = module.source
    if isinstance(source, GitModule):
        return f"{module.name} {ref_text(source)}".rstrip()
    version = source.version if isinstance(source, ForgeModule) else ""
    return f"{module.name} {version}".rstrip()


def ref_text(source: GitModule) -> str:
    """Return the ref of a git module; a commit is shortened, and has the ref that it was locked for.

    >>> commit = "175c53f0" * 5
    >>> ref_text(GitModule("x", commit)), ref_text(GitModule("x", commit, declared_ref="v1"))
    ('175c53f', 'v1 (175c53f)')
    """
    short = source.ref[:7] if COMMIT.fullmatch(source.ref) else source.ref
    if source.declared_ref in {"", source.ref}:
        return short
    return f"{source.declared_ref} ({short})"
