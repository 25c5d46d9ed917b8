"""The nodes whose catalogs have each class: those of a PuppetDB or of saved catalogs, or compiled in the background."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from bunraku.base.lazy_typing import Any
from bunraku.lsp.background import Step
from bunraku.lsp.programs import BUNRAKU, ProgramOutcome
from bunraku.lsp.reports import ReportReading
from bunraku.lsp.session import ClientSession

DELAY = 5.0
"""Seconds after a change until the nodes are counted again."""
QUERY = 'resources[certname, title] { type = "Class" order by certname }'


def count_nodes_later(session: ClientSession, delay: float = DELAY) -> None:
    """Find the nodes of each class, for clients that show lenses."""
    if session.shows_lenses:
        steps: list[Step] = [partial(start_count, session, one) for one in session.host.folders]
        session.background.add(
            "nodes of classes", iter(steps), delay, is_interruptible=False, priority=-1
        )


def start_count(session: ClientSession, folder: str) -> None:
    """Ask for the nodes: the source of catalogs in the settings, or the compiled nodes of the project."""
    source = session.options["catalogs"]
    if source:
        ask(session, folder, source)
    elif session.options["compileNodes"] and session.host.project_of(f"{folder}/.").has_nodes:
        output = f"{session.directory}/catalogs-{session.host.folders.index(folder)}"
        command = [*BUNRAKU, "compile", "--nodes", f"--output-folder={output}"]
        session.programs.start(
            counting_of(folder), command, folder, partial(take_catalogs, session, folder, output)
        )


def counting_of(folder: str) -> str:
    """Return the name of the program that finds the nodes of classes."""
    return f"nodes of classes in {folder}"


def take_catalogs(
    session: ClientSession, folder: str, output: str, _outcome: ProgramOutcome
) -> None:
    """Ask the catalogs that were compiled; nodes that do not compile are not among them."""
    ask(session, folder, output, output)


def ask(session: ClientSession, folder: str, source: str, scratch: str = "") -> None:
    """Ask a source of catalogs; the directory ``scratch`` is removed afterwards."""
    command = [*BUNRAKU, "query", "--format=json", f"--storedconfigs={source}", QUERY]
    session.programs.start(
        counting_of(folder), command, folder, partial(take_rows, session, folder, scratch)
    )


def take_rows(session: ClientSession, folder: str, scratch: str, outcome: ProgramOutcome) -> None:
    """Read the nodes of each class when nothing else is to be done: a large site has thousands."""
    if scratch:
        from bunraku.world.scratch import remove

        remove(scratch)
    steps = row_steps(session, folder, outcome)
    session.background.add(counting_of(folder), steps, is_interruptible=False, priority=-1)


def row_steps(session: ClientSession, folder: str, outcome: ProgramOutcome) -> Iterator[Step]:
    """Yield the steps that read the rows of an answer and show the nodes."""
    found: dict[str, list[str]] = {}

    def take(row: dict[str, Any]) -> None:
        found.setdefault(str(row["title"]).lower(), []).append(str(row["certname"]))

    reading = ReportReading(outcome.output, take)
    yield from reading.steps()
    if reading.is_damaged:
        session.log(f"nodes of classes: {outcome.errors.strip()}", "warning")
        return
    yield partial(show_nodes, session, folder, found)


def show_nodes(session: ClientSession, folder: str, found: dict[str, list[str]]) -> None:
    """Keep the nodes of each class, and let the client show them."""
    if session.class_nodes.get(folder) != found:
        session.class_nodes[folder] = found
        if session.capability("workspace", "codeLens", "refreshSupport"):
            session.request("workspace/codeLens/refresh", None)


def nodes_of(session: ClientSession, path: str, name: str) -> list[str] | None:
    """Return the nodes that include a class of a file; None before they are known."""
    for folder, found in session.class_nodes.items():
        if path.startswith(f"{folder}/"):
            return found.get(name, [])
    return None
