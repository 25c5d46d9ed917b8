"""The findings are those of puppet-lint: the same files, lines and checks."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from support.puppet_lint import ours, shared_checks, theirs

MODULES = Path("/usr/share/puppet/modules")
SUBSET = ("staging", "corosync", "vswitch", "haproxy", "sysctl")


@pytest.mark.skipif(not shutil.which("puppet-lint"), reason="puppet-lint is not installed")
@pytest.mark.parametrize("module", SUBSET)
def test_findings_are_those_of_puppet_lint(module):
    files = sorted(map(str, (MODULES / module).rglob("*.pp")))
    if not files:
        pytest.skip(f"the module {module} is not installed")
    names = shared_checks()
    assert ours(files, names) == theirs(files, names)


@pytest.mark.skipif(not shutil.which("puppet-lint"), reason="puppet-lint is not installed")
def test_findings_of_poor_style_are_those_of_puppet_lint(tmp_path):
    path = tmp_path / "poor.pp"
    path.write_text(POOR)
    names = [name for name in shared_checks() if name != "autoloader_layout"]
    found = ours([str(path)], names)
    assert len(found) > 25
    assert found == theirs([str(path)], names)


POOR = """\
class poor::style inherits other::params {
  $Upper = "text"
   $odd = "${Upper}"
  file { "/tmp/a":
\tmode => 644,
    ensure => '/tmp/b',
    owner   => "$odd and $::other",
    mode  => '0644',
  }
  case $odd {
    'a': { notice('${b}') }
  }
  file { '/tmp/c': mode => $odd ? { default => '0644' } }
  package { mypackage: ensure => 'true' } ->
  service { ['a', 'b']: }
  Class['b'] <- Class['c']
  $u = 'puppet:///files/x' 
  $long = 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'
  class inner { }
  notice($unknown, $facts['a'], $odd)
}
/* a comment */
define poor::thing($a = 1, $b) {
  $text = @("END")
    $a text \t
    | END
  [1].each |$i| { notice($i, $j) }
}
node web1 { }
"""  # noqa: W291, one line must end with a space, one must be long
