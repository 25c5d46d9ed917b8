"""``diff``, ``ci`` and ``affected`` compile each revision with the modules of its own Puppetfile."""

from __future__ import annotations

import json
import shutil

import pytest

from bunraku.cli import exits
from bunraku.cli.main import main
from bunraku.deployment.lock_file import LockedModule, LockFile, lock_file_text
from support.git_remotes import VARIABLES, Remote

CLASS = """\
# Ntp.
class ntp {{
  file {{ '/etc/ntp.conf': content => '{text}' }}
}}
"""
SITE = "node web { include ntp }\nnode db { }\n"


class Repository:
    """A clone of a control repository whose module is a git repository with two tags."""

    def __init__(self, top):
        self.top = top
        self.module = Remote(top, "ntp", self.release("1.0.0"))
        self.module.tag("v1.0.0")
        self.module.commit(self.release("2.0.0"))
        self.module.tag("v2.0.0")
        files = {"manifests/site.pp": SITE, ".gitignore": "/modules\n", "environment.conf": ""}
        files |= {f"facts/{name}.json": "{}" for name in ("web", "db")}
        self.control = Remote(top, "control", {**files, "Puppetfile": self.puppetfile("v1.0.0")})
        self.root = self.control.work

    def release(self, version):
        keys = ("author", "license", "source", "summary")
        metadata = {"name": "acme-ntp", "version": version, "dependencies": []}
        metadata |= dict.fromkeys(keys, "x")
        text = f"release {version}"
        return {
            "metadata.json": json.dumps(metadata),
            "manifests/init.pp": CLASS.format(text=text),
            "spec/x_spec.rb": "#\n",
        }

    def puppetfile(self, tag, *others):
        lines = [f"mod 'ntp', git: '{self.module.url}', tag: '{tag}'", *others]
        return "".join(f"{line}\n" for line in lines)

    def write(self, text):
        (self.root / "Puppetfile").write_text(text)

    def bump(self):
        self.control.commit({"Puppetfile": self.puppetfile("v2.0.0")})

    def install(self, version):
        for name, text in self.release(version).items():
            path = self.root / "modules/ntp" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)


@pytest.fixture
def repository(tmp_path, monkeypatch):
    tmp_path.chmod(0o700)
    for name, value in VARIABLES.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    made = Repository(tmp_path)
    monkeypatch.chdir(made.root)
    return made


def run(capfd, *arguments):
    code = main(list(arguments))
    out, err = capfd.readouterr()
    return code, out, err


def changed_nodes(out):
    data = json.loads(out)
    nodes = data["comparison"]["nodes"]
    return [one["node"] for one in nodes if one["status"] == "differs"]


@pytest.mark.parametrize("installed", ["", "1.0.0", "2.0.0"])
@pytest.mark.parametrize("sides", [("HEAD~1",), ("HEAD~1", "HEAD")])
def test_a_bump_of_a_module_shows_the_nodes_that_change(repository, capfd, installed, sides):
    repository.bump()
    if installed:
        repository.install(installed)
    code, out, err = run(capfd, "diff", *sides)
    assert code == exits.FINDINGS, out + err
    assert "web" in out
    assert "-     content => 'release 1.0.0'" in out
    assert "+     content => 'release 2.0.0'" in out
    assert "1 differ, 0 failed, 1 same" in out


@pytest.mark.parametrize("installed", ["", "1.0.0", "2.0.0"])
def test_ci_passes_for_a_bump_and_names_the_nodes(repository, capfd, installed):
    repository.bump()
    if installed:
        repository.install(installed)
    code, out, _err = run(capfd, "ci", "--base", "HEAD~1", "--format", "json")
    assert (code, changed_nodes(out)) == (exits.OK, ["web"]), out


def test_affected_names_the_nodes_of_a_bump(repository, capfd):
    repository.bump()
    code, out, _err = run(capfd, "affected", "HEAD~1")
    assert code == exits.FINDINGS
    assert out.splitlines()[-2:] == [
        "web: modules/ntp/manifests/init.pp, modules/ntp/metadata.json",
        "1 of 2 nodes affected",
    ]


def test_a_fresh_clone_is_checked_with_modules_from_the_store(repository, capfd):
    (repository.root / "README.md").write_text("x\n")
    code, out, _err = run(capfd, "ci", "--base", "HEAD")
    assert code == exits.OK, out
    assert "modules from the store: ntp v1.0.0" in out


@pytest.mark.parametrize("installed", [[], ["ntp"], ["apt"], ["ntp", "apt"]])
def test_a_module_of_the_repository_finds_modules_from_the_store(repository, capfd, installed):
    """Data of the parameter is looked up first, which lists the project: 'modules' is not there."""
    apt = Remote(
        repository.top, "apt", {"manifests/init.pp": "# Apt.\nclass apt { include ntp }\n"}
    )
    apt.tag("v1.0.0")
    repository.control.commit(
        {
            "Puppetfile": repository.puppetfile(
                "v1.0.0", f"mod 'apt', git: '{apt.url}', tag: 'v1.0.0'"
            ),
            "environment.conf": "modulepath = site-modules:modules\n",
            "site-modules/role/manifests/init.pp": (
                "# Role.\n# @param x Any number.\nclass role (Integer $x = 1) { include apt }\n"
            ),
            "manifests/site.pp": "node web, db { include role }\n",
            "hiera.yaml": "version: 5\n",
            "data/common.yaml": "role::x: 2\n",
        }
    )
    run(capfd, "modules", "install")
    for name in {"ntp", "apt"} - set(installed):
        shutil.rmtree(repository.root / "modules" / name)
    if not installed:
        (repository.root / "modules").rmdir()
    for command in (["ci"], ["diff", "HEAD"], ["diff", "HEAD", "HEAD"]):
        code, out, err = run(capfd, *command)
        assert code == exits.OK, (command, out + err)


def test_modules_that_cannot_be_had_are_not_checked(repository, capfd):
    repository.bump()
    shutil.rmtree(repository.module.bare)
    code, out, _err = run(capfd, "ci", "--base", "HEAD~1")
    assert code == exits.TROUBLE
    assert "run 'bunraku modules install'" in out
    assert "1 of 1 modules in Puppetfile are not installed (ntp)" in out
    assert "cannot be had (ntp): Cannot read the git remote" in out


def test_offline_takes_what_the_store_has(repository, capfd):
    repository.bump()
    code, _out, err = run(capfd, "diff", "HEAD~1", "--offline")
    assert (code, "run the command once without --offline" in err) == (exits.TROUBLE, True)
    run(capfd, "diff", "HEAD~1")
    shutil.rmtree(repository.module.bare)
    code, out, err = run(capfd, "diff", "HEAD~1", "--offline")
    assert (code, "release 2.0.0" in out) == (exits.FINDINGS, True), err


def test_installed_modules_serve_both_revisions_on_demand(repository, capfd):
    repository.bump()
    repository.install("1.0.0")
    code, out, err = run(capfd, "diff", "HEAD~1", "--installed-modules")
    assert (code, out) == (exits.OK, "")
    assert "modules that git ignores are those of the working tree" in err


def test_two_commands_check_a_fresh_clone(repository, capfd, monkeypatch):
    repository.bump()
    clone = repository.top / "clone"
    repository.control.git("clone", "-q", repository.control.url, str(clone))
    monkeypatch.chdir(clone)
    assert run(capfd, "modules", "install")[0] == exits.OK
    code, out, _err = run(capfd, "ci", "--base", "HEAD~1")
    assert (code, out.splitlines()[-1]) == (exits.OK, "passed: 1 changed node")


def test_no_remote_is_asked_where_the_puppetfile_is_unchanged(repository, capfd):
    shutil.rmtree(repository.module.bare)
    repository.install("1.0.0")
    (repository.root / "manifests/site.pp").write_text(
        SITE.replace("db { }", "db { notify { 'x': } }")
    )
    code, out, err = run(capfd, "diff", "HEAD")
    assert (code, "from the store" in err) == (exits.FINDINGS, False)
    assert "Notify[x]" in out


def test_a_puppetfile_with_errors_changes_no_modules(repository, capfd):
    repository.install("1.0.0")
    repository.write(repository.puppetfile("v1.0.0", "mod 'x', ENV['X']"))
    code, out, err = run(capfd, "diff")
    assert (code, out) == (exits.OK, "")
    assert "modules that git ignores are those of the working tree" in err


def test_a_comment_in_the_puppetfile_needs_no_note(repository, capfd):
    repository.install("1.0.0")
    repository.write(f"# ntp\n{repository.puppetfile('v1.0.0')}")
    assert run(capfd, "diff") == (exits.OK, "", "")


def test_a_module_that_the_change_removes_is_gone(repository, capfd):
    repository.install("1.0.0")
    repository.control.commit({"Puppetfile": "\n"})
    for sides in (("HEAD~1",), ("HEAD~1", "HEAD")):
        code, out, _err = run(capfd, "diff", *sides)
        assert code == exits.TROUBLE
        assert "does not compile in HEAD~1" not in out
        assert "Could not find class ::ntp" in out


def test_the_lock_file_decides_the_version_of_a_branch(repository, capfd):
    declared = f"mod 'ntp', git: '{repository.module.url}', branch: 'main'\n"
    for tag in ("v1.0.0", "v2.0.0"):
        commit = repository.module.git("rev-parse", tag)
        locked = LockedModule(
            "ntp", "git", "modules/ntp", remote=repository.module.url, ref="main", commit=commit
        )
        text = lock_file_text(LockFile("", (locked,)))
        repository.control.commit({"Puppetfile": declared, "Puppetfile.lock": text})
    code, out, err = run(capfd, "diff", "HEAD~1")
    assert code == exits.FINDINGS, err
    assert "release 1.0.0" in out
    assert "release 2.0.0" in out
    foreign = "GIT\n  remote: x\n"
    repository.control.commit({"Puppetfile.lock": foreign})
    assert run(capfd, "diff", "HEAD")[0] == exits.OK


def test_installed_modules_are_what_a_new_lock_file_asks_for(repository, capfd):
    """The metadata has another version than the tag, so only the record has the commit."""
    repository.module.commit(repository.release("7.0.0"))
    repository.module.tag("v3.0.0")
    repository.control.commit({"Puppetfile": repository.puppetfile("v3.0.0")})
    for command in ("install", "lock"):
        assert run(capfd, "modules", command)[0] == exits.OK
    repository.control.commit(
        {"Puppetfile.lock": (repository.root / "Puppetfile.lock").read_text()}
    )
    shutil.rmtree(repository.module.bare)
    for command in (["ci", "--base", "HEAD~1"], ["diff", "HEAD~1", "HEAD"]):
        code, out, err = run(capfd, *command)
        assert (code, "from the store" in out + err) == (exits.OK, False), out + err


def test_notes_name_the_tag_of_a_locked_commit(repository, capfd):
    assert run(capfd, "modules", "lock")[0] == exits.OK
    repository.control.commit(
        {"Puppetfile.lock": (repository.root / "Puppetfile.lock").read_text()}
    )
    commit = repository.module.git("rev-parse", "v1.0.0")
    code, out, _err = run(capfd, "ci", "--base", "HEAD~1")
    assert code == exits.OK
    assert f"working tree has modules from the store: ntp v1.0.0 ({commit[:7]})\n" in out


def test_a_tag_that_moved_since_the_installation_is_not_installed(repository, capfd):
    """The version in the metadata is the same; the lock file has the new commit."""
    assert run(capfd, "modules", "install")[0] == exits.OK
    manifest = CLASS.format(text="moved")
    repository.module.commit({**repository.release("1.0.0"), "manifests/init.pp": manifest})
    commit = repository.module.git("rev-parse", "HEAD")
    remote = repository.module.url
    locked = LockedModule("ntp", "git", "modules/ntp", remote=remote, ref="v1.0.0", commit=commit)
    (repository.root / "Puppetfile.lock").write_text(lock_file_text(LockFile("", (locked,))))
    code, out, err = run(capfd, "diff", "HEAD")
    assert code == exits.FINDINGS, out + err
    assert "+     content => 'moved'" in out


def test_ruby_code_of_a_module_runs_in_its_own_version(repository, capfd):
    """The function calls a method that is not translated, so a Ruby process reads the files."""
    path = "lib/puppet/functions/ntp/server.rb"
    text = (
        "Puppet::Functions.create_function(:'ntp::server') do\n"
        "  def server\n    [ObjectSpace.respond_to?(:each_object), %s].last.to_s\n  end\nend\n"
    )
    manifest = "# Ntp.\nclass ntp { notify { ntp::server(): } }\n"
    for version in ("3.0.0", "4.0.0"):
        files = {**repository.release(version), "manifests/init.pp": manifest}
        repository.module.commit({**files, path: text % version[0]})
        repository.module.tag(f"v{version}")
        repository.control.commit({"Puppetfile": repository.puppetfile(f"v{version}")})
    code, out, err = run(capfd, "diff", "HEAD~1", "HEAD")
    assert code == exits.FINDINGS, out + err
    assert "- Notify[3]" in out
    assert "+ Notify[4]" in out
    code, out, err = run(capfd, "diff", "HEAD~1")
    assert code == exits.TROUBLE, out + err
    assert "run 'bunraku modules install'" in out


def test_a_template_that_needs_ruby_is_not_checked_with_modules_from_the_store(repository, capfd):
    """The template calls a method that is not translated."""
    template = "<%= [ObjectSpace.respond_to?(:each_object), @title].last %>\n"
    manifest = "# Ntp.\nclass ntp { notify { template('ntp/x.erb'): } }\n"
    for version in ("3.0.0", "4.0.0"):
        files = {**repository.release(version), "manifests/init.pp": manifest}
        repository.module.commit({**files, "templates/x.erb": template})
        repository.module.tag(f"v{version}")
        repository.control.commit({"Puppetfile": repository.puppetfile(f"v{version}")})
    repository.install("3.0.0")
    code, out, err = run(capfd, "ci", "--base", "HEAD~1")
    assert code == exits.TROUBLE, out + err
    assert "internal error" not in out + err
    assert "not checked: 1 of 2 nodes" in out
    assert "(ntp); run 'bunraku modules install'" in out
    assert run(capfd, "modules", "install", "--force")[0] == exits.OK
    assert run(capfd, "ci", "--base", "HEAD~1")[0] == exits.OK


def test_a_project_below_the_root_of_the_repository(repository, capfd, monkeypatch):
    control = repository.control
    control.git("rm", "-rqf", ".")
    for tag in ("v1.0.0", "v2.0.0"):
        files = {"manifests/site.pp": SITE, "environment.conf": "", ".gitignore": "/modules\n"}
        files |= {"facts/web.json": "{}", "Puppetfile": repository.puppetfile(tag)}
        control.commit({f"puppet/{name}": text for name, text in files.items()})
    repository.root = control.work / "puppet"
    for installed in ("", "1.0.0", "2.0.0"):
        if installed:
            repository.install(installed)
        for directory in (control.work, repository.root):
            monkeypatch.chdir(directory)
            for sides in (("HEAD~1",), ("HEAD~1", "HEAD")):
                code, out, err = run(capfd, "diff", *sides)
                assert code == exits.FINDINGS, (installed, directory, sides, out + err)
                assert "release 2.0.0" in out


@pytest.mark.parametrize("ignored", ["/modules\n", ""], ids=["ignored", "unknown to git"])
def test_installed_modules_are_those_of_both_states(repository, capfd, ignored):
    if not ignored:
        repository.control.commit({".gitignore": "/else\n"})
    repository.install("1.0.0")
    code, out, _err = run(capfd, "ci", "--base", "HEAD")
    assert (code, out.splitlines()[-1]) == (exits.OK, "passed: no errors, no changed nodes"), out
    code, out, _err = run(capfd, "affected", "HEAD")
    assert (code, out) == (exits.OK, "0 of 2 nodes affected\n")
