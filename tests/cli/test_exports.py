"""Exported resources: kept with ``--with-exported``, and shared by the nodes of one run."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor

import pytest

import bunraku
from bunraku.cli import exits
from bunraku.cli.main import main

MANIFEST = """\
node /^db/ {
  @@notify { "db ${trusted['certname']}": message => 'up', tag => 'db' }
  @@user { "u ${trusted['certname']}": password => Sensitive('swordfish'), uid => 1 }
  @notify { 'virtual': }
}
node /^web/ { Notify <<| tag == 'db' |>>  User <<| |>> }
node 'mid' {
  Notify <<| tag == 'db' |>> { message => 'seen by mid' }
  @@notify { 'mid': tag => 'db' }
}
define relay() { @@notify { "relayed ${title}": tag => 'chain' } }
node 'chain' { Relay <<| |>> }
node 'source' { @@relay { 'r': } }
node 'end' { Notify <<| tag == 'chain' |>> }
"""
NODES = ("chain", "db1", "db2", "end", "mid", "source", "web1", "web2")


@pytest.fixture
def site(tmp_path):
    (tmp_path / "site.pp").write_text(MANIFEST)
    (tmp_path / "facts").mkdir()
    for node in NODES:
        (tmp_path / "facts" / f"{node}.yaml").write_text("a: 1\n")
    return tmp_path


def ran(capfd, *arguments):
    code = main(["compile", *map(str, arguments)])
    out, err = capfd.readouterr()
    return code, out, err


def titles(text, type_="Notify"):
    found = json.loads(text)["resources"]
    return [one["title"] for one in found if one["type"] == type_]


def test_with_exported_keeps_what_an_agent_does_not_get(site, capfd):
    _code, out, err = ran(capfd, site / "site.pp", "--node", "db1")
    assert titles(out) == []
    assert err.count("Warning") == 1  # though two resources are exported
    code, out, err = ran(capfd, site / "site.pp", "--node", "db1", "--with-exported")
    assert (code, err) == (exits.OK, "")
    assert titles(out) == ["db db1"]
    catalog = json.loads(out)
    assert [one["exported"] for one in catalog["resources"] if one["type"] == "Notify"] == [True]
    assert {"source": "Node[__node_regexp__db]", "target": "Notify[db db1]"} in catalog["edges"]


def test_a_stored_catalog_serves_as_storedconfigs(site, capfd):
    store = site / "store"
    store.mkdir()
    none = ran(capfd, site / "site.pp", "--node", "web1", "--storedconfigs", store)
    assert (none[0], titles(none[1])) == (exits.OK, [])  # an empty directory is a store
    (store / "web1.json").write_text("")  # as a shell's redirection leaves it at first
    for node in ("db1", "db2"):
        _code, out, _err = ran(capfd, site / "site.pp", "--node", node, "--with-exported")
        (store / f"{node}.json").write_text(out)
    code, out, err = ran(capfd, site / "site.pp", "--node", "web1", "--storedconfigs", store)
    assert (code, err) == (exits.OK, "")
    assert titles(out) == ["db db1", "db db2"]
    assert "swordfish" not in out  # PuppetDB does not store sensitive parameters either


def test_a_missing_store_is_an_error(site, capfd):
    code, _out, err = ran(capfd, site / "site.pp", "--node", "x", "--storedconfigs", site / "none")
    assert code == exits.FINDINGS
    assert "STORED_NOT_FOUND" in err


def all_nodes(site, capfd, jobs, *more):
    folder = site / f"out{jobs}"
    code, out, err = ran(
        capfd,
        *(site / "site.pp", "--nodes", "--facts-folder", site / "facts"),
        *("--output-folder", folder, "--jobs", jobs, *more),
    )
    assert code == exits.OK, err
    texts = {path.stem: json.loads(path.read_text()) for path in folder.iterdir()}
    for catalog in texts.values():
        del catalog["version"], catalog["catalog_uuid"]
    return texts, out, err


def test_nodes_of_a_run_collect_from_each_other(site, capfd):
    found, out, err = all_nodes(site, capfd, 1)
    assert out.endswith("\n8 compiled, 0 failed\n")
    assert "Exported" not in err
    assert titles(json.dumps(found["web1"])) == ["db db1", "db db2", "mid"]
    assert titles(json.dumps(found["mid"])) == ["mid", "db db1", "db db2"]
    # Exports that depend on collected resources need one more round.
    assert titles(json.dumps(found["end"])) == ["relayed r"]
    assert all(not one["exported"] for one in found["db1"]["resources"])
    assert found == all_nodes(site, capfd, 2)[0] == all_nodes(site, capfd, 3)[0]


def test_the_output_of_a_run_is_a_store(site, capfd):
    found, _out, _err = all_nodes(site, capfd, 1, "--with-exported")
    assert titles(json.dumps(found["db1"])) == ["db db1"]
    store = site / "out1"
    _code, out, _err = ran(capfd, site / "site.pp", "--node", "web1", "--storedconfigs", store)
    assert titles(out) == ["db db1", "db db2", "mid"]
    # The current exports of a node replace its stored ones.
    (site / "site.pp").write_text("node 'web1' { Notify <<| |>> }\nnode default { }\n")
    again = all_nodes(site, capfd, 1, "--storedconfigs", store)[0]
    assert titles(json.dumps(again["web1"])) == []


def test_sharing_can_be_switched_off(site, capfd):
    found, _out, err = all_nodes(site, capfd, 2, "--set", "storeconfigs=false")
    assert titles(json.dumps(found["web1"])) == []
    assert err.count("Exported resources are ignored") == 1
    assert err.count("Exported resources are not collected") == 1


def test_a_node_that_needs_what_it_collects_compiles(site, capfd):
    (site / "site.pp").write_text(
        "node /^db/ { @@notify { $trusted['certname']: } }\n"
        "node 'web1' { Notify <<| |>> notify { 'last': require => Notify['db1'] } }\n"
        "node default { }\n"
    )
    found = all_nodes(site, capfd, 2)[0]
    assert titles(json.dumps(found["web1"])) == ["last", "db1", "db2"]


def test_from_python_with_an_executor(site):
    done = []
    with ThreadPoolExecutor(2) as executor:
        found = bunraku.compile_nodes(
            site / "site.pp", site / "facts", executor=executor, done=done.append
        )
    assert [one.node for one in found] == list(NODES)
    assert {one.node for one in done} == set(NODES)
    web = found[NODES.index("web1")]
    assert [one.title for one in web.catalog.by_type("Notify")] == [*("db db1", "db db2", "mid")]
