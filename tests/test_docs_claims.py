"""The README's tables of features are true: each row has a case here, run without Ruby."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from bunraku.base.command_names import COMMANDS
from bunraku.cli.puppet.dispatch import ACTIONS, APPLICATIONS, FORWARDED
from bunraku.dialects.languages import LANGUAGES
from bunraku.functions.stdlib.releases import RELEASES
from bunraku.ruby.syntax.erb import Unsupported
from bunraku.ruby.translate.compile import compile_template
from support.debian_classes import installed_versions, packages

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
TYPE = """
Puppet::Type.newtype(:thing) do
  ensurable
  newparam(:name, namevar: true)
  newproperty(:size)
end
"""


def run(folder, *arguments, ruby="/nonexistent"):
    """The output of a command, with its exit code."""
    done = subprocess.run(
        [sys.executable, "-m", "bunraku", *arguments],
        cwd=folder,
        env={"PATH": "/usr/bin:/bin", "HOME": str(folder), "BUNRAKU_RUBY": ruby},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


def message(folder, code, *more):
    """The message of the first resource that code declares."""
    code, out, err = run(folder, "compile", "-e", code, *more)
    assert (code, err) == (0, "")
    (found,) = [one for one in json.loads(out)["resources"] if one["type"] == "Notify"]
    return found["parameters"]["message"]


# Feature of the tables, by words of its row → code, and the message that it gives.
WITHOUT_RUBY = {
    "functions of puppetlabs-stdlib": ("'ab'.stdlib::sha256[0, 4]", "fb8e"),
    "ERB templates with common code": (
        "inline_template('<%= [1, 2].map { |n| n * 2 }.join %>')",
        "24",
    ),
    "the Puppet 8 language": ("[3, 1].sort.map |$n| { $n * 2 }", [2, 6]),
}


@pytest.mark.parametrize("row", WITHOUT_RUBY)
def test_works_without_ruby(row, tmp_path):
    assert row in README
    expression, expected = WITHOUT_RUBY[row]
    assert message(tmp_path, f"notify {{ 'x': message => {expression} }}") == expected


def test_resource_types_of_modules_are_read_without_ruby(tmp_path):
    assert "| custom resource types | read from their Ruby source; unknown attributes" in README
    (tmp_path / "m" / "lib" / "puppet" / "type").mkdir(parents=True)
    (tmp_path / "m" / "lib" / "puppet" / "type" / "thing.rb").write_text(TYPE)
    good = "thing { 'a': ensure => present, size => 1 }"
    assert run(tmp_path, "compile", "-e", good, "--modulepath", ".")[0] == 0
    bad = run(tmp_path, "compile", "-e", "thing { 'a': sise => 1 }", "--modulepath", ".")
    assert "[UNKNOWN_PARAMETER]" in bad[2]


def test_deferred_stays_deferred(tmp_path):
    assert "`Deferred` is not resolved" in README
    code, out, _ = run(
        tmp_path, "compile", "-e", "notify { 'x': message => Deferred('join', [['a'], '-']) }"
    )
    assert (code, '"Deferred"' in out) == (0, True)


def test_uncommon_ruby_needs_ruby_and_says_so(tmp_path):
    assert "the error names the line if Ruby is missing" in README
    code = "notice(inline_template('<% def f; 1; end %><%= f %>'))"
    assert "[RUBY_MISSING]" in run(tmp_path, "compile", "-e", code)[2]


def test_values_are_not_checked_against_types(tmp_path):
    (code,) = re.findall(r"\| `(service .*?)` compiles", README)
    assert run(tmp_path, "compile", "-e", code)[0] == 0


def test_plans_are_checked_and_not_run(tmp_path):
    assert "plans are checked, not run" in README
    (tmp_path / "plan.pp").write_text("plan m::p() { notice(1) }\n")
    assert run(tmp_path, "validate", "plan.pp", "--tasks") == (0, "", "")
    assert "[UNSUPPORTED_EXPRESSION]" in run(tmp_path, "compile", "plan.pp", "--tasks")[2]


def test_only_pkcs7_is_decrypted(tmp_path):
    assert "only PKCS7 is decrypted" in README
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "common.yaml").write_text("a: ENC[GPG,aGVsbG8=]\n")
    (tmp_path / "hiera.yaml").write_text(
        "version: 5\nhierarchy:\n  - name: c\n    path: common.yaml\n    lookup_key: eyaml_lookup_key\n"
    )
    code, _, err = run(tmp_path, "lookup", "a", "--hiera-config", "hiera.yaml")
    assert (code, "[HIERA_DECRYPTION_FAILED]" in err) == (1, True)


def cells(heading):
    """The cells of the rows of the tables below a heading."""
    part = README.partition(f"\n{heading}\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (.*) \|$", part, re.MULTILINE)
    return [row.split(" | ") for row in rows]


# First cell of a row → the tests of what the row says, by file.
EVIDENCE = {
    "the Puppet 8 language": "test_docs_language.py::test_the_readme_counts_the_forms_that_work",
    "OpenVox 9": "dialects/test_puppet_9.py::test_agents_and_servers_report_the_version_of_the_language",
    "Puppet 3.8, `parser = future`, Puppet 3.0": "test_conformance.py::test_what_puppet_was_seen_to_do",
    "functions of puppetlabs-stdlib": "functions/test_stdlib.py::test_does_what_real_puppet_does",
    "functions in the Puppet language, [in Python](docs/functions-in-python.md), and in simple Ruby": "functions/test_python.py::test_python_comes_before_ruby_and_puppet",
    "ERB templates with common code": "test_docs_claims.py::test_the_templates_that_need_no_ruby_are_counted",
    "custom resource types": "test_docs_claims.py::test_resource_types_of_modules_are_read_without_ruby",
    "Hiera 5, 4 and 3": "hiera/test_hiera.py::test_lookups_give_what_puppet_gave",
    "hiera-eyaml": "hiera/test_hiera.py::test_encrypted_values_are_opened",
    "exported resources, `puppetdb_query`": "cli/test_exports.py::test_nodes_of_a_run_collect_from_each_other",
    "`Sensitive`, `Deferred`": "test_docs_claims.py::test_deferred_stays_deferred",
    "node classifiers, trusted facts, environments, `puppet.conf`": "modules/test_nodes.py::test_a_program_classifies",
    "functions and Hiera backends with uncommon Ruby code": "test_docs_claims.py::test_uncommon_ruby_needs_ruby_and_says_so",
    "ERB templates with uncommon Ruby code": "ruby/test_erb_render.py::test_a_template_may_render_others",
    "custom facts in Ruby": "facts/test_custom.py::test_facts_in_ruby",
    "Ruby code that uses rare parts of Puppet's own Ruby interface": "ruby/test_installed.py::test_each_compile_says_so",
    "applying resources of types that only a Ruby provider manages, without Puppet": "apply/test_coverage.py::test_all_that_nothing_can_manage_is_refused_at_once",
    "checking values against resource types without being asked": "test_docs_claims.py::test_values_are_not_checked_against_types",
    "custom facts in Ruby on a machine without Ruby": "facts/test_custom.py::test_without_ruby_one_warning_names_the_facts",
    "Bolt plans and tasks": "test_docs_claims.py::test_plans_are_checked_and_not_run",
    "hiera-eyaml with GPG": "test_docs_claims.py::test_only_pkcs7_is_decrypted",
    "Windows, macOS": "test_windows.py::test_code_that_only_ruby_runs_is_an_error",
}


def test_each_row_of_what_works_has_a_test():
    assert {row[0] for row in cells("## What works") if len(row) == 2} == EVIDENCE.keys()
    for place in EVIDENCE.values():
        file, _, name = place.partition("::")
        assert f"\ndef {name}(" in (ROOT / "tests" / file).read_text(encoding="utf-8"), place


def test_the_table_has_each_command():
    commands = " ".join(row[1] for row in cells("## Commands") if len(row) == 3)
    assert set(re.findall(r"`bunraku (\w+)", commands)) == set(COMMANDS)


def test_commands_of_puppet_that_are_replaced_exist():
    column = " ".join(row[2] for row in cells("## Commands") if len(row) == 3)
    replaced = {tuple(words.split()) for words in re.findall(r"`puppet (\w+(?: \w+)?)", column)}
    pairs = {(name, action) for name, actions in ACTIONS.items() for action in actions}
    known = {*pairs, *((name,) for name in (*APPLICATIONS, *FORWARDED))}
    assert replaced - known == {("query",)}  # that of PuppetDB's tools


def test_the_groups_are_those_of_the_documentation():
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    groups = re.findall(r"^\| \*\*(.*)\*\* \| \| \|$", README, re.MULTILINE)
    captions = re.findall(r"^:caption: (.*)$", index, re.MULTILINE)
    assert groups[:-1] == [one for one in captions if one in groups]


def test_the_lead_is_the_same_everywhere():
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    sentence = re.search(r"^bunraku is .*?\.\n?", README, re.MULTILINE | re.DOTALL)[0]
    assert sentence.split()[:30] == index.split("\n\n")[1].split()[:30]
    about = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["description"]
    words = (
        "check",
        "lint",
        "compile",
        "compare",
        "test",
        "migrate",
        "agent",
        "server",
        "PuppetDB",
    )
    assert [word for word in words if word not in sentence or word not in about] == []


def test_the_versions_are_those_of_the_program():
    works = dict(row for row in cells("## What works") if len(row) == 2)
    newest = max(
        tuple(map(int, last.split(".")))
        for files in RELEASES.values()
        for last in re.findall(r"(\d+\.\d+\.\d+)(?= |$)", files)
    )
    assert f"to {'.'.join(map(str, newest))} " in works["functions of puppetlabs-stdlib"]
    named = " ".join(works)
    assert set(LANGUAGES) == {"9", "8", "3.8", "3.8-future", "3.0"}
    for version in ("OpenVox 9", "Puppet 8", "Puppet 3.8", "`parser = future`", "Puppet 3.0"):
        assert version in named
    python = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["requires-python"]
    assert f"needs Python {python.removeprefix('>=')} or newer" in README


def test_options_in_the_tables_exist():
    lacking = "\n".join(" | ".join(row) for row in cells("## What works"))
    for option, command in (
        ("--no-ruby-providers", "apply"),
        ("--validate-values", "compile"),
    ):
        assert option in lacking
        assert option in run(ROOT, command, "--help")[1]


# Words of the README around two times, and the row of the page that measured them.
SPEEDS = {
    r"takes ([\d.]+) s instead of ([\d.]+) s in a running process": "`openstack.pp`, warm",
    r"([\d.]+) s instead of ([\d.]+) s for the first time without a cache": "`openstack.pp`, nova, neutron, keystone: first compile",
    r"one line takes ([\d.]+) s instead of ([\d.]+) s,": "`validate` of one line, on the clock",
}  # fmt: skip


def measured(row):
    """The seconds of bunraku and of Puppet in a row of the page about performance."""
    page = (ROOT / "docs" / "performance.md").read_text(encoding="utf-8")
    found = re.search(
        rf"^\| {re.escape(row)}[^|]*\| ([\d.]+) s[^|]*\| ([\d.]+) s", page, re.MULTILINE
    )
    return [float(one) for one in found.groups()]


@pytest.mark.parametrize("words", SPEEDS)
def test_the_times_are_those_that_were_measured(words):
    said = [float(one) for one in re.search(words, README).groups()]
    assert said == pytest.approx(measured(SPEEDS[words]), rel=0.15)


def test_the_time_of_many_nodes_is_the_one_that_was_measured():
    seconds, minutes = re.search(
        r"200 nodes\s+take (\d+) s on two cores, where Puppet would need about (\d+) minutes",
        README,
    ).groups()
    own, other = measured("200 nodes with `openstack.pp`, 2 processes, on the clock")
    assert [float(seconds), 60 * float(minutes)] == pytest.approx([own, other], rel=0.15)


def translates(path):
    """Whether the code of a template runs without Ruby."""
    text = path.read_bytes().decode("utf-8", "surrogateescape")
    try:
        compile_template(text, str(path), old=False)
    except Unsupported:
        return False
    return True


def test_the_templates_that_need_no_ruby_are_counted():
    if installed_versions().keys() != set(packages()):
        pytest.skip("the Debian packages of tests/debian-packages.txt are not all installed")
    templates = list(Path("/usr/share/puppet/modules.available").rglob("*.erb"))
    words = f"{sum(map(translates, templates))} of the {len(templates)} templates"
    assert f"| {words} in Debian's Puppet modules |" in README
    page = (ROOT / "docs" / "getting-started.md").read_text(encoding="utf-8")
    assert f"{words} in {len(packages())} of Debian's packages" in page
