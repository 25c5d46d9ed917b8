"""Compile the catalogs of all nodes that have facts."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import partial

from bunraku.base.encoding import encode
from bunraku.base.file_reading import LARGEST_CATALOG, read_whole
from bunraku.base.records import field, record, replace
from bunraku.base.usage import UsageError
from bunraku.catalog.compiled import CompiledCatalog
from bunraku.engine.dependencies import Checker, Digest
from bunraku.engine.kept_catalogs import CatalogStore, label_of, open_store
from bunraku.engine.nodes import Outcome, Task, shared_group, with_kept
from bunraku.engine.request import DISK, Request
from bunraku.jobs.context import Context
from bunraku.jobs.needed_nodes import needed_plan
from bunraku.jobs.nodes import NodeOptions, node_compiler
from bunraku.modules.node import agent_facts
from bunraku.world.whole_files import CATALOG_MODE, make_folders, write_whole

Render = Callable[[CompiledCatalog], str]
"""Turns a catalog into text; a function of a module, since other processes call it."""


@record()
class NodesOptions:
    """Which nodes are compiled, and where their catalogs go.

    ``nodes`` says which. ``every`` also compiles the nodes for which nothing has changed since
    an earlier run. ``output_folder`` gets a file for each node, with the extension ``extension``.
    """

    nodes: NodeOptions = field(default_factory=NodeOptions)
    every: bool = False
    output_folder: str | None = None
    extension: str = "json"

    def file_of(self, node: str) -> str:
        """Return the path of a node's catalog."""
        return os.path.join(self.output_folder or "", f"{node}.{self.extension}")


def compile_nodes(
    context: Context,
    options: NodesOptions,
    request: Request,
    render: Render,
    begin: Callable[[Sequence[str]], None] = lambda _nodes: None,
) -> list[Outcome]:
    """Compile the nodes that have facts, write their catalogs, and return the outcomes by name.

    ``request`` is what they have in common. ``begin`` is called with the names of the nodes. The catalog
    of a node that fails is removed; an outcome says if that, or writing one, failed.
    """
    tasks = tasks_of(context, options, request, render)
    begin([task.node for task in tasks])
    if options.output_folder:
        make_folder(options.output_folder)
    with node_compiler(context, len(tasks), failed=partial(remove_old, options)) as compile_all:
        return compile_all(with_catalogs_kept(tasks, options, render))


def tasks_of(
    context: Context, options: NodesOptions, request: Request, render: Render
) -> list[Task]:
    """Return a task for each node, in the order of their names."""
    environment = context.options.environment
    plan = needed_plan(options.nodes, context)
    common = {
        name: value
        for name, value in request.facts.items()
        if name not in agent_facts(request.node, environment)
    }
    tasks = []
    for node, path in plan.files.items():
        own = replace(request, node=node, facts={**common, **agent_facts(node, environment)})
        if node in plan.stand_ins:
            own = plan.stand_ins[node].request(own)
        keep = partial(save, options.file_of(node)) if options.output_folder else None
        tasks.append(Task(own, path, render, keep, shared_group(request), limits=context.limits))
    return tasks


def with_catalogs_kept(tasks: list[Task], options: NodesOptions, render: Render) -> list[Task]:
    """Return the tasks with the catalogs of earlier runs that need no compile."""
    store = open_store(label_of(render))
    if store is None:
        return tasks
    checker = None if options.every else Checker(DISK, store.digests)
    return [
        with_kept(
            replace(task, is_saved=partial(is_saved, options.file_of(task.node), store))
            if options.output_folder
            else task,
            store,
            checker,
        )
        for task in tasks
    ]


def is_saved(path: str, store: CatalogStore, digest: Digest) -> bool:
    """Return whether a file has the text of a digest."""
    try:
        text = read_whole(path, LARGEST_CATALOG).decode("utf-8", "surrogateescape")
    except OSError:
        return False
    return store.digests.of_once(text) == digest


def make_folder(path: str) -> None:
    """Make the directory for catalogs, in which no other user may replace them."""
    try:
        make_folders(path, 0o750)
    except OSError as error:
        raise UsageError(f"cannot write to {path}: {error.strerror}") from error


def save(path: str, text: str) -> None:
    """Write a node's catalog in one step, in the process that compiled it.

    Catalogs can hold secrets: like Puppet's own, the file is not readable for others.
    """
    write_whole(path, encode(text), mode=CATALOG_MODE)


def remove_old(options: NodesOptions, outcome: Outcome) -> None:
    """Remove the catalog of an earlier run after a failure; ``unsaved`` is the reason if that fails."""
    if not options.output_folder:
        return
    try:
        os.remove(options.file_of(outcome.node))
    except FileNotFoundError:
        return
    except OSError as error:
        outcome.unsaved = error.strerror or str(error)
