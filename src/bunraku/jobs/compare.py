"""Compare catalogs: of files, of directories, or of the states of a repository."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from bunraku.base.errors import Diagnostic, PuppetError
from bunraku.base.file_reading import LARGEST_CATALOG, read_whole
from bunraku.base.records import record
from bunraku.base.usage import InvalidInput, UsageError
from bunraku.catalog.compare import Change, Difference, compare
from bunraku.catalog.document import read_catalog
from bunraku.catalog.ignore import Ignore, parse_ignore, without_ignored
from bunraku.engine.nodes import Outcome, StandIn
from bunraku.engine.request import Request
from bunraku.engine.revisions import Side, State, compile_sides, requests_of, states_of
from bunraku.jobs.compare_sources import SCHEME, StateContents
from bunraku.jobs.comparison import Comparison, NodeComparison
from bunraku.jobs.context import Context
from bunraku.jobs.needed_nodes import needed_plan
from bunraku.jobs.nodes import NodeOptions, files_by_node, matches, node_compiler
from bunraku.jobs.portable import portable_nodes
from bunraku.jobs.revision_modules import ModuleNotes, sides_with_modules
from bunraku.limits.limits import Limited, Limits
from bunraku.world.protocol import World

CompareCatalogs = Callable[[Mapping[str, Any], Mapping[str, Any]], Difference]
Behind = Callable[[Mapping[str, Any], Mapping[str, Any]], Iterator[Change]]
"""Parameters of a file resource on both sides → the changes of the contents behind its source."""
Seen = Callable[[Mapping[str, Any] | None, Mapping[str, Any] | None], None]
"""Gets both catalogs of a node; None for one that did not compile."""


@record()
class CompareOptions:
    """What counts as a difference, and the nodes that are compared.

    ``ignore`` are patterns such as ``File[/etc/motd]::parameters::mode``, ``ignore_attr`` names of
    parameters of any resource. ``match`` are patterns of names of nodes. ``sources`` is whether the
    contents behind the sources of files are compared, where the files of both sides are known. ``causes`` is
    whether it is found what caused a difference of two states, which compiles some nodes again.
    """

    tags: bool = False
    edges: bool = True
    ignore: Sequence[str] = ()
    ignore_attr: Sequence[str] = ()
    match: Sequence[str] = ()
    sources: bool = True
    causes: bool = True

    def ignores(self) -> list[Ignore]:
        """Return the changes to leave out; UsageError for an invalid pattern."""
        attributes = [f"*[*]::parameters::{name}" for name in self.ignore_attr]
        try:
            return [parse_ignore(text) for text in (*self.ignore, *attributes)]
        except PuppetError as error:
            raise UsageError(f"{error}; {error.diagnostic.hint}") from error

    def comparer(self, limits: Limits, behind: Behind | None = None) -> CompareCatalogs:
        """Return the comparison of two catalogs; UsageError for an invalid pattern.

        ``behind`` returns the changes of the contents behind sources.
        """
        ignores = self.ignores()

        def compare_both(old: Mapping[str, Any], new: Mapping[str, Any]) -> Difference:
            with Limited(limits):
                found = compare(old, new, tags=self.tags, edges=self.edges, behind=behind)
                return without_ignored(found, ignores)

        return compare_both


def compare_files(
    old: str | bytes,
    new: str | bytes,
    names: tuple[str, str],
    context: Context,
    options: CompareOptions,
) -> Comparison:
    """Compare two catalogs in texts, which are read as the files ``names``; ``-`` is JSON."""
    compare_both = options.comparer(context.limits)
    before, after = (read_side(text, name) for text, name in zip((old, new), names, strict=True))
    node = str(after.get("name") or names[1])
    return Comparison(*names, [NodeComparison(node, compare_both(before, after))])


def compare_directories(
    old: str, new: str, context: Context, options: CompareOptions
) -> Comparison:
    """Compare two directories of catalogs, by the names of the files."""
    compare_both = options.comparer(context.limits)
    before, after = files_by_node(old), files_by_node(new)
    nodes = []
    for node in sorted({*before, *after}):
        if not matches(node, options.match):
            continue
        if node in before and node in after:
            sides = [read_side(content_of(one), one) for one in (before[node], after[node])]
            nodes.append(NodeComparison(node, compare_both(*sides)))
        else:
            nodes.append(NodeComparison(node, missing=old if node in before else new))
    if not nodes:
        raise UsageError(f"no catalogs to compare in {old} and {new}")
    return Comparison(old, new, nodes)


def compare_revisions(
    revisions: Sequence[str],
    context: Context,
    options: CompareOptions,
    nodes: NodeOptions | None = None,
) -> Comparison:
    """Compare two states of a repository, for nodes that have facts or stand for roles.

    ``revisions`` are those of ``git diff``; without any, HEAD is compared with the working tree.
    ``nodes`` says which nodes are compiled, by default those that match ``options``.
    """
    options.ignores()
    root = context.project.root
    states = known_states(root, revisions)
    plan = needed_plan(nodes or NodeOptions(options.match), context)
    try:
        with own_sides(context, root, states) as both:
            return compare_sides(context, both, options, plan.files, plan.stand_ins)
    except PuppetError as error:
        raise wrong_revision(error) from error


@contextmanager
def own_sides(
    context: Context, root: str, states: tuple[State, State]
) -> Iterator[tuple[Side, Side]]:
    """Provide the files of two states with their own modules; the observer gets what differs."""
    notes = ModuleNotes()
    options = context.options
    with sides_with_modules(
        root, states, notes, offline=options.offline, installed_only=options.installed_modules
    ) as both:
        for text in (*notes.used, *notes.lacking):
            context.observer.note(text)
        yield both


def content_of(path: str) -> bytes:
    """Return the content of a file; UsageError if it cannot be read."""
    try:
        return read_whole(path, LARGEST_CATALOG)
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror or error}") from error


def read_side(text: str | bytes, path: str) -> Mapping[str, Any]:
    """Return the catalog in a text, JSON or YAML; UsageError, with the place, for anything else."""
    try:
        return read_catalog(text, path, None if path != "-" else "JSON")
    except PuppetError as error:
        raise InvalidInput(error) from error


def known_states(repository: str, revisions: Sequence[str]) -> tuple[State, State]:
    """Return the states that revisions name; raise UsageError for an unknown one."""
    try:
        return states_of(repository, revisions)
    except PuppetError as error:
        raise wrong_revision(error) from error


def wrong_revision(error: PuppetError) -> UsageError:
    """Return the usage error for a revision or a repository that cannot be used."""
    hint = f"; {error.diagnostic.hint}" if error.diagnostic.hint else ""
    return UsageError(f"{error}{hint}")


def compare_sides(
    context: Context,
    both: tuple[Side, Side],
    options: CompareOptions,
    files: Mapping[str, str | None],
    stand_ins: Mapping[str, StandIn] | None = None,
    request_of: Callable[[str, World], Request] | None = None,
    *,
    lines: bool = True,
    judges: bool = False,
    seen: Seen | None = None,
) -> Comparison:
    """Compile nodes (facts files by name) in two states of a directory, and compare their catalogs.

    ``stand_ins`` has what is known of nodes that no site has. ``request_of`` returns the request for a
    directory that is not a control repository. ``lines`` is whether progress is reported without a
    terminal, too; ``judges`` is whether new catalogs are checked for faults. ``seen`` gets the catalogs of each node.
    Raises PuppetError for a state that cannot be compiled.
    """
    requests = requests_of(both, request_of or context.request_in)
    with node_compiler(context, 2 * len(files), lines=lines) as compile_all:
        sides = compile_sides(
            both,
            requests,
            files,
            compile_all=compile_all,
            note=context.observer.note,
            limits=context.limits,
            stand_ins=stand_ins,
        )
    contents = StateContents(context, both, requests) if options.sources else None
    behind = None if contents is None else contents.changes
    compare_both = options.comparer(context.limits, behind)
    old, new = (side.state for side in both)
    nodes = [
        compared(*pair, (old, new), compare_both, contents, judges=judges)
        for pair in zip(*sides, strict=True)
    ]
    if options.causes:
        from bunraku.jobs.change_causes import with_causes

        nodes = with_causes(context, both, requests, sides, nodes, files, stand_ins)
    if seen is not None:
        for pair in zip(*sides, strict=True):
            seen(*map(stored_catalog, pair))
    if contents is not None:
        for text in contents.notes():
            context.observer.note(text)
    return Comparison(old.title, new.title, portable_nodes(nodes))


def stored_catalog(outcome: Outcome) -> Mapping[str, Any] | None:
    """Return the catalog of a node as PuppetDB has it, with all that it exports; None without one."""
    if not outcome.ok:
        return None
    catalog: dict[str, Any] = json.loads(outcome.text or "")
    known = {(one["type"], one["title"]) for one in catalog["resources"]}
    exported = [
        {**one, "exported": True}
        for one in outcome.exported
        if (one["type"], one["title"]) not in known
    ]
    return {**catalog, "resources": [*catalog["resources"], *exported]}


def compared(
    old: Outcome,
    new: Outcome,
    states: tuple[State, State],
    compare_both: CompareCatalogs,
    contents: StateContents | None,
    *,
    judges: bool,
) -> NodeComparison:
    """Compare the outcomes of a node."""
    ruby = tuple(sorted({*old.ruby, *new.ruby}))
    findings = [
        (state.name, outcome.findings[0])
        for state, outcome in zip(states, (old, new), strict=True)
        if not outcome.ok
    ]
    if findings:
        return NodeComparison(old.node, findings=findings, ruby=ruby)
    is_same = old.text == new.text
    if is_same and (contents is None or SCHEME not in (new.text or "")):
        return NodeComparison(old.node, ruby=ruby)
    before = json.loads(old.text or "")
    after = before if is_same else json.loads(new.text or "")
    found = compare_both(before, after)
    problems: Sequence[Diagnostic] = ()
    if judges:
        from bunraku.jobs.catalog_problems import problems_of

        problems = problems_of(before, after, found, contents)
    return NodeComparison(old.node, found, ruby=ruby, problems=problems)
