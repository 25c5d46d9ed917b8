"""The Ruby classes that modules see have the methods of Puppet's classes, and no others.

``data/ruby_interface.json`` has the public methods of Puppet 7.23, recorded by
``tests/record/record_ruby_interface.py``, and those that bunraku lacks.
"""

from __future__ import annotations

import json

import pytest

from bunraku.jobs.batch import answer
from support.recorded import recorded
from support.ruby import needs_ruby
from support.ruby_interface import KINDS, interface, lacking, names, request, surplus

pytestmark = needs_ruby
ROWS = {
    name: {
        "above": above,
        "instance": instance,
        "class": own,
        "lacking": {"instance": few, "class": less},
    }
    for name, above, instance, own, few, less in recorded("ruby_interface")
}


@pytest.fixture(scope="module")
def here():
    return interface(json.loads(answer(json.dumps(request()).encode())))


@pytest.mark.parametrize("kind", KINDS)
def test_no_more_methods_than_puppet(kind, here):
    more = {name: surplus(here[name], names(name, ROWS, kind), kind) for name in ROWS}
    assert {name: found for name, found in more.items() if found} == {}


@pytest.mark.parametrize("kind", KINDS)
def test_the_methods_that_are_missing_are_listed(kind, here):
    for name, row in ROWS.items():
        assert lacking(here[name], set(row[kind]), kind) == row["lacking"][kind], name


def test_each_recorded_class_exists(here):
    assert set(ROWS) <= set(here)
    assert len(ROWS) > 140
