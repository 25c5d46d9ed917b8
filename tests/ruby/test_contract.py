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
    expected = PUPPET[name]
    assert (
        ("error" in found[way, name])
        if expected == {"error": ANY}
        else found[way, name] == expected
    )


def test_every_case_was_asked_of_puppet():
    assert [case.name for case in CASES] == list(PUPPET)
    assert all(list(cases(group)) for group in groups())
