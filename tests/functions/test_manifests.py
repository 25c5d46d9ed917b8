"""Functions in whole manifests compared with Puppet's results for the same manifests.

The cases are written in ``tests/support/function_manifests.py``. An error must be on the same line
(when Puppet names one); a success must have the same notices, messages, resources, tags and edges.
"""

from __future__ import annotations

import json
import re
from itertools import product
from pathlib import Path

import pytest
from tests.support.recorded import recorded

from bunraku.base.errors import PuppetError
from bunraku.engine.compile import compile_catalog
from bunraku.engine.request import Request
from bunraku.functions.index import STDLIB
from bunraku.functions.registry import PUPPET_8
from bunraku.functions.stdlib.history import era
from bunraku.jobs.batch import describe
from support.function_manifests import FACTS, MODULEPATH, ROOT, all_cases, place
from support.known_differences import known_differences

DATA = Path(__file__).parents[1] / "data"
WORLD = place()
RECORDED = recorded("functions_manifests")
KEPT = {"v": "virtual", "c": "classes", "d": "edges", "s": "relationships"}
LEVELS = ("alert", "crit", "emerg", "err", "info", "warning")


def known():
    """Cases where we differ, each with the reason; they must differ."""
    return known_differences("functions_manifests")


def grouped():
    """Function → its cases."""
    groups = {}
    for row in RECORDED:
        groups.setdefault(row[0], []).append(row)
    return groups


def request(name, code, facts):
    lenient = name.startswith(("hiera", "is_", "validate_"))
    return Request(
        code=code,
        as_file="/site.pp",
        node="testnode.example.com",
        facts={**FACTS, **facts},
        modulepath=MODULEPATH,
        settings={"strict": "warning" if lenient else "error", "strict_variables": True},
        hiera_config=f"{ROOT}/hiera.yaml",
        cycles=False,
        world=WORLD,
    )


def answer(name, code, facts):
    """The result of a case in the form of the record."""
    entries, catalog, failure = [], None, None
    try:
        catalog = compile_catalog(request(name, code, facts), entries.append)
    except PuppetError as error:
        failure = error
    said = [(entry.level, entry.message, entry.scope) for entry in entries]
    found = {"n": [text for level, text, scope in said if level == "notice" and scope is not None]}
    if failure is not None:
        return {**found, "e": failure.diagnostic.puppet_place.line}
    if name in LEVELS:
        found["l"] = [[level, text] for level, text, _ in said if level == name]
    described = describe(catalog, "/site.pp")
    resources = [
        [f"{one['type']}[{one['title']}]", one["parameters"], one["tags"], one["exported"]]
        for one in described["resources"]
    ]
    parts = {"r": resources, **{letter: described[field] for letter, field in KEPT.items()}}
    return {**found, **{letter: part for letter, part in parts.items() if part}}


def same(found, wanted):
    """Whether an answer is as recorded; an error without a line may be anywhere."""
    if "e" in wanted and wanted["e"] is None and "e" in found:
        return True
    wanted = {letter: part for letter, part in wanted.items() if letter != "v"}
    found = {letter: part for letter, part in found.items() if letter != "v"}
    for letter in "ds":
        for one in (found, wanted):
            one[letter] = sorted(one.get(letter, []))
    return json.loads(json.dumps(found)) == wanted


def differences(rows):
    for name, code, facts, wanted in rows:
        found = answer(name, code, facts)
        key = json.dumps([code, facts], ensure_ascii=False)
        if same(found, wanted) == (key in known()):
            yield f"{key}\n  expected {wanted}\n  found    {found}"


@pytest.mark.parametrize(("name", "rows"), grouped().items(), ids=grouped())
def test_does_what_real_puppet_does(name, rows):
    wrong = list(differences(rows))
    assert not wrong, f"{len(wrong)} of {len(rows)} of {name}:\n" + "\n".join(wrong[:20])


# -- how much is recorded --------------------------------------------------------------------------
WITHOUT = {"pry": "opens a debugger"}
"""Functions that cannot be asked."""


def recorded_calls():
    """Function → its different argument lists in all that was recorded."""
    calls = {}
    for name, code, facts, _ in RECORDED:
        calls.setdefault(name, set()).add((code, str(facts)))
    for code, *_ in recorded("functions_core"):
        found = re.match(r"notice\(String\((\w+)\(", code)
        if found:
            calls.setdefault(found[1], set()).add(code)
    for name, rows in recorded("functions_stdlib")["8.5.0"].items():
        calls.setdefault(name, set()).update(str(row[0]) for row in rows)
    scanf = recorded("functions_core_scanf")
    calls["scanf"] = set(product(scanf["texts"], scanf["formats"]))
    for case in recorded("ruby_bridge"):
        for name in re.findall(r"\b((?:inline_)?template)\(", case["code"]):
            calls.setdefault(name, set()).add(case["code"])
    return calls


def test_each_function_is_asked_with_twenty_lists_of_arguments_or_more():
    calls = recorded_calls()
    core = set(PUPPET_8.core) - {"puppetdb_query"}  # PuppetDB's: tests/puppetdb/test_site.py
    library = {name for name in STDLIB if era(name, (8, 5, 0)) is not None}
    assert (len(core), len(library)) == (104, 163)
    few = {name: len(calls.get(name, ())) for name in core | library}
    assert {name: count for name, count in few.items() if count < 20} == dict.fromkeys(WITHOUT, 0)


def test_known_differences_are_recorded_cases():
    recorded = {json.dumps([code, facts], ensure_ascii=False) for _, code, facts, _ in RECORDED}
    assert set(known()) <= recorded


def test_the_record_is_of_the_cases_as_they_are_written():
    written = {(name, code, str(facts)) for name, code, facts in all_cases()}
    assert {(name, code, str(facts)) for name, code, facts, _ in RECORDED} <= written
