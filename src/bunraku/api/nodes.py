"""The Python interface for many nodes; apart from the rest, because processes are slow to import."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from typing import Unpack

from bunraku.api.compile import CodeOrPath, ignore, request_of
from bunraku.api.options import EngineOptions
from bunraku.engine.nodes import Nodes, Outcome, compile_tasks, node_tasks
from bunraku.jobs.keywords import checked_arguments


@checked_arguments
def compile_nodes(
    code_or_path: CodeOrPath | None,
    nodes: Nodes | None = None,
    *,
    executor: Executor | None = None,
    jobs: int | None = None,
    done: Callable[[Outcome], None] = ignore,
    **options: Unpack[EngineOptions],
) -> list[Outcome]:
    """Compile many nodes and return their outcomes, sorted by name; a failure affects one node only.

    ``nodes`` are facts by node, or the path of a directory of facts files (``NODE.yaml``); ``facts``
    are common to all. Without ``nodes``, they are those of ``facts_from``. Without code, the settings name an environment. The work is done by
    ``jobs`` processes, or by any executor of ``concurrent.futures``; ``done`` is called with each
    outcome as it arrives. The other keywords are those of :func:`bunraku.compile`.

    >>> found = compile_nodes("notify { $trusted['certname']: }", {"b": {}, "a": {}}, jobs=1)
    >>> [(one.node, one.ok, one.catalog.resources[-1].title) for one in found]
    [('a', True, 'a'), ('b', True, 'b')]
    """
    request = request_of(code_or_path, options)
    return compile_tasks(node_tasks(request, nodes), executor=executor, jobs=jobs, done=done)
