"""Catalogs for agents, and what stops them."""

from __future__ import annotations

import json

from bunraku.server.interface import answer
from support.server import needs_modules
from support.server_service import content, form, request, rows, site_service

FORM = "application/x-www-form-urlencoded"
NODE = "node.example.test"
RICH = "application/vnd.puppet.rich+json, application/json, text/pson"


def ask(service, node, facts=None, environment="production", client=None, accept=RICH):
    """Return the response to an agent's request for its catalog."""
    headers = {"Accept": accept, "Content-Type": FORM}
    body = form(node, facts if facts is not None else {"kernel": "Linux"}, environment=environment)
    target = f"/puppet/v3/catalog/{node}?environment={environment}"
    return answer(service, request("POST", target, headers, body, client or node))


def catalog(response):
    """Return the catalog in a response."""
    assert response.status == 200, content(response)
    return json.loads(content(response))


@needs_modules
def test_a_node_gets_the_catalog_of_its_facts_and_certificate(service):
    found = catalog(ask(service, "web.example.test", {"demo_fact": "sent"}))
    titles = {(one["type"], one["title"]) for one in found["resources"]}
    assert ("Notify", "fact sent external ") in titles
    assert ("File", "/tmp/server-rig-demo/web.example.test/inline") in titles
    assert found["name"] == "web.example.test"
    assert found["environment"] == "production"


@needs_modules
def test_facts_and_catalog_are_stored_without_secrets(service):
    catalog(ask(service, "stored.example.test", {"demo_fact": "kept"}))
    facts = rows(service, ["from", "facts", ["=", "certname", "stored.example.test"]])
    by_name = {one["name"]: one["value"] for one in facts}
    assert by_name["demo_fact"] == "kept"
    assert by_name["trusted"]["certname"] == "stored.example.test"
    resources = rows(service, ["from", "resources", ["=", "certname", "stored.example.test"]])
    assert len(resources) > 15
    assert "s3cret" not in json.dumps(resources)


@needs_modules
def test_exported_resources_of_one_node_reach_the_other(service):
    catalog(ask(service, "exports1.example.test"))
    rows(service, ["from", "nodes"])
    found = catalog(ask(service, "exports2.example.test"))
    titles = {one["title"] for one in found["resources"]}
    assert "exported by exports1.example.test" in titles
    assert "entry entry of exports1.example.test" in titles


def test_the_facts_of_another_node_are_refused(service):
    headers = {"Accept": RICH, "Content-Type": FORM}
    target = "/puppet/v3/catalog/web.example.test?environment=production"
    body = form("other.example.test", {})
    response = answer(service, request("POST", target, headers, body, "web.example.test"))
    assert response.status == 500
    assert b'wrong node (\\"other.example.test\\")' in content(response)


def test_the_catalog_of_another_node_is_refused(service):
    assert ask(service, "web.example.test", client="other.example.test").status == 403


def test_an_error_names_its_place_and_the_node(service):
    response = ask(service, "fails.example.test")
    message = json.loads(content(response))["message"]
    assert response.status == 500
    assert message.startswith(
        "Server Error: Evaluation Error: Error while evaluating a Function Call, "
        "this node is meant to fail (file: "
    )
    assert message.endswith("site.pp, line: 3, column: 38) on node fails.example.test")


def asked(service, environment, **parameters):
    """Return the environment and the notifications of a catalog, as an agent asks for it."""
    body = form(NODE, {}, environment=environment, **parameters)
    headers = {"Accept": RICH, "Content-Type": FORM}
    target = f"/puppet/v3/catalog/{NODE}?environment={environment}"
    found = catalog(answer(service, request("POST", target, headers, body, NODE)))
    titles = [one["title"] for one in found["resources"] if one["type"] == "Notify"]
    return found["environment"], len(found["resources"]), titles


def test_the_classifier_sends_an_agent_to_another_environment(tmp_path):
    """Puppet 7.23 observed: the first catalog is empty and names the environment to start again in."""
    for name in ("production", "other"):
        manifests = tmp_path / f"code/environments/{name}/manifests"
        manifests.mkdir(parents=True)
        (manifests / "site.pp").write_text(f"notify {{ 'of {name}': }}\n")
    program = tmp_path / "classify"
    program.write_text("#!/bin/sh\necho '{environment: other}'\n")
    program.chmod(0o755)
    with site_service(tmp_path, node_terminus="exec", external_nodes=str(program)) as service:
        assert asked(service, "production", check_environment="true") == ("other", 0, [])
        environment, _, titles = asked(service, "other", check_environment="true")
        assert (environment, titles) == ("other", ["of other"])
        assert asked(service, "production")[2] == ["of other"]


def test_a_catalog_with_a_dependency_cycle_is_sent_and_the_server_warns(tmp_path):
    manifests = tmp_path / "code/environments/production/manifests"
    manifests.mkdir(parents=True)
    (manifests / "site.pp").write_text("notify { 'a': require => Notify['a'] }\n")
    with site_service(tmp_path) as service:
        assert asked(service, "production")[2] == ["a"]
        found = [text for _level, text in service.log.lines if "dependency cycle" in text]
    assert len(found) == 1
    assert "Notify[a] -> Notify[a]; the agent refuses this catalog" in found[0]
