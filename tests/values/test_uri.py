"""URIs."""

from __future__ import annotations

import pytest

from bunraku.base.errors import PuppetError
from bunraku.values.uri import URI


@pytest.mark.parametrize(
    ("text", "shown"),
    [  # recorded from Puppet 7.23
        ("http://user:pw@example.com:8080/a/b?x=1#frag",) * 2,
        ("mailto:a@b.c",) * 2,
        ("a/b",) * 2,
        ("HTTP://Example.COM/A", "http://Example.COM/A"),
        ("http://a:80/", "http://a/"),
        ("http://a:080/", "http://a/"),
        ("http://[::1]/x",) * 2,
        ("?a=b",) * 2,
        ("//a/b",) * 2,
        ("http:a",) * 2,
        ("file:///a/b",) * 2,
        ("puppet:///modules/x/y", "puppet:/modules/x/y"),
        ("ftp://a/b;type=a",) * 2,
        ("x:y:z",) * 2,
    ],
)
def test_text(text: str, shown: str) -> None:
    """What is read is printed, default ports aside."""
    assert str(URI.parse(text)) == shown


@pytest.mark.parametrize(
    "text", ["http://a b", "http://a:x/", "é", "http://a/%zz", "http://a/b|c", "1:2"]
)
def test_refused(text: str) -> None:
    """What is no URI."""
    with pytest.raises(PuppetError) as caught:
        URI.parse(text)
    assert caught.value.code == "URI_INVALID"


def test_parts_and_merging() -> None:
    """Parts by name; ``+`` resolves a reference."""
    assert URI.parse("http://a:8080/b?c#d").parts() == {
        "scheme": "http", "host": "a", "port": 8080, "path": "/b", "query": "c", "fragment": "d",
    }  # fmt: skip
    assert str(URI.parse("http://a/b").merge("c")) == "http://a/c"
    assert str(URI.from_parts({"scheme": "http", "host": "a", "path": "/b"})) == "http://a/b"
    assert URI.parse("http://a") == URI.parse("HTTP://A")
