"""What Ruby code of modules may see and do, compared with Puppet's answers.

Each case runs twice: as it is, translated as far as possible, and with all of its code in Ruby.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from support.ruby import needs_ruby
from support.ruby_contract import (
    ANY,
    Case,
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


def answers_to(asked: list[Case], folder: Path) -> dict[str, dict[str, Any]]:
    """Bunraku's answers by name."""
    lines = []
    for number, case in enumerate(asked):
        modules = folder / str(number)
        write_files(case, modules)
        lines.append(json.dumps(request(case, modules)) + "\n")
    found = subprocess.check_output(
        [sys.executable, "-m", "bunraku", "batch"], input="".join(lines), text=True
    )
    results = [outcome(json.loads(line)) for line in found.splitlines()]
    return {case.name: result for case, result in zip(asked, results, strict=True)}


def agrees(name: str, result: dict[str, Any]) -> bool:
    """Whether a case has the result that it must have."""
    expected = PUPPET[name]
    if name in KNOWN:
        return result != expected
    return "error" in result if expected == {"error": ANY} else result == expected


@needs_ruby
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("group", groups())
def test_does_what_puppet_does(group, way, tmp_path):
    found = answers_to([WAYS[way](case) for case in cases(group)], tmp_path)
    wrong = {name: result for name, result in found.items() if not agrees(name, result)}
    assert wrong == {}, {name: PUPPET[name] for name in wrong}


def test_every_case_was_asked_of_puppet():
    assert [case.name for case in CASES] == list(PUPPET)
    assert all(list(cases(group)) for group in groups())
