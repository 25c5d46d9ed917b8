"""Whole catalogs against those that real Puppet made (``tests/record/record_catalogs.py``)."""

from __future__ import annotations

import json

import pytest

from bunraku.jobs.batch import answer
from support.catalogs import FOLDER, PARTS, compared, names, request
from support.ruby import HAS_RUBY

NEEDS_RUBY = {"function_scope", "ruby_function_scope"}


@pytest.mark.parametrize("name", names())
def test_same_catalog_as_puppet(name):
    if name in NEEDS_RUBY and not HAS_RUBY:
        pytest.skip("Ruby is not installed")
    got = compared(name, json.loads(answer(json.dumps(request(name)).encode())))
    expected = json.loads((FOLDER / name / "catalog.json").read_text(encoding="utf-8"))
    for part in PARTS:
        assert got[part] == expected[part], part
    for kind in ("resources", "virtual"):
        for ours, theirs in zip(got[kind], expected[kind], strict=True):
            assert list(ours["parameters"]) == list(theirs["parameters"]), ours["title"]


def test_there_are_cases():
    assert len(names()) >= 15
