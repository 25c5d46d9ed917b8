"""Latency of the language server over Debian's modules as one project: ``python benchmarks/editor.py``.

It prints for each request the number, the median, the 95th percentile and the worst time in milliseconds,
beside the limits of issue 43, and exits with 1 if one is exceeded. A busy machine gives larger times: with
``--processor`` the processor time of the server counts instead.
"""

from __future__ import annotations

import argparse
import random
import re
import resource
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from support.lsp_client import LspClient

MODULES = Path("/usr/share/puppet/modules.available")
LIMITS = {
    "initialize": 150,
    "first findings": 300,
    "completion": 50,
    "hover": 20,
    "references": 100,
    "index, cold": 2000,
    "index, warm": 500,
    "typing": 50,
}
"""Milliseconds: of initialize, findings and index the median, of requests the 95th percentile, of typing the worst."""
WORD = re.compile(r"[a-z_]\w*(?:::\w+)+|\$\w+")


def main() -> int:
    """Measure and print; return whether a limit is exceeded."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--processor", action="store_true", help="processor time of the server")
    parser.add_argument("--copies", type=int, default=1, help="copies of the modules")
    parser.add_argument(
        "--files", type=int, default=40, help="documents in which names are asked for"
    )
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for number in range(options.copies):
            shutil.copytree(MODULES, folder / f"modules{number or ''}", symlinks=False)
        manifests = sorted(folder.glob("modules*/*/manifests/**/*.pp"))
        print(f"{len(manifests)} manifests; {pauses_of_the_machine()}")
        measured = Measured(folder, manifests, options.files, processor=options.processor)
        measured.all()
    return measured.report()


class Measured:
    """The times of one run, by name."""

    def __init__(self, folder: Path, manifests: list[Path], files: int, *, processor: bool) -> None:
        self.folder = folder
        self.manifests = manifests
        self.files = files
        self.processor = processor
        self.random = random.Random(1)
        self.times: dict[str, list[float]] = {}
        self.memory = 0.0

    def clock(self, client: LspClient) -> float:
        """Return the time of the clock, or the processor time of a server."""
        if not self.processor:
            return time.perf_counter()
        threads = Path(f"/proc/{client.process.pid}/task").glob("*/schedstat")
        return sum(int(one.read_text().split()[0]) for one in threads) / 1e9

    def timed(self, name: str, client: LspClient, action: Callable[[], Any]) -> Any:
        """Return the result of an action, and keep its time."""
        start = self.clock(client)
        found = action()
        self.keep(name, self.clock(client) - start)
        return found

    def keep(self, name: str, seconds: float) -> None:
        """Keep a time in milliseconds."""
        self.times.setdefault(name, []).append(round(seconds * 1000, 1))

    def all(self) -> None:
        """Start servers, and ask the last one."""
        for name in ("index, cold", "index, warm"):
            start = time.perf_counter()
            with LspClient(folder=self.folder, seconds=600) as client:
                begin = 0.0 if self.processor else start
                client.initialize()
                self.keep("initialize", self.clock(client) - begin)
                path = str(self.manifests[0].relative_to(self.folder))
                uri = client.open(path)
                client.findings(uri)
                self.keep("first findings", self.clock(client) - begin)
                self.timed(name, client, lambda: client.request("workspace/symbol", {"query": "x"}))
                if name == "index, warm":
                    self.requests(client)
                    self.type(client)
                begin = self.clock(client)
                # Names are read, and the index is written, when nothing else is to be done.
                rest(client.process.pid)
                self.keep("background", self.clock(client) - begin)
                self.memory = peak(client.process.pid)
                client.end()

    def requests(self, client: LspClient) -> None:
        """Ask for what an editor asks for, at random names."""
        for path in self.random.sample(self.manifests, min(self.files, len(self.manifests))):
            uri = client.open(str(path.relative_to(self.folder)))
            for line, column in self.random.sample(
                places := list(names_in(path)), min(4, len(places))
            ):
                place = client.at(uri, line, column)
                for name, method in (
                    ("hover", "textDocument/hover"),
                    ("definition", "textDocument/definition"),
                    ("completion", "textDocument/completion"),
                ):
                    self.ask(name, client, method, place)
                self.ask("references", client, "textDocument/references", {**place, "context": {}})
            document = {"textDocument": {"uri": uri}}
            self.ask("outline", client, "textDocument/documentSymbol", document)
            self.ask("colours", client, "textDocument/semanticTokens/full", document)
            client.notify("textDocument/didClose", document)

    def ask(self, name: str, client: LspClient, method: str, params: Any) -> None:
        """Send a request, unless the server does not have the feature yet."""
        from support.lsp_client import LspError

        try:
            self.timed(name, client, lambda: client.request(method, params))
        except LspError as error:
            if error.code != -32601:
                raise

    def type(self, client: LspClient) -> None:
        """Type into a file of 2,000 lines, as fast as the server answers: each character is a round trip."""
        text = "class big {\n" + "  $a = 1 + 2\n  notice($a)\n" * 1000 + "}\n"
        uri = client.open("modules/big/manifests/init.pp", text)
        for number in range(self.files * 5):
            place = {"line": 1, "character": 2 + number}
            change = {"range": {"start": place, "end": place}, "text": "x"}

            self.timed("typing", client, partial(typed, client, uri, change))
            time.sleep(0.05)

    def report(self) -> int:
        """Print the times; return 1 if a limit is exceeded."""
        print(f"{'':<16}{'number':>8}{'median':>10}{'p95':>10}{'worst':>10}{'limit':>10}")
        failed = False
        for name, times in self.times.items():
            median, high = statistics.median(times), percentile(times, 95)
            limit = LIMITS.get(name)
            value = {"typing": max(times)}.get(name, high if len(times) > 5 else median)
            over = limit is not None and value > limit
            failed |= over
            print(
                f"{name:<16}{len(times):>8}{median:>10.1f}{high:>10.1f}{max(times):>10.1f}"
                f"{limit or '':>10}{'  exceeded' if over else ''}"
            )
        print(f"memory of the server: {self.memory:.0f} MiB")
        return int(failed)


def pauses_of_the_machine(seconds: float = 5.0) -> str:
    """Return how long the same loop takes: a virtual machine that does not run at times delays every answer."""
    times: list[float] = []
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        start = time.perf_counter()
        sum(range(200_000))
        times.append((time.perf_counter() - start) * 1000)
    return f"a loop takes {statistics.median(times):.1f} ms, at most {max(times):.1f} ms"


def typed(client: LspClient, uri: str, change: dict[str, Any]) -> None:
    """Type a character, and wait until the server has taken it."""
    client.change(uri, change)
    client.request("textDocument/hover", client.at(uri, 0, 7))


def names_in(path: Path) -> Iterator[tuple[int, int]]:
    """Yield the places of names in a manifest."""
    for number, line in enumerate(path.read_text("utf-8", "surrogateescape").split("\n")):
        if not line.lstrip().startswith("#"):
            for match in WORD.finditer(line):
                yield number, match.start() + 1


def percentile(times: list[float], share: int) -> float:
    """Return the time that a share of the times does not exceed."""
    ordered = sorted(times)
    return ordered[min(len(ordered) - 1, len(ordered) * share // 100)]


def rest(pid: int) -> None:
    """Wait until a server has done all its work in the background: it takes no processor time for a second."""
    before, quiet = ticks(pid), 0
    while quiet < 10:
        time.sleep(0.1)
        now = ticks(pid)
        quiet = quiet + 1 if now == before else 0
        before = now


def ticks(pid: int) -> int:
    """Return the processor time of a process in ticks of the system."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


def peak(pid: int) -> float:
    """Return the largest memory of a process in MiB."""
    text = Path(f"/proc/{pid}/status").read_text()
    return int(re.search(r"VmHWM:\s+(\d+)", text)[1]) / 1024


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    sys.exit(main())
