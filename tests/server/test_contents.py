"""What environments contain: transports of devices and classes, with tags."""

from __future__ import annotations

import json

import pytest

from bunraku.server.authorization.reading import read_access
from bunraku.server.interface import answer
from support.server_service import content, request, site_service

RULES = """authorization: { version: 1, rules: [ {
  match-request: { path: "/puppet/v3/environment_", type: path }
  allow: "admin.test", sort-order: 1, name: "all" } ] }"""
TRANSPORT = """Puppet::ResourceApi.register_transport(
  name: '{name}', desc: '{desc}', connection_info: {{ port: {{ type: 'Integer', desc: 'p' }} }})
"""


@pytest.fixture(scope="module")
def rig(tmp_path_factory):
    """A server of an environment with two modules, and the folder of the modules."""
    folder = tmp_path_factory.mktemp("contents")
    modules = folder / "code/environments/production/modules"
    for module, transports in (("one", ["b", "shared"]), ("two", ["a", "shared"])):
        schema = modules / module / "lib/puppet/transport/schema"
        schema.mkdir(parents=True)
        (modules / module / "manifests").mkdir()
        for name in transports:
            (schema / f"{name}.rb").write_text(TRANSPORT.format(name=name, desc=module))
        (schema / "notes.txt").write_text("no Ruby")
    (modules / "one/manifests/init.pp").write_text("class one {}\n")
    (folder / "code/environments/empty").mkdir()
    with site_service(folder, rules=read_access(RULES, "auth.conf").rules) as service:
        yield service, modules


def ask(service, what, environment="production", **headers):
    """Return the response to a request for the contents of an environment."""
    query = f"?environment={environment}" if environment else ""
    return answer(
        service,
        request("GET", f"/puppet/v3/environment_{what}{query}", headers, client="admin.test"),
    )


def test_the_transports_of_an_environment(rig):
    found = content(ask(rig[0], "transports"))
    entry = '{"connection_info":{"port":{"desc":"p","type":"Integer"}},'
    entry += '"connection_info_order":["port"],"desc":"%s","name":"%s"}'
    listed = [entry % one for one in (("one", "b"), ("one", "shared"), ("two", "a"))]
    assert found.decode() == f'{{"name":"production","transports":[{",".join(listed)}]}}'


def test_an_environment_without_transports(rig):
    assert json.loads(content(ask(rig[0], "transports", "empty"))) == {
        "name": "empty",
        "transports": [],
    }


def test_a_transport_registered_twice_is_an_error(rig):
    path = rig[1] / "two/lib/puppet/transport/schema/again.rb"
    path.write_text(TRANSPORT.format(name="b", desc="again"))
    try:
        response = ask(rig[0], "transports")
    finally:
        path.unlink()
    assert response.status == 500
    reason = "Cannot read the transport: 'b' is already registered for 'production'"
    assert reason in content(response).decode()


@pytest.mark.parametrize("what", ["classes", "transports"])
def test_a_tag_is_good_until_the_files_change(rig, what):
    service, modules = rig
    first = ask(service, what)
    tag = first.headers["etag"]
    for known in (tag, f"{tag}--gzip", f'"{tag}"'):
        again = ask(service, what, **{"If-None-Match": known})
        assert (again.status, content(again), again.headers["etag"]) == (304, b"", tag)
    assert ask(service, what, **{"If-None-Match": "other"}).status == 200
    changed = {
        "classes": modules / "one/manifests/more.pp",
        "transports": modules / "one/lib/puppet/transport/schema/more.rb",
    }[what]
    changed.write_text(
        "class one::more {}\n" if what == "classes" else TRANSPORT.format(name="more", desc="x")
    )
    later = ask(service, what, **{"If-None-Match": tag})
    assert later.status == 200
    assert later.headers["etag"] != tag
    assert b"more" in content(later)
    changed.unlink()


@pytest.mark.parametrize(
    ("environment", "status", "text"),
    [
        ("", 400, "An environment parameter must be specified"),
        ("a-b!", 400, "The environment must be purely alphanumeric, not 'a-b!'"),
        ("nowhere", 404, "Could not find environment 'nowhere'"),
    ],
)
@pytest.mark.parametrize("what", ["classes", "transports"])
def test_other_environments_are_refused(rig, what, environment, status, text):
    response = ask(rig[0], what, environment)
    assert (response.status, content(response).decode()) == (status, text)
