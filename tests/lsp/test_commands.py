"""Commands of the server, and lenses that programs answer."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.lsp_client import LspClient, LspError

FILES = {
    "environment.conf": "modulepath = modules\n",
    "bunraku.toml": 'facts_folder = "facts"\n',
    "facts/web1.yaml": "role: web\n",
    "manifests/site.pp": "node 'web1' {\n  include ntp\n}\n",
    "modules/ntp/manifests/init.pp": "class ntp {\n  file { '/etc/ntp.conf': mode => '0644' }\n}\n",
}
INIT = "modules/ntp/manifests/init.pp"
ABLE = {
    "window": {"showDocument": {"support": True}},
    "workspace": {"codeLens": {"refreshSupport": True}},
}


def run_git(folder: Path, *words: str) -> None:
    """Run git as an author."""
    names = ["-c", "user.name=Ann", "-c", "user.email=ann@example.com"]
    subprocess.run(["git", *names, *words], cwd=folder, check=True, capture_output=True)


@pytest.fixture(scope="module")
def client(tmp_path_factory) -> Iterator[LspClient]:
    """A client with a control repository in git."""
    folder = tmp_path_factory.mktemp("site")
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    catalogs = folder / ".catalogs"
    catalogs.mkdir()
    resources = [{"type": "Class", "title": "Ntp", "parameters": {}}]
    for node in ("web1", "web2"):
        catalog = {"name": node, "version": "1", "resources": resources, "edges": []}
        (catalogs / f"{node}.json").write_text(json.dumps(catalog))
    run_git(folder, "init", "-q")
    run_git(folder, "add", ".")
    run_git(folder, "commit", "-qm", "Add ntp", "--date=2020-02-03T12:00:00Z")
    with LspClient(folder=folder) as made:
        options = {"node": "web1", "checkProject": False, "catalogs": str(catalogs)}
        made.initialize(ABLE, initializationOptions=options)
        made.open(INIT)
        yield made
        made.end()


def lenses(client: LspClient) -> list[str]:
    """Return the titles of the lenses above the class."""
    document = {"textDocument": {"uri": client.uri(INIT)}}
    found = client.request("textDocument/codeLens", document)
    shown = [one if "command" in one else client.request("codeLens/resolve", one) for one in found]
    return [one["command"]["title"] for one in shown]


def test_lenses_show_uses_nodes_and_the_last_change(client):
    changed = "last changed by Ann on 2020-02-03: Add ntp"
    while len(found := lenses(client)) < 3:
        client.wait_for("workspace/codeLens/refresh")
    assert found == ["1 use", "2 nodes", changed]
    client.change(
        client.uri(INIT),
        {
            "range": {"start": {"line": 1, "character": 0}, "end": {"line": 1, "character": 0}},
            "text": "#\n",
        },
    )
    assert lenses(client)[-1] == "changed, not committed"


def execute(client: LspClient, command: str, **arguments: object) -> dict[str, str]:
    """Run a command of the server."""
    params = {"command": command, "arguments": [arguments]}
    found: dict[str, str] = client.request("workspace/executeCommand", params)
    return found


def test_a_catalog_of_the_chosen_node(client):
    found = execute(client, "bunraku.compile", show=True)
    assert found["title"] == "catalog of web1"
    assert "file { '/etc/ntp.conf':" in found["text"]
    path = Path(client.wait_for("window/showDocument")["uri"].removeprefix("file://"))
    assert path.read_text() == found["text"]
    assert path.parent.stat().st_mode & 0o77 == 0


def test_an_explanation(client):
    found = execute(client, "bunraku.explain", subject="File[/etc/ntp.conf]")
    assert "ntp" in found["text"]


def test_names_at_the_cursor_are_explained(client):
    place = {"line": 0, "character": 7}
    params = {
        "textDocument": {"uri": client.uri(INIT)},
        "range": {"start": place, "end": place},
        "context": {"diagnostics": []},
    }
    action = client.request("textDocument/codeAction", params)[-1]
    assert action["title"] == "Explain ntp"
    found = client.request("workspace/executeCommand", action["command"])
    assert "Class[Ntp]" in found["text"]


def test_a_difference(client):
    (client.folder / INIT).write_text(FILES[INIT].replace("0644", "0600"))
    found = execute(client, "bunraku.difference", revision="HEAD")
    assert "0600" in found["text"]


@pytest.mark.parametrize(
    ("command", "arguments", "code"),
    [
        ("bunraku.other", {}, -32602),
        ("bunraku.explain", {}, -32602),
        ("bunraku.explain", {"subject": "--help"}, -32602),
        ("bunraku.difference", {"revision": "--output=x"}, -32602),
        ("bunraku.difference", {"revision": "gone"}, -32803),
        ("bunraku.compile", {"node": 1}, -32602),
    ],
)
def test_refusals(client, command, arguments, code):
    with pytest.raises(LspError) as caught:
        execute(client, command, **arguments)
    assert caught.value.code == code


def test_a_command_is_cancelled(client):
    number = client.begin("workspace/executeCommand", {"command": "bunraku.compile"})
    client.notify("$/cancelRequest", {"id": number})
    with pytest.raises(LspError) as caught:
        client.result(number)
    assert caught.value.code == -32800


def test_nodes_of_the_project_are_compiled(client, tmp_path):
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    with LspClient(folder=tmp_path) as other:
        options = {"checkProject": False, "compileNodes": True}
        other.initialize(ABLE, initializationOptions=options)
        other.open(INIT)
        while (found := lenses(other)) != ["1 use", "1 node"]:
            assert found == ["1 use"]
            other.wait_for("workspace/codeLens/refresh")
        other.end()
