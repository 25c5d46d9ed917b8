"""The texts of errors are those of Puppet 7.23, word for word (``record/record_error_texts.py``)."""

from __future__ import annotations

import json

import pytest

from bunraku.jobs.batch import answer
from support.error_texts import NODE, request
from support.recorded import recorded
from support.ruby import HAS_RUBY

TEXTS = recorded("error_texts")


@pytest.mark.parametrize(("code", "text"), TEXTS, ids=[code for code, _ in TEXTS])
def test_text(code, text):
    if "inline_template(" in code and not HAS_RUBY:
        pytest.skip("there is no Ruby here, which templates need")
    found = json.loads(answer(json.dumps(request(code)).encode()))["error"]
    assert found["text"] == f"{text} on node {NODE}"
