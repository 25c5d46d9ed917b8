"""Coverage of the dialects of Puppet 3, and of the failure of a compile."""

from __future__ import annotations

import pytest

from bunraku.base.errors import PuppetError
from bunraku.engine.compile import compile_catalog
from bunraku.engine.request import Request
from bunraku.workbench.coverage.data import read_records
from bunraku.workbench.coverage.project import CountedFiles, coverage_of

from .support import expectation, outcome, recording, records

OLD = """\
$family = 'Debian'                             #= ran
if $family == 'Debian' {                       #= ran, not: if false
  notify { 'a': }                              #= ran
} else {
  notify { 'b': }                              #= missed
}
case $family {                                 #= ran, not: case default
  /^Deb(.*)$/: {                               #= ran
    $rest = $1                                 #= ran
  }
  default: { }                                 #= missed
}
$word = $family ? {                            #= ran, not: selector default
  'Debian' => $rest,                           #= ran
  default  => 'other',                         #= missed
}
define box($size = 'small', $color = 'red') {  #= ran, not: default value $color
  notify { "${size} ${color}": }               #= ran
}
box { 'x': color => 'blue' }                   #= ran
class used inherits parent {                   #= ran
  Notify['p'] { message => 'changed' }         #= ran
}
class parent {                                 #= ran
  notify { 'p': }                              #= ran
}
class idle {                                   #= missed
  notify { 'idle': }                           #= missed
}
include used                                   #= ran
"""
FAILS = """\
notify { 'before': }                           #= ran
if $facts['os'] == undef {                     #= ran, not: if false
  fail('on purpose')                           #= ran
}
notify { 'after': }                            #= missed
"""


def site(folder, text):
    (folder / "control" / "manifests").mkdir(parents=True)
    path = folder / "control" / "manifests" / "site.pp"
    path.write_text(text)
    return str(path), CountedFiles(str(folder / "control"))


@pytest.mark.parametrize("language", ["3.0", "3.8", "3.8-future", "8", "9"])
def test_lines_and_branches_in_all_languages(tmp_path, monkeypatch, language):
    path, scope = site(tmp_path, OLD)
    one = Request(path=path, node="n", language=language)
    data = records(tmp_path / "records", scope, monkeypatch, [one])
    (file,) = coverage_of(data, scope).files
    assert outcome(file) == expectation(OLD)


def test_code_before_an_error_counts(tmp_path, monkeypatch):
    path, scope = site(tmp_path, FAILS)
    with recording(tmp_path / "records", scope, monkeypatch), pytest.raises(PuppetError):
        compile_catalog(Request(path=path, node="n"), lambda _: None)
    data = read_records(str(tmp_path / "records"))
    (file,) = coverage_of(data, scope).files
    assert outcome(file) == expectation(FAILS)
    assert data.runs == {"n"}
