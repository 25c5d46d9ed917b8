"""Files that commands read, with damaged insides: each command says what is wrong with them."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.damaged_files import FILES, damages, finds

INPUTS = 8
"""The number of damaged forms of each file; ``make fuzz-sweeps`` tries all of them."""


@pytest.mark.parametrize("name", FILES)
def test_damaged_files_end_in_documented_errors(name: str, tmp_path: Path) -> None:
    start = list(FILES).index(name)
    assert finds(name, tmp_path / "site", start, inputs=INPUTS) == []


def test_damages_have_names_of_their_own() -> None:
    names = [name for name, _ in damages('{"a": [1]}')]
    assert len(names) == len(set(names)) > 100
