"""Text that is not UTF-8 goes through every function: whole where the function keeps text, refused
with an error of ours where it cannot, and never a crash.
"""

from __future__ import annotations

import json

import pytest

from bunraku.base.errors import PuppetError
from bunraku.engine.compile import compile_catalog
from bunraku.engine.request import Request
from bunraku.functions.index import STDLIB
from bunraku.functions.registry import PUPPET_8
from bunraku.functions.stdlib.history import era
from bunraku.world.dictionary import DictionaryWorld

TEXT = b"b\xc3\xa9 \xff\xfez"
SHAPES = (
    "$s",
    "$s, $s",
    "$s, 'a'",
    "$s, 1",
    "'%s', $s",
    "$s, $s, $s",
    "'b', $s, $s",
    "$s, '.', $s, 'G'",
    "[$s], [$s]",
    "[$s], $s",
    "$s, [$s]",
    "{ $s => $s }",
    "{ $s => [$s] }, $s",
    "{ 'a' => $s }, { 'a' => $s }",
    "$s, String",
)
BLOCKS = ("", " |$x| { $x }")
NOT_CALLED = {"pry", "break", "next", "return", "generate", "validate_cmd", "template"} | {
    "inline_template"
}
"""Functions that run programs or end the compile."""


def stdlib_module(version):
    names = ("name", "version", "author", "license", "summary", "source")
    fields = dict.fromkeys(names, "x") | {"name": "puppetlabs-stdlib", "version": version}
    return json.dumps({**fields, "dependencies": []}).encode()


def world(version):
    files = {"/m/stdlib/metadata.json": stdlib_module(version), "/text": TEXT}
    return DictionaryWorld(files, time=1_500_000_000.0)


def value_of(code, place):
    """The description of an expression's value; None for an error in it."""
    entries = []
    whole = f"$s = file('/text')\nnotice(String({code}, '%s'))\n"
    try:
        compile_catalog(
            Request(code=whole, modulepath=["/m"], world=place, facts={}), entries.append
        )
    except PuppetError as error:
        str(error).encode("utf-8", "surrogateescape")
        return None
    return [entry.message for entry in entries if entry.level == "notice"][-1]


def names(version):
    known = tuple(map(int, version.split(".")))
    return [name for name in STDLIB if era(name, known) is not None]


CASES = [("8.5.0", name) for name in sorted({*PUPPET_8.core, *names("8.5.0")} - NOT_CALLED)]
CASES += [("9.7.0", name) for name in sorted({*names("9.7.0")} - {*names("8.5.0")} - NOT_CALLED)]


@pytest.mark.parametrize(("version", "name"), CASES, ids=lambda part: part)
def test_no_function_stumbles_over_bytes(version, name):
    place = world(version)
    for shape in SHAPES:
        for block in BLOCKS if name in PUPPET_8.core else [""]:
            found = value_of(f"{name}({shape}){block}", place)
            assert found is None or found.encode("utf-8", "surrogateescape") is not None


WHOLE = (
    "$s",
    '"${s}"',
    "chomp($s)",
    "strip($s)",
    "lstrip($s)",
    "rstrip($s)",
    "[$s].join",
    "[[$s]].flatten.join(',')",
    "sprintf('%s', $s)",
    "String($s)",
    "regsubst($s, 'nothing', '')",
    "regsubst('x', 'x', $s)",
    "split($s, ',')[0]",
    "match($s, /.*/)[0]",
    "unwrap(Sensitive($s))",
    "[$s].sort[0]",
    "[$s, $s].unique[0]",
    "{ 'a' => $s }.dig('a')",
    "{ 'a' => $s }.get('a')",
    "{ $s => 1 }.keys[0]",
    "[$s].map |$x| { $x }.join",
    "$s[0, 100]",
    "reverse(reverse($s))",
    "swapcase(swapcase($s))",
    "pick($s)",
    "[$s].max",
    "union([$s], [])[0]",
    "prefix([$s], '')[0]",
    "delete([$s], 'x')[0]",
    "inline_epp('<%= $s %>')",
)


@pytest.mark.parametrize("code", WHOLE)
def test_bytes_come_out_as_they_went_in(code):
    assert value_of(code, world("8.5.0")).encode("utf-8", "surrogateescape") == TEXT


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("upcase($s)", "BÉ \udcff\udcfeZ"),
        ("capitalize($s)", "Bé \udcff\udcfez"),
        ("length($s)", "6"),
        ("$s[3]", "\udcff"),
        ("chop($s)", "bé \udcff\udcfe"),
        ("regsubst($s, 'z', 'y')", "bé \udcff\udcfey"),
        ("split($s, ' ')[1]", "\udcff\udcfez"),
        ("md5($s)", "3056f825ef6471b9a680e35012455919"),
        ("Binary($s, '%r')", None),
        ("$s == file('/text')", "true"),
        ("shellquote($s)", '"bé \udcff\udcfez"'),
    ],
)
def test_bytes_count_as_characters(code, expected):
    assert value_of(code, world("8.5.0")) == expected
