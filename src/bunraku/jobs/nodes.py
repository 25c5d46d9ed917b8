"""Which nodes a job compiles, with which facts."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from fnmatch import fnmatchcase

from bunraku.base.errors import PuppetError
from bunraku.base.records import field, record
from bunraku.base.usage import InvalidInput, UsageError
from bunraku.engine.compile import cache_warning
from bunraku.engine.nodes import Outcome, StandIn, Task, compile_tasks
from bunraku.engine.request import Request, nodes_from, shown_source
from bunraku.facts.documents import FACTS_EXTENSIONS, facts_files
from bunraku.jobs.context import Context
from bunraku.jobs.executor import executor_of
from bunraku.world.protocol import World


@record()
class NodeOptions:
    """Which nodes are compiled: patterns of their names, or classes on operating systems."""

    match: Sequence[str] = ()
    os: Sequence[str] = ()
    classes: Sequence[str] = ()
    facterdb: str | None = None


@record()
class NodePlan:
    """The nodes to compile: facts files, or what is known of nodes that no site has, by name.

    A file is None for facts of ``--facts-from``, and for a node of ``stand_ins``. ``unknown`` says what is
    not compiled, and why; ``notes`` say what else matters. ``request_for`` returns the request of a
    directory, unless it is that of a control repository. ``only_here`` are nodes that Puppet cannot compile:
    those of classes, where there are node definitions and none is for them, and those with code of tests.
    ``later_manifests`` are names and texts of manifests with functions that the files may call.
    """

    files: Mapping[str, str | None] = field(default_factory=dict)
    stand_ins: Mapping[str, StandIn] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    request_for: Callable[[str, World], Request] | None = None
    only_here: Collection[str] = ()
    later_manifests: Sequence[tuple[str, str]] = ()


def matches(node: str, globs: Sequence[str]) -> bool:
    """Return whether a node's name matches one of some patterns; every name matches no pattern at all.

    >>> matches("web1", ["web*", "db*"]), matches("web1", []), matches("mail", ["web*"])
    (True, True, False)
    """
    return not globs or any(fnmatchcase(node, glob) for glob in globs)


def nodes_with_facts(context: Context, match: Sequence[str] = ()) -> dict[str, str | None]:
    """Return the facts files of nodes by name, sorted; None for facts that ``facts_from`` has.

    Raises UsageError without a source of facts, for one that cannot be read, and if no node matches.
    """
    options, folder = context.options, context.facts_folder
    if options.node is not None:
        raise UsageError("node names one node of a compile; match selects nodes of several")
    if options.facts_from and options.facts_folder:
        raise UsageError("give --facts-from or --facts-folder, not both")
    if not options.facts_from and not folder:
        raise UsageError("--facts-folder DIR or --facts-from SOURCE is required")
    found = facts_by_node(context)
    chosen = {node: found[node] for node in sorted(found) if matches(node, match)}
    if not chosen:
        names = ", ".join(f"NODE{extension}" for extension in FACTS_EXTENSIONS)
        what = "nodes" if options.facts_from else f"facts files ({names})"
        which = f" that match {' or '.join(match)}" if match else ""
        raise UsageError(f"no {what}{which} in {shown_source(options.facts_from or folder or '')}")
    return chosen


def facts_by_node(context: Context) -> Mapping[str, str | None]:
    """Return the facts files of all nodes that have facts."""
    source = context.options.facts_from
    if not source:
        return files_by_node(context.facts_folder or "")
    try:
        return dict.fromkeys(nodes_from(Request(facts_from=source, settings=context.settings)))
    except PuppetError as error:
        raise InvalidInput(error) from error


def files_by_node(directory: str) -> dict[str, str]:
    """Return the files ``NODE.yaml`` and ``NODE.json`` of a directory by node: facts, or catalogs."""
    try:
        return facts_files(directory)
    except OSError as error:
        raise UsageError(f"cannot read {directory}: {error.strerror}") from error


def has_nodes(context: Context) -> bool:
    """Return whether the facts of nodes are known."""
    return bool(context.options.facts_from or context.facts_folder)


class NodeCompiler:
    """Compiles the tasks of a job where its options say, and reports each outcome.

    ``failed`` is called with the outcomes of nodes without a catalog, before they are reported.
    """

    def __init__(
        self, context: Context, executor: Executor | None, failed: Callable[[Outcome], None]
    ) -> None:
        self.context = context
        self.executor = executor
        self.failed = failed

    def __call__(self, tasks: Sequence[Task]) -> list[Outcome]:
        """Return the outcomes in the order of the tasks."""
        return compile_tasks(
            tasks,
            executor=self.executor,
            jobs=self.context.options.jobs,
            done=self.done,
            held=self.context.observer.held,
        )

    def done(self, outcome: Outcome) -> None:
        """Report the outcome of a node."""
        if not outcome.ok:
            self.failed(outcome)
        self.context.observer.done(outcome)


def warn_about_cache(context: Context) -> None:
    """Report that the cache on disk cannot be used; the processes that are forked then do not."""
    warning = cache_warning()
    if warning is not None:
        context.observer.log(warning)


@contextmanager
def node_compiler(
    context: Context,
    total: int,
    *,
    lines: bool = True,
    failed: Callable[[Outcome], None] = lambda _outcome: None,
) -> Iterator[NodeCompiler]:
    """Provide what compiles ``total`` nodes; see :class:`NodeCompiler` and :meth:`Observer.begin`."""
    warn_about_cache(context)
    with executor_of(context) as executor:
        context.observer.begin(total, lines=lines)
        try:
            yield NodeCompiler(context, executor, failed)
        finally:
            context.observer.end()
