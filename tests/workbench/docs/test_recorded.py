"""REFERENCE.md and JSON, as Puppet Strings 2.9 and 5.0 made them of the modules in ``cases``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bunraku.workbench.docs.document import document
from bunraku.workbench.docs.document_text import document_text
from bunraku.workbench.docs.markdown import form_of, reference
from bunraku.workbench.docs.module import read_module
from bunraku.world.machine import Machine

CASES = Path(__file__).parent / "cases"
MODULES = sorted(path.name for path in CASES.iterdir() if path.is_dir())


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


@pytest.mark.parametrize("name", MODULES)
def test_newer_form(name):
    found = document(read_module(Machine(), str(CASES / name), is_newer=True))
    assert document_text(found) == (CASES / f"{name}.5.json").read_text()
    text = reference(found, "4")
    assert text == (CASES / f"{name}.5.md").read_text()
    assert form_of(text) == "4"
    assert form_of((CASES / f"{name}.md").read_text()) == "2"
