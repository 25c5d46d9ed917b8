"""What functions in Ruby keep: instance variables last for one compile, as in an environment of its own."""

from __future__ import annotations

import json
from pathlib import Path

from bunraku.jobs.batch import answer
from support.ruby import needs_ruby

pytestmark = needs_ruby
FUNCTION = """
Puppet::Functions.create_function(:'m::n') do
  def n(value)
    @kept ||= []
    @kept << value
    Object.const_get('Array').new(@kept)
  end
end
"""


def test_instance_variables_last_for_one_compile(tmp_path: Path) -> None:
    path = tmp_path / "m/lib/puppet/functions/m/n.rb"
    path.parent.mkdir(parents=True)
    path.write_text(FUNCTION)
    request = {"id": "1", "modulepath": [str(tmp_path)]}
    found = []
    for name in ("first", "second"):
        code = f"notice(m::n('{name}')) notice(m::n('again'))"
        reply = json.loads(answer(json.dumps({**request, "code": code}).encode()))
        found.append([one["message"] for one in reply["notices"]])
    assert found == [["[first]", "[first, again]"], ["[second]", "[second, again]"]]
