"""``bunraku affected``, and what ``diff`` and ``compile --nodes`` compile after a change."""

from __future__ import annotations

import json
import subprocess
from random import Random

import pytest

from bunraku.cli import exits
from bunraku.cli.main import main
from bunraku.engine import nodes
from bunraku.engine.affected import find_affected
from bunraku.engine.request import Request
from bunraku.engine.revisions import states_of
from support.calls import calls_of
from support.control_repository import FILES, NODES, write, write_facts
from support.control_repository import edit as edit_at_random


def git(root, *arguments):
    who = ("-c", "user.name=t", "-c", "user.email=t@example.com")
    subprocess.run(["git", *who, *arguments], cwd=root, check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """A control repository with one commit; the cache is empty."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    root = tmp_path / "control"
    write(root, {}, FILES)
    write_facts(tmp_path / "facts", NODES)
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "first")
    monkeypatch.chdir(root)
    return root


def run(capfd, *arguments):
    code = main([*arguments, "--facts-folder", "../facts"])
    out, err = capfd.readouterr()
    return code, out, err


def compiled(action):
    """The nodes that an action compiles in this process, and its result."""
    with calls_of(nodes.outcome_of_task) as calls:
        result = action()
    return [call.arguments["task"].node for call in calls], result


def edit(root, name, old, new):
    text = (root / name).read_text()
    assert old in text
    (root / name).write_text(text.replace(old, new))


# -- affected --------------------------------------------------------------------------------------


def test_without_a_change_no_node_is_affected(repository, capfd):
    assert run(capfd, "affected") == (exits.OK, "0 of 4 nodes affected\n", "")


def test_the_reasons_are_files_and_keys(repository, capfd):
    edit(repository, "data/nodes/web01.yaml", "9", "10")
    edit(repository, "site-modules/profile/templates/vhost.epp", "vhost", "host")
    code, out, _ = run(capfd, "affected", "HEAD")
    assert code == exits.FINDINGS
    assert out.splitlines() == [
        "mon01: exported File",
        "web01: site-modules/profile/templates/vhost.epp, key nginx::workers",
        "web02: site-modules/profile/templates/vhost.epp",
        "3 of 4 nodes affected",
    ]


def test_a_condition_that_compares_the_time_is_computed_again(repository, capfd):
    text = "if time() > 5 { notify { 'late': } }\n"
    (repository / "manifests/time.pp").write_text(text)
    git(repository, "add", "-A")
    git(repository, "commit", "-q", "-m", "time")
    assert run(capfd, "affected")[:2] == (exits.OK, "0 of 4 nodes affected\n")
    (repository / "manifests/time.pp").write_text("notify { String(time()): }\n")
    git(repository, "commit", "-q", "-a", "-m", "the time itself")
    assert run(capfd, "affected")[:2] == (exits.OK, "0 of 4 nodes affected\n"), "without a change"
    (repository / "README.md").write_text("changed")
    assert run(capfd, "affected")[1].splitlines() == [
        f"{', '.join(sorted(NODES))}: unknown it reads the time at manifests/time.pp:1",
        "4 of 4 nodes affected",
    ]


def test_a_key_in_common_data_reaches_the_nodes_that_look_it_up(repository, capfd):
    edit(repository, "data/common.yaml", "hello", "welcome")
    edit(repository, "data/common.yaml", "unused: 1", "unused: 2")
    _, out, _ = run(capfd, "affected", "--format", "json")
    found = {one["node"]: one["reasons"] for one in json.loads(out)["nodes"]}
    greeting = {"kind": "key", "name": "greeting", "path": "data/common.yaml"}
    assert found["web01"] == found["db01"] == [greeting]
    assert found["web02"] == []


def test_a_new_file_that_comes_before_another_is_a_reason(repository, capfd):
    path = repository / "site-modules" / "profile" / "lib" / "puppet" / "functions" / "shout.rb"
    path.parent.mkdir(parents=True)
    path.write_text(FILES["modules/nginx/lib/puppet/functions/shout.rb"].replace("'!'", "'?'"))
    _, out, _ = run(capfd, "affected", "--exit-zero")
    assert out.splitlines()[0] == "db01, web01, web02: */lib/puppet/functions/shout.rb"


def test_a_node_that_fails_is_not_affected_where_no_file_differs(repository, capfd):
    edit(repository, "site-modules/role/manifests/mon.pp", "include base", "fail('x')")
    git(repository, "commit", "-aqm", "second")
    _, out, _ = run(capfd, "affected", "HEAD")
    assert out.splitlines() == ["0 of 4 nodes affected"]


def test_nodes_that_cannot_be_decided_are_affected(repository, capfd):
    edit(repository, "site-modules/role/manifests/db.pp", "include base", "notice(Timestamp())")
    edit(repository, "site-modules/role/manifests/mon.pp", "include base", "fail('x')")
    git(repository, "commit", "-aqm", "second")
    (repository / "README.md").write_text("changed", encoding="utf-8")
    _, out, _ = run(capfd, "affected", "HEAD")
    *lines, last = out.splitlines()
    assert lines == [
        "db01: unknown it reads the time at site-modules/role/manifests/db.pp:1",
        "mon01: failed FAIL",
    ]
    assert last.startswith("1 of 4 nodes affected, 1 not known: no catalog in HEAD")


def test_modules_to_install_are_named_for_nodes_that_do_not_compile(repository, capfd):
    (repository / "Puppetfile").write_text("mod 'puppetlabs-apt', '9.0.0'\n")
    edit(repository, "site-modules/role/manifests/mon.pp", "include base", "include apt")
    git(repository, "add", "-A")
    git(repository, "commit", "-qm", "second")
    (repository / "README.md").write_text("changed", encoding="utf-8")
    _, out, _ = run(capfd, "affected", "HEAD")
    assert out.splitlines()[1].startswith(
        "not known: 1 of 1 modules in Puppetfile are not installed"
    )


def test_the_facts_that_differ_are_reasons(repository):
    """The facts of both states come with the request, here from a file of the repository."""

    def request_for(directory, world):
        facts = json.loads(world.read(f"{directory}/facts.json"))
        return Request(environment_directory=directory, facts=facts, world=world)

    def write_both(role):
        text = json.dumps({**NODES["web01"], "role": role, "uptime": f"{role} days"})
        (repository / "facts.json").write_text(text)

    write_both("web")
    git(repository, "add", "-A")
    git(repository, "commit", "-q", "-m", "facts")
    write_both("db")
    found = find_affected(
        str(repository), states_of(str(repository), []), request_for, {"web01": None, "web02": None}
    )
    assert [[reason.text for reason in one.reasons] for one in found] == [["fact role"]] * 2


def test_affected_needs_no_cache(repository, capfd, monkeypatch):
    monkeypatch.setenv("BUNRAKU_NO_CACHE", "1")
    edit(repository, "data/role/db.yaml", "3", "4")
    _, out, _ = run(capfd, "affected")
    assert out.splitlines()[0] == "db01: key profile::db::size"


# -- diff ------------------------------------------------------------------------------------------


def diff(capfd, *arguments):
    return compiled(lambda: run(capfd, "diff", "--jobs", "1", *arguments))


def test_diff_compiles_what_the_change_can_reach(repository, capfd):
    edit(repository, "data/role/db.yaml", "3", "4")
    first, (code, out, _) = diff(capfd)
    assert (first, code) == (["db01", "mon01", "web01", "web02", "mon01", "db01"], exits.FINDINGS)
    assert "size => 4" in out
    again, (_, same, _) = diff(capfd)
    assert (again, same) == ([], out)
    git(repository, "commit", "-aqm", "second")
    edit(repository, "data/role/db.yaml", "4", "5")
    later, (_, out, _) = diff(capfd, "HEAD~1")
    assert later == ["db01"]
    assert "size => 5" in out


def test_diff_prints_the_same_whatever_is_kept(repository, capfd, monkeypatch):
    edit(repository, "data/common.yaml", "hello", "welcome")
    edit(repository, "modules/nginx/manifests/init.pp", "content =>", "mode => '0600', content =>")
    git(repository, "commit", "-aqm", "second")
    results = [run(capfd, "diff", "HEAD~1", "HEAD") for _ in range(2)]
    monkeypatch.setenv("BUNRAKU_NO_CACHE", "1")
    results.append(run(capfd, "diff", "HEAD~1", "HEAD"))
    assert results[0] == results[1] == results[2]
    assert "0600" in results[0][1]


def without_causes(result):
    """Return the result of a diff without causes: inputs of nodes are known from the cache only."""
    code, out, err = result
    lines = out.splitlines()
    return code, [one for one in lines if not one.lstrip().startswith("because ")], err


def test_diff_prints_the_same_after_random_edits(repository, capfd, monkeypatch):
    random, files = Random(5), dict(FILES)
    for number in range(12):
        before, files = files, dict(files)
        edit_at_random(files, random)
        write(repository, before, files)
        sides = ["HEAD"]
        if number % 3:
            git(repository, "add", "-A")
            git(repository, "commit", "-q", "--allow-empty", "-m", str(number))
            sides = [f"HEAD~{1 + number % 2}", "HEAD"]
        found = run(capfd, "diff", *sides)
        with monkeypatch.context() as patch:
            patch.setenv("BUNRAKU_NO_CACHE", "1")
            assert without_causes(run(capfd, "diff", *sides)) == without_causes(found), number


def test_catalogs_with_secrets_are_kept_sealed(repository, capfd):
    edit(
        repository,
        "modules/base/manifests/init.pp",
        "content => $motd",
        "content => Sensitive($motd)",
    )
    git(repository, "commit", "-aqm", "second")
    diff(capfd)
    again, (code, _, _) = diff(capfd)
    assert again == []
    assert code == exits.OK
    cache = repository.parent / "cache"
    texts = [path.read_bytes() for path in cache.rglob("*") if path.is_file()]
    assert texts
    assert not any(b"hello Debian" in text for text in texts)


# -- compile --nodes -------------------------------------------------------------------------------


def words(out):
    return {line.split()[0]: line.split()[1] for line in out.splitlines()[1:-1]}


def test_nodes_that_are_up_to_date_are_skipped(repository, capfd):
    many = ("compile", "--nodes", "--output-folder", "../out", "--jobs", "1")
    code, out, _ = run(capfd, *many)
    assert (code, set(words(out).values())) == (exits.OK, {"compiled"})
    before = {path.name: path.read_bytes() for path in (repository / "../out").iterdir()}
    done, (_, out, _) = compiled(lambda: run(capfd, *many))
    assert (done, out.splitlines()[-1]) == ([], "0 compiled, 4 unchanged, 0 failed")
    (repository / "../out/db01.json").write_text("{}")
    edit(repository, "data/nodes/web01.yaml", "9", "10")
    _, out, _ = run(capfd, *many)
    assert [node for node, word in words(out).items() if word == "compiled"] == ["db01", "web01"]
    after = {path.name: path.read_bytes() for path in (repository / "../out").iterdir()}
    assert [name for name in sorted(after) if after[name] != before[name]] == ["web01.json"]
    _, out, _ = run(capfd, *many, "--all", "--summary", "json")
    summary = json.loads(out)
    assert (summary["compiled"], summary["unchanged"]) == (4, 0)


def test_a_change_of_the_facts_or_the_options_compiles_again(repository, capfd):
    many = ("compile", "--nodes", "--jobs", "1")
    run(capfd, *many)
    write_facts(repository / "../facts", {"web01": {**NODES["web01"], "uptime": "2 days"}})
    write_facts(repository / "../facts", {"web02": {**NODES["web02"], "site": "a"}})
    _, out, _ = run(capfd, *many)
    assert [node for node, word in words(out).items() if word == "compiled"] == ["web02"]
    _, out, _ = run(capfd, *many, "--set", "strict=off")
    assert set(words(out).values()) == {"compiled"}


def test_the_messages_of_a_skipped_node_are_printed(repository, capfd):
    edit(repository, "manifests/zz.pp", "notify", "warning('careful') notify")
    results = [run(capfd, "compile", "--nodes") for _ in range(2)]
    assert results[0][2] == results[1][2]
    assert "careful" in results[0][2]


@pytest.mark.parametrize("command", [("affected", "HEAD"), ("compile", "--nodes")])
def test_nodes_that_fail_without_data_name_a_configuration_in_another_place(
    repository, capfd, command
):
    git(repository, "mv", "hiera.yaml", "manifests")
    git(repository, "commit", "-qm", "second")
    edit(repository, "site-modules/profile/templates/vhost.epp", "vhost", "host")
    code, *texts = run(capfd, *command)
    note = "manifests/hiera.yaml may be the configuration of Hiera: give it with --hiera-config"
    assert (code, note in "".join(texts)) == (exits.FINDINGS, True)
    _, *texts = run(capfd, *command, "--hiera-config", "manifests/hiera.yaml")
    assert note not in "".join(texts)
