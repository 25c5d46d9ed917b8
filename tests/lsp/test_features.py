"""Requests of an editor while somebody writes code, over a real process."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bunraku.lsp.features.semantic_tokens import TYPES
from support.lsp_client import LspClient, LspError

METADATA = '{"name": "me-ntp", "version": "1.0.0", "author": "me", "license": "MIT", "summary": "x", "source": "x", "dependencies": []}'
FILES = {
    "metadata.json": METADATA,
    "manifests/init.pp": "class ntp {\n  include ntp::server\n  file { '/x':\n    ensure => file,\n    \n  }\n}\n",
    "manifests/server.pp": "# @summary A server\nclass ntp::server(Integer $port = 1) {\n  /* 𝄞 */ $text = join(['ä€', 'b'], '')\n}\n",
    "data/common.yaml": "---\nntp::server::port: 2\n",
}
ABLE = {
    "general": {"positionEncodings": ["utf-16"]},
    "textDocument": {"completion": {"completionItem": {"snippetSupport": True}}},
    "workspace": {
        "workspaceEdit": {"documentChanges": True, "resourceOperations": ["create", "rename"]}
    },
}


@pytest.fixture(scope="module")
def client(tmp_path_factory) -> Iterator[LspClient]:
    """Return a client with the module ``ntp`` open."""
    folder = tmp_path_factory.mktemp("lsp") / "ntp"
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    with LspClient(folder=folder) as made:
        made.initialize(ABLE)
        made.open("manifests/init.pp")
        made.open("manifests/server.pp")
        yield made
        made.end()


def at(
    client: LspClient, name: str, line: int, character: int, **more: object
) -> dict[str, object]:
    """Return the parameters of a request about a place."""
    document = {"uri": client.uri(name)}
    return {"textDocument": document, "position": {"line": line, "character": character}, **more}


def test_completion(client):
    params = at(client, "manifests/init.pp", 4, 4)
    answer = client.request("textDocument/completion", params)
    items = {one["label"]: one for one in answer["items"]}
    assert "ensure" not in items
    assert items["owner"]["textEdit"]["newText"] == "owner => $0,"
    assert items["owner"]["documentation"]["kind"] == "markdown"


def test_completion_is_resolved(client):
    answer = client.request("textDocument/completion", at(client, "manifests/init.pp", 1, 15))
    item = next(one for one in answer["items"] if one["label"] == "ntp::server")
    resolved = client.request("completionItem/resolve", item)
    assert "class ntp::server" in resolved["documentation"]["value"]


def test_signature_help(client):
    answer = client.request("textDocument/signatureHelp", at(client, "manifests/server.pp", 2, 28))
    assert answer["signatures"][answer["activeSignature"]]["label"].startswith("join(")


def test_semantic_tokens(client):
    document = {"textDocument": {"uri": client.uri("manifests/server.pp")}}
    data = client.request("textDocument/semanticTokens/full", document)["data"]
    kinds = [TYPES[data[place + 3]] for place in range(0, len(data), 5)]
    assert kinds == ["class", "type", "parameter", "variable", "function"]
    piece = {"start": {"line": 2, "character": 0}, "end": {"line": 3, "character": 0}}
    some = client.request("textDocument/semanticTokens/range", {**document, "range": piece})
    assert len(some["data"]) == 10


def test_folding_and_selection(client):
    document = {"textDocument": {"uri": client.uri("manifests/init.pp")}}
    folds = client.request("textDocument/foldingRange", document)
    assert {"startLine": 0, "endLine": 5} in folds
    positions = {"positions": [{"line": 3, "character": 15}]}
    (found,) = client.request("textDocument/selectionRange", {**document, **positions})
    assert found["parent"]["range"]["start"] == {"line": 3, "character": 4}


def test_formatting(client):
    document = {"textDocument": {"uri": client.uri("manifests/init.pp")}, "options": {}}
    edits = client.request("textDocument/formatting", document)
    assert [one["newText"] for one in edits] == [""]
    piece = {"start": {"line": 1, "character": 0}, "end": {"line": 1, "character": 1}}
    assert client.request("textDocument/rangeFormatting", {**document, "range": piece}) == []


def test_rename(client):
    params = at(client, "manifests/server.pp", 1, 8)
    assert client.request("textDocument/prepareRename", params)["placeholder"] == "ntp::server"
    answer = client.request("textDocument/rename", {**params, "newName": "ntp::daemon"})
    changes = answer["documentChanges"]
    assert changes[-1]["kind"] == "rename"
    assert changes[-1]["newUri"].endswith("/manifests/daemon.pp")
    changed = {one["textDocument"]["uri"].rpartition("/")[2] for one in changes[:-1]}
    assert changed >= {"init.pp", "server.pp"}


def test_a_refused_rename_says_why(client):
    with pytest.raises(LspError, match="stays in its module"):
        client.request(
            "textDocument/rename", {**at(client, "manifests/server.pp", 1, 8), "newName": "other"}
        )


def test_highlights(client):
    answer = client.request(
        "textDocument/documentHighlight", at(client, "manifests/server.pp", 1, 27)
    )
    assert len(answer) == 1


def test_code_actions(client):
    place = {"line": 1, "character": 8}
    params = {
        "textDocument": {"uri": client.uri("manifests/server.pp")},
        "range": {"start": place, "end": place},
        "context": {"diagnostics": [], "only": ["refactor"]},
    }
    titles = [one["title"] for one in client.request("textDocument/codeAction", params)]
    assert titles == ["Add documentation"]


def test_positions_count_utf_16(client):
    piece = {"start": {"line": 0, "character": 0}, "end": {"line": 4, "character": 0}}
    params = {"textDocument": {"uri": client.uri("manifests/server.pp")}, "range": piece}
    hints = client.request("textDocument/inlayHint", params)
    assert [one["position"] for one in hints] == [{"line": 2, "character": 16}]


def test_references_and_symbols_come_in_parts(client):
    params = at(client, "manifests/server.pp", 1, 8, context={})
    whole = client.request("textDocument/references", params)
    assert client.request("textDocument/references", {**params, "partialResultToken": "r"}) == []
    assert client.wait_for("$/progress") == {"token": "r", "value": whole}
    symbols = client.request("workspace/symbol", {"query": "ntp", "partialResultToken": 7})
    assert symbols == []
    part = client.wait_for("$/progress")
    assert part["token"] == 7
    assert {one["name"] for one in part["value"]} >= {"ntp", "ntp::server"}
