"""Static catalogs: the version of the code that a catalog names, and commands that fail."""

from __future__ import annotations

import json

import pytest

from bunraku.server.authorization.reading import read_access
from bunraku.server.interface import answer
from support.server import needs_modules
from support.server import site as copy_site
from support.server_service import EVERYTHING, content, form, request, site_service

NODE = "web.example.test"
HEADERS = {
    "Accept": "application/vnd.puppet.rich+json",
    "Content-Type": "application/x-www-form-urlencoded",
}
COMMAND = """#!/bin/sh
echo "$1" >> "{log}"
case "$1" in
  static) echo 'v-1_a;b:2' ;;
  testing) echo 'not good' ;;
  production) echo out; echo err >&2; exit 3 ;;
esac
"""


@pytest.fixture(scope="module")
def rig(tmp_path_factory):
    """A server whose command knows a good version, a malformed one and none, and its calls."""
    folder = tmp_path_factory.mktemp("versions")
    copy_site(folder)
    calls, command = folder / "calls", folder / "code_id"
    command.write_text(COMMAND.format(log=calls))
    command.chmod(0o755)
    commands = {"code_id_command": str(command), "code_content_command": "/bin/false"}
    with site_service(folder, **commands) as service:
        yield service, calls, command


def ask(service, environment, **parameters):
    """Return the response to an agent that accepts a static catalog."""
    body = form(NODE, {}, environment=environment, static_catalog="true", **parameters)
    target = f"/puppet/v3/catalog/{NODE}?environment={environment}"
    return answer(service, request("POST", target, HEADERS, body, NODE))


@needs_modules
def test_a_catalog_names_the_version_of_its_code(rig):
    service, calls, _ = rig
    calls.write_text("")
    response = ask(service, "static", checksum_type="sha256")
    found = json.loads(content(response))
    assert found["code_id"] == "v-1_a;b:2"
    assert found["metadata"]
    assert calls.read_text() == "static\n"


def test_a_malformed_version_is_an_error_and_is_logged(rig):
    service, _, _ = rig
    response = ask(service, "testing")
    allowed = "alpha-numerics and '-', '_', ';', or ':'"
    reason = f"Invalid code-id 'not good'. Must contain only {allowed}"
    assert response.status == 500
    assert response.headers["content-type"] == "text/plain;charset=utf-8"
    assert content(response).decode() == f"Internal Server Error: {reason}"
    assert ("err", reason) in service.log.lines


def test_a_command_that_fails_stops_the_catalog(rig):
    service, _, command = rig
    response = ask(service, "production")
    assert response.status == 500
    assert content(response).decode() == (
        f"Internal Server Error: Non-zero exit code returned while running '{command}'."
        " exit-code: '3', stdout: 'out\n', stderr: 'err\n'"
    )


def test_a_catalog_for_a_service_fails_in_the_same_way(tmp_path):
    command = tmp_path / "code_id"
    command.write_text("#!/bin/sh\nexit 3\n")
    command.chmod(0o755)
    copy_site(tmp_path)
    commands = {"code_id_command": str(command), "code_content_command": "/bin/false"}
    body = {
        "certname": NODE,
        "environment": "production",
        "persistence": {"facts": False, "catalog": False},
        "facts": {"values": {}},
    }
    with site_service(
        tmp_path, rules=read_access(EVERYTHING, "auth.conf").rules, **commands
    ) as service:
        headers = {"Content-Type": "application/json"}
        response = answer(
            service,
            request("POST", "/puppet/v4/catalog", headers, json.dumps(body).encode(), NODE),
        )
    assert response.status == 500
    assert content(response).startswith(b"Internal Server Error: Non-zero exit code returned")
