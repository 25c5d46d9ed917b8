"""A client attaches to a run of tests."""

from __future__ import annotations

import re
import socket
import subprocess
import sys
from contextlib import suppress

import pytest

from support.dap_client import SECONDS, DapClient

MANIFEST = """\
class web(Integer $port = 80) {
  $text = epp('web/port.epp', { 'port' => $port })
  file { '/etc/web': content => $text }
}
"""
SPEC = """\
test('another port') || {
  $port = 82
  class { 'web': port => $port }
  contains(File['/etc/web'], { content => "port 82\\n" })
}
"""
METADATA = """\
{"name": "me-web", "version": "1.0.0", "author": "me", "license": "MIT", "summary": "a web server",
 "source": "https://example.com/web", "dependencies": []}
"""
TEST = """\
def test_the_port_is_in_the_file(compile):
    assert compile("web", params={"port": 81})["File[/etc/web]"]["content"] == "port 81\\n"

def test_another_port(compile):
    assert compile("web")["File[/etc/web]"]["content"] == "port 80\\n"
"""


@pytest.fixture
def module(tmp_path):
    """A module with a class, a template and two tests."""
    root = tmp_path / "web"
    files = {
        "metadata.json": METADATA,
        "manifests/init.pp": MANIFEST,
        "templates/port.epp": "<%- | Integer $port | -%>\nport <%= $port %>\n",
        "spec/test_web.py": TEST,
        "spec/web_spec.pp": SPEC,
    }
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def attach(module):
    """Run the tests of the module; return the process, and a client that is attached to it."""
    words = [sys.executable, "-m", "bunraku", "test", "--debugger", "0", "-q"]
    process = subprocess.Popen(words, cwd=module, stdout=subprocess.PIPE, text=True)
    for line in process.stdout:
        port = re.search(r"waiting for a client on 127.0.0.1:(\d+)", line)
        if port:
            break
    connection = socket.create_connection(("127.0.0.1", int(port[1])), SECONDS)
    connection.settimeout(None)
    client = DapClient(connection.makefile("rb"), connection.makefile("wb"))
    client.begin({}, "attach")
    return process, client, connection


def leave(client, connection):
    """Close the connection."""
    client.target.close()
    with suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)
    connection.close()
    client.reader.join(SECONDS)
    client.source.close()


@pytest.fixture
def attached(module):
    """A client that is attached to the tests of the module, before it sets breakpoints."""
    process, client, connection = attach(module)
    client.rest = process.stdout
    yield client
    leave(client, connection)
    process.stdout.read()
    process.stdout.close()
    assert process.wait(SECONDS) == 0


def test_a_class_stops_in_a_test(attached, module):
    (found,) = attached.break_at(module / "manifests/init.pp", 3, condition="$port == 81")
    assert found["verified"]
    assert attached.go()["reason"] == "breakpoint"
    assert attached.place() == ("class web", 3)
    assert attached.value("$text") == '"port 81\\n"'
    assert attached.resume()["event"] == "terminated"
    assert "spec/test_web.py::test_the_port_is_in_the_file" in attached.outputs()


def test_a_template_stops_in_a_test(attached, module):
    (found,) = attached.break_at(module / "templates/port.epp", 2)
    assert found["verified"]
    attached.go()
    assert attached.place() == ("template port.epp", 2)
    assert attached.scope("Local (template)")["$port"]["value"] == "81"
    for port in ("81", "80", "82"):
        assert attached.value("$port") == port
        event = attached.resume()["event"]
    assert event == "terminated"


def test_tests_go_on_when_the_client_leaves(attached, module):
    attached.break_at(module / "manifests/init.pp", 3)
    attached.go()
    attached.ask("disconnect")
    assert "3 passed" in "".join(attached.rest)


def test_a_spec_file_in_puppet_code_stops(attached, module):
    (found,) = attached.break_at(module / "spec/web_spec.pp", 3)
    assert found["verified"]
    attached.go()
    frame = attached.stack()[0]
    assert (frame["name"], frame["line"]) == ("main", 3)
    assert frame["source"]["path"] == str(module / "spec/web_spec.pp")
    assert attached.value("$port") == "82"
    assert attached.resume()["event"] == "terminated"


def test_the_client_ends_the_tests(module):
    process, client, connection = attach(module)
    client.break_at(module / "manifests/init.pp", 3)
    client.go()
    client.ask("terminate")
    assert "KeyboardInterrupt" in process.stdout.read()
    leave(client, connection)
    process.stdout.close()
    assert process.wait(SECONDS) == 130
