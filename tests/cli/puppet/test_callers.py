"""Programs that call an executable ``puppet``, with the command lines and the patterns that they use.

BUNRAKU_OCTOCATALOG_DIFF names a checkout of octocatalog-diff, whose fixture repositories are compiled.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

from bunraku.jobs.install_program import install

CONTROL = Path(__file__).parents[3] / "examples/control"
CHECKOUT = os.environ.get("BUNRAKU_OCTOCATALOG_DIFF")
FIXTURES = Path(CHECKOUT or "/nonexistent") / "spec/octocatalog-diff/fixtures"
PUPPET = "/usr/bin/puppet"
NODE = "rspec-node.github.net"
octocatalog = pytest.mark.skipif(
    shutil.which("octocatalog-diff") is None, reason="octocatalog-diff is not installed"
)


@pytest.fixture(scope="module")
def puppet(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the path of an executable ``puppet`` that is bunraku."""
    return install(str(tmp_path_factory.mktemp("bin")))


def run(
    words: Sequence[str], where: Path, stdin: str = "", **more: str
) -> subprocess.CompletedProcess[str]:
    """Run a program in a directory, which is also its home."""
    environment = {**os.environ, "HOME": str(where), **more}
    return subprocess.run(
        words,
        cwd=where,
        input=stdin,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


# -- editors and hooks -----------------------------------------------------------------------------


@pytest.fixture
def manifests(tmp_path: Path) -> Path:
    """Return a directory with a right and a wrong manifest and template."""
    (tmp_path / "good.pp").write_text("notice(1)\n")
    (tmp_path / "bad.pp").write_text("class a {\n  file { '/a': ensure => }\n}\n")
    (tmp_path / "good.epp").write_text("<%= 1 %>\n")
    (tmp_path / "bad.epp").write_text("<% if %>\n")
    return tmp_path


EDITORS = {
    "ale (vim)": r"^Error:(?:.*:)? (?P<text>.+) \(file: (?P<file>.+), line: (?P<line>\d+), column: (?P<column>\d+)\)",
    "syntastic (vim)": r"^Error: (?P<text>.*) \(file: (?P<file>[^,]+), line: (?P<line>\d+), column: (?P<column>\d+)\)$",
    "flycheck (emacs)": r"^Error: Could not parse for environment \S+: (?P<text>.*) \(file: (?P<file>.+), line: (?P<line>\d+), column: (?P<column>\d+)\)\s*$",
    "puppet-vscode": r"(?i)^error:.*?(?P<text>[^:]+)\s\(file:\s(?P<file>.+?),\sline:\s(?P<line>\d+),\scolumn:\s(?P<column>\d+)\)",
}
"""Editor → the pattern of the places that it finds in the output of ``parser validate``."""


@pytest.mark.parametrize("editor", EDITORS)
def test_editors_find_the_place_in_a_file(editor: str, manifests: Path, puppet: str) -> None:
    done = run([puppet, "parser", "validate", "--color=false", "bad.pp"], manifests)
    found = [re.match(EDITORS[editor], line) for line in done.stderr.splitlines()]
    places = [(one["file"], one["line"], one["column"]) for one in found if one]
    assert places == [(str(manifests / "bad.pp"), "2", "26")]
    assert done.returncode == 1


def test_editors_send_a_buffer_to_standard_input(manifests: Path, puppet: str) -> None:
    words = [puppet, "parser", "validate", "--color=false"]
    good, bad = (
        run(words, manifests, (manifests / name).read_text()) for name in ("good.pp", "bad.pp")
    )
    assert (good.returncode, good.stdout, good.stderr) == (0, "", "")
    assert bad.returncode == 1
    assert re.search(
        r"^Error: Could not parse .* \(line: 2, column: 26\)$", bad.stderr, re.MULTILINE
    )


HOOKS = {
    "puppet-pre-commit-hooks": ["parser", "validate"],
    "puppet-git-hooks": ["parser", "validate", "--color=false", "--confdir=c", "--vardir=v"],
    "json": ["parser", "validate", "--render-as", "json"],
    "epp": ["epp", "validate"],
    "epp, all errors": ["epp", "validate", "--continue_on_error", "--color=false"],
}
"""Hooks of repositories and their words before the names of the changed files."""


@pytest.mark.parametrize("hook", HOOKS)
def test_hooks_pass_files_and_read_the_exit_code(hook: str, manifests: Path, puppet: str) -> None:
    words = [puppet, *HOOKS[hook]]
    extension = "epp" if "epp" in hook else "pp"
    good, bad = f"good.{extension}", f"bad.{extension}"
    assert run([*words, good, good], manifests).returncode == 0
    assert run([*words, good, bad], manifests).returncode == 1


# -- Wikimedia's puppet compiler -------------------------------------------------------------------


@pytest.fixture
def operations(tmp_path: Path) -> Path:
    """Return directories in the layout of Wikimedia's repository, compiled for one host."""
    files = {
        "src/environments/production/environment.conf": "",
        "src/hiera.yaml": "version: 5\nhierarchy:\n- {name: common, path: common.yaml}\n",
        "src/data/common.yaml": "profile::base::owner: noc\n",
        "src/manifests/site.pp": "node /^test/ { include profile::base }\n",
        "src/modules/profile/manifests/base.pp": (
            "class profile::base(String $owner) {\n"
            "  warning('watch')\n"
            "  file { '/etc/motd': content => "
            'Sensitive("${owner} ${facts["kernel"]} ${secret::word()} ${trusted["certname"]}") }\n'
            "}\n"
        ),
        "private/modules/secret/functions/word.pp": "function secret::word() { 'psst' }\n",
        "var/yaml/facts/test.eqiad.wmnet.yaml": (
            "--- !ruby/object:Puppet::Node::Facts\nname: test.eqiad.wmnet\nvalues:\n"
            "  kernel: Linux\n  clientcert: test.eqiad.wmnet\n"
            "timestamp: 2026-01-01 00:00:00.000000000 +00:00\n"
        ),
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


def words_of_compiler(root: Path) -> list[str]:
    """Return the options that Wikimedia's compiler gives ``puppet catalog compile``."""
    source, private = root / "src", root / "private"
    folders = [private / "modules", *(source / name for name in ("modules", "vendor_modules"))]
    return [
        *("catalog", "compile", "--facts_terminus=yaml", "--render-as=rich_data_json"),
        f"--vardir={root}/var",
        f"--modulepath={':'.join(map(str, folders))}",
        f"--confdir={source}",
        "--color=false",
        f"--yamldir={root}/var/yaml",
        f"--factpath={root}/var/yaml/facts",
        f"--manifest={source}/manifests",
        f"--environmentpath={source}/environments",
        "test.eqiad.wmnet",
    ]


def test_the_call_of_wikimedias_compiler(operations: Path, puppet: str) -> None:
    done = run([puppet, *words_of_compiler(operations)], operations)
    assert done.returncode == 0, done.stderr
    # The compiler keeps the lines that are not messages.
    kept = [
        line
        for line in done.stdout.splitlines()
        if not re.match("(Info|[Nn]otice|[Ww]arning)", line)
    ]
    catalog = json.loads("".join(kept))
    (motd,) = [one for one in catalog["resources"] if one["title"] == "/etc/motd"]
    assert motd["parameters"]["content"] == "noc Linux psst test.eqiad.wmnet"
    assert motd["sensitive_parameters"] == ["content"]
    assert done.stderr.startswith("Warning: Scope(Class[Profile::Base]): watch\n")


def test_wikimedias_compiler_sees_a_failure(operations: Path, puppet: str) -> None:
    (operations / "src/data/common.yaml").write_text("profile::base::owner: 1\n")
    done = run([puppet, *words_of_compiler(operations), "--debug", "--color=true"], operations)
    assert done.returncode == 1
    assert "parameter 'owner' expects a String value, got Integer" in done.stderr


# -- octocatalog-diff ------------------------------------------------------------------------------


def catalog_of(binary: str, repository: Path, home: Path) -> tuple[int, Any]:
    """Return the exit code of octocatalog-diff, and the resources of the catalog that it wrote."""
    output = home / "catalog.json"
    output.unlink(missing_ok=True)
    words = ["octocatalog-diff", "-n", NODE, "--catalog-only", "--no-parallel", "--no-color"]
    words += ["--bootstrapped-to-dir", str(repository), "--basedir", str(repository)]
    words += ["--fact-file", str(FIXTURES / "facts/facts.json"), "-o", str(output)]
    words += [f"--command-line={one}" for one in ("--strict=warning", "--no-strict_variables")]
    if (repository / "hiera.yaml").is_file():
        words += ["--hiera-config", "hiera.yaml", "--hiera-path-strip", "/var/lib/puppet"]
    done = run([*words, "--puppet-binary", binary], home)
    if not output.is_file():
        return done.returncode, None
    resources = json.loads(output.read_text())["resources"]
    return done.returncode, [
        {name: one.get(name) for name in ("type", "title", "parameters", "tags", "exported")}
        for one in resources
    ]


@octocatalog
@pytest.mark.skipif(CHECKOUT is None, reason="BUNRAKU_OCTOCATALOG_DIFF is not set")
@pytest.mark.skipif(not Path(PUPPET).exists(), reason="Puppet is not installed")
def test_fixtures_of_octocatalog_diff_compile_as_with_puppet(puppet: str, tmp_path: Path) -> None:
    repositories = sorted(path for path in (FIXTURES / "repos").iterdir() if path.is_dir())
    ours = {one.name: catalog_of(puppet, one, tmp_path) for one in repositories}
    theirs = {one.name: catalog_of(PUPPET, one, tmp_path) for one in repositories}
    assert sum(resources is not None for _, resources in theirs.values()) >= 10
    assert {name for name in ours if ours[name] != theirs[name]} == set()


@octocatalog
@pytest.mark.parametrize(
    ("branch", "code", "shown"),
    [("good", 2, ["8080"]), ("harmless", 0, [])],
)
def test_octocatalog_diff_compares_branches_of_the_example(
    branch: str, code: int, shown: list[str], puppet: str, tmp_path: Path
) -> None:
    pytest.importorskip("cryptography")  # eyaml
    repository = tmp_path / "control"
    subprocess.run([CONTROL / "make-repository", repository], check=True, capture_output=True)
    words = ["octocatalog-diff", "-n", "web07.example.com", "-f", "production", "-t", branch]
    words += ["--basedir", str(repository), "--puppet-binary", puppet, "--no-color"]
    facts = tmp_path / "web07.yaml"  # $trusted has the name that this fact has
    known = (repository / "facts/web07.example.com.yaml").read_text()
    facts.write_text(f"clientcert: web07.example.com\n{known}")
    words += ["--fact-file", str(facts)]
    words += ["--hiera-config", "hiera.yaml", "--no-parallel"]
    done = run(words, repository)
    assert done.returncode == code, done.stderr
    for text in shown:
        assert text in done.stdout


# -- PuppetDB --------------------------------------------------------------------------------------


@pytest.fixture
def puppetdb(tmp_path: Path) -> Iterator[str]:
    """Return the URL of a PuppetDB."""
    words = [
        sys.executable,
        "-m",
        "bunraku",
        "puppetdb",
        "--no-project",
        "--database",
        str(tmp_path / "site.db"),
    ]
    process = subprocess.Popen([*words, "--listen", "127.0.0.1:0"], stdout=-1, stderr=-1, text=True)
    assert process.stdout is not None
    found = re.search(r"http://[\d.:]+", process.stdout.readline())
    assert found is not None
    yield found[0]
    process.terminate()
    process.communicate()


def test_wikimedias_compiler_stores_and_collects_exported_resources(
    operations: Path, puppet: str, puppetdb: str
) -> None:
    (operations / "src/puppetdb.conf").write_text(f"[main]\nserver_urls = {puppetdb}\n")
    facts = operations / "var/yaml/facts"
    text = (facts / "test.eqiad.wmnet.yaml").read_text()
    (facts / "test2.eqiad.wmnet.yaml").write_text(text.replace("test.", "test2."))
    (operations / "src/modules/profile/manifests/base.pp").write_text(
        "class profile::base(String $owner) {\n"
        '  @@notify { "of ${trusted["certname"]}": }\n  Notify <<| |>>\n}\n'
    )
    words = [*words_of_compiler(operations), "--storeconfigs", "--storeconfigs_backend=puppetdb"]
    seen = []
    for name in ("test.eqiad.wmnet", "test2.eqiad.wmnet"):
        one = [name if word == "test.eqiad.wmnet" else word for word in words]
        done = run([puppet, *one], operations)
        assert done.returncode == 0, done.stderr
        catalog = json.loads(done.stdout.partition("\n")[2])
        seen.append([each["title"] for each in catalog["resources"] if each["type"] == "Notify"])
        await_commands(puppetdb, name)
    assert seen == [
        ["of test.eqiad.wmnet"],
        ["of test2.eqiad.wmnet", "of test.eqiad.wmnet"],
    ]


def await_commands(url: str, node: str) -> None:
    """Return when the PuppetDB has the catalog of a node; AssertionError after many tries."""
    for _ in range(200):
        with urlopen(f"{url}/pdb/query/v4/nodes") as response:
            nodes = json.load(response)
        if any(one["certname"] == node and one["catalog_timestamp"] for one in nodes):
            return
        time.sleep(0.1)
    raise AssertionError(f"no catalog of {node}")
