"""Random edits and requests to a language server; ``make fuzz-editor`` runs them for half an hour.

Run as a program: ``python tests/support/editor_fuzz.py SECONDS``.
"""

from __future__ import annotations

import random
import re
import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.lsp_client import LspClient, LspError

METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
REFUSED = {-32800, -32801, -32803}
"""Cancelled, out of date, and refused with a reason: such as a rename where no name is."""
FILES = {
    "metadata.json": '{"name": "me-ntp", "version": "1.0.0", "author": "me", "license": "MIT", "summary": "x", "source": "x", "dependencies": []}',
    "hiera.yaml": "version: 5\nhierarchy:\n  - {name: all, path: common.yaml}\n",
    "manifests/init.pp": "# The é class.\nclass ntp(\n  Array[String] $servers = ['\U0001f600'],\n) inherits ntp::params {\n  include ntp::server\n  $x = \"${servers} ${ntp::params::own}\"\n  file { '/etc/ntp.conf': content => template('ntp/a.erb') }\n}\n",
    "manifests/params.pp": "class ntp::params {\n  $own = 1\n}\n",
    "manifests/server.pp": "class ntp::server(Ntp::Port $port = 1) {\n  ntp::peer { 'a': host => $port }\n  [1].each |$i| { notice($i) }\n}\n",
    "manifests/peer.pp": 'define ntp::peer($host) {\n  notify { "${title}": message => @(X/L) }\n    text ${host}\n    | X\n}\n',
    "types/port.pp": "type Ntp::Port = Integer[1, 9]\n",
    "templates/a.erb": "<%= @x %> <%= scope['ntp::params::own'] %>\n",
    "templates/b.epp": "<%- | $a | -%>\n<%= $a %>\n",
    "data/common.yaml": "ntp::servers: ['%{facts.os.name}']\nntp::server::port: 3\n",
    "Puppetfile": "mod 'puppetlabs/stdlib', '9.0.0'\nmod 'ntp', :local => true\n",
    "environment.conf": "modulepath = modules:$basemodulepath\nmanifest = manifests/init.pp\n",
    "manifests/epp.pp": "class ntp::epp($own = 1) {\n  $text = epp('ntp/b', { 'a' => $own })\n}\n",
    "old/hiera.yaml": ":backends:\n  - yaml\n  - eyaml\n:yaml:\n  :datadir: data\n:hierarchy:\n  - '%{::fqdn}'\n  - common\n",
    "lib/puppet/functions/ntp/f.rb": "Puppet::Functions.create_function(:'ntp::f') do\nend\n",
}
PIECES = [
    *(
        "class ",
        "define ",
        "$",
        "${",
        "}",
        "{",
        "'",
        '"',
        "(",
        ")",
        "[",
        "]",
        "=>",
        "::",
        "\n",
        "\r\n",
        "\r",
    ),
    *(
        "include ntp",
        "ntp::server",
        "notice($x)",
        "é",
        "\U0001f600",
        "@(END)\n",
        "| END\n",
        "#",
        "/*",
        "<%=",
        "%>",
    ),
    *(
        "ntp::servers: ",
        "  - a\n",
        "%{",
        "\t",
        "if true {",
        "case $a { default: { } }",
        "\0",
        "inherits ",
    ),
    *("mod 'a/b'\n", "hierarchy:\n", ":hierarchy: a\n", "mapped_paths: [a, b, 'c%{b}']\n"),
    *("- name: a\n", "  path: '%{a}.yaml'\n", "- {name: a, backend: yaml}\n", "modulepath = a:b\n"),
    *("epp('ntp/b', { 'a' => ", "<%- | $a | -%>\n", "&a ", "*a ", "File { mode => 1 }\n"),
]
AT_PLACES = [
    *(
        "hover",
        "definition",
        "declaration",
        "typeDefinition",
        "implementation",
        "references",
        "completion",
    ),
    *(
        "signatureHelp",
        "prepareRename",
        "prepareCallHierarchy",
        "prepareTypeHierarchy",
        "documentHighlight",
    ),
]
OF_DOCUMENTS = [
    *("documentSymbol", "documentLink", "codeLens", "semanticTokens/full", "foldingRange"),
]
NAMES = ["ntp::other", "$b", "b", "Ntp::Other", "a b", "", "é", "ntp", "x::y", "class"]
"""New names for a rename: most do not fit."""
COMMANDS = 0.002
"""The share of steps that start a program: each takes a second."""
MOST_MEMORY = 300
"""MiB of the server, for a module of a dozen files."""


class EditorFuzz:
    """One server, and a random client that knows what each document should hold."""

    def __init__(self, folder: Path, random_numbers: random.Random) -> None:
        self.folder = folder
        self.random = random_numbers
        self.texts: dict[str, str] = {}
        self.unknown: set[str] = set()
        self.findings: dict[str, list[Any]] = {}
        for name, text in FILES.items():
            path = folder / "ntp" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")

    def run(self, steps: int | None, seconds: float | None = None) -> int:
        """Take steps; return how many. Raise AssertionError for an internal error or a wrong place."""
        end = None if seconds is None else time.monotonic() + seconds
        taken = 0
        with LspClient(folder=self.folder / "ntp") as self.client:
            self.client.initialize()
            while (steps is None or taken < steps) and (end is None or time.monotonic() < end):
                step = self.random.choice(STEPS) if self.random.random() > COMMANDS else None
                self.execute() if step is None else step(self)
                self.check_log()
                taken += 1
            assert self.memory() < MOST_MEMORY
            assert self.client.end() == 0
        return taken

    def memory(self) -> float:
        """Return the memory of the server in MiB."""
        text = Path(f"/proc/{self.client.process.pid}/status").read_text()
        found = re.search(r"VmRSS:\s+(\d+)", text)
        return int(found[1]) / 1024 if found else 0.0

    def check_log(self) -> None:
        """Raise AssertionError for an internal error that the server has logged."""
        while self.client.notified:
            message = self.client.notified.popleft()
            text = str(message.get("params", {}))
            assert "internal error" not in text, text
            if message["method"] == "textDocument/publishDiagnostics":
                params = message["params"]
                if params.get("version") == self.client.versions.get(params["uri"]):
                    self.check_ranges(params["diagnostics"], params["uri"])
                    self.findings[params["uri"]] = params["diagnostics"]

    # -- steps -----------------------------------------------------------------------------------

    def open(self) -> None:
        """Open a document."""
        name = self.random.choice(list(FILES))
        path = self.folder / "ntp" / name
        if path.as_uri() not in self.texts and path.exists():
            text = path.read_bytes().decode("utf-8")
            self.texts[self.client.open(name, text)] = text

    def edit(self) -> None:
        """Change a document in one or several places."""
        if not self.texts:
            return
        uri = self.random.choice(list(self.texts))
        changes = []
        for _ in range(self.random.choice([1, 1, 1, 3])):
            text = self.texts[uri]
            start = self.random.randint(0, len(text))
            end = min(len(text), start + self.random.choice([0, 0, 1, 5, 40]))
            if "\r" in text[max(0, start - 1) : start + 1] or "\r" in text[end - 1 : end + 1]:
                continue
            new = "".join(self.random.choices(PIECES, k=self.random.choice([0, 1, 2])))
            piece = {"start": position(text, start), "end": position(text, end)}
            changes.append({"range": piece, "text": new})
            self.texts[uri] = text[:start] + new + text[end:]
        if changes:
            self.client.change(uri, *changes)

    def save(self) -> None:
        """Write a document to its file."""
        if self.texts:
            uri = self.random.choice(list(self.texts))
            Path(uri.removeprefix("file://")).write_bytes(self.texts[uri].encode())
            self.client.notify("textDocument/didSave", {"textDocument": {"uri": uri}})

    def close(self) -> None:
        """Close a document."""
        if self.texts:
            uri = self.random.choice(list(self.texts))
            del self.texts[uri]
            self.client.versions.pop(uri)
            self.client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})

    def delete(self) -> None:
        """Delete a file, or write it again as it was."""
        name = self.random.choice(list(FILES))
        path = self.folder / "ntp" / name
        kind = 3 if path.exists() else 1
        if path.exists():
            path.unlink()
        else:
            path.write_text(FILES[name], "utf-8")
        changes = [{"uri": path.as_uri(), "type": kind}]
        self.client.notify("workspace/didChangeWatchedFiles", {"changes": changes})

    def ask(self) -> None:
        """Send a request, and sometimes cancel it; check the places in the answer."""
        if not self.texts:
            return
        uri = self.random.choice(list(self.texts))
        text = self.texts[uri]
        params: dict[str, Any] = {"textDocument": {"uri": uri}}
        method = self.random.choice([*AT_PLACES, *OF_DOCUMENTS])
        if method in AT_PLACES:
            params["position"] = position(text, self.random.randint(0, len(text)))
        if method == "references":
            params["context"] = {"includeDeclaration": True}
        found = self.answer(method, params)
        self.check_ranges(found, uri)

    def answer(self, method: str, params: dict[str, Any]) -> Any:
        """Return the answer to a request about a document, which is sometimes cancelled; None if it is refused."""
        if method in self.unknown:
            return None
        number = self.client.begin(f"textDocument/{method}", params)
        if self.random.random() < 0.2:
            self.client.notify("$/cancelRequest", {"id": number})
        try:
            return self.client.result(number)
        except LspError as error:
            if error.code == METHOD_NOT_FOUND:
                self.unknown.add(method)
            elif error.code not in REFUSED:
                raise
            return None

    def ask_in_parts(self) -> None:
        """Ask for an answer in parts; they are those of the whole answer."""
        if not self.texts:
            return
        uri = self.random.choice(list(self.texts))
        place = position(self.texts[uri], self.random.randint(0, len(self.texts[uri])))
        params = {"textDocument": {"uri": uri}, "position": place, "context": {}}
        whole = self.client.request("textDocument/references", params)
        parts = self.client.request(
            "textDocument/references", {**params, "partialResultToken": "parts"}
        )
        assert parts == [], parts
        found: list[Any] = []
        for message in [*self.client.notified]:
            if message["method"] == "$/progress" and message["params"]["token"] == "parts":
                found += message["params"]["value"]
                self.client.notified.remove(message)
        assert found == whole, (found, whole)

    def resolve(self) -> None:
        """Resolve a lens, a completion or a symbol, sometimes with other data than the server sent."""
        if not self.texts:
            return
        uri = self.random.choice(list(self.texts))
        place = position(self.texts[uri], self.random.randint(0, len(self.texts[uri])))
        params = {"textDocument": {"uri": uri}, "position": place}
        method, request, items = self.random.choice(
            [
                ("codeLens/resolve", "textDocument/codeLens", ""),
                ("completionItem/resolve", "textDocument/completion", "items"),
                ("workspaceSymbol/resolve", "workspace/symbol", ""),
            ]
        )
        answer = self.client.request(request, {**params, "query": "n"}) or []
        some = (answer.get(items) if isinstance(answer, dict) else answer) or []
        if not some:
            return
        one = self.random.choice(some)
        if isinstance(one.get("data"), dict) and self.random.random() < 0.3:
            name = self.random.choice(list(one["data"]))
            other = self.random.choice([None, 3, -1, "x", [], [1, "x"], {}, True])
            one = {**one, "data": {**one["data"], name: other}}
        try:
            self.check_ranges(self.client.request(method, one), uri)
        except LspError as error:
            if error.code not in {*REFUSED, INVALID_PARAMS}:
                raise AssertionError(one) from error

    def execute(self) -> None:
        """Run a command of the server, which is often cancelled: it starts a program."""
        name, arguments = self.random.choice(
            [
                ("bunraku.explain", {"subject": "Class[ntp]"}),
                ("bunraku.explain", {"subject": self.random.choice(["", "-x", "é", "ntp::port"])}),
                ("bunraku.explain", {}),
                ("bunraku.compile", {"system": "debian-12-x86_64"}),
                ("bunraku.compile", {"node": 3}),
                ("bunraku.difference", {"revision": self.random.choice(["HEAD", "-x", "no"])}),
                ("bunraku.none", {}),
            ]
        )
        number = self.client.begin(
            "workspace/executeCommand", {"command": name, "arguments": [arguments]}
        )
        if self.random.random() < 0.8:
            self.client.notify("$/cancelRequest", {"id": number})
        try:
            assert isinstance(self.client.result(number)["text"], str)
        except LspError as error:
            if error.code not in {*REFUSED, INVALID_PARAMS}:
                raise

    def rename(self) -> None:
        """Rename what is at a place; check the changes of all files, and make them sometimes."""
        if not self.texts:
            return
        uri = self.random.choice(list(self.texts))
        place = position(self.texts[uri], self.random.randint(0, len(self.texts[uri])))
        params = {"textDocument": {"uri": uri}, "position": place}
        self.take_edit(self.answer("rename", {**params, "newName": self.random.choice(NAMES)}))

    def format(self) -> None:
        """Format a document, or a piece of it, and take the result."""
        if not self.texts:
            return
        uri = self.random.choice(list(self.texts))
        text = self.texts[uri]
        method = self.random.choice(["formatting", "rangeFormatting", "onTypeFormatting"])
        params: dict[str, Any] = {"textDocument": {"uri": uri}}
        params["options"] = {"tabSize": 2, "insertSpaces": True}
        if method == "rangeFormatting":
            params["range"] = self.piece_of(text)
        if method == "onTypeFormatting":
            params["position"] = position(text, self.random.randint(0, len(text)))
            params["ch"] = self.random.choice(["}", "\n"])
        found = self.answer(method, params)
        self.check_ranges(found, uri)
        self.make_edits(uri, found or [])

    def act(self) -> None:
        """Take one of the actions for a piece of a document."""
        if not self.texts:
            return
        uri = self.random.choice(list(self.texts))
        params = {
            "textDocument": {"uri": uri},
            "range": self.piece_of(self.texts[uri]),
            "context": {"diagnostics": self.findings.get(uri, [])},
        }
        found = self.answer("codeAction", params)
        # The findings in the answer are those of the question, which can be of an earlier text.
        self.check_ranges([{**one, "diagnostics": []} for one in found or ()], uri)
        if found:
            self.take_edit(self.random.choice(found).get("edit"))

    def piece_of(self, text: str) -> dict[str, Any]:
        """Return a range of a text."""
        start, end = sorted(self.random.choices(range(len(text) + 1), k=2))
        return {"start": position(text, start), "end": position(text, end)}

    def take_edit(self, edit: Any) -> None:
        """Check the changes of all files that a client would make, and make those of open documents."""
        for uri, edits in (edit or {}).get("changes", {}).items():
            for one in edits:
                self.check_range(one["range"], uri)
            self.make_edits(uri, edits)

    def make_edits(self, uri: str, edits: list[Any]) -> None:
        """Check that edits do not overlap, and make them in a document that is open."""
        ordered = sorted(edits, key=lambda one: places_of(one["range"]))
        for before, after in pairwise(ordered):
            assert places_of(before["range"])[1] <= places_of(after["range"])[0], (before, after)
        if uri not in self.texts or self.random.random() < 0.5 or "\r" in self.texts[uri]:
            return
        text = self.texts[uri]
        for one in reversed(ordered):
            start, end = (offset_of(text, one["range"][name]) for name in ("start", "end"))
            text = text[:start] + one["newText"] + text[end:]
        self.client.change(
            uri, *({"range": one["range"], "text": one["newText"]} for one in reversed(ordered))
        )
        self.texts[uri] = text

    def search(self) -> None:
        """Search for definitions."""
        query = self.random.choice(["", "ntp", "p", "é"])
        self.check_ranges(self.client.request("workspace/symbol", {"query": query}), "")

    # -- checks ----------------------------------------------------------------------------------

    def check_ranges(self, found: Any, uri: str) -> None:
        """Raise AssertionError for a range outside of the text of its document."""
        if isinstance(found, list):
            for one in found:
                self.check_ranges(one, uri)
        elif isinstance(found, dict):
            uri = found.get("uri", uri) if isinstance(found.get("uri"), str) else uri
            if "start" in found and "end" in found and isinstance(found["start"], dict):
                self.check_range(found, uri)
            for one in found.values():
                self.check_ranges(one, uri)

    def check_range(self, found: dict[str, Any], uri: str) -> None:
        """Raise AssertionError for a range that ends before it begins, or is outside of an open document."""
        start, end = found["start"], found["end"]
        assert (start["line"], start["character"]) <= (end["line"], end["character"]), found
        if uri in self.texts:
            lines = re.split(r"\r\n|\n|\r", self.texts[uri])
            for one in (start, end):
                assert one["line"] < len(lines), (found, uri)
                width = len(lines[one["line"]].encode("utf-16-le")) // 2
                assert 0 <= one["character"] <= width, (found, uri)


def position(text: str, offset: int) -> dict[str, int]:
    """Return the position of an offset, in UTF-16."""
    before = re.split(r"\r\n|\n|\r", text[:offset])
    return {"line": len(before) - 1, "character": len(before[-1].encode("utf-16-le")) // 2}


def offset_of(text: str, place: dict[str, int]) -> int:
    """Return the offset of a position in UTF-16; the text has no carriage returns."""
    lines = text.split("\n")
    line = lines[place["line"]].encode("utf-16-le")[: place["character"] * 2].decode("utf-16-le")
    return sum(len(one) + 1 for one in lines[: place["line"]]) + len(line)


def places_of(piece: dict[str, Any]) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return the start and the end of a range as numbers that can be compared."""
    start, end = piece["start"], piece["end"]
    return (start["line"], start["character"]), (end["line"], end["character"])


STEPS = [
    *[EditorFuzz.open] * 3,
    *[EditorFuzz.edit] * 8,
    *[EditorFuzz.ask] * 8,
    *[EditorFuzz.rename] * 2,
    *[EditorFuzz.format] * 2,
    *[EditorFuzz.act] * 2,
    *[EditorFuzz.resolve] * 2,
    EditorFuzz.ask_in_parts,
    EditorFuzz.save,
    EditorFuzz.close,
    EditorFuzz.delete,
    EditorFuzz.search,
]


def main() -> None:
    """Run for some seconds, with a new server each minute."""
    end = time.monotonic() + float(sys.argv[1])
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else int(time.time())
    while (left := end - time.monotonic()) > 0:
        with tempfile.TemporaryDirectory() as name:
            print(f"seed {seed}", end=": ", flush=True)
            taken = EditorFuzz(Path(name), random.Random(seed)).run(None, min(60.0, left))
            print(f"{taken} steps", flush=True)
        seed += 1


if __name__ == "__main__":
    main()
