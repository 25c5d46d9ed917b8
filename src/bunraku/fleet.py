"""Catalogs of many nodes, compiled side by side in processes of this machine or of others.

Each node is a task by itself, so that what goes wrong with one, be it the death of the process,
costs that one alone.
"""

from __future__ import annotations

import gc
import json
import os
import signal
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from functools import cached_property
from itertools import count
from multiprocessing import active_children, get_context
from time import perf_counter
from typing import Any

from bunraku.catalog.model import Catalog
from bunraku.catalog.wire import catalog_to_data
from bunraku.collector import PATIENT
from bunraku.engine import LogEntry, Request, compile_catalog
from bunraku.errors import Diagnostic, PuppetError
from bunraku.facts import issues as facts_issues
from bunraku.facts.external import parse_yaml
from bunraku.fleet_issues import WORKER_ENDED, WORKER_FAILED
from bunraku.records import field, record, replace

Facts = Mapping[str, Any]
Nodes = Mapping[str, Facts] | str | os.PathLike[str]
Render = Callable[[Catalog], str]
FACTS_FILES = (".yaml", ".yml", ".json")


@record(frozen=True)
class Task:
    """A node to compile: the request, and the file with its facts unless the request has them.

    ``render`` makes text of the catalog where it was compiled; it must be a function of a module.
    So must ``save``, which takes the text there, so that it need not be sent around.
    """

    request: Request
    facts_file: str | None = None
    render: Render | None = None
    save: Callable[[str], None] | None = None

    @property
    def node(self) -> str:
        """The node's name."""
        return self.request.node


@record(slots=False)
class Outcome:
    """What became of a node: its catalog as text, or the findings that say why there is none.

    The text is empty where the task saves it; ``unsaved`` says why that failed.
    """

    node: str
    text: str | None = None
    unsaved: str | None = None
    findings: list[Diagnostic] = field(default_factory=list)
    log: list[LogEntry] = field(default_factory=list)
    resources: int = 0
    seconds: float = 0.0

    @property
    def ok(self) -> bool:
        """Whether there is a catalog."""
        return self.text is not None

    @property
    def error(self) -> PuppetError | None:
        """What went wrong."""
        return PuppetError(self.findings[0], self.findings[1:]) if self.findings else None

    @cached_property
    def catalog(self) -> dict[str, Any]:
        """The catalog as the data that an agent gets; raises the error when there is none."""
        if self.text is None:
            raise self.error or RuntimeError(f"{self.node} was not compiled")
        found: dict[str, Any] = json.loads(self.text)
        return found


def facts_files(folder: str) -> dict[str, str]:
    """The facts files in a folder by the node's name: ``web1.example.com.yaml``, also ``.json``."""
    found: dict[str, str] = {}
    for name in sorted(os.listdir(folder)):
        stem, extension = os.path.splitext(name)
        if extension in FACTS_FILES and stem and not name.startswith("."):
            found.setdefault(stem, os.path.join(folder, name))
    return found


def read_facts(path: str) -> dict[str, Any]:
    """The facts in a file, plain or as Puppet stores them (``name`` and ``values``)."""
    try:
        with open(path, "rb") as file:
            text = file.read().decode("utf-8", "surrogateescape")
        data = json.loads(text) if path.endswith(".json") else parse_yaml(text)
    except (OSError, ValueError, RecursionError) as error:
        reason = error.strerror if isinstance(error, OSError) else " ".join(str(error).split())
        raise located(facts_issues.BAD_FACTS_FILE(path=path, reason=reason), path) from None
    if isinstance(data, dict) and "name" in data and isinstance(data.get("values"), dict):
        data = data["values"]
    if data is not None and not isinstance(data, dict):
        raise located(facts_issues.BAD_FACTS_FILE(path=path, reason="it holds no hash"), path)
    return {str(name): value for name, value in (data or {}).items()}


def located(error: PuppetError, path: str) -> PuppetError:
    """The error with the file it is about."""
    error.diagnostic.file = path
    return error


def as_json(catalog: Catalog) -> str:
    """The catalog as JSON on one line."""
    return json.dumps(catalog_to_data(catalog), ensure_ascii=False, separators=(",", ":"))


def compile_node(task: Task) -> Outcome:
    """Compile one node; whatever goes wrong is in the outcome. This is what workers run."""
    with PATIENT:  # until the catalog, which is no garbage, is gone
        return outcome_of_task(task)


def outcome_of_task(task: Task) -> Outcome:
    """The outcome of a node."""
    outcome = Outcome(task.node)
    start = perf_counter()
    try:
        request = task.request
        if task.facts_file is not None:
            facts = {**request.facts, **read_facts(task.facts_file)}
            request = replace(request, facts=facts)
        catalog = compile_catalog(request, outcome.log.append)
        outcome.text = (task.render or as_json)(catalog)
        outcome.resources = len(catalog.resources)
        if task.save is not None:
            text, outcome.text = outcome.text, ""
            try:
                task.save(text)
            except OSError as error:
                outcome.unsaved = error.strerror or str(error)
    except PuppetError as error:
        outcome.findings = list(error)
    except Exception as error:  # a mistake of ours must not stop the others
        outcome.findings = [failed(error)]
    outcome.seconds = perf_counter() - start
    return outcome


def failed(error: BaseException) -> Diagnostic:
    """The finding for what should not have happened."""
    reason = f"{type(error).__name__}: {' '.join(str(error).split())[:500]}"
    return WORKER_FAILED.diagnostic(reason=reason)


def compile_tasks(
    tasks: Sequence[Task],
    *,
    executor: Executor | None = None,
    jobs: int | None = None,
    done: Callable[[Outcome], None] = lambda _: None,
) -> list[Outcome]:
    """Compile nodes; the outcomes are in the order of the tasks, ``done`` hears them as they come.

    Without an executor, ``jobs`` processes are forked (as many as there are processors). The first
    node is compiled before, so that the processes share the code that it took.
    """
    if executor is not None:
        return in_executor(executor, tasks, done)
    processes = min(jobs or os.cpu_count() or 1, len(tasks))
    if processes <= 1:
        return [told(compile_node(task), done) for task in tasks]
    first = told(compile_node(tasks[0]), done)
    gc.collect()
    gc.freeze()  # what is in memory by now stays shared with the processes
    try:
        return [first, *in_processes(tasks[1:], processes, done)]
    finally:
        gc.unfreeze()


def told(outcome: Outcome, done: Callable[[Outcome], None]) -> Outcome:
    """The outcome, after somebody heard of it."""
    done(outcome)
    return outcome


def in_executor(
    executor: Executor, tasks: Sequence[Task], done: Callable[[Outcome], None]
) -> list[Outcome]:
    """Compile nodes with an executor of any kind."""
    futures = {executor.submit(compile_node, task): at for at, task in enumerate(tasks)}
    found: dict[int, Outcome] = {}
    for future in as_completed(futures):
        at = futures[future]
        found[at] = told(outcome_of(future, tasks[at]), done)
    return [found[at] for at in range(len(tasks))]


def outcome_of(future: Future[Outcome], task: Task) -> Outcome:
    """What a worker returned, or that it did not."""
    error = future.exception()
    if error is None:
        return future.result()
    if isinstance(error, BrokenProcessPool):
        return Outcome(task.node, findings=[WORKER_ENDED.diagnostic(node=task.node)])
    return Outcome(task.node, findings=[failed(error)])


INHERITED: dict[int, Sequence[Task]] = {}
"""The tasks that forked processes find in their memory, so that a number is all they are sent."""
RUNS = count(1)


def compile_inherited(run: int, at: int) -> Outcome:
    """Compile a node in a forked process."""
    return compile_node(INHERITED[run][at])


def in_processes(
    tasks: Sequence[Task], processes: int, done: Callable[[Outcome], None]
) -> list[Outcome]:
    """Compile nodes in forked processes.

    When one dies, all that were under way are lost with it; these are then compiled one by one,
    which tells whose fault it was.
    """
    found: dict[int, Outcome] = {}
    run = next(RUNS)
    INHERITED[run] = tasks
    try:
        with forked(processes) as pool:
            try:
                futures = submitted(pool, run)
                for future in as_completed(futures):
                    if not isinstance(future.exception(), BrokenProcessPool):
                        at = futures[future]
                        found[at] = told(outcome_of(future, tasks[at]), done)
            except BaseException:  # interrupted: what is under way need not be finished
                pool.shutdown(wait=False, cancel_futures=True)
                for process in active_children():
                    process.terminate()
                raise
        for at, task in enumerate(tasks):
            if at not in found:
                with forked(1) as pool:
                    found[at] = told(
                        outcome_of(pool.submit(compile_inherited, run, at), task), done
                    )
    finally:
        del INHERITED[run]
    return [found[at] for at in range(len(tasks))]


def submitted(pool: ProcessPoolExecutor, run: int) -> dict[Future[Outcome], int]:
    """The inherited tasks given to a pool; those that come too late for a broken one are left out."""
    futures: dict[Future[Outcome], int] = {}
    for at in range(len(INHERITED[run])):
        try:
            futures[pool.submit(compile_inherited, run, at)] = at
        except BrokenProcessPool:
            break
    return futures


def forked(processes: int) -> ProcessPoolExecutor:
    """A pool of processes that share what this one has in memory."""
    return ProcessPoolExecutor(
        processes, mp_context=get_context("fork"), initializer=leave_interrupts_to_the_parent
    )


def leave_interrupts_to_the_parent() -> None:
    """Ctrl-C reaches all processes of a terminal; one of them has to answer it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def node_tasks(
    base: Request,
    nodes: Nodes,
    render: Render | None = None,
) -> list[Task]:
    """The tasks for nodes in the order of their names.

    ``nodes`` are facts by node, or the path of a folder of facts files.
    """
    if isinstance(nodes, str | os.PathLike):
        files = facts_files(os.fspath(nodes))
        return [Task(replace(base, node=node), files[node], render) for node in sorted(files)]
    return [
        Task(replace(base, node=node, facts={**base.facts, **nodes[node]}), None, render)
        for node in sorted(nodes)
    ]
