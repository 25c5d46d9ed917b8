"""What Ruby code of modules may see and do, compared with Puppet's answers.

Each case runs twice: as it is, translated as far as possible, and with all of its code in Ruby.
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from support.ruby import needs_ruby
from support.ruby_contract import (
    ANY,
    all_cases,
    answers,
    cases,
    groups,
    in_ruby,
    outcome,
    request,
    write_files,
)

PUPPET = answers()
CASES = all_cases()
WAYS = {"translated": lambda case: case, "in Ruby": in_ruby}


KNOWN = {
    "identity: 4.x double quoted s_append": "Python has one object for both kinds of literals",
    "identity: 4.x heredoc s_append": "Python has one object for both kinds of literals",
    "identity: 4.x dup of literal s_append": "a text that is only an interpolation is not copied",
    "identity: 4.x hash key s_append": "the key of a hash is not known to be frozen",
    "identity: kept object": "objects that code keeps are compared while a call has them",
    "identity: hiera data string": "a later lookup reads the text again",
    "identity: created in ruby frozen string": "a frozen string comes back as a new one",
    "identity: defaults of resource": "defaults are not copied where they are defined",
    "identity: collector override": "overrides are not copied where they are defined",
}
"""Cases with another result, and why: docs/ruby-contract.md lists them."""


@pytest.fixture(scope="module")
def found(tmp_path_factory) -> dict[tuple[str, str], dict[str, Any]]:
    """Bunraku's answers by way and name."""
    folder = tmp_path_factory.mktemp("contract")
    keys, lines = [], []
    for way, changed in WAYS.items():
        for number, case in enumerate(map(changed, CASES)):
            modules = folder / way / str(number)
            write_files(case, modules)
            keys.append((way, case.name))
            lines.append(json.dumps(request(case, modules)) + "\n")
    asked = subprocess.check_output(
        [sys.executable, "-m", "bunraku", "batch"], input="".join(lines), text=True
    )
    results = [outcome(json.loads(line)) for line in asked.splitlines()]
    return dict(zip(keys, results, strict=True))


@needs_ruby
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", [case.name for case in CASES])
def test_does_what_puppet_does(found, way, name):
    expected, result = PUPPET[name], found[way, name]
    if name in KNOWN:
        assert result != expected
    elif expected == {"error": ANY}:
        assert "error" in result
    else:
        assert result == expected


def test_every_case_was_asked_of_puppet():
    assert [case.name for case in CASES] == list(PUPPET)
    assert all(list(cases(group)) for group in groups())
