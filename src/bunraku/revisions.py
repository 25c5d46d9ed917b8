"""Catalogs of two states of a control repository: git revisions, or the working tree."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from bunraku.engine import DISK, Request
from bunraku.fleet import Outcome, Task, compile_tasks, shared_group
from bunraku.fleet_issues import BAD_RANGE
from bunraku.git_tree import GitTree, Objects, git
from bunraku.modules.node import agent_facts
from bunraku.records import record, replace

WORKING_TREE = "working tree"
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
class Place:
    """Where a state's environment is compiled: its world, its directory, and the repository's."""

    state: State
    environmentpath: str
    directory: str
    top: str
    tree: GitTree | None = None


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
    commit = git(repository, "rev-parse", "--verify", "--end-of-options", f"{name}^{{commit}}")
    return State(name, commit)


def compile_states(
    repository: str,
    states: tuple[State, State],
    environment: str,
    base: Request,
    files: Mapping[str, str],
    *,
    jobs: int | None = None,
    done: Callable[[Outcome], None] = lambda _: None,
    held: Callable[[Outcome], None] = lambda _: None,
    note: Callable[[str], None] = lambda _: None,
) -> tuple[list[Outcome], list[Outcome]]:
    """Compile the nodes (facts files by name) in both states of a repository.

    Paths in the outcomes are those of the repository, so that they are the same on both sides.
    ``note`` is called with hints about states that miss files.
    """
    top = git(repository, "rev-parse", "--show-toplevel")
    part = git(repository, "rev-parse", "--show-prefix").rstrip("/")
    with places_of(top, part, states, environment) as places:
        tasks: list[Task] = []
        for side, place in zip(("old", "new"), places, strict=True):
            group = None if shared_group(base) is None else side
            request = mapped(base, place, places, top)
            tasks += node_tasks(request, environment, files, place, group)
        outcomes = compile_tasks(tasks, jobs=jobs, done=done, held=held)
        sides = outcomes[: len(files)], outcomes[len(files) :]
        for text in notes_on(places, sides, base):
            note(text)
        shown = os.path.abspath(repository)
        whole = shown[: -len(part) - 1] if part and shown.endswith(f"/{part}") else top
        seen: set[int] = set()
        for side_outcomes, place in zip(sides, places, strict=True):
            moves = {place.directory: shown, place.top: whole if part else shown}
            for outcome in side_outcomes:
                relocate(outcome, moves, seen)
    return sides


@contextmanager
def places_of(
    top: str, part: str, states: tuple[State, State], environment: str
) -> Iterator[tuple[Place, Place]]:
    """Provide the places of two states, in a private temporary directory that is removed."""
    objects = Objects(top)
    with tempfile.TemporaryDirectory(prefix="bunraku-") as scratch:
        try:
            old, new = (
                place_of(state, os.path.join(scratch, side), top, part, environment, objects)
                for side, state in zip(("old", "new"), states, strict=True)
            )
            yield old, new
        finally:
            objects.close()


def place_of(
    state: State, scratch: str, top: str, part: str, environment: str, objects: Objects
) -> Place:
    """Return the place of a state: the environment is a symbolic link of its name."""
    environments = os.path.join(scratch, "environments")
    os.makedirs(environments)
    link = os.path.join(environments, environment)
    if state.commit is None:
        os.symlink(os.path.join(top, part) if part else top, link)
        return Place(state, environments, link, top)
    root = os.path.join(scratch, "tree")
    os.mkdir(root)
    os.symlink(os.path.join(root, part) if part else root, link)
    tree = GitTree(objects, state.commit, root, DISK, {link: part})
    return Place(state, environments, link, root, tree)


def mapped(base: Request, place: Place, places: Sequence[Place], top: str) -> Request:
    """Return a request whose paths into the repository lead to the state's own files.

    Paths that neither revision has, such as modules that are not in git, stay as they are.
    """
    trees = [one.tree for one in places if one.tree is not None]

    def moved(path: str) -> str:
        inner = os.path.relpath(os.path.realpath(path), top)
        if place.tree is None or inner == ".." or inner.startswith("../"):
            return path
        if not any(tree.has("" if inner == "." else inner) for tree in trees):
            return path
        return os.path.normpath(os.path.join(place.top, inner))

    settings = dict(base.settings)
    if "basemodulepath" in settings:
        directories = str(settings["basemodulepath"]).split(":")
        settings["basemodulepath"] = ":".join(map(moved, directories))
    return replace(
        base,
        settings=settings,
        modulepath=[moved(path) for path in base.modulepath],
        hiera_config=base.hiera_config and moved(base.hiera_config),
        run_config_version=False,
        world=place.tree or base.world,
    )


def node_tasks(
    base: Request, environment: str, files: Mapping[str, str], place: Place, group: str | None
) -> list[Task]:
    """Return the tasks for one state."""
    settings = {
        **base.settings,
        "environment": environment,
        "environmentpath": place.environmentpath,
    }
    return [
        Task(
            replace(
                base,
                code=None,
                path=None,
                node=node,
                facts={**base.facts, **agent_facts(node, environment)},
                settings=settings,
            ),
            files[node],
            share=group,
        )
        for node in sorted(files)
    ]


def notes_on(
    places: Sequence[Place], sides: Sequence[Sequence[Outcome]], base: Request
) -> Iterator[str]:
    """Yield a hint for each state without hiera.yaml, where that explains a difference."""
    if base.hiera_config is not None:
        return
    has = [
        (place.tree or base.world).is_file(os.path.join(place.directory, "hiera.yaml"))
        for place in places
    ]
    for place, found, outcomes in zip(places, has, sides, strict=True):
        failed = any(one.code in LOOKUP_CODES for outcome in outcomes for one in outcome.findings)
        if not found and (any(has) or failed):
            yield f"{place.state.title} has no hiera.yaml"


def relocate(outcome: Outcome, moves: Mapping[str, str], seen: set[int]) -> None:
    """Replace the paths of a state by those of the repository, in the catalog and in findings.

    ``seen`` holds the sources that were renamed already.
    """

    def moved(text: str) -> str:
        for before, after in moves.items():
            text = text.replace(before, after)
        return text

    if outcome.text is not None:
        outcome.text = moved(outcome.text)
    for finding in outcome.findings:
        finding.message = moved(finding.message)
        finding.hint = finding.hint and moved(finding.hint)
        if finding.span is None:
            finding.file = finding.file and moved(finding.file)
        finding.declarations = [
            replace(one, file=one.file and moved(one.file)) for one in finding.declarations
        ]
        if finding.reported is not None:
            file, *place = finding.reported
            finding.reported = (file and moved(file), place[0], place[1])
        for span in (finding.span, finding.shown, *(span for _, span in finding.stack)):
            if span is not None and id(span.source) not in seen:
                seen.add(id(span.source))
                span.source.path = moved(span.source.path)
