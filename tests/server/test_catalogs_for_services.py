"""Catalogs for services: all resources, plain JSON, and the log as Puppet writes it."""

from __future__ import annotations

import json
import re

import pytest

from bunraku.server.authorization.reading import read_access
from bunraku.server.interface import answer
from support.server_service import content, request, site_service

EVERYTHING = """
authorization: {
    version: 1
    rules: [{ match-request: { path: "/", type: path }, allow: "*", sort-order: 1, name: "all" }]
}
"""
MANIFEST = """
class noisy {
  warning('said in a class')
  @@notify { 'for others': }
  @notify { 'for nobody': }
  notify { 'pattern': message => /^a/ }
}
include noisy
"""
NODE = "web1.example.test"


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    manifests = folder / "code/environments/production/manifests"
    manifests.mkdir(parents=True)
    (manifests / "site.pp").write_text(MANIFEST)
    with site_service(folder, rules=read_access(EVERYTHING, "auth.conf").rules) as running:
        yield running


def asked(service, **options):
    body = {
        "certname": NODE,
        "environment": "production",
        "persistence": {"facts": False, "catalog": False},
        "facts": {"values": {}},
        "options": options,
    }
    headers = {"Content-Type": "application/json"}
    sent = json.dumps(body).encode()
    response = answer(service, request("POST", "/puppet/v4/catalog", headers, sent, NODE))
    assert response.status == 200, content(response)
    return json.loads(content(response))


def test_the_catalog_has_exported_resources_and_plain_values(service):
    found = asked(service)
    assert "logs" not in found
    notifies = {
        one["title"]: one for one in found["catalog"]["resources"] if one["type"] == "Notify"
    }
    assert notifies.keys() == {"for others", "pattern"}
    assert notifies["for others"]["exported"] is True
    assert notifies["pattern"]["parameters"]["message"] == "/^a/"


@pytest.mark.parametrize("times", ["first", "again"])
def test_entries_of_the_log_have_the_fields_of_puppet(service, times):
    entries = asked(service, capture_logs=True, log_level="info")["logs"]
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}\+00:00", entries[0].pop("time"))
    said, *_, compiled = entries
    assert said == {
        "level": "warning",
        "message": "said in a class",
        "source": "Scope(Class[Noisy])",
        "tags": ["warning"],
        "file": None,
        "line": None,
    }
    assert (compiled["level"], compiled["source"]) == ("info", "Puppet")
    assert compiled["message"] == (
        f"Compiled catalog for {NODE} in environment production using the v4 catalog endpoint"
    )


def test_the_level_chooses_entries(service):
    levels = {one["level"] for one in asked(service, capture_logs=True, log_level="err")["logs"]}
    assert levels <= {"err"}


def test_the_log_of_the_server_names_the_scope(service):
    asked(service)
    assert ("warning", f"Scope(Class[Noisy]): said in a class on node {NODE}") in service.log.lines
