"""Sessions of a client with a process of the debug adapter."""

from __future__ import annotations

import pytest

from support.dap_client import DapProcess

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
