"""Catalogs of two states of a control repository: git revisions, or the working tree."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import MappingProxyType

from bunraku.base.errors import PuppetError
from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.moved_paths import with_paths
from bunraku.base.paths import inner_path, path_list
from bunraku.base.records import record, replace
from bunraku.base.suggestions import suggestion
from bunraku.engine.dependencies import Checker, unchanged
from bunraku.engine.git_program import git
from bunraku.engine.git_text import working_tree
from bunraku.engine.git_tree import GitTree, Objects
from bunraku.engine.issues import BAD_RANGE, GIT_FAILED, NO_COMMIT, UNKNOWN_REVISION
from bunraku.engine.kept_catalogs import Paths, open_store
from bunraku.engine.nodes import Outcome, StandIn, Task, compile_tasks, shared_group, with_kept
from bunraku.engine.request import DISK, MACHINE, Request, world_of
from bunraku.limits.limits import Limits
from bunraku.modules.node import agent_facts
from bunraku.modules.settings import ENVIRONMENT_PATHS
from bunraku.world.mounts import MountedWorld
from bunraku.world.protocol import World
from bunraku.world.scratch import scratch_directory

WORKING_TREE = "working tree"
PATHS = ("basemodulepath", "environmentpath")
"""Settings whose directories can be in the repository."""
ON_SERVER = lazy_pattern(rf"(?:{'|'.join(ENVIRONMENT_PATHS)})/[^/]+(/.*)?")
"""The directory of an environment on a server."""
LOOKUP_CODES = frozenset({"LOOKUP_NOT_FOUND"})
"""Codes of findings that a missing hiera.yaml can cause."""


@record(frozen=True)
class State:
    """A state of a repository: a revision as it was named with its commit, or the working tree."""

    name: str
    commit: str | None = None

    @property
    def title(self) -> str:
        """The name and the short commit, unless they are the same.

        >>> State("HEAD~1", "8f14e45fceea167a").title, State("working tree").title
        ('HEAD~1 (8f14e45)', 'working tree')
        """
        if self.commit is None or self.commit.startswith(self.name):
            return self.name
        return f"{self.name} ({self.commit[:7]})"


@record(frozen=True)
class Repository:
    """A directory in a repository: the repository's top, the part below it, and how users see both."""

    top: str
    part: str
    shown: str

    @property
    def shown_top(self) -> str:
        """The repository's top as users see it."""
        if self.part and self.shown.endswith(f"/{self.part}"):
            return self.shown[: -len(self.part) - 1]
        return self.top if self.part else self.shown


@record(frozen=True)
class Side:
    """Paths of the files of a state: the repository's top, and the directory that is compiled.

    ``name`` is ``old`` or ``new``. Without ``tree`` the files are those of the working tree; ``texts``
    is their world if that is not this machine: git converts some, or modules are mounted. ``has_modules`` is
    whether the modules are those of the state's own Puppetfile. ``is_deployed`` is whether the files are those
    of a deployed environment, or of one to deploy in its place; then ``repository`` is the live directory.
    """

    name: str
    state: State
    repository: Repository
    top: str
    directory: str
    tree: GitTree | None = None
    texts: World | None = None
    has_modules: bool = False
    is_deployed: bool = False

    @property
    def world(self) -> World:
        """The world that has the files."""
        return self.tree or self.texts or MACHINE

    @property
    def has_mounts(self) -> bool:
        """Whether modules are mounted in the working tree."""
        return isinstance(self.texts, MountedWorld)

    @property
    def moves(self) -> dict[str, str]:
        """The paths of the state, with the paths that users see instead."""
        return {self.directory: self.repository.shown, self.top: self.repository.shown_top}

    def place_of(self, path: str) -> str:
        """Return where the state has a file or directory that is named by its place in the repository or on a server.

        Others stay as they are.
        """
        on_server = ON_SERVER.fullmatch(path)
        if on_server is not None and not MACHINE.is_directory(path):
            return f"{self.directory}{on_server[1] or ''}"
        return moved_path(path, self.repository.top, self.top)

    def shown(self, text: str) -> str:
        """Return a text with the paths that users see."""
        for before, after in self.moves.items():
            text = text.replace(before, after)
        return text

    # -- paths in the store of catalogs ------------------------------------------------------------

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels of the entries for the state, and of others that may serve.

        What was recorded for a revision can serve for the working tree, but not the other way round:
        a path of the working tree does not show whether a revision has it in place.
        """
        where = f"{self.repository.shown}\0{self.repository.top}"
        own = self.name if self.has_own_paths else "working tree"
        other = "new" if own == "old" else "old"
        return f"{own} {where}", f"{other} {where}"

    @property
    def has_own_paths(self) -> bool:
        """Whether a path shows that its file belongs to the state, and not to the working tree."""
        return self.tree is not None or self.is_deployed

    @property
    def paths(self) -> Paths:
        """How paths of the state change in the store."""
        of_record = self.neutral if self.has_own_paths else unchanged
        return Paths(self.neutral_paths, of_record, self.shown)

    def neutral(self, path: str) -> str:
        """Return a path of the repository without the place where the state's files are."""
        return moved_path(path, self.top, NEUTRAL)

    def neutral_paths(self, text: str) -> str:
        """Return a path, or paths with colons between, as :meth:`neutral` does.

        A request of a deployed environment names the live directory, too.
        """
        paths = path_list(text)
        if self.is_deployed:
            paths = [moved_path(path, self.repository.top, self.top) for path in paths]
        return ":".join(map(self.neutral, paths))

    def concrete(self, path: str) -> str:
        """Return the path in this state of a path from :meth:`neutral`."""
        return moved_path(path, NEUTRAL, self.top)


NEUTRAL = "\0"
"""Stands for the repository's top in the store of catalogs; no path has it."""


def moved_path(path: str, old: str, new: str) -> str:
    """Return a path in another directory; a path that is not in the old one as it is.

    >>> moved_path("/a/b", "/a", "/x"), moved_path("/ab", "/a", "/x")
    ('/x/b', '/ab')
    """
    if path.startswith(old) and path[len(old) : len(old) + 1] in ("", "/"):
        return new + path[len(old) :]
    return path


def states_of(repository: str, revisions: Sequence[str]) -> tuple[State, State]:
    """Return the states that revisions name, as ``git diff`` reads them.

    No revision compares HEAD with the working tree, one compares it with the working tree; ``A..B``
    compares two, ``A...B`` the last common commit of both with B.
    """
    if len(revisions) == 2:
        old, new = (revision(repository, name) for name in revisions)
        return old, new
    name = revisions[0] if revisions else "HEAD"
    for separator in ("...", ".."):
        before, found, after = name.partition(separator)
        if found:
            old, new = revision(repository, before or "HEAD"), revision(repository, after or "HEAD")
            if separator == "...":
                base = git(repository, "merge-base", str(old.commit), str(new.commit))
                old = State(f"merge base of {old.name} and {new.name}", base)
            return old, new
    return revision(repository, name), State(WORKING_TREE)


def revision(repository: str, name: str) -> State:
    """Return the state that one revision names."""
    if ".." in name:
        raise BAD_RANGE(name=name)
    try:
        commit = git(repository, "rev-parse", "--verify", "--end-of-options", f"{name}^{{commit}}")
    except PuppetError as error:
        if error.is_a(GIT_FAILED) and "single revision" in str(error.arguments["reason"]):
            branches = git(repository, "for-each-ref", "--format=%(refname:short)").split("\n")
            if name == "HEAD":
                raise NO_COMMIT() from None
            near = suggestion(name, ["HEAD", *branches])
            raise UNKNOWN_REVISION(name=name, near=near) from None
        raise
    return State(name, commit)


def compile_sides(
    both: tuple[Side, Side],
    requests: Sequence[Request],
    files: Mapping[str, str | None],
    *,
    compile_all: Callable[[Sequence[Task]], list[Outcome]] = compile_tasks,
    note: Callable[[str], None] = lambda _: None,
    limits: Limits | None = None,
    stand_ins: Mapping[str, StandIn] | None = None,
) -> tuple[list[Outcome], list[Outcome]]:
    """Compile the nodes (facts files by name; None for facts that the request has) in both states of a directory in a repository.

    ``requests`` are those of the sides. Paths in the outcomes are those
    of the repository, so they are the same on both sides. ``note`` is called with hints about
    states that miss files. ``limits`` are those of each compile. ``compile_all`` compiles the tasks of
    a side; nodes that the change cannot reach are not compiled for the new one. A node that fails in the
    new state keeps the exported resources of the old one. ``stand_ins`` has what is known of nodes that no
    site has, by name.
    """
    found: list[list[Outcome]] = []
    for side, request in zip(both, requests, strict=True):
        tasks = node_tasks(request, files, limits, stand_ins or {})
        for before in found:
            tasks = [
                replace(task, exported_before=one.exported)
                for task, one in zip(tasks, before, strict=True)
            ]
        found.append(compile_all(tasks_with_kept(tasks, side, request)))
    old, new = found
    for text in notes_on(both, found, requests):
        note(text)
    seen: set[int] = set()
    for outcomes, side in zip(found, both, strict=True):
        for outcome in outcomes:
            relocate(outcome, side, seen)
    return old, new


def compile_side(
    side: Side,
    request: Request,
    files: Mapping[str, str | None],
    *,
    compile_all: Callable[[Sequence[Task]], list[Outcome]] = compile_tasks,
    limits: Limits | None = None,
    stand_ins: Mapping[str, StandIn] | None = None,
) -> list[Outcome]:
    """Compile nodes in one state; see :func:`compile_sides`."""
    tasks = node_tasks(request, files, limits, stand_ins or {})
    found = compile_all(tasks_with_kept(tasks, side, request))
    seen: set[int] = set()
    for outcome in found:
        relocate(outcome, side, seen)
    return found


def tasks_with_kept(tasks: Sequence[Task], side: Side, request: Request) -> Sequence[Task]:
    """Return the tasks of a state with the catalogs that are kept for it."""
    store = open_store(*side.labels, with_text=True, paths=side.paths)
    if store is None:
        return tasks
    checker = Checker(world_of(request), store.digests, side.concrete)
    return [with_kept(task, store, checker) for task in tasks]


def requests_of(
    both: Sequence[Side], request_for: Callable[[str, World], Request]
) -> list[Request]:
    """Return the requests for the sides."""
    return [mapped(request_for(side.directory, side.world), side, both) for side in both]


@contextmanager
def sides_of(repository: str, states: tuple[State, State]) -> Iterator[tuple[Side, Side]]:
    """Provide the files of two states; a private temporary directory for them is removed."""
    top = git(repository, "rev-parse", "--show-toplevel")
    part = git(repository, "rev-parse", "--show-prefix").rstrip("/")
    place = Repository(top, part, os.path.abspath(repository))
    objects = Objects(top)
    with scratch_directory() as scratch:
        try:
            old, new = (
                side_of(name, state, os.path.join(scratch, name), place, objects)
                for name, state in zip(("old", "new"), states, strict=True)
            )
            yield old, new
        finally:
            objects.close()


def side_of(name: str, state: State, scratch: str, place: Repository, objects: Objects) -> Side:
    """Return where the files of a state are."""
    root = place.top
    tree: GitTree | None = None
    texts: World | None = None
    if state.commit is not None:
        root = os.path.join(scratch, "tree")
        os.makedirs(root)
        tree = GitTree(objects, state.commit, root, DISK)
    else:
        texts = working_tree(place.top)
    directory = os.path.join(root, place.part) if place.part else root
    return Side(name, state, place, root, directory, tree, texts)


def mapped(request: Request, side: Side, both: Sequence[Side]) -> Request:
    """Return a request whose paths into the repository lead to the state's own files.

    Paths that neither revision has, such as modules that are not in git, stay as they are.
    """
    top = side.repository.top
    trees = [one.tree for one in both if one.tree is not None]

    def moved(path: str) -> str:
        if "\0" in path:
            return path  # no file has this name
        inner = inner_path(os.path.realpath(path), top)
        if side.tree is None or inner == ".." or inner.startswith("../"):
            return path
        inner = "" if inner == "." else inner
        if not any(tree.has(inner) or tree.has_mounts(inner) for tree in trees):
            return path
        return os.path.normpath(os.path.join(side.top, inner))

    settings = dict(request.settings)
    for name in PATHS:
        if name in settings:
            settings[name] = ":".join(map(moved, path_list(str(settings[name]))))
    return replace(
        request,
        settings=settings,
        modulepath=[moved(path) for path in request.modulepath],
        modules={name: moved(path) for name, path in request.modules.items()},
        hiera_config=request.hiera_config and moved(request.hiera_config),
        run_config_version=False,
        world=side.world,
    )


def node_tasks(
    request: Request,
    files: Mapping[str, str | None],
    limits: Limits | None,
    stand_ins: Mapping[str, StandIn] = MappingProxyType({}),
) -> list[Task]:
    """Return the tasks for one state."""
    share = shared_group(request)
    environment = request.settings.get("environment")
    tasks = []
    for node in sorted(files):
        facts = {**request.facts, **agent_facts(node, environment)}
        own = replace(request, node=node, facts=facts)
        if node in stand_ins:
            own = stand_ins[node].request(own)
        tasks.append(Task(own, files[node], share=share, limits=limits))
    return tasks


def notes_on(
    both: Sequence[Side], outcomes: Sequence[Sequence[Outcome]], requests: Sequence[Request]
) -> Iterator[str]:
    """Yield hints that explain differences: states without hiera.yaml, modules of one state only."""
    has = [
        request.hiera_config is not None
        or side.world.is_file(os.path.join(directory, "hiera.yaml"))
        for side, request in zip(both, requests, strict=True)
        for directory in [request.environment_directory or side.directory]
    ]
    for side, found, results in zip(both, has, outcomes, strict=True):
        failed = any(one.code in LOOKUP_CODES for result in results for one in result.findings)
        if not found and (any(has) or failed):
            yield f"{side.state.title} has no hiera.yaml"
    if all(side.has_modules for side in both):
        return
    lists = [content_of(side, "Puppetfile") for side in both]
    if lists[0] != lists[1] and any(side.tree is not None and side.tree.ignored for side in both):
        yield "the Puppetfile differs; modules that git ignores are those of the working tree on both sides"


def content_of(side: Side, name: str) -> bytes | None:
    """Return the content of a file of a state; None if it has none that can be read."""
    try:
        return side.world.read(os.path.join(side.directory, name))
    except OSError:
        return None


def relocate(outcome: Outcome, side: Side, seen: set[int]) -> None:
    """Replace the paths of a state by those of the repository, in the catalog and in findings.

    ``seen`` holds the sources that were renamed already.
    """
    moved = side.shown
    if outcome.text is not None:
        outcome.text = moved(outcome.text)

    outcome.findings = [with_paths(one, moved, seen) for one in outcome.findings]
