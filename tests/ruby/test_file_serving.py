"""Ruby code reads files that modules serve; `puppet apply` 7.23 gives the same values."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bunraku.jobs.batch import answer
from support.ruby import needs_ruby

pytestmark = needs_ruby
FOUND = "[Puppet::FileServing::Content, text, ASCII-8BIT, true]"
FIND = """
<%= f = Puppet::FileServing::Content.indirection.find(@key, environment: scope.environment)
    f.nil? ? 'nil' : "[#{[f.class, f.content, f.content.encoding, f.path == f.full_path].join(', ')}]" -%>
"""


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("puppet:///modules/m/a.txt", FOUND),
        ("modules/m/a.txt", FOUND),
        ("@/m/files/a.txt", FOUND),
        ("puppet:///modules/m/none.txt", "nil"),
        ("puppet:///modules/none/a.txt", "nil"),
        ("puppet:///m/a.txt", "nil"),
        ("@/m/files/none.txt", "nil"),
    ],
)
def test_content(key: str, value: str, tmp_path: Path) -> None:
    for name, text in {"files/a.txt": "text", "templates/t.erb": FIND}.items():
        (tmp_path / "m" / name).parent.mkdir(parents=True)
        (tmp_path / "m" / name).write_text(text)
    code = f"$key = '{key.replace('@', str(tmp_path))}' notice(template('m/t.erb').strip)"
    request = {"id": "1", "code": code, "modulepath": [str(tmp_path)]}
    found = json.loads(answer(json.dumps(request).encode()))
    assert found["notices"] == [{"scope": "Class[main]", "message": value}], found["error"]
