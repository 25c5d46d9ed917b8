"""Sessions over a real process, as an editor has them."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import sys

import pytest

from support.lsp_client import LspClient, LspError

METADATA = (
    '{"name": "me-ntp", "version": "1.0.0", "author": "me", "license": "MIT", "summary": "time",'
    ' "source": "x", "dependencies": []}'
)
SERVER = "class ntp::server(Integer $port = 1) {\n}\n"
INIT = "# The main class.\nclass ntp {\n  include ntp::server\n  notice($unknown)\n}\n"


@pytest.fixture
def module(tmp_path):
    """A module ``ntp``."""
    root = tmp_path / "ntp"
    (root / "manifests").mkdir(parents=True)
    (root / "metadata.json").write_text(METADATA)
    (root / "manifests" / "server.pp").write_text(SERVER)
    (root / "manifests" / "init.pp").write_text(INIT)
    return root


@pytest.fixture
def client(module):
    with LspClient(folder=module) as made:
        made.initialize()
        yield made


def test_a_session(module):
    with LspClient(folder=module) as client:
        answer = client.initialize({"general": {"positionEncodings": ["utf-16", "utf-8"]}})
        assert answer["capabilities"]["positionEncoding"] == "utf-8"
        assert answer["serverInfo"]["name"] == "bunraku"
        uri = client.open("manifests/init.pp")
        found = client.findings(uri, "UNKNOWN_VARIABLE")
        (finding,) = [one for one in found if one["code"] == "UNKNOWN_VARIABLE"]
        assert finding["range"]["start"] == {"line": 3, "character": 9}
        assert client.request("textDocument/definition", client.at(uri, 2, 18)) == [
            {
                "uri": client.uri("manifests/server.pp"),
                "range": {
                    "start": {"line": 0, "character": 6},
                    "end": {"line": 0, "character": 17},
                },
            }
        ]
        hover = client.request("textDocument/hover", client.at(uri, 2, 18))
        assert "Integer $port = 1" in hover["contents"]["value"]
        assert client.end() == 0


def test_edits_change_the_findings(client):
    uri = client.open("manifests/init.pp")
    client.findings(uri, "UNKNOWN_VARIABLE")
    start, end = {"line": 3, "character": 10}, {"line": 3, "character": 17}
    client.change(uri, {"range": {"start": start, "end": end}, "text": "ntp::server::port"})
    found = [client.findings(uri) for _part in ("syntax", "analysis", "style")]
    assert not any(one["code"] == "UNKNOWN_VARIABLE" for one in found[-1])
    client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})


def test_columns_count_utf_16(client):
    uri = client.open("manifests/a.pp", "$é = '\U0001f600'\nnotice('\U0001f600', $b)\n$b = 1")
    (place,) = client.request("textDocument/definition", client.at(uri, 1, 14))
    assert place["range"]["start"] == {"line": 2, "character": 1}


def test_an_unsaved_class_counts(client):
    text = "class ntp::server(Integer $port = 1) {\n  $own = 1\n}\n"
    client.open("manifests/server.pp", text)
    uri = client.open("manifests/other.pp", "notice($ntp::server::own)\n")
    found = client.request("textDocument/references", client.at(uri, 0, 22, context={}))
    assert len(found) == 2


@pytest.mark.parametrize(
    ("method", "params", "code"),
    [
        ("textDocument/nonsense", {}, -32601),
        ("textDocument/hover", {}, -32602),
        ("textDocument/hover", [1], -32602),
        ("textDocument/hover", {"textDocument": {"uri": "file:///x"}, "position": 3}, -32602),
        ("textDocument/hover", {"textDocument": {"uri": 3}}, -32602),
        ("textDocument/inlayHint", {"textDocument": {"uri": "file:///x"}, "range": None}, -32602),
        ("textDocument/onTypeFormatting", {"position": {"line": "a", "character": 0}}, -32602),
        ("textDocument/selectionRange", {"textDocument": {"uri": "x"}, "positions": 3}, -32602),
        ("textDocument/codeAction", {"context": {"diagnostics": [3]}}, -32602),
        ("completionItem/resolve", {"label": "x", "data": 3}, -32602),
        ("codeLens/resolve", {"data": {"uri": "x", "kind": [], "name": "x"}}, -32602),
        (
            "workspaceSymbol/resolve",
            {"location": {"uri": "x"}, "data": {"start": "x", "end": 1}},
            -32602,
        ),
        ("initialize", {}, -32600),
    ],
)
def test_requests_that_cannot_be_answered(client, method, params, code):
    with pytest.raises(LspError) as caught:
        client.request(method, params)
    assert caught.value.code == code
    assert client.request("workspace/symbol", {"query": "server"})


def test_broken_messages_do_not_end_the_server(client):
    client.send_bytes(b"{")
    client.send_bytes(b"[]")
    for broken in ({"method": {}}, {"method": 3, "id": 900}, {"method": "shutdown", "id": []}):
        client.send(broken)
    client.send({"id": {}, "result": 3})
    client.process.stdin.write(b"noise\nContent-Length: x\n\n")
    assert client.request("workspace/symbol", {"query": "server"})


def test_members_of_settings_and_of_data_have_any_names(client):
    client.notify("workspace/didChangeConfiguration", {"settings": {"text": {"uri": 3}}})
    data = {"range": 3, "text": {}}
    uri = client.open("manifests/init.pp")
    place = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 1}}
    finding = {"range": place, "message": "x", "source": "other", "data": data}
    params = {
        "textDocument": {"uri": uri},
        "range": place,
        "context": {"diagnostics": [finding]},
    }
    assert isinstance(client.request("textDocument/codeAction", params), list)


def test_a_request_before_initialize(module):
    first = pytest.raises(LspError, match="the first request must be initialize")
    with LspClient(folder=module) as client, first:
        client.request("textDocument/hover", {})


def test_requests_can_be_cancelled(client):
    wanted = client.begin("workspace/symbol", {"query": "server"})
    other = client.begin("workspace/symbol", {"query": "server"})
    client.notify("$/cancelRequest", {"id": other})
    assert client.result(wanted)
    code = -32800
    try:
        client.result(other)  # it was answered before it was cancelled
    except LspError as error:
        code = error.code
    assert code == -32800


def test_the_end_of_the_client_ends_the_server(module):
    with LspClient(folder=module) as client:
        client.initialize()
        client.process.stdin.close()
        assert client.process.wait(30) == 1


def test_the_end_of_the_process_of_the_client_ends_the_server(module):
    with subprocess.Popen(["sleep", "60"]) as other, LspClient(folder=module) as client:
        client.initialize(processId=other.pid)
        other.kill()
        other.wait()
        assert client.process.wait(30) == 1


def test_a_client_whose_process_is_not_here_is_served(module):
    with LspClient(folder=module) as client:
        client.initialize(processId=2**22 + 1)  # more than Linux gives
        assert client.request("workspace/symbol", {"query": "server"})
        assert client.end() == 0


def test_a_port():
    words = [sys.executable, "-m", "bunraku", "lsp", "--tcp", "0"]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    port = int(process.stdout.readline().rpartition(":")[2])
    with socket.create_connection(("127.0.0.1", port)) as client:
        body = b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}'
        client.sendall(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        client.settimeout(30)
        answer = client.makefile("rb")
        length = int(answer.readline().partition(b":")[2])
        answer.readline()
        assert b'"bunraku"' in answer.read(length)
        answer.close()
    assert process.wait(30) == 1
    process.stdout.close()


def test_files_that_are_not_open_have_findings(client):
    while True:
        found = client.wait_for("textDocument/publishDiagnostics")
        if found["uri"].endswith("init.pp") and found["diagnostics"]:
            break
    (finding,) = [one for one in found["diagnostics"] if one["code"] == "UNKNOWN_VARIABLE"]
    assert finding["range"] == {
        "start": {"line": 3, "character": 9},
        "end": {"line": 3, "character": 17},
    }


def project_findings(client, name):
    """Wait for the findings of a file that is not open; return whether it has some."""
    while True:
        found = client.wait_for("textDocument/publishDiagnostics")
        if found["uri"].endswith(name):
            return bool(found["diagnostics"])


def test_the_findings_of_a_folder_go_with_it(client, module):
    assert project_findings(client, "init.pp")
    event = {"added": [], "removed": [{"uri": module.as_uri(), "name": "test"}]}
    client.notify("workspace/didChangeWorkspaceFolders", {"event": event})
    assert not project_findings(client, "init.pp")


def test_the_findings_of_a_folder_go_when_it_is_deleted(client, module):
    assert project_findings(client, "init.pp")
    shutil.rmtree(module)
    changes = [{"uri": module.as_uri(), "type": 3}]
    client.notify("workspace/didChangeWatchedFiles", {"changes": changes})
    assert not project_findings(client, "init.pp")


@pytest.mark.parametrize(
    "params", [[1], {"workspaceFolders": 3}, {"workspaceFolders": [{}]}, {"rootUri": 3}]
)
def test_an_initialize_of_other_types(module, params):
    with LspClient(folder=module) as client:
        with pytest.raises(LspError) as caught:
            client.request("initialize", params)
        assert caught.value.code == -32602


def test_files_that_change_on_the_disk(client, module):
    uri = client.open("manifests/init.pp")
    assert client.request("workspace/symbol", {"query": "server"})
    path = module / "manifests" / "server.pp"
    path.unlink()
    changes = [{"uri": path.as_uri(), "type": 3}]
    client.notify("workspace/didChangeWatchedFiles", {"changes": changes})
    assert client.request("workspace/symbol", {"query": "server"}) == []
    assert client.findings(uri, "UNKNOWN_CLASS")


def test_a_wrong_configuration_is_shown(module):
    (module / "bunraku.toml").write_text("nosuch = 1\n")
    with LspClient(folder=module) as client:
        client.initialize()
        assert client.findings(client.open("manifests/init.pp"), "UNKNOWN_VARIABLE")
        assert "unknown key 'nosuch'" in client.wait_for("window/showMessage")["message"]


def test_settings_and_nodes(module):
    with LspClient(folder=module) as client:
        client.initialize(initializationOptions={"nod": "x", "system": "debian-12-x86_64"})
        assert "did you mean 'node'" in client.wait_for("window/showMessage")["message"]
        assert client.wait_for("bunraku/nodeChanged")["system"] == "debian-12-x86_64"
        found = client.request("bunraku/nodes")
        assert {"name": "debian-12-x86_64", "source": "sample system"} in found
        client.request("bunraku/chooseNode", {"node": "web1"})
        assert client.wait_for("bunraku/nodeChanged") == {"node": "web1", "system": ""}


def test_progress_and_registration(module):
    capabilities = {
        "window": {"workDoneProgress": True},
        "workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}},
    }
    with LspClient(folder=module) as client:
        client.initialize(capabilities)
        registered = client.wait_for("client/registerCapability")["registrations"]
        assert [one["method"] for one in registered] == ["workspace/didChangeWatchedFiles"]
        kinds = [client.wait_for("$/progress")["value"]["kind"] for _ in range(2)]
        assert kinds == ["begin", "end"]


def test_folders_come_and_go(client, tmp_path_factory):
    other = tmp_path_factory.mktemp("other")
    (other / "a.pp").write_text("class other {\n}\n")
    folder = {"uri": other.as_uri(), "name": "other"}
    for added, removed, count in (([folder], [], 1), ([], [folder], 0)):
        event = {"event": {"added": added, "removed": removed}}
        client.notify("workspace/didChangeWorkspaceFolders", event)
        assert len(client.request("workspace/symbol", {"query": "other"})) == count


def test_a_call_hierarchy(client):
    uri = client.open("manifests/init.pp")
    (item,) = client.request("textDocument/prepareCallHierarchy", client.at(uri, 2, 18))
    (call,) = client.request("callHierarchy/incomingCalls", {"item": item})
    assert call["from"]["name"] == "ntp"
    assert call["fromRanges"][0]["start"] == {"line": 2, "character": 10}
    (lens,) = client.request("textDocument/codeLens", {"textDocument": {"uri": uri}})
    assert client.request("codeLens/resolve", lens)["command"]["title"] == "0 uses"


def test_an_index_for_code_hosts(module):
    words = [sys.executable, "-m", "bunraku", "lsp", "--index", "-"]
    done = subprocess.run(words, cwd=module, capture_output=True, check=True, text=True)
    elements = [json.loads(line) for line in done.stdout.splitlines()]
    by_id = {one["id"]: one for one in elements}
    assert len(by_id) == len(elements)
    assert elements[0]["label"] == "metaData"
    for one in elements:
        if one["type"] == "edge":  # an edge comes after what it names
            named = [one["outV"], *([one["inV"]] if "inV" in one else one["inVs"])]
            assert all(by_id[each]["id"] < one["id"] for each in named)
    documents = {one["uri"].rpartition("/")[2] for one in elements if one["label"] == "document"}
    assert documents == {"init.pp", "server.pp", "metadata.json"}
    hovers = [
        one["result"]["contents"]["value"] for one in elements if one["label"] == "hoverResult"
    ]
    assert any("Integer $port = 1" in text for text in hovers)
