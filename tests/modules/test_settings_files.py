"""Settings files with lines that no setting can have."""

from __future__ import annotations

import pytest

from bunraku.base.errors import PuppetError
from bunraku.modules.ini import parse_sections


def test_a_value_cannot_have_a_nul() -> None:
    with pytest.raises(PuppetError) as caught:
        parse_sections("[main]\nmodulepath = a:b\0c\n", "environment.conf")
    assert caught.value.diagnostic.place.where[:2] == ("environment.conf", 2)
