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
    "rich data": "notify { 'a': message => Timestamp('2020-01-01T00:00:00') } notify { 'b': message => /a.b/ } notify { 'd': message => SemVer('1.2.3') } notify { 'e': message => Timespan(90) } notify { 'f': message => default }",
    "collections": "notify { 'h': message => {'a' => [1, undef, true], 'b' => 1.5} } notify { 'l': message => ['x', 'y'] }",
    "deferred": "notify { 'd': message => Deferred('join', [['a', 'b'], '-']) } file { 'DIR/d': content => Deferred('sprintf', ['%s!', 'x']) }",
    "deferred secrets": "file { 'DIR/d': content => Sensitive(Deferred('join', [['a', 'b'], '-'])), mode => '0600' }",
    "tags and levels": "notify { 'a': tag => ['x', 'y'], loglevel => warning } notify { 'b': noop => true } notify { 'c': withpath => true }",
    "failures": "exec { '/bin/false': } -> notify { 'skipped': } notify { 'other': }",
    "text": "notify { \"it's \\\"x\\\" \\u{e9} \\n second\": } file { 'DIR/é': content => \"\\u{1F600}\\r\\n\" }",
    "defaults": "File { mode => '0640' } file { 'DIR/a': content => 'x' } file { 'DIR/b': content => '' }",
}  # fmt: skip
TIMED = re.compile(r"Applied catalog in .*|Catalog: |Applying configuration version.*")
PUPPET = shutil.which("puppet")


@pytest.fixture
def puppet(tmp_path: Path):
    """Run the installed Puppet with settings of its own and no facts."""
    if PUPPET is None:
        pytest.skip("needs an installed Puppet")
    settings = ["--confdir", tmp_path / "conf", "--vardir", tmp_path / "var", "--color", "false"]
    settings += ["--facts_terminus", "memory", "--certname", "web1", "--modulepath", tmp_path]
    settings = list(map(str, settings))

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        command = [PUPPET, *words, *settings]
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
    directory, manifest = tmp_path / "dir", tmp_path / "site.pp"
    manifest.write_text(MANIFESTS[name].replace("DIR", str(directory)), encoding="utf-8")
    words = ("--render-as", "rich_data_json", "--manifest", str(manifest))
    text = puppet("catalog", "find", "web1", "--terminus", "compiler", *words).stdout
    theirs, ours = tmp_path / "theirs.json", tmp_path / "ours.json"
    theirs.write_text(text[text.index("\n{") :], encoding="utf-8")
    compiled = bunraku("compile", str(manifest), "--node", "web1", "--language", "8")
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


def test_reads_a_catalog_from_standard_input(tmp_path: Path) -> None:
    code = f"file {{ '{tmp_path}/a': content => Sensitive('pw') }}"
    catalog = bunraku("compile", "-e", code).stdout
    command = [sys.executable, "-m", "bunraku", "apply", "--catalog", "-", "--no-project"]
    command += ["--vardir", str(tmp_path / "var"), "--detailed-exitcodes"]
    done = subprocess.run(command, input=catalog, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "changed [redacted] to [redacted]" in done.stdout
    assert (tmp_path / "a").read_text() == "pw"
