"""``--facts-from``: facts and the list of nodes from other sources than facts files."""

from __future__ import annotations

import json
import subprocess

import pytest

from bunraku.cli import exits
from bunraku.cli.main import main
from bunraku.puppetdb.commands.process import Command, process
from bunraku.puppetdb.databases.sqlite import SqliteDatabase

HIERA = "version: 5\nhierarchy: [{name: a, path: '%{facts.role}.yaml', data_hash: yaml_data}]\n"


@pytest.fixture
def database(tmp_path):
    path = tmp_path / "site.db"
    found = SqliteDatabase(str(path))
    for node in ("db1", "web1"):
        facts = {
            "certname": node,
            "environment": "production",
            "producer": None,
            "producer_timestamp": "2026-01-01T00:00:00Z",
            "values": {"role": node[:-1]},
        }
        process(found, Command("replace facts", 5, node, json.dumps(facts).encode(), 0))
    found.close()
    return path


def ran(capfd, *arguments):
    code = main([*map(str, arguments)])
    out, err = capfd.readouterr()
    return code, out, err


CODE = "notify { \"${facts['role']} ${facts['clientcert']}\": }"


def test_one_node(database, capfd):
    source = ("--facts-from", database)
    code, out, err = ran(capfd, "compile", "-e", CODE, *source, "--node", "web1")
    assert (code, err) == (exits.OK, "")
    assert [one["title"] for one in json.loads(out)["resources"] if one["type"] == "Notify"] == [
        "web web1"
    ]
    code, out, err = ran(capfd, "compile", "-e", CODE, *source, "--node", "x1")
    assert code == exits.FINDINGS
    assert f"{database} has no facts of x1" in err
    code, out, err = ran(capfd, "compile", "-e", CODE, *source)
    assert code == exits.TROUBLE
    assert "--facts-from requires --node NAME" in err


def test_eval(database, capfd):
    code, out, err = ran(capfd, "eval", "$facts['role']", "--facts-from", database, "--node", "db1")
    assert (code, out.splitlines()[0], err) == (exits.OK, "'db'", "")
    code, out, err = ran(capfd, "eval", "1", "--facts-from", database)
    assert code == exits.TROUBLE
    assert "--facts-from requires --node NAME" in err


def test_migrate(database, capfd):
    """A variable of the facts decides which branch is compared."""
    code = "if $role == 'web' { notify { 'x': message => \"$nothing\" } }"
    source = ("--facts-from", database)
    found = ran(capfd, "migrate", "-e", code, *source, "--node", "web1")
    assert found[0] != exits.TROUBLE, found
    assert "has no facts of" not in found[2]
    missing = ran(capfd, "migrate", "-e", code, *source, "--node", "x1")
    assert f"{database} has no facts of x1" in missing[1] + missing[2]
    without = ran(capfd, "migrate", "-e", code, *source)
    assert without[0] == exits.TROUBLE
    assert "--facts-from requires --node NAME" in without[2]


def test_all_nodes(database, tmp_path, capfd):
    given = ("compile", "-e", CODE, "--nodes", "--facts-from", database, "--jobs", "1")
    code, out, _err = ran(capfd, *given, "--output-folder", tmp_path / "out")
    assert code == exits.OK
    assert out.endswith("\n2 compiled, 0 failed\n")
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["db1.json", "web1.json"]
    code, out, err = ran(capfd, *given, "--match", "no*")
    assert (code, err.strip().endswith(f"no nodes that match no* in {database}")) == (
        exits.TROUBLE,
        True,
    )
    code, out, err = ran(capfd, *given, "--facts-folder", tmp_path)
    assert "give --facts-from or --facts-folder, not both" in err
    code, out, err = ran(capfd, *given[:5], tmp_path / "none")
    assert "No stored catalogs or facts at" in err


def test_a_folder_of_facts(tmp_path, capfd):
    (tmp_path / "facts").mkdir()
    (tmp_path / "facts" / "a.yaml").write_text("role: x\n")
    given = ("--facts-from", tmp_path / "facts", "--nodes", "--jobs", "1", "--summary", "json")
    code, out, _err = ran(capfd, "compile", "-e", CODE, *given)
    assert code == exits.OK
    assert [one["node"] for one in json.loads(out)["nodes"]] == ["a"]


def test_lookup(database, tmp_path, capfd):
    (tmp_path / "hiera.yaml").write_text(HIERA)
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "web.yaml").write_text("key: value\n")
    given = ("--hiera-config", tmp_path / "hiera.yaml", "--facts-from", database)
    code, out, _err = ran(capfd, "lookup", "key", "--node", "web1", *given)
    assert (code, out.strip()) == (exits.OK, "--- value")


def test_revisions(database, tmp_path, capfd):
    repository = tmp_path / "control"
    (repository / "manifests").mkdir(parents=True)
    (repository / "environment.conf").touch()
    manifest = repository / "manifests" / "site.pp"
    manifest.write_text(CODE)
    who = ("-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "safe.directory=*")
    for command in (("init", "-q"), ("add", "-A"), ("commit", "-qm", "a")):
        subprocess.run(["git", *who, *command], cwd=repository, check=True, capture_output=True)
    manifest.write_text(CODE.replace("role']}", "role']} of"))
    given = ("--repository", repository, "--facts-from", database, "--jobs", "1", "--no-edges")
    code, out, err = ran(capfd, "diff", "HEAD", *given)
    assert (code, err) == (exits.FINDINGS, "")
    assert "Notify[web of web1]" in out
    assert "Notify[db of db1]" in out
    code, out, err = ran(capfd, "ci", *given)
    assert (code, err) == (exits.OK, "")
    assert "nodes  2 nodes: 0 broken, 2 changed, 0 unchanged" in out
