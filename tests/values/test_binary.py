"""Binary values."""

from __future__ import annotations

import pytest

from bunraku.base.errors import PuppetError
from bunraku.values.binary import Binary


def test_encodings() -> None:
    """The formats that text comes in and goes out."""
    assert Binary.from_base64("YW\nJj") == Binary(b"abc")
    assert Binary.from_base64("YQ=x=").data == b"a"
    assert Binary.from_url_safe_base64("_-8").base64() == "/+8="
    assert Binary.from_text("é").data == b"\xc3\xa9"
    assert Binary.from_text("\udcff").data == b"\xff"
    assert str(Binary(b"abc")) == "YWJj"
    assert Binary(bytes(50)).base64_lines().splitlines()[0] == "A" * 60
    assert len({Binary(b"a"), Binary(b"a")}) == 1
    assert list(Binary(b"ab")) == [97, 98]


@pytest.mark.parametrize("text", ["YWJ", "YWJj\n", "YW Jj", "_-8=", "YQ", "YQ="])
def test_strict_base64_refuses(text: str) -> None:
    """Strict means padded, on one line, of the standard letters."""
    with pytest.raises(PuppetError):
        Binary.from_strict_base64(text)
