"""Sessions of a client with a process of the debug adapter."""

from __future__ import annotations

import socket
import subprocess
import sys

import pytest

from support.dap_client import SECONDS, DapClient, DapProcess

CODE = """\
function double(Integer $n) >> Integer {
  $result = $n * 2
  $result
}
class web(
  Integer $port = 80,
  Sensitive $password = Sensitive('hush'),
) {
  $doubled = double($port)
  file { '/etc/web':
    ensure  => file,
    content => "port ${doubled}",
  }
  ['a', 'b'].each |$name| {
    web::site { $name:
      port => $port,
    }
  }
}
define web::site(Integer $port) {
  notice("site ${title}")
  file { "/etc/${title}": ensure => file }
}
include web
warning('done')
"""


@pytest.fixture
def client(tmp_path):
    """A client of a process in a directory with ``site.pp``."""
    (tmp_path / "site.pp").write_text(CODE)
    client = DapProcess(tmp_path)
    client.begin({"program": "site.pp", "node": "a.example.com", "cwd": str(tmp_path)})
    yield client
    assert client.close() == 0


def test_a_breakpoint_stops_on_its_line(client, tmp_path):
    (found,) = client.break_at(tmp_path / "site.pp", 9)
    assert found["verified"]
    assert client.go()["hitBreakpointIds"] == [found["id"]]
    assert client.place() == ("class web", 9)
    assert client.scope("Local")["$port"]["value"] == "80"
    assert client.scope("Local")["$port"]["type"] == "Integer"
    assert client.value("$port + 1") == "81"
    assert client.resume()["event"] == "terminated"
    assert "catalog of a.example.com: 9 resources" in client.outputs()


def test_secrets_stay_hidden(client, tmp_path):
    client.break_at(tmp_path / "site.pp", 9)
    client.go()
    assert client.scope("Local")["$password"]["value"] == "Sensitive [value redacted]"
    assert "hush" not in client.value("$password")
    assert "Sensitive" in client.refusal("evaluate", expression="$password.unwrap", frameId=1)


def test_steps_go_into_functions_and_back(client, tmp_path):
    client.break_at(tmp_path / "site.pp", 9)
    client.go()
    client.resume("stepIn")
    assert client.place() == ("function double", 1)
    client.resume("next")
    assert client.place() == ("function double", 2)
    client.resume("stepOut")
    assert client.place() == ("class web", 10)


def test_a_resource_stops_where_it_is_declared(client):
    client.ask("setFunctionBreakpoints", breakpoints=[{"name": "File[/etc/b]"}])
    client.go()
    assert client.place() == ("define web::site[b]", 22)
    assert client.stack()[1]["name"] == "class web (declares it)"


def test_a_warning_stops(client):
    client.ask("setExceptionBreakpoints", filters=["warning"])
    assert client.go()["text"] == "done"
    assert client.place() == ("main", 25)


def test_variables_can_be_set(client, tmp_path):
    client.break_at(tmp_path / "site.pp", 9)
    client.go()
    (local, *_) = client.ask("scopes", frameId=1)["scopes"]
    number = local["variablesReference"]
    found = client.ask("setVariable", variablesReference=number, name="$port", value="40 + 1")
    assert found == {
        "value": "41",
        "type": "Integer",
        "variablesReference": 0,
        "evaluateName": "$port",
    }
    assert client.ask("setExpression", expression="$port", value="42", frameId=1)["value"] == "42"
    refused = client.refusal("setVariable", variablesReference=number, name="$port", value="'x'")
    assert refused == "parameter 'port' expects an Integer value, got String"
    refused = client.refusal("setVariable", variablesReference=99, name="x", value="1")
    assert refused == "there are no variables 99"
    client.ask("setFunctionBreakpoints", breakpoints=[{"name": "double"}])
    client.resume()
    assert client.value("$n") == "42"


def test_expressions_of_each_context(client, tmp_path):
    client.break_at(tmp_path / "site.pp", 9)
    client.go()
    assert client.value("lookup('none', default_value => 3)", context="repl") == "3"
    assert client.value("$port", context="hover") == "80"
    assert client.value("port", context="hover") == "80"
    assert "would change the catalog" in client.refusal(
        "evaluate", expression="include web", context="hover", frameId=1
    )
    assert (
        client.refusal("evaluate", expression="$nothing", frameId=1)
        == "Unknown variable: 'nothing'"
    )
    found = client.ask("evaluate", expression="{ 'a' => [1, 2] }", frameId=1)
    (inner,) = client.parts(found["variablesReference"]).values()
    assert (inner["name"], inner["value"], inner["indexedVariables"]) == ("'a'", "[1, 2]", 2)
    assert list(client.parts(inner["variablesReference"])) == ["[0]", "[1]"]
    outer = client.ask("evaluate", expression="$title", frameId=2)
    assert outer["result"] == "'main'"


def test_the_console_completes_names(client, tmp_path):
    client.break_at(tmp_path / "site.pp", 9)
    client.go()
    variables = client.ask("completions", text="notice($po", column=11, frameId=1)["targets"]
    assert [(one["label"], one["start"], one["length"]) for one in variables] == [("$port", 7, 3)]
    functions = client.ask("completions", text="split", column=6, frameId=1)["targets"]
    assert [one["label"] for one in functions] == ["split"]


def test_an_error_is_described(client, tmp_path):
    (tmp_path / "site.pp").write_text("class a {\n  fail('no')\n}\ninclude a\n")
    client.ask("setExceptionBreakpoints", filters=["error"])
    stop = client.go()
    assert (stop["reason"], stop["text"]) == ("exception", "no")
    assert client.place() == ("class a", 2)
    found = client.ask("exceptionInfo", threadId=1)
    assert found["exceptionId"] == "FAIL"
    assert "class a" in found["details"]["stackTrace"]
    assert client.resume()["event"] == "terminated"
    assert "site.pp:2:3: error: no" in client.outputs()
    assert client.event("exited")["exitCode"] == 1


def test_a_session_starts_again(client, tmp_path):
    client.break_at(tmp_path / "site.pp", 9, hitCondition="1")
    client.go()
    client.ask("restart")
    assert client.event("stopped")["reason"] == "breakpoint"
    assert client.place() == ("class web", 9)
    client.ask(
        "restart", arguments={"code": "$x = 1\n$y = 2", "program": None, "stopOnEntry": True}
    )
    assert client.event("stopped")["reason"] == "entry"
    assert client.place() == ("main", 1)
    client.ask("terminate")
    assert client.event("terminated")
    assert not client.outputs().count("internal")


def test_code_without_a_file_has_a_source(tmp_path):
    client = DapProcess(tmp_path)
    client.begin({"code": "$x = 1\n\n$y = 2\n", "stopOnEntry": True, "node": "a"})
    assert client.go()["reason"] == "entry"
    (frame,) = client.stack()
    source = frame["source"]
    assert source["name"] == "-e"
    assert (
        client.ask("source", source=source, sourceReference=source["sourceReference"])["content"]
        == "$x = 1\n\n$y = 2\n"
    )
    (found,) = client.ask("setBreakpoints", source=source, breakpoints=[{"line": 2}])["breakpoints"]
    assert (found["verified"], found["line"]) == (True, 3)
    client.resume()
    assert client.place() == ("main", 3)
    assert [one["name"] for one in client.ask("loadedSources")["sources"]] == ["-e"]
    assert client.resume()["event"] == "terminated"
    assert client.close() == 0


def test_data_breakpoints_on_a_parameter(client, tmp_path):
    client.break_at(tmp_path / "site.pp", 9)
    client.go()
    (local, *_) = client.ask("scopes", frameId=1)["scopes"]
    info = client.ask(
        "dataBreakpointInfo", variablesReference=local["variablesReference"], name="$port"
    )
    assert info["dataId"] == "$web::port"
    chosen = [{"dataId": "$web::site::port", "condition": "$title == 'b'"}]
    (found,) = client.ask("setDataBreakpoints", breakpoints=chosen)["breakpoints"]
    assert found["verified"]
    assert client.resume()["reason"] == "data breakpoint"
    assert client.place() == ("define web::site[b]", 20)


def test_places_on_a_line(client, tmp_path):
    path = tmp_path / "one.pp"
    path.write_text("if true { notice(1) notice(2) }\n")
    source = {"path": str(path)}
    found = client.ask("breakpointLocations", source=source, line=1)["breakpoints"]
    assert found == [{"line": 1, "column": column} for column in (1, 11, 21)]
    client.ask("restart", arguments={"program": str(path)})
    client.ask("setBreakpoints", source=source, breakpoints=[{"line": 1, "column": 21}])
    client.go()
    assert client.stack()[0]["column"] == 21


@pytest.mark.parametrize(
    ("name", "message"),
    [("none.pp", "cannot read"), ("x.erb", "not a manifest"), ("empty.pp", "no code")],
)
def test_a_file_without_code_says_so(client, tmp_path, name, message):
    (tmp_path / "empty.pp").write_text("# nothing\n")
    (found,) = client.break_at(tmp_path / name, 1)
    assert not found["verified"]
    assert message in found["message"]


def test_a_pause_stops_at_the_next_place(tmp_path):
    (tmp_path / "site.pp").write_text("Integer[1, 10000000].each |$i| {\n  $x = $i\n}\n")
    client = DapProcess(tmp_path)
    client.begin({"program": "site.pp", "node": "a"})
    client.ask("configurationDone")
    assert client.event("thread")["reason"] == "started"
    client.wait(lambda one: one.get("event") == "loadedSource")
    for _ in range(2):
        client.ask("pause", threadId=1)
        assert client.event("stopped")["reason"] == "pause"
        last = client.stack()[0]["name"]
        client.ask("continue", threadId=1)
    assert last == "lambda of each"
    client.ask("terminate")
    client.event("terminated")
    assert client.close() == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"program": "none.pp"}, "none.pp"),
        ({}, "nothing to compile"),
        ({"program": "site.pp", "strict": "of"}, "did you mean 'off'?"),
        ({"program": "site.pp", "os": "debain-12"}, "debain-12"),
        ({"program": "site.pp", "cwd": "/nowhere"}, "cannot use /nowhere"),
    ],
)
def test_a_launch_that_cannot_run_is_refused(tmp_path, arguments, message):
    (tmp_path / "site.pp").write_text("notice(1)\n")
    client = DapProcess(tmp_path)
    client.ask("initialize", adapterID="bunraku")
    assert message in client.refusal("launch", **arguments)
    client.ask("launch", program="site.pp", unknwon=1)
    assert "unknown argument 'unknwon'" in client.outputs()
    client.close()


def test_other_requests_and_messages_do_no_harm(client):
    assert "unknown request" in client.refusal("reverseContinue")
    assert client.refusal("stackTrace", threadId=1) == "no code waits"
    assert "invalid arguments" in client.refusal("setBreakpoints", source=1)
    client.target.write(
        b"Content-Length: 3\r\n\r\nabcContent-Length: 2\r\n\r\n[]Header: 1\r\nContent-Length: 2\r\n\r\n{}"
    )
    client.target.flush()
    assert client.ask("threads") == {"threads": [{"id": 1, "name": "compile"}]}


def test_a_client_that_is_gone_ends_the_process(tmp_path):
    (tmp_path / "site.pp").write_text("Integer[1, 10000000].each |$i| {\n  $x = $i\n}\n")
    client = DapProcess(tmp_path)
    client.begin({"program": "site.pp", "node": "a"})
    client.ask("configurationDone")
    client.target.close()
    assert client.process.wait(SECONDS) == 0
    client.source.close()


def test_a_run_without_the_debugger(tmp_path):
    (tmp_path / "site.pp").write_text("notify { 'x': }\n")
    client = DapProcess(tmp_path)
    client.begin({"program": "site.pp", "node": "a", "noDebug": True, "stopOnEntry": True})
    client.break_at(tmp_path / "site.pp", 1)
    assert client.go()["event"] == "terminated"
    assert client.close() == 0


def test_clients_connect_to_a_port(tmp_path):
    (tmp_path / "site.pp").write_text("$x = 1\n")
    words = [sys.executable, "-m", "bunraku", "debug", "--listen", "0"]
    process = subprocess.Popen(words, stderr=subprocess.PIPE, text=True)
    port = int(process.stderr.readline().rpartition(":")[2])
    for _ in range(2):
        connection = socket.create_connection(("127.0.0.1", port), SECONDS)
        connection.settimeout(None)
        client = DapClient(connection.makefile("rb"), connection.makefile("wb"))
        client.begin({"program": "site.pp", "cwd": str(tmp_path), "stopOnEntry": True, "node": "a"})
        assert client.go()["reason"] == "entry"
        assert client.resume()["event"] == "terminated"
        client.ask("disconnect")
        client.target.close()
        connection.shutdown(socket.SHUT_RDWR)
        connection.close()
        client.reader.join(SECONDS)
        client.source.close()
    process.terminate()
    process.wait(SECONDS)
    process.stderr.close()


def test_breakpoints_may_come_before_the_launch(tmp_path):
    path = tmp_path / "site.pp"
    path.write_text("$x = 1\n\n$y = 2\n")
    client = DapProcess(tmp_path)
    client.ask("initialize", adapterID="bunraku", linesStartAt1=False, columnsStartAt1=False)
    client.event("initialized")
    (found,) = client.break_at(path, 1)
    assert (found["verified"], found["line"]) == (True, 2)
    client.ask("configurationDone")
    client.ask("launch", program=str(path), node="a")
    assert client.event("stopped")["reason"] == "breakpoint"
    assert client.stack()[0]["line"] == 2
    assert client.close() == 0


def test_a_changed_file_moves_its_breakpoints(client, tmp_path):
    path = tmp_path / "site.pp"
    path.write_text("$x = 1\n$y = 2\n")
    client.break_at(path, 2)
    client.go()
    assert client.place() == ("main", 2)
    path.write_text("$x = 1\n# nothing\n$y = 2\n")
    client.ask("restart")
    changed = client.event("breakpoint")["breakpoint"]
    assert changed["line"] == 3
    client.event("stopped")
    assert client.place() == ("main", 3)


def test_puppet_3_is_debugged(tmp_path):
    path = tmp_path / "site.pp"
    path.write_text(
        "class a($x = 1) {\n  if $x == 1 {\n    $y = $x\n    notice($y)\n  }\n}\ninclude a\n"
    )
    client = DapProcess(tmp_path)
    client.begin({"program": str(path), "node": "a", "language": "3.8"})
    client.break_at(path, 3)
    client.go()
    assert client.place() == ("class a", 3)
    assert client.value("$x") == "'1'"
    client.resume("next")
    assert client.scope("Local")["$y"]["value"] == "'1'"
    assert client.resume()["event"] == "terminated"
    assert client.close() == 0
