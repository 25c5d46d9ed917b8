"""The names at an offset are found without a look at the rest of the file."""

from __future__ import annotations

import pytest

from bunraku.base.source import Source
from bunraku.dialects.languages import dialect_named
from bunraku.workbench.editor.mentions import mentions_holding, mentions_in
from bunraku.workbench.editor.parsed import ParsedFiles, parse_file

DIALECT = dialect_named("8")
MANIFEST = """\
class ntp (
  Array[Ntp::Port] $ports = [1],
  String $mode = "${ports[0]} $title",
) inherits ntp::params {
  $own = $ports.map |$one| { $one + $ntp::params::own }
  include ntp::server, 'ntp::other'
  file { ["/etc/${own}", '/etc/b']:
    ensure  => $mode ? { 'x' => file, default => absent },
    content => template('ntp/a.erb'),
    source  => ['puppet:///modules/ntp/a', 'puppet:///modules/ntp/b'],
  }
  File['/etc/b'] -> Class['ntp::server'] ~> Package <| title == $mode |>
  case $facts['os'] { 'x', 'y': { notice(lookup('ntp::key')) } default: {} }
  [$left, $right] = [$own, epp('ntp/a', { one => $mode })]
  @@ntp::peer { 'a': * => $own }
  Ntp::Peer { host => $own }
}
function ntp::f(Integer $x) >> Ntp::Port { if $x > 1 { $x } elsif $y { 1 } else { 2 } }
type Ntp::Port = Integer[1, 2]
node 'a.b', /x/ { unless $a { include ntp } }
"""
TEMPLATE = "<%- | Integer $port | -%>\nport <%= $port %> <% if $port > 1 { %><%= $::own %><% } %>\n"
HEREDOC = '$a = @("E")\n  x ${b} y\n  | E\n$c = $a\n'
UNFINISHED = "class a($b) { file { 'x': mode => [$b,"


@pytest.mark.parametrize("text", [MANIFEST, TEMPLATE, HEREDOC, UNFINISHED])
def test_names_at_an_offset_are_those_of_the_whole_file(text):
    source = Source(text, "/m/ntp/a.epp", is_template=text is TEMPLATE)
    every = mentions_in(parse_file(source, DIALECT))
    parsed = parse_file(source, DIALECT)
    assert every
    for offset in range(len(text) + 1):
        parsed.results.clear()
        expected = [one for one in every if one.range.holds(offset)]
        assert mentions_holding(parsed, offset) == expected, text[offset:]


def test_an_edited_manifest_has_the_tree_and_the_findings_of_its_text():
    files = ParsedFiles()
    text = 'class a {\n  $b = "\\q"\n  include c\n  class d { }\n}\n'
    for number in range(len(text)):
        edited = Source(f"{text[:number]}x{text[number:]}", "/a.pp")
        found, whole = files.parsed(edited, DIALECT), parse_file(edited, DIALECT)
        assert found.program.body == whole.program.body
        assert found.diagnostics == whole.diagnostics
        assert [one.range for one in mentions_in(found)] == [
            one.range for one in mentions_in(whole)
        ]
