"""Each kind of breakpoint in Debian's module apache, by a client of the adapter."""

from __future__ import annotations

import pytest

from support.dap_client import DapProcess
from support.debian_modules import MODULES, needs_debian_modules

pytestmark = needs_debian_modules
SITE = """\
class { 'apache': }
class { 'apache::mod::remoteip': internal_proxy => ['10.0.0.1'] }
apache::vhost { 'a.example.com': port => 8080, docroot => '/srv/a' }
apache::vhost { 'b.example.com': port => 8081, docroot => '/srv/b' }
warning('the end')
"""
VHOST = MODULES / "apache/manifests/vhost.pp"
TEMPLATE = MODULES / "apache/templates/mod/remoteip.conf.epp"


@pytest.fixture
def client(tmp_path):
    """A client of a compile with the module."""
    (tmp_path / "site.pp").write_text(SITE)
    client = DapProcess(tmp_path)
    facts = {"clientversion": "7.23.0"}
    client.begin(
        {
            "program": "site.pp",
            "node": "a.example.com",
            "os": "debian-12",
            "facts": facts,
            "modulepath": [str(MODULES)],
        }
    )
    yield client
    assert client.close() == 0


def line_of(path, text):
    """Return the first line of a file with a text."""
    lines = path.read_text().splitlines()
    return next(number for number, line in enumerate(lines, 1) if text in line)


def test_lines_conditions_hits_and_logs(client):
    line = line_of(VHOST, "$listen_addr_port = $port") - 1
    asked = [
        {"line": line, "condition": "$port == 8081"},
        {"line": line + 1, "hitCondition": "2"},
        {"line": line + 2, "logMessage": "{$servername} listens on {$port}"},
    ]
    found = client.ask("setBreakpoints", source={"path": str(VHOST)}, breakpoints=asked)
    assert all(one["verified"] for one in found["breakpoints"])
    client.go()
    places = [client.place()]
    while client.resume()["event"] == "stopped":
        places.append(client.place())
    assert ("define apache::vhost[b.example.com]", line) in places
    assert "a.example.com listens on 8080" in client.outputs()


def test_every_line_of_a_manifest_is_verified(client):
    lines = VHOST.read_text().count("\n")
    assert all(one["verified"] for one in client.break_at(VHOST, *range(1, lines + 1)))


@pytest.mark.parametrize(
    ("name", "frame"),
    [
        ("apache::vhost", "define apache::vhost[default]"),
        ("apache::mod::remoteip", "class apache::mod::remoteip"),
        ("File[remoteip.conf]", "class apache::mod::remoteip"),
        ("Apache::Vhost[b.example.com]", "main"),
        ("$apache::mpm_module", "class apache"),
        ("apache/mod/remoteip.conf.epp", "template remoteip.conf.epp"),
        ("epp", "class apache::mod::remoteip"),
        ("apache::apache_pw_hash", None),
    ],
)
def test_names(client, name, frame):
    client.ask("setFunctionBreakpoints", breakpoints=[{"name": name}])
    event = client.go()
    assert (event["event"] == "stopped") == (frame is not None)
    if frame is not None:
        assert client.place()[0] == frame


def test_a_parameter_and_its_value(client):
    chosen = [{"dataId": "$apache::vhost::port", "condition": "$port == 8081"}]
    client.ask("setDataBreakpoints", breakpoints=chosen)
    assert client.go()["reason"] == "data breakpoint"
    assert client.place()[0] == "define apache::vhost[b.example.com]"
    assert client.value("$docroot") == "'/srv/b'"
    assert client.resume()["event"] == "terminated"


def test_a_line_of_a_template_and_steps_out_of_it(client):
    line = line_of(TEMPLATE, "RemoteIPHeader")
    (found,) = client.break_at(TEMPLATE, line)
    assert found["verified"]
    client.go()
    assert client.place()[0] == "template remoteip.conf.epp"
    assert [one["name"] for one in client.stack()][1:] == ["class apache::mod::remoteip", "main"]
    client.resume("stepOut")
    assert client.place() == ("main", 3)


def test_warnings(client):
    client.ask(
        "setExceptionBreakpoints",
        filterOptions=[{"filterId": "warning", "condition": "$message =~ /end/"}],
    )
    assert client.go()["text"] == "the end"
    scopes = client.ask("scopes", frameId=1)["scopes"]
    assert [one["name"] for one in scopes] == ["Local (top)", "Facts", "Catalog"]
    assert int(client.scope("Catalog")["File"]["value"].partition(" ")[0]) > 10
