"""The Python interface for many nodes; apart from the rest, for processes are slow to import."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from typing import Any

from bunraku.api import CodeOrPath, ignore, request
from bunraku.fleet import Nodes, Outcome, compile_tasks, node_tasks


def compile_nodes(
    code_or_path: CodeOrPath | None,
    nodes: Nodes,
    *,
    executor: Executor | None = None,
    jobs: int | None = None,
    done: Callable[[Outcome], None] = ignore,
    facts: Mapping[str, Any] | None = None,
    modulepath: Sequence[str | os.PathLike[str]] = (),
    settings: Mapping[str, Any] | None = None,
    **more: Any,
) -> list[Outcome]:
    """What becomes of many nodes, in the order of their names; a failing one stops no other.

    ``nodes`` are facts by node, or the path of a folder of facts files (``NODE.yaml``); ``facts``
    are common to all. Without code, the settings name an environment. The work is done by
    ``jobs`` processes, or by any executor of ``concurrent.futures``; ``done`` hears of each node
    as it is done.

    >>> found = compile_nodes("notify { $trusted['certname']: }", {"b": {}, "a": {}}, jobs=1)
    >>> [(one.node, one.ok, one.catalog["resources"][-1]["title"]) for one in found]
    [('a', True, 'a'), ('b', True, 'b')]
    """
    code = "" if code_or_path is None else code_or_path
    base = request(code, "localhost", facts, modulepath, settings, more)
    if code_or_path is None:
        base.code = None
    return compile_tasks(node_tasks(base, nodes), executor=executor, jobs=jobs, done=done)
