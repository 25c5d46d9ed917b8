"""REFERENCE.md and JSON, as Puppet Strings made them of the modules in ``cases``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bunraku.workbench.docs.document import document, document_text
from bunraku.workbench.docs.markdown import reference
from bunraku.workbench.docs.module import read_module
from bunraku.world.machine import Machine

CASES = Path(__file__).parent / "cases"
MODULES = sorted(path.stem for path in CASES.glob("*.json"))


@pytest.fixture(scope="module", params=MODULES)
def case(request):
    """The name of a module and the document that bunraku makes of it."""
    return request.param, document(read_module(Machine(), str(CASES / request.param)))


def test_json(case):
    name, found = case
    recorded = (CASES / f"{name}.json").read_text()
    assert found == json.loads(recorded)
    assert document_text(found) == recorded


def test_reference(case):
    name, found = case
    assert reference(found) == (CASES / f"{name}.md").read_text()
