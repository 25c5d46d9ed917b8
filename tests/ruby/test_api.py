"""Puppet's own Ruby interface as functions of modules use it; the answers are those of Puppet 7.23.

Each case of ``data/ruby_api.json`` is Ruby code that ran in a function with ``scope``, and what the
function returned. ``r`` holds types for the cases of the group ``types``.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.support.ruby_code import MODULES, compiled, needs_ruby

pytestmark = needs_ruby
FOLDER = MODULES.replace("ruby_modules", "ruby_api_modules")
CASES = json.loads((Path(FOLDER).parent / "ruby_api.json").read_text())
BEFORE = """$x = 'X'
notify { 'n': message => 'msg' }
class foo { }
define foodef($p1, $p2 = 2) { }
"""
TYPES = """, Enum['a','b'], M::Al, Array[String,1,2], Hash[String,Integer], Struct[{x=>Integer,Optional[y]=>String}],
Tuple[String,Integer], Variant[String,Integer], Optional[String], Pattern[/a/,/b/], Integer[1,3], File['/a'], Class['a'],
Type[String], Callable[String,Integer], String[1,2]"""
FACTS = {"kernel": "Linux", "os": {"family": "Debian", "name": "Debian"}, "is_x": True}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["code"][:80])
def test_answers_as_puppet_does(case: dict[str, Any]) -> None:
    quoted = case["code"].replace("\\", "\\\\").replace("'", "\\'")
    arguments = TYPES if case["group"] == "types" else ""
    _, logged = compiled(
        f"{BEFORE}notice(m::ev('{quoted}'{arguments}))", modulepath=[FOLDER], facts=FACTS
    )
    noticed = [item.message for item in logged if item.level == "notice" and item.scope]
    others = [[item.level, item.message] for item in logged if item.scope is None]
    assert noticed == case["notices"]
    assert [item for item in others if item[0] != "info"] == case["logs"]
