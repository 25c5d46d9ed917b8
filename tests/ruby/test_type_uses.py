"""Manifests that use resource types of modules compile to Puppet's catalogs, or end with Puppet's errors.

``tests/record/record_type_uses.py`` records the answers of Puppet 7.23.
"""

from __future__ import annotations

import json

import pytest

from bunraku.jobs.batch import answer
from support.recorded import recorded
from support.type_uses import BODIES, requests, result

ROWS = {name: answers for name, *answers in recorded("type_uses")}


@pytest.fixture(scope="module")
def asked(tmp_path_factory):
    return requests(tmp_path_factory.mktemp("modules"))


@pytest.mark.parametrize("name", BODIES)
def test_uses_of_type(name, asked):
    for request in asked:
        if request["id"].split()[0] == name:
            found = result(json.loads(answer(json.dumps(request).encode())))
            assert json.loads(json.dumps(found)) == ROWS[request["id"]], request["code"]


def test_each_question_has_an_answer(asked):
    assert [one["id"] for one in asked] == list(ROWS)
