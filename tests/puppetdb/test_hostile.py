"""A bounded number of hostile requests to a running server; ``hostile.py`` sends more."""

from __future__ import annotations

import pytest

from puppetdb.hostile import attack


@pytest.mark.parametrize("seed", [3, 15])
def test_a_server_survives_hostile_requests(seed):
    counts, faults = attack(seed, requests=300)
    assert faults == []
    assert counts["requests"] == 300
    assert counts["accepted"] > 10
    assert counts["status 400"] > 50
