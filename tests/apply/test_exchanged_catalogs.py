"""Catalogs exchanged with an installed Puppet: each program applies the other one's to the same state.

``puppet apply --catalog`` and ``bunraku apply --catalog`` get the same file, in fresh directories; the
state of the directory and the printed lines are compared.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

MANIFESTS = {
    "files": "file { 'DIR/d': ensure => directory, mode => '0750' } file { 'DIR/d/a': content => \"x\\n\" }",
    "links": "file { 'DIR/a': content => 'x' } file { 'DIR/l': ensure => link, target => 'DIR/a' }",
    "absent": "file { 'DIR/old': ensure => absent }",
    "refresh": "file { 'DIR/a': content => 'x' } ~> exec { '/bin/touch DIR/b': refreshonly => true }",
    "order": "notify { 'a': require => Notify['b'] } notify { 'b': } notify { 'c': before => Notify['b'] }",
    "classes": "class one { notify { 'in': } } class two { notify { 'z': } } class { 'two': require => Class['one'] } include one",
    "defines": "define d($x) { notify { \"d-$x\": } } d { 'q': x => 1 } d { 'r': x => [1, 2], before => D['q'] }",
    "stages": "stage { 'pre': before => Stage['main'] } class e { notify { 'e': } } class { 'e': stage => 'pre' } notify { 'm': }",
    "aliases": "notify { 'al': alias => 'other' } notify { 'z': subscribe => Notify['other'] }",
    "virtual": "@notify { 'v': } @notify { 'w': } realize(Notify['v']) Notify <| title == 'w' |>",
    "sensitive": "file { 'DIR/s': content => Sensitive('secret'), mode => '0600' } notify { 'n': message => Sensitive('pw') }",
    "binary": "file { 'DIR/b': content => Binary('AP8B') }",
    "rich data": "notify { 'a': message => Timestamp('2020-01-01T00:00:00') } notify { 'b': message => /a.b/ } notify { 'c': message => Array[Integer] } notify { 'd': message => SemVer('1.2.3') } notify { 'e': message => Timespan(90) } notify { 'f': message => default }",
    "collections": "notify { 'h': message => {'a' => [1, undef, true], 'b' => 1.5} } notify { 'l': message => ['x', 'y'] }",
    "deferred": "notify { 'd': message => Deferred('join', [['a', 'b'], '-']) } file { 'DIR/d': content => Deferred('sprintf', ['%s!', 'x']) }",
    "deferred secrets": "file { 'DIR/d': content => Sensitive(Deferred('join', [['a', 'b'], '-'])), mode => '0600' }",
    "tags and levels": "notify { 'a': tag => ['x', 'y'], loglevel => warning } notify { 'b': noop => true } notify { 'c': withpath => true }",
    "failures": "exec { '/bin/false': } -> notify { 'skipped': } notify { 'other': }",
    "text": "notify { \"it's \\\"x\\\" \\u{e9} \\n second\": } file { 'DIR/é': content => \"\\u{1F600}\\r\\n\" }",
    "exported": "@@notify { 'x': } @@notify { 'y': tag => 'z' } Notify <<| tag == 'z' |>> @file { 'DIR/v': content => 'v' } realize(File['DIR/v'])",
    "modules": "concat_file { 'DIR/c': mode => '0640' } concat_fragment { 'two': target => 'DIR/c', content => \"2\\n\", order => '20' } concat_fragment { 'one': target => 'DIR/c', content => shell_join(['a', 'b c']) } file { 'DIR/i': ensure => file } ini_setting { 'DIR/i': path => 'DIR/i', section => 's', setting => 'k', value => 'v' } -> file_line { 'l': path => 'DIR/i', line => '# end' }",
    "deferred in types": "file { 'DIR/a': ensure => file, content => Deferred('inline_epp', ['<%= $x %>', {'x' => 5}]), mode => Deferred('sprintf', ['%04o', 384]) } exec { 'e': command => Deferred('join', [['/bin/touch', 'DIR/t'], ' ']), creates => 'DIR/t' }",
    "defaults": "File { mode => '0640' } file { 'DIR/a': content => 'x' } file { 'DIR/b': content => '' }",
}  # fmt: skip
MODULES = "/usr/share/puppet/modules"
"""Debian's modules of Puppet."""
MODULES_NEEDED = [f"{MODULES}/{name}" for name in ("concat", "inifile", "stdlib")]
TIMED = re.compile(r"Applied catalog in .*|Catalog: |Applying configuration version.*")
PUPPET = shutil.which("puppet")


@pytest.fixture
def puppet(tmp_path: Path):
    """Run the installed Puppet with settings of its own and no facts."""
    if PUPPET is None:
        pytest.skip("needs an installed Puppet")
    settings = ["--confdir", tmp_path / "conf", "--vardir", tmp_path / "var", "--color", "false"]
    settings += ["--facts_terminus", "memory", "--certname", "web1"]
    settings = list(map(str, settings))

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        modules = () if "--modulepath" in words else ("--modulepath", MODULES)
        command = [PUPPET, *words, *settings, *modules]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    return run


def bunraku(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "bunraku", *words, "--no-project"]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def state(directory: Path) -> dict[str, object]:
    """Return what lies in a directory, and empty it."""
    found: dict[str, object] = {}
    for path in sorted(directory.rglob("*")):
        kind = os.readlink(path) if path.is_symlink() else path.is_file() and path.read_bytes()
        found[str(path.relative_to(directory))] = kind, path.lstat().st_mode
    shutil.rmtree(directory)
    return found


def outcome(directory: Path, call) -> tuple[object, ...]:
    """Return what applying a catalog prints and leaves."""
    directory.mkdir()
    (directory / "old").write_text("old")
    done = call()
    lines = [line for line in done.stdout.splitlines() if not TIMED.search(line)]
    errors = [line for line in done.stderr.splitlines() if " Facter: " not in line]
    return done.returncode, lines, errors, state(directory)


@pytest.mark.reference
@pytest.mark.parametrize("name", MANIFESTS)
def test_exchanged_catalogs(name: str, tmp_path: Path, puppet) -> None:
    if name == "modules" and not all(map(os.path.isdir, MODULES_NEEDED)):
        pytest.skip("needs Debian's modules concat, inifile and stdlib")
    directory, manifest = tmp_path / "dir", tmp_path / "site.pp"
    manifest.write_text(MANIFESTS[name].replace("DIR", str(directory)), encoding="utf-8")
    words = ("--render-as", "rich_data_json", "--manifest", str(manifest))
    text = puppet("catalog", "find", "web1", "--terminus", "compiler", *words).stdout
    theirs, ours = tmp_path / "theirs.json", tmp_path / "ours.json"
    theirs.write_text(text[text.index("\n{") :], encoding="utf-8")
    modules = ("--modulepath", MODULES) if os.path.isdir(MODULES) else ()
    compiled = bunraku("compile", str(manifest), "--node", "web1", "--language", "8", *modules)
    assert compiled.returncode == 0, compiled.stderr
    ours.write_text(compiled.stdout, encoding="utf-8")
    options = ("--catalog",)  # where Puppet ignores --detailed-exitcodes
    results = {}
    for who, catalog in (("theirs", theirs), ("ours", ours)):
        results[f"puppet applies {who}"] = outcome(
            directory, lambda path=catalog: puppet("apply", *options, str(path))
        )
        var = ("--vardir", str(tmp_path / "state"), "--preprocess-deferred")
        results[f"bunraku applies {who}"] = outcome(
            directory, lambda path=catalog, var=var: bunraku("apply", *var, *options, str(path))
        )
    expected = results.pop("puppet applies theirs")
    assert results == dict.fromkeys(results, expected)


STATIC = """
require 'puppet'
directory, modules = ARGV
names = %w[confdir vardir codedir environmentpath].flat_map { |name| ["--#{name}", "#{directory}/#{name}"] }
Puppet.initialize_settings([*names, '--modulepath', modules])
Puppet[:default_file_terminus] = :file_server
environment = Puppet.lookup(:environments).get!('production')
node = Puppet::Node.new('web1', environment: environment)
catalogs = Puppet::Resource::Catalog.indirection
catalogs.terminus_class = :compiler
Puppet.override(current_environment: environment) do
  options = { use_node: node, environment: environment, static_catalog: true, code_id: 'a', checksum_type: 'sha256' }
  $stderr.puts(Puppet::Util::Json.dump(catalogs.find('web1', options).to_data_hash))
end
"""
"""Compiles a catalog as for an agent that wants a static one; no command of Puppet 7 does."""


@pytest.mark.reference
def test_static_catalog_has_the_same_result(tmp_path: Path, puppet) -> None:
    directory, environment = tmp_path / "dir", tmp_path / "environmentpath/production"
    files = environment / "modules/m/files"
    (files / "tree").mkdir(parents=True)
    (files / "a").write_text("a\n")
    (files / "tree/b").write_text("b\n")
    (environment / "manifests").mkdir()
    (environment / "manifests/site.pp").write_text(
        f"file {{ '{directory}/a': source => 'puppet:///modules/m/a', mode => '0600' }}"
        f"file {{ '{directory}/t': ensure => directory, recurse => true, source => 'puppet:///modules/m/tree' }}"
    )
    modules = str(environment / "modules")
    command = ["ruby", "-e", STATIC, str(tmp_path), modules]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    catalog = tmp_path / "static.json"
    catalog.write_text(done.stderr[done.stderr.index("{") :], encoding="utf-8")
    assert '"recursive_metadata":{' in catalog.read_text("utf-8")
    words = ("--catalog", str(catalog), "--modulepath", modules)
    theirs = outcome(directory, lambda: puppet("apply", *words))
    var = ("--vardir", str(tmp_path / "state"))
    assert outcome(directory, lambda: bunraku("apply", *var, *words)) == theirs
    assert theirs[0] == 0


def test_reads_a_catalog_from_standard_input(tmp_path: Path) -> None:
    code = f"file {{ '{tmp_path}/a': content => Sensitive('pw') }}"
    catalog = bunraku("compile", "-e", code).stdout
    command = [sys.executable, "-m", "bunraku", "apply", "--catalog", "-", "--no-project"]
    command += ["--vardir", str(tmp_path / "var"), "--detailed-exitcodes"]
    done = subprocess.run(command, input=catalog, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "changed [redacted] to [redacted]" in done.stdout
    assert (tmp_path / "a").read_text() == "pw"
