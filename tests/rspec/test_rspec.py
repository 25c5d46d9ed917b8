"""The gem in ``integrations/rspec``: one suite of rspec-puppet, compiled by Puppet and by bunraku.

``module`` is a Puppet module whose specs use every feature of rspec-puppet. Some of its examples fail, so
that failures are compared, too.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MODULE = Path(__file__).parent / "module"
GEM = ROOT / "integrations" / "rspec" / "lib"
BUNRAKU = Path(sys.executable).parent / "bunraku"
SPECS = [f"spec/{kind}" for kind in ("classes", "defines", "functions", "hosts", "type_aliases")]


def missing_program():
    """Return which of the Ruby programs and libraries that the suite needs is missing."""
    for name in ("ruby", "rspec"):
        if shutil.which(name) is None:
            return name
    for name in ("puppet", "rspec-puppet", "puppetlabs_spec_helper"):
        found = subprocess.run(["gem", "list", "-i", f"^{name}$"], capture_output=True, check=False)
        if found.returncode:
            return f"the gem {name}"
    return None


MISSING = missing_program()
pytestmark = [
    pytest.mark.skipif(MISSING is not None, reason=f"{MISSING} is not installed"),
    pytest.mark.xdist_group("rspec"),
]


@pytest.fixture(scope="module")
def module(tmp_path_factory):
    """A copy of the module with itself among its fixtures."""
    copy = tmp_path_factory.mktemp("suite") / "things"
    shutil.copytree(MODULE, copy)
    fixtures = copy / "spec" / "fixtures" / "modules"
    fixtures.mkdir()
    (fixtures / "things").symlink_to(copy)
    return copy


def rspec(module, *arguments, **environment):
    """Return the result of a run of rspec with the gem; its coverage report is an example, too."""
    names = {name: value for name, value in os.environ.items() if not name.startswith("BUNRAKU")}
    return subprocess.run(
        ["rspec", "-I", str(GEM), "-r", "bunraku/rspec", *arguments],
        cwd=module,
        env={**names, "BUNRAKU": str(BUNRAKU), **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def examples_of(module, name, **environment):
    """Return the examples of the suite by their id, and what the run printed for people."""
    result = rspec(module, *SPECS, "--format", "json", "--out", name, **environment)
    report = json.loads((module / name).read_text())
    assert report["summary"]["errors_outside_of_examples_count"] == 0
    return {one["id"]: one for one in report["examples"]}, result


@pytest.fixture(scope="module")
def by_puppet(module):
    return examples_of(module, "puppet.json", BUNRAKU_RSPEC="off")


@pytest.fixture(scope="module")
def by_bunraku(module):
    return examples_of(module, "bunraku.json", BUNRAKU_RSPEC_VERBOSE="1")


def test_every_example_has_the_same_outcome(by_puppet, by_bunraku):
    expected, found = by_puppet[0], by_bunraku[0]
    assert {name: one["status"] for name, one in found.items()} == {
        name: one["status"] for name, one in expected.items()
    }
    assert len(expected) > 90
    assert 0 < sum(one["status"] == "failed" for one in expected.values()) < 10


def test_the_second_run_compiles_only_what_cannot_be_cached(module, by_bunraku):
    found, result = examples_of(module, "again.json")
    expected = by_bunraku[0]
    assert {name: outcome(one) for name, one in found.items()} == {
        name: outcome(one) for name, one in expected.items()
    }
    compiled, cached = re.search(
        r"^bunraku: (\d+) catalogs compiled, (\d+) taken from the cache",
        result.stderr,
        re.MULTILINE,
    ).groups()
    assert int(compiled) < 10
    assert int(cached) > 40


TYPE = """Puppet::Type.newtype(:things_setting) do
  newparam(:name, namevar: true)
  autorequire(:file) do
    File.open(ENV.fetch('SEARCHED'), 'a') { |file| file.puts 'once' }
    [DIRECTORY]
  end
end
"""
CYCLE = """require 'spec_helper'
describe 'one.example.org', type: :host do
  let(:pre_condition) { "things_setting { 'a': } -> notify { 'b': } -> file { '/etc/things': }" }
  it { is_expected.to compile.with_all_deps }
end
"""


def test_cycles_are_searched_again_after_a_change_of_ruby_code(tmp_path):
    module, searched = tmp_path / "things", tmp_path / "searched"
    shutil.copytree(MODULE, module)
    (module / "spec/fixtures/modules").mkdir()
    (module / "spec/fixtures/modules/things").symlink_to(module)
    (module / "spec/hosts/cycle_spec.rb").write_text(CYCLE)
    code = module / "lib/puppet/type/things_setting.rb"

    def run():
        places = {"SEARCHED": str(searched), "XDG_CACHE_HOME": str(tmp_path / "cache")}
        return rspec(module, "spec/hosts/cycle_spec.rb", **places).stdout

    code.write_text(TYPE.replace("DIRECTORY", "'/etc'"))
    assert ", 0 failures" in run()
    count = searched.read_text()
    assert count
    assert ", 0 failures" in run()
    assert searched.read_text() == count
    code.write_text(TYPE.replace("DIRECTORY", "'/etc/things'"))
    assert "dependency cycles found" in run()


def outcome(example):
    """Return what an example reports."""
    return example["status"], example.get("exception", {}).get("message")


def test_parallel_tests_runs_the_same_examples(module, by_puppet):
    if shutil.which("parallel_rspec") is None:
        pytest.skip("parallel_rspec is not installed")
    done = subprocess.run(
        ["parallel_rspec", "-n", "2", "-o", f"-I {GEM} -r bunraku/rspec", *SPECS],
        cwd=module,
        env={**os.environ, "BUNRAKU": str(BUNRAKU)},
        capture_output=True,
        text=True,
        check=False,
    )
    failed = sum(one["status"] == "failed" for one in by_puppet[0].values())
    assert f"{len(by_puppet[0])} examples, {failed} failures" in done.stdout
    assert (
        len(
            re.findall(r"^bunraku: \d+ catalogs? compiled", done.stdout + done.stderr, re.MULTILINE)
        )
        == 2
    )


def test_coverage_knows_which_example_ran_a_line(module):
    words = ["rspec", "-I", str(GEM), "-r", "bunraku/rspec", "spec/defines"]
    subprocess.run(
        [str(BUNRAKU), "cover", "--no-report", "--", *words],
        cwd=module,
        env={**os.environ, "BUNRAKU": str(BUNRAKU)},
        capture_output=True,
        check=True,
    )
    lines = [str(BUNRAKU), "cover", "lines", "manifests/entry.pp:8"]
    ran = subprocess.run(lines, cwd=module, capture_output=True, text=True, check=True).stdout
    assert (
        ran
        == "manifests/entry.pp:8: ./spec/defines/entry_spec.rb:16, ./spec/defines/entry_spec.rb:9\n"
    )


def test_failures_have_the_same_message(by_puppet, by_bunraku):
    expected, found = by_puppet[0], by_bunraku[0]
    failed = [name for name, one in expected.items() if one["status"] == "failed"]
    assert {name: found[name]["exception"]["message"] for name in failed} == {
        name: expected[name]["exception"]["message"] for name in failed
    }


def test_the_coverage_report_is_the_same(by_puppet, by_bunraku):
    reports = [
        result.stdout.partition("Coverage Report:")[2] for _, result in (by_puppet, by_bunraku)
    ]
    assert "Touched resources" in reports[0]
    assert reports[0] == reports[1]


def test_the_summary_counts_the_examples_that_puppet_compiled(module, by_bunraku):
    _, result = by_bunraku
    summary, *reasons = result.stderr[result.stderr.index("bunraku: ") :].splitlines()
    assert summary.endswith(
        " taken from the cache, 5 examples compiled by Puppet (stubbed functions, stubbed objects)"
    )
    compiled, cached = (int(number) for number in re.findall(r"\d+", summary)[:2])
    assert compiled + cached > 40
    folder = os.path.realpath(module)
    assert [line.strip() for line in reasons[:10]] == [
        f"stubbed functions: stubbed_by_spec ({folder}/spec/classes/stubbed_spec.rb)",
        "./spec/classes/stubbed_spec.rb:11",
        f"stubbed functions: stubbed_by_spec ({folder}/spec/hosts/host_spec.rb)",
        "./spec/hosts/host_spec.rb:31",
        "stubbed objects: Facter",
        "./spec/classes/machine_spec.rb:23",
        "stubbed objects: Puppet::Parser::Files",
        "./spec/classes/stubbed_spec.rb:25",
        "stubbed objects: instances of a class",
        "./spec/classes/stubbed_spec.rb:33",
    ]


def test_nothing_is_counted_where_puppet_compiles_everything(by_puppet):
    assert "bunraku:" not in by_puppet[1].stdout + by_puppet[1].stderr


def test_a_missing_program_is_an_error_of_each_example(module):
    result = rspec(module, "spec/classes/exporting_spec.rb:6", BUNRAKU="/nowhere/bunraku")
    assert result.returncode == 1
    assert "cannot start bunraku: No such file or directory: /nowhere/bunraku" in result.stdout
    assert "BUNRAKU_RSPEC=off" in result.stdout


def program(path, text):
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return str(path)


def test_a_process_that_ends_is_started_again_once(module, tmp_path):
    started = tmp_path / "started"
    crash_first = (
        f'if [ ! -e {started} ]; then touch {started}; read line; exit 3; fi\nexec {BUNRAKU} "$@"'
    )
    bunraku = program(tmp_path / "bunraku", crash_first)
    result = rspec(module, "spec/classes/exporting_spec.rb:6", BUNRAKU=bunraku)
    assert "2 examples, 0 failures" in result.stdout, result.stdout
    assert started.exists()


def test_a_process_that_always_ends_is_an_error(module, tmp_path):
    bunraku = program(tmp_path / "bunraku", "read line; exit 3")
    result = rspec(module, "spec/classes/exporting_spec.rb:6", BUNRAKU=bunraku)
    assert "batch ended twice while it compiled a catalog (exit 3)" in result.stdout


def test_an_answer_that_is_no_catalog_is_an_error(module, tmp_path):
    answer = '{"id":"1","status":"crash","error":{"message":"the worker ended"}}'
    bunraku = program(tmp_path / "bunraku", f"read line; echo '{answer}'")
    result = rspec(module, "spec/classes/exporting_spec.rb:6", BUNRAKU=bunraku)
    assert "bunraku could not answer (crash): the worker ended" in result.stdout


def test_the_gem_can_be_required_in_the_spec_helper(module):
    helper = module / "spec" / "spec_helper.rb"
    text = helper.read_text()
    helper.write_text(f"{text}\nrequire 'bunraku/rspec'\n")
    try:
        result = subprocess.run(
            ["rspec", "-I", str(GEM), "spec/classes/exporting_spec.rb"],
            cwd=module,
            env={**os.environ, "BUNRAKU": str(BUNRAKU)},
            capture_output=True,
            text=True,
            check=False,
        )
    finally:
        helper.write_text(text)
    assert "7 examples, 0 failures" in result.stdout, result.stdout
    assert re.search(r"^bunraku: \d catalogs? compiled", result.stderr, re.MULTILINE)


def test_the_search_in_facterdb_finds_what_jgrep_finds(tmp_path):
    done = subprocess.run(["gem", "list", "-i", "^facterdb$"], capture_output=True, check=False)
    if done.returncode:
        pytest.skip("the gem facterdb is not installed")
    script = Path(__file__).parent / "facterdb_filters.rb"
    for cached in ("", "", "1"):
        done = subprocess.run(
            ["ruby", "-I", str(GEM), str(script)],
            env={**os.environ, "XDG_CACHE_HOME": str(tmp_path), "BUNRAKU_NO_CACHE": cached},
            capture_output=True,
            text=True,
            check=True,
        )
        lines = [line.split(" ", 2) for line in done.stdout.splitlines() if "=" in line]
        assert [line for line in lines if line[0] != "true"] == []
        counts = [int(count) for _, count, _ in lines]
        assert len(counts) == 24
        assert counts[-1] == 0
        assert all(counts[:7])
    assert len(list((tmp_path / "bunraku" / "code").iterdir())) == len(counts) / 3


def value_in_a_library(library, cache, **environment):
    """Return the value that a file outside of the suite sets, loaded with the cache of compiled files."""
    script = "require 'bunraku/rspec/compiled_ruby'; Bunraku::RSpec::CompiledRuby.install; load ARGV[0]; print VALUE"
    done = subprocess.run(
        ["ruby", "-I", str(GEM), "-e", script, str(library)],
        env={**os.environ, "XDG_CACHE_HOME": str(cache), **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


GARBAGE = """
require 'rspec/core'
require 'bunraku/rspec/garbage'
garbage = Bunraku::RSpec::Garbage
garbage.wait
garbage.begin
before = GC.count
garbage.check
puts GC.count == before
300.times { 'x' * (1 << 20) }
garbage.check
puts GC.count > before, GC.disable
garbage.stop_waiting
puts GC.disable
"""


def test_garbage_is_collected_where_there_is_some():
    run = subprocess.run(
        ["ruby", "-I", str(GEM), "-e", GARBAGE], capture_output=True, text=True, check=True
    )
    assert run.stdout.split() == ["true", "true", "true", "false"]


def test_compiled_files_are_cached_until_they_change(tmp_path):
    library, cache = tmp_path / "library.rb", tmp_path / "cache"
    folder = cache / "bunraku" / "code"
    library.write_text("VALUE = 'one'")
    assert value_in_a_library(library, cache) == "one"
    entries = list(folder.iterdir())
    assert value_in_a_library(library, cache) == "one"
    assert entries
    assert list(folder.iterdir()) == entries
    assert {path.stat().st_mode & 0o077 for path in (folder, folder.parent, *entries)} == {0}
    shown = subprocess.run(
        [str(BUNRAKU), "cache", "show", "--format", "json"],
        env={**os.environ, "XDG_CACHE_HOME": str(cache)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(shown.stdout)["entries"] == len(entries)
    library.write_text("VALUE = 'other'")
    assert value_in_a_library(library, cache) == "other"
    for entry in folder.iterdir():
        entry.write_bytes(entry.read_bytes()[:-9])
    assert value_in_a_library(library, cache) == "other"


def test_compiled_files_are_not_cached_where_others_can_write(tmp_path):
    library, cache = tmp_path / "library.rb", tmp_path / "cache"
    library.write_text("VALUE = 'one'")
    (cache / "bunraku").mkdir(parents=True)
    (cache / "bunraku").chmod(0o777)
    assert value_in_a_library(library, cache) == "one"
    assert list((cache / "bunraku" / "code").iterdir()) == []
    other = tmp_path / "other"
    assert value_in_a_library(library, other, BUNRAKU_NO_CACHE="1") == "one"
    assert not other.exists()
