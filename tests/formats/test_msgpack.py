"""MessagePack: the data of a document, and documents that are refused."""

from __future__ import annotations

import pytest

from bunraku.formats.failure import FormatError
from bunraku.formats.msgpack import parse_msgpack

msgpack = pytest.importorskip("msgpack", reason="the package msgpack is not installed")


def test_the_data_of_a_document():
    data = {"a": [1, -2, 1.5, None, True], "b": {"ü": "x" * 300}, "c": 2**64 - 1}
    assert parse_msgpack(msgpack.packb(data)) == data


def test_bytes_become_text():
    assert parse_msgpack(b"\x82\xa1a\xa1\xff\xa1b\xc4\x01\xff") == {"a": "\udcff", "b": "\udcff"}


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "incomplete"),
        (b"\x81\xa1a", "incomplete"),
        (b"\xc1", "broken"),
        (b"\x01\x02", "extra data"),
        (b"\x91" * 100_000 + b"\xc0", "nested too deeply"),
        (b"\xdf\xff\xff\xff\xff", "max_map_len"),
        (b"\xdd\xff\xff\xff\xff", "max_array_len"),
        (b"\x81\x01\x02", "not allowed for map key"),
        (b"\x81\xc4\x01a\x01", "a key is not a text"),
        (b"\xd4\x05\x00", "the extension type 5"),
        (b"\xd6\xff\x00\x00\x00\x00", "a time"),
        (b"\xcb\x7f\xf0\x00\x00\x00\x00\x00\x00", "inf is not a number"),
    ],
)
def test_a_document_that_is_refused(content, reason):
    with pytest.raises(FormatError, match=reason):
        parse_msgpack(content)
