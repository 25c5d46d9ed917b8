"""Two language servers in turn, with the same requests: ``python benchmarks/language_servers.py --peer "COMMAND"``.

The project is one of Debian's modules. For each server the table has the median and the 95th percentile in
milliseconds, and the processor time of the server with the programs that it has started. Then the answers are
compared: an answer of the peer counts as contained if bunraku's answer names at least the same things.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import shlex
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from support.lsp_client import LspClient, LspError

MODULES = Path("/usr/share/puppet/modules.available")
NAMES = re.compile(r"\$?(?:::)?\w+(?:::\w+)*|'[\w/.:-]+'")
LOADED = ("factsLoaded", "functionsLoaded", "typesLoaded", "classesLoaded")
"""What the Ruby server says of its work in the background, in the answer to ``puppet/getVersion``."""
METHODS = {
    "hover": "textDocument/hover",
    "completion": "textDocument/completion",
    "definition": "textDocument/definition",
    "outline": "textDocument/documentSymbol",
}
Place = tuple[str, int, int]
"""A file, a line and a column."""


@dataclass
class Outcome:
    """What one server took and answered: seconds by name, answers by request and place."""

    times: dict[str, list[float]] = field(default_factory=dict)
    answers: dict[tuple[str, Place], Any] = field(default_factory=dict)
    processor: float = 0.0

    def timed(self, name: str, action: Callable[[], Any]) -> Any:
        """Return the result of an action, and keep its time."""
        start = time.perf_counter()
        found = action()
        self.times.setdefault(name, []).append(time.perf_counter() - start)
        return found


def main() -> int:
    """Measure, print and compare; return 1 if an answer of the peer is not contained."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peer", required=True, help="the command of the other server")
    parser.add_argument("--modules", type=Path, default=MODULES)
    parser.add_argument("--requests", type=int, default=30, help="requests of each kind")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=300, help="for the peer to be ready")
    parser.add_argument("--answers", type=Path, help="write the answers of both to a file")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copytree(options.modules, folder / "modules", symlinks=False)
        (folder / "environment.conf").write_text("modulepath = modules\n")
        manifests = sorted(folder.glob("modules/*/manifests/**/*.pp"))
        print(f"{len(manifests)} manifests")
        places = places_in(folder, manifests, options.requests, random.Random(options.seed))
        commands = {"peer": shlex.split(options.peer), "bunraku": None}
        found = {
            name: measured(folder, command, places, options.seconds)
            for name, command in commands.items()
        }
        print_table(found)
        if options.answers is not None:
            data = {one: plain(found[one]) for one in found}
            options.answers.write_text(json.dumps(data, indent=1))
        return compared(found["peer"], found["bunraku"])


def places_in(
    folder: Path, manifests: list[Path], count: int, numbers: random.Random
) -> list[Place]:
    """Return names in different manifests."""
    found: list[Place] = []
    for path in numbers.sample(manifests, len(manifests)):
        some = list(names_in(path))
        if some:
            found.append((str(path.relative_to(folder)), *numbers.choice(some)))
        if len(found) == count:
            break
    return found


def names_in(path: Path) -> Iterator[tuple[int, int]]:
    """Yield the places inside of the names in a manifest."""
    for number, line in enumerate(path.read_text("utf-8", "surrogateescape").split("\n")):
        if not line.lstrip().startswith("#"):
            for match in NAMES.finditer(line):
                yield number, match.start() + 1


def measured(
    folder: Path, command: list[str] | None, places: list[Place], seconds: float
) -> Outcome:
    """Start a server, ask it, and end it."""
    made = Outcome()
    start = time.perf_counter()
    with LspClient(folder=folder, command=command, seconds=seconds) as client:
        client.initialize(
            {"textDocument": {"documentSymbol": {"hierarchicalDocumentSymbolSupport": True}}},
            rootUri=folder.as_uri(),
            rootPath=str(folder),
        )
        made.times["initialise"] = [time.perf_counter() - start]
        uris = {places[0][0]: client.open(places[0][0])}
        while client.wait_for("textDocument/publishDiagnostics")["uri"] not in uris.values():
            pass
        made.times["first findings"] = [time.perf_counter() - start]
        wait_until_loaded(client, places[0][0], seconds)
        made.times["ready"] = [time.perf_counter() - start]
        for place in places:
            path, line, column = place
            if path not in uris:
                uris[path] = client.open(path)
            for name, method in METHODS.items():
                start = indent_of(folder / path, line) if name == "completion" else column
                params = client.at(uris[path], line, start)
                made.answers[name, place] = made.timed(
                    name, lambda m=method, p=params: ask(client, m, p)
                )
        made.processor = processor_time(client.process.pid)
    return made


def indent_of(path: Path, line: int) -> int:
    """Return the column at which the code of a line begins."""
    text = path.read_text("utf-8", "surrogateescape").split("\n")[line]
    return len(text) - len(text.lstrip())


def ask(client: LspClient, method: str, params: Any) -> Any:
    """Return the answer to a request; None for a refusal."""
    try:
        return client.request(method, params)
    except LspError:
        return None


def wait_until_loaded(client: LspClient, path: str, seconds: float) -> None:
    """Wait until a server knows the project: it finds the definitions of the module that a manifest is in."""
    module = path.split("/")[1].rpartition("-")[2]
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        state = ask(client, "puppet/getVersion", {}) or dict.fromkeys(LOADED, True)
        found = ask(client, "workspace/symbol", {"query": module}) or []
        if all(state.get(one) for one in LOADED) and any(
            f"/{path.split('/')[1]}/" in one["location"]["uri"] for one in found
        ):
            return
        time.sleep(0.5)
    raise SystemExit(f"the server does not know the project after {seconds} s")


def processor_time(pid: int) -> float:
    """Return the seconds that a process, its children and theirs have used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    own = sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return own + sum(processor_time(int(one)) for one in children)


# -- the report ------------------------------------------------------------------------------------


def print_table(found: dict[str, Outcome]) -> None:
    """Print the times of both servers in milliseconds."""
    print(f"{'':<16}" + "".join(f"{f'{name}: median':>20}{'p95':>10}" for name in found))
    for name in next(iter(found.values())).times:
        row = [one.times[name] for one in found.values()]
        print(
            f"{name:<16}"
            + "".join(
                f"{statistics.median(some) * 1000:>20.1f}{high(some) * 1000:>10.1f}" for some in row
            )
        )
    print(
        f"{'processor, s':<16}"
        + "".join(f"{one.processor:>20.2f}{'':>10}" for one in found.values())
    )


def high(times: list[float]) -> float:
    """Return the 95th percentile."""
    return sorted(times)[min(len(times) - 1, len(times) * 95 // 100)]


def plain(outcome: Outcome) -> dict[str, Any]:
    """Return the answers as JSON has them."""
    return {f"{name} {place}": answer for (name, place), answer in outcome.answers.items()}


# -- the comparison --------------------------------------------------------------------------------


def compared(peer: Outcome, ours: Outcome) -> int:
    """Print for each kind of request how many answers of the peer ours contain; return 1 if one is not."""
    lacking: list[str] = []
    counts: dict[str, list[int]] = {name: [0, 0, 0] for name in METHODS}
    for (name, place), answer in peer.answers.items():
        own = ours.answers[name, place]
        things, known = THINGS[name](answer), THINGS[name](own)
        count = counts[name]
        count[0] += bool(known)
        if things:
            count[1] += 1
            missing = sorted(things - known)
            count[2] += not missing
            if missing:
                lacking.append(f"{name} {place}: {', '.join(missing[:8])}")
    print(f"{'':<16}{'answers':>10}{'of the peer':>14}{'contained':>12}")
    for name, (own, theirs, contained) in counts.items():
        print(f"{name:<16}{own:>10}{theirs:>14}{contained:>12}")
    print("\n".join(lacking))
    return int(bool(lacking))


def hover_things(answer: Any) -> set[str]:
    """Return what a hover is about: the name that the peer writes bold, or that ours has anywhere."""
    if not answer:
        return set()
    contents = answer["contents"]
    text = contents if isinstance(contents, str) else contents.get("value", "")
    bold = re.match(r"\*\*(.+?)\*\*", text)
    return {bold[1].lower()} if bold else set(re.findall(r"\w+(?:::\w+)*", text.lower()))


def completion_things(answer: Any) -> set[str]:
    """Return the labels."""
    items = answer.get("items", ()) if isinstance(answer, dict) else answer or ()
    return {one["label"] for one in items}


def definition_things(answer: Any) -> set[str]:
    """Return the files below the modules: the peer has the line below that of the name.

    It may take a module from the machine's modules instead of the project's.
    """
    some = answer if isinstance(answer, list) else [answer] if answer else []
    return {one["uri"].rpartition("/modules/")[2] for one in some}


def outline_things(answer: Any) -> set[str]:
    """Return the lines and the first words of the names in an outline."""
    found: set[str] = set()
    for one in answer or ():
        piece = one.get("selectionRange") or one["location"]["range"]
        word = re.match(r"\$?[\w:]*\w", one["name"])
        found.add(f"{piece['start']['line'] + 1} {word[0] if word else ''}")
        found |= outline_things(one.get("children"))
    return found


THINGS: dict[str, Callable[[Any], set[str]]] = {
    "hover": hover_things,
    "completion": completion_things,
    "definition": definition_things,
    "outline": outline_things,
}

if __name__ == "__main__":
    sys.exit(main())
