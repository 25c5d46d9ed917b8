"""Random edits, saves, deletions and requests: no internal error, and no place outside of a text."""

from __future__ import annotations

import random

import pytest

from support.editor_fuzz import EditorFuzz


@pytest.mark.parametrize("seed", range(3))
def test_random_edits_and_requests(tmp_path, seed):
    EditorFuzz(tmp_path, random.Random(seed)).run(60)
