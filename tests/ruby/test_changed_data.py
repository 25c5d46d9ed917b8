"""Values of data that Ruby code changes in place: a class has them as they are; the answers are those of Puppet 7.23."""

from __future__ import annotations

from pathlib import Path

from tests.support.ruby_code import needs_ruby, notices

pytestmark = needs_ruby
FILES = {
    "hi/lib/puppet/parser/functions/grow.rb": """
module Puppet::Parser::Functions
  newfunction(:grow, type: :rvalue) { |args| lookupvar(args[0]).push('more').length }
end
""",
    "hi/hiera.yaml": "version: 5\nhierarchy:\n- {name: c, path: c.yaml}\n",
    "hi/data/c.yaml": "hi::data: [one, {k: [two]}]\nhi::other: [o]\nhi::shared: &a [s]\nhi::shared2: *a\n",
    "hi/manifests/init.pp": """
class hi($data, $other, $shared, $shared2, $p = $params::list) inherits params {
  $mine = $other
  grow('data')
  notice($data)
}
""",
    "params/manifests/init.pp": "class params { $list = ['l'] }\n",
}
CODE = """
class h {
  include hi
  $r = $hi::data
  $n = grow('r')
  notice($n, $r, $hi::data)
  grow('::hi::other')
  notice($hi::other, $hi::mine, lookup('hi::other'), lookup('hi::data'))
  grow('::hi::shared')
  notice($hi::shared, $hi::shared2)
  grow('::hi::p')
  notice($hi::p, $params::list)
  $q = $hi::other
  e { 'x': l => $q }
  $u = grow('q')
  notice($q, $hi::other)
}
define e($l) { notice($l) grow('l') notice($l) }
include h
"""
EXPECTED = [
    "[one, {k => [two]}, more]",
    "4 [one, {k => [two]}, more, more] [one, {k => [two]}, more, more]",
    "[o, more] [o, more] [o] [one, {k => [two]}]",
    "[s, more] [s]",
    "[l, more] [l]",
    "[o, more, more] [o, more, more]",
    "[o, more]",
    "[o, more, more]",
]


def test_values_of_data_are_changed_where_they_are(tmp_path: Path) -> None:
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    for _ in range(2):  # data that one compile has changed is as before in the next one
        assert notices(CODE, modulepath=[str(tmp_path)]) == EXPECTED
