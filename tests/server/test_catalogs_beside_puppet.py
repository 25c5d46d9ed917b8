"""Whole catalogs beside those that the compiler of an installed Puppet 7 makes of the same site."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from bunraku.server.interface import answer
from support.server import needs_modules
from support.server import site as copy_site
from support.server_service import EXTENSIONS, content, form, request, site_service

pytestmark = [
    pytest.mark.skipif(shutil.which("puppet") is None, reason="needs Puppet and Ruby"),
    needs_modules,
]
SCRIPT = Path(__file__).with_name("catalogs.rb")
RICH = "application/vnd.puppet.rich+json"
NODES = ("web.example.test", "plain8.auto.example.test", "eventsz.auto.example.test")
ENVIRONMENTS = ("production", "testing", "static")
FACTS = {"demo_fact": "from pluginsync", "demo_external": "external", "kernel": "Linux"}
CASES = [(node, environment) for environment in ENVIRONMENTS for node in NODES]
NAMES = {
    "1.3.6.1.4.1.34380.1.1.13": "pp_role",
    "1.3.6.1.4.1.34380.1.2.1": "1.3.6.1.4.1.34380.1.2.1",
}
CHANGING = ("version", "catalog_uuid")


def of_puppet(folder: Path) -> list[dict]:
    """Return the catalogs of the installed Puppet."""
    lines = [
        json.dumps(
            {
                "node": node,
                "environment": environment,
                "facts": FACTS,
                "extensions": {NAMES[oid]: text for oid, text in EXTENSIONS.get(node, ())},
                "static": environment == "static",
            }
        )
        for node, environment in CASES
    ]
    places = [str(folder / name) for name in ("own", "code/environments", "code/modules")]
    done = subprocess.run(
        ["ruby", str(SCRIPT), *places],
        input="\n".join(lines) + "\n",
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "TZ": "UTC"},
    )
    found = [json.loads(line) for line in done.stdout.splitlines() if line.startswith('{"')]
    assert len(found) == len(CASES), done.stderr
    return found


def of_ours(service, node: str, environment: str) -> dict:
    """Return a catalog of our server."""
    headers = {"Accept": RICH, "Content-Type": "application/x-www-form-urlencoded"}
    static = {"static_catalog": "true", "checksum_type": "sha256.md5"}
    body = form(node, FACTS, environment=environment, **static)
    target = f"/puppet/v3/catalog/{node}?environment={environment}"
    response = answer(service, request("POST", target, headers, body, node))
    assert response.status == 200, content(response)
    return json.loads(content(response))


def comparable(catalog: dict) -> dict:
    """Return a catalog without what differs each time, with a code id only where it is static."""
    found = {key: value for key, value in catalog.items() if key not in CHANGING}
    if found["environment"] != "static":
        found["code_id"] = None
    for listings in found.get("recursive_metadata", {}).values():
        for listing in listings.values():
            listing.sort(key=lambda one: one["relative_path"])
    return found


@pytest.fixture(scope="module")
def catalogs(tmp_path_factory):
    """The catalogs of both, by node and environment."""
    folder = tmp_path_factory.mktemp("beside")
    copy_site(folder)
    code_id = folder / "code_id"
    code_id.write_text("#!/bin/sh\necho rig-code-1\n")
    code_id.chmod(0o755)
    commands = {"code_id_command": str(code_id), "code_content_command": "/bin/false"}
    theirs = dict(zip(CASES, of_puppet(folder), strict=True))
    with site_service(folder, **commands) as service:
        ours = {case: of_ours(service, *case) for case in CASES}
    return ours, theirs


@pytest.mark.parametrize("case", CASES, ids="-".join)
def test_a_catalog_is_that_of_puppet(catalogs, case):
    ours, theirs = (comparable(found[case]) for found in catalogs)
    assert list(ours) == list(theirs)
    for key, value in theirs.items():
        assert ours[key] == value, key


def test_the_parts_of_resources_come_in_puppets_order(catalogs):
    for case in CASES:
        ours, theirs = (found[case]["resources"] for found in catalogs)
        assert [list(one) for one in ours] == [list(one) for one in theirs], case


def test_the_static_catalogs_describe_files(catalogs):
    for found in catalogs:
        static = found["web.example.test", "static"]
        assert static["metadata"]
        assert static["recursive_metadata"]
        assert static["code_id"] == "rig-code-1"
