"""What a deployment changes in catalogs is known before the switch, and can be a condition of it."""

from __future__ import annotations

import json

import pytest

from bunraku.cli import exits
from bunraku.cli.main import main
from bunraku.engine import nodes
from bunraku.puppetdb.commands.process import Command, process
from bunraku.puppetdb.databases.sqlite import SqliteDatabase
from support.calls import calls_of
from support.git_remotes import VARIABLES, Remote

HIERA = """\
version: 5
hierarchy:
  - {name: nodes, path: "nodes/%{trusted.certname}.yaml"}
  - {name: common, path: common.yaml}
"""
SITE = "node /^web/ { include profile::web }\nnode /^db/ { include profile::db }\n"
WEB = """\
class profile::web(Integer $port) {
  include ntp
  file { '/etc/web': content => "port ${port}" }
}
"""
DB = "class profile::db(Sensitive[String] $password) {\n  file { '/etc/db': content => $password }\n}\n"
COMMON = """\
lookup_options:
  profile::db::password: {convert_to: Sensitive}
profile::web::port: 80
profile::db::password: secret-one
"""
NODES = ("db1", "web1", "web2")


class Fleet:
    """A control repository with a module, deployed to a directory; three nodes."""

    def __init__(self, top):
        self.top = top
        self.module = Remote(top, "ntp", {"manifests/init.pp": self.ntp("1")})
        files = {
            "manifests/site.pp": SITE,
            "hiera.yaml": HIERA,
            "data/common.yaml": COMMON,
            "data/nodes/web2.yaml": "profile::web::port: 8080\n",
            "environment.conf": "modulepath = site:modules\n",
            "site/profile/manifests/web.pp": WEB,
            "site/profile/manifests/db.pp": DB,
            "Puppetfile": f"mod 'ntp', git: '{self.module.url}', branch: 'main'\n",
        }
        self.control = Remote(top, "control", files, "production")
        self.live = top / "env" / "production"
        sources = {"main": {"remote": self.control.url, "basedir": str(top / "env")}}
        data = {"cachedir": str(top / "cache"), "sources": sources}
        (top / "r10k.yaml").write_text(json.dumps(data))
        (top / "facts").mkdir()
        for name in NODES:
            (top / "facts" / f"{name}.json").write_text(json.dumps({"role": name[:-1]}))

    def ntp(self, text):
        return f"class ntp {{\n  file {{ '/etc/ntp': content => '{text}' }}\n}}\n"

    def bump(self):
        self.module.commit({"manifests/init.pp": self.ntp("2")})

    def data(self, old, new):
        text = (self.control.work / "data/common.yaml").read_text()
        self.control.commit({"data/common.yaml": text.replace(old, new)})

    def files(self):
        return {
            str(path.relative_to(self.live)): path.read_text()
            for path in self.live.rglob("*")
            if path.is_file() and path.name != ".r10k-deploy.json"
        }


@pytest.fixture
def fleet(tmp_path, monkeypatch, capfd):
    tmp_path.chmod(0o700)
    for name, value in VARIABLES.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "user-cache"))
    monkeypatch.chdir(tmp_path)
    made = Fleet(tmp_path)
    assert run(capfd, "environment", "production")[0] == exits.OK
    return made


def run(capfd, *arguments):
    code = main(["deploy", *arguments])
    out, err = capfd.readouterr()
    return code, out, err


def plan(capfd, *arguments, name="production"):
    code, out, err = run(
        capfd, "environment", name, "--plan", "--facts-folder", "facts", *arguments
    )
    return code, out, err


def changed(out):
    return json.loads(out)["plan"]["changed"]


def test_a_plan_shows_the_nodes_and_deploys_nothing(fleet, capfd):
    fleet.bump()
    before = fleet.files()
    code, out, err = plan(capfd)
    assert (code, err) == (exits.FINDINGS, "")
    assert out.splitlines()[:5] == [
        f"--- live ({fleet.control.git('rev-parse', 'HEAD')[:7]})",
        f"+++ planned ({fleet.control.git('rev-parse', 'HEAD')[:7]})",
        "2 nodes differ (1 changed): web1, web2",
        "@ File[/etc/ntp]   # env/production/modules/ntp/manifests/init.pp:2",
        "-     content => '1'",
    ]
    assert "production: 2 of 3 nodes change; 1 file to write, 0 to remove (modules: ntp)" in out
    assert fleet.files() == before


def test_without_a_change_no_node_is_compiled(fleet, capfd):
    with calls_of(nodes.outcome_of_task) as calls:
        code, out, _err = plan(capfd)
    assert (code, calls) == (exits.OK, [])
    assert out.startswith("production: 0 of 3 nodes change; 0 files to write")


def test_only_nodes_that_the_change_reaches_are_compiled_again(fleet, capfd):
    fleet.data("port: 80", "port: 81")
    plan(capfd, "--jobs", "1")
    fleet.data("port: 81", "port: 82")
    with calls_of(nodes.outcome_of_task) as calls:
        _code, out, _err = plan(capfd, "--format", "json", "--jobs", "1")
    assert changed(out) == ["web1"]
    compiled = [one.arguments["task"].node for one in calls]
    assert compiled == ["web1"]


def test_secrets_are_not_in_a_plan(fleet, capfd):
    fleet.data("secret-one", "secret-two")
    code, out, err = plan(capfd, "--save", "plan.json")
    assert code == exits.FINDINGS
    assert "db1" in out
    assert "secret-" not in out + err + (fleet.top / "plan.json").read_text()
    assert (fleet.top / "plan.json").stat().st_mode & 0o777 == 0o600


def test_the_catalogs_after_the_deployment_are_those_of_the_plan(fleet, capfd):
    fleet.bump()
    fleet.data("port: 80", "port: 81")
    _code, out, _err = plan(capfd, "--format", "json")
    first = json.loads(out)
    assert changed(out) == ["web1", "web2"]
    assert run(capfd, "environment", "production")[0] == exits.OK
    environment = ("--environmentpath", "env", "--facts-folder", "facts")
    assert main(["compile", "--nodes", *environment, "--output-folder", "out"]) == exits.OK
    capfd.readouterr()
    ntp = next(
        one
        for one in json.loads((fleet.top / "out/web1.json").read_text())["resources"]
        if one["title"] == "/etc/ntp"
    )
    assert ntp["parameters"]["content"] == "2"
    assert "content" in json.dumps(first["nodes"])
    assert plan(capfd)[0] == exits.OK


def test_a_node_that_would_fail_forbids_the_deployment(fleet, capfd):
    fleet.data("port: 80", "port: eighty")
    code, out, _err = plan(capfd)
    assert code == exits.TROUBLE
    assert "1 would not compile any more" in out
    before = fleet.files()
    facts = ("--facts-folder", "facts")
    code, _out, err = run(capfd, "environment", "production", "--require", "no-failure", *facts)
    assert code == exits.FINDINGS
    assert "no-failure: 1 node (web1) would not compile any more" in err
    assert fleet.files() == before
    code, out, _err = plan(capfd, "--require", "no-failure")
    assert code == exits.FINDINGS
    assert "not met: no-failure" in out


def test_a_node_that_compiles_again_changes(fleet, capfd):
    fleet.data("port: 80", "port: eighty")
    assert run(capfd, "environment", "production")[0] == exits.OK
    fleet.data("port: eighty", "port: 81")
    code, out, _err = plan(capfd, "--require", "max-changed=0")
    assert code == exits.FINDINGS
    assert "1 of 3 nodes change" in out
    assert "max-changed=0: 1 node (web1) would change" in out
    assert plan(capfd, "--require", "no-failure")[0] == exits.OK


def test_the_number_of_nodes_is_a_condition(fleet, capfd):
    fleet.bump()
    assert plan(capfd, "--require", "max-changed=1")[0] == exits.FINDINGS
    assert plan(capfd, "--require", "max-changed=2")[0] == exits.OK
    arguments = ("environment", "production", "--facts-folder", "facts", "--require")
    assert run(capfd, *arguments, "max-changed=2")[0] == exits.OK
    assert "content => '2'" in fleet.files()["modules/ntp/manifests/init.pp"]


def test_a_plan_is_approved_by_its_digest(fleet, capfd):
    fleet.bump()
    approvals = ("--require", "approved=approved.txt")
    code, out, _err = plan(capfd, *approvals)
    assert code == exits.FINDINGS
    digest = next(line for line in out.splitlines() if line.startswith("plan "))[5:]
    (fleet.top / "approved.txt").write_text(f"{digest} alice bob\n")
    assert plan(capfd, *approvals)[0] == exits.OK
    fleet.data("port: 80", "port: 81")
    assert plan(capfd, *approvals)[0] == exits.FINDINGS


def test_a_saved_plan_is_applied(fleet, capfd):
    fleet.bump()
    plan(capfd, "--save", "plan.json")
    code, out, err = run(capfd, "apply", "plan.json")
    assert (code, err) == (exits.OK, "")
    assert out.startswith("production  deployed, 1 file written (modules: ntp)")
    assert run(capfd, "apply", "plan.json")[0] == exits.FINDINGS


def moved_commit(fleet, capfd):
    fleet.data("port: 80", "port: 81")
    return "the control repository is at"


def moved_module(fleet, capfd):
    fleet.module.commit({"manifests/init.pp": fleet.ntp("3")})
    return "modules/ntp is at"


def moved_edit(fleet, capfd):
    path = fleet.live / "hiera.yaml"
    text = path.read_text()
    path.unlink()
    path.write_text(f"{text}\n")
    return "files were edited or restored: hiera.yaml"


def moved_deployment(fleet, capfd):
    run(capfd, "environment", "production")
    return "deployment 2 is live, which the plan does not know"


def moved_foreign(fleet, capfd):
    (fleet.live / "note").write_text("x")
    return "files that no deployment manages came or went"


@pytest.mark.parametrize(
    "move", [moved_commit, moved_module, moved_edit, moved_deployment, moved_foreign]
)
def test_a_plan_is_refused_when_the_world_moved(fleet, capfd, move):
    fleet.bump()
    plan(capfd, "--save", "plan.json")
    text = move(fleet, capfd)
    before = fleet.files()
    code, _out, err = run(capfd, "apply", "plan.json")
    assert code == exits.FINDINGS
    assert text in err
    assert fleet.files() == before


def test_a_damaged_plan_is_refused(fleet, capfd):
    fleet.bump()
    plan(capfd, "--save", "plan.json")
    path = fleet.top / "plan.json"
    for text in (path.read_text().replace('"nodes": 3', '"nodes": 4'), "[]", "{", '{"schema": 1}'):
        path.write_text(text)
        code, _out, err = run(capfd, "apply", "plan.json")
        assert code == exits.FINDINGS, err
        assert "Cannot use the plan plan.json" in err


def test_all_nodes_of_a_new_environment_are_compiled(fleet, capfd):
    fleet.control.branch(
        "feature", {"site/profile/manifests/db.pp": "class profile::db { fail('x') }\n"}
    )
    code, out, _err = plan(capfd, name="feature")
    assert code == exits.TROUBLE
    assert "feature: 2 of 3 nodes change, 1 would not compile any more" in out
    assert not (fleet.top / "env" / "feature").exists()


@pytest.fixture
def site_data(fleet):
    """A PuppetDB in a file: db1 is of another environment, web1 of production, web2 has no catalog."""
    path = fleet.top / "site.db"
    database = SqliteDatabase(str(path))
    head = {"producer": None, "producer_timestamp": "2026-01-01T00:00:00Z"}
    for node, environment in (("db1", "staging"), ("web1", "production"), ("web2", "production")):
        trusted = {"certname": node, "extensions": {}}
        own = {**head, "certname": node, "environment": environment}
        facts = {**own, "values": {"role": node[:-1], "trusted": trusted}}
        process(database, Command("replace facts", 5, node, json.dumps(facts).encode(), 0))
    database.close()
    return str(path)


def test_the_nodes_are_those_of_the_environment(fleet, site_data, capfd):
    fleet.bump()
    words = ("environment", "production", "--plan", "--facts-from", site_data)
    code, out, err = run(capfd, *words)
    assert (code, err) == (exits.FINDINGS, "")
    assert "production: 2 of 2 nodes change" in out
    assert "1 of 1 nodes change" in run(capfd, *words, "--match", "web2")[1]


def test_an_environment_without_nodes_is_planned_for_all(fleet, site_data, capfd):
    fleet.control.branch("feature", {"data/common.yaml": COMMON.replace("80", "81")})
    words = ("environment", "feature", "--plan", "--facts-from", site_data)
    code, out, err = run(capfd, *words)
    assert code == exits.FINDINGS
    assert err == "note: no node has a catalog of feature; all nodes are compiled\n"
    assert "feature: 3 of 3 nodes change" in out


def test_absolute_paths_into_the_live_directory_lead_to_the_new_tree(fleet, capfd):
    live = str(fleet.live)
    conf = f"modulepath = {live}/site:{live}/modules\nmanifest = {live}/manifests\n"
    hiera = HIERA.replace(
        "hierarchy:", f"defaults: {{data_hash: yaml_data, datadir: '{live}/data'}}\nhierarchy:"
    )
    fleet.control.commit({"environment.conf": conf, "hiera.yaml": hiera})
    run(capfd, "environment", "production")
    fleet.bump()
    fleet.data("port: 80", "port: 81")
    code, out, _err = plan(capfd, "--format", "json")
    assert (code, changed(out)) == (exits.FINDINGS, ["web1", "web2"]), out
    assert "port 81" in out


def test_wrong_usage(fleet, capfd):
    for words, text in (
        (("environment", "--plan"), "a plan is that of one environment"),
        (("status", "--plan"), "go with 'deploy environment' only"),
        (("environment", "production", "--save", "x"), "--save goes with --plan only"),
        (("environment", "production", "--plan", "--require", "no-failures"), "no-failure"),
        (("environment", "production", "--plan"), "a plan needs the facts of nodes"),
        (("apply",), "needs the file of one plan"),
        (("status", "--format", "html"), "--format html goes with --plan only"),
    ):
        code, _out, err = run(capfd, *words)
        assert (code, text in err) == (exits.TROUBLE, True), (words, err)


def test_the_settings_are_those_of_the_puppet_conf_of_the_server(fleet, capfd):
    """The class comes from a module outside of the environment, which puppet.conf names."""
    path = fleet.top / "shared/extra/manifests/init.pp"
    path.parent.mkdir(parents=True)
    path.write_text("class extra { notify { 'shared': } }\n")
    conf = f"[main]\nbasemodulepath = {fleet.top}/shared\nenvironmentpath = /nowhere\n"
    (fleet.top / "puppet.conf").write_text(conf)
    data = json.loads((fleet.top / "r10k.yaml").read_text())
    data["deploy"] = {"puppet_conf": str(fleet.top / "puppet.conf")}
    (fleet.top / "r10k.yaml").write_text(json.dumps(data))
    fleet.control.commit(
        {
            "environment.conf": "modulepath = site:modules:$basemodulepath\n",
            "manifests/site.pp": f"{SITE}include extra\n",
        }
    )
    code, out, err = plan(capfd)
    assert code == exits.FINDINGS, out + err
    assert "+ Notify[shared]" in out


def test_a_module_that_cannot_be_had_leaves_no_plan(fleet, capfd):
    lines = "".join(f"mod '{name}', git: '{fleet.top}/{name}.git'\n" for name in ("a", "b"))
    fleet.control.commit({"Puppetfile": lines})
    code, out, err = plan(capfd)
    assert (code, out) == (exits.TROUBLE, "")
    assert "Puppetfile:1:1: error" in err
    assert "Puppetfile:2:1: error" in err


def break_all_nodes(fleet, capfd):
    """Let all nodes fail with the live environment, and with the next one."""
    fleet.control.commit({"manifests/site.pp": f"{SITE}fail('now')\n"})
    assert run(capfd, "environment", "production")[0] == exits.OK
    fleet.control.commit({"manifests/site.pp": f"{SITE}fail('then')\n"})


@pytest.mark.parametrize("condition", ["no-failure", "max-changed=0"])
def test_a_node_that_is_not_known_does_not_meet_a_condition(fleet, capfd, condition):
    break_all_nodes(fleet, capfd)
    before = fleet.files()
    words = ("environment", "production", "--facts-folder", "facts", "--require", condition)
    code, _out, err = run(capfd, *words)
    assert code == exits.FINDINGS
    reason = "3 nodes (db1, web1, web2) without a catalog before and after"
    assert f"{condition}: {reason}: what changes is not known" in err
    assert fleet.files() == before
    assert "0 of 3 nodes change, 3 not known" in plan(capfd)[1]


def test_facts_that_cannot_be_read_do_not_meet_a_condition(fleet, capfd):
    (fleet.top / "facts/web1.json").write_text("{")
    fleet.bump()
    code, out, _err = plan(capfd, "--require", "no-failure")
    assert code == exits.FINDINGS
    assert "not met: no-failure: 1 node (web1) without a catalog" in out
    assert plan(capfd, "--require", "no-failure", "--match", "web2")[0] == exits.OK


def test_a_condition_counts_nodes_as_the_plan_does(fleet, capfd):
    fleet.data("port: 80", "port: eighty")
    fleet.bump()
    _code, out, _err = plan(capfd, "--require", "max-changed=1")
    assert "1 of 3 nodes change, 1 would not compile any more" in out
    reason = "1 node (web2) would change, 1 node (web1) would not compile any more"
    assert f"not met: max-changed=1: {reason}" in out
    assert plan(capfd, "--require", "max-changed=2")[0] == exits.OK


def test_no_plan_of_an_unknown_environment_can_be_made(fleet, capfd):
    code, out, err = plan(capfd, name="prodution")
    assert (code, out) == (exits.TROUBLE, "")
    assert "did you mean 'production'?" in err


@pytest.mark.parametrize(
    "words",
    [
        ("--facts-folder", "facts"),
        ("--facts-from", "http://localhost:1"),
        ("--match", "web*"),
        ("--ignore", "File[*]"),
        ("--ignore-attr", "mode"),
        ("--no-edges",),
        ("--no-compare-sources",),
        ("--tags",),
        ("--jobs", "2"),
        ("--timeout", "5"),
    ],
)
def test_options_of_plans_deploy_nothing_without_a_plan(fleet, capfd, words):
    fleet.bump()
    before = fleet.files()
    code, _out, err = run(capfd, "environment", "production", *words)
    assert code == exits.TROUBLE
    assert f"{words[0]} goes with --plan or --require only" in err
    assert fleet.files() == before


def test_exit_zero_deploys_nothing_without_a_plan(fleet, capfd):
    code, _out, err = run(capfd, "environment", "production", "--exit-zero")
    assert (code, "--exit-zero goes with --plan only" in err) == (exits.TROUBLE, True)
