"""Syntax trees of Ruby code: what tree-sitter misreads is corrected."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import Any

import pytest
from tests.support.ruby_code import compiled

from bunraku.base.errors import PuppetError
from bunraku.ruby.syntax.encoding import source_text
from bunraku.ruby.syntax.tree import mistake_line, parse_ruby

TYPE = "require 'puppet/x'\nPuppet::Type.newtype(:t) do\n  newparam(:name)\n  newparam(:b)\nend\n"
LOCAL = "def m(x)\n  x = 1\n"


def shape(node: Any) -> str:
    """The tree as the usual lists of names."""
    return str(node)


def same(code: str, plain: str) -> None:
    """Whether a form is read as another form of the same meaning, which nobody misreads."""
    assert mistake_line(code) is None
    assert shape(parse_ruby(code)) == shape(parse_ruby(plain))


OPERATORS = [
    ('out<<"\\n" unless a', 'out << "\\n" unless a'),
    ("a[0] <<A", "a[0] << A"),
    ("@a<<B", "@a << B"),
    ("a.b<<-1", "a.b << -1"),
    ('"s"<<A', '"s" << A'),
    ("self%(a) == 0 || b", "self % (a) == 0 || b"),
    ("'%d'%[a]", "'%d' % [a]"),
    ("@a   [b.c].d e", "@a[b.c].d e"),
    (":a==b", ":a == b"),
    ("a do 1 end -b", "a do 1 end - b"),
]


@pytest.mark.parametrize(("code", "plain"), OPERATORS)
def test_signs_after_a_value_are_operators(code: str, plain: str) -> None:
    same(code, plain)


LOCALS = [
    ("x <<A", "x << A"),
    ("x <<~A", "x << ~A"),
    ("x -1", "x - 1"),
    ("x *a", "x * a"),
    ("x &a", "x & a"),
    ("x **a", "x ** a"),
    ("x /a/b", "x / a / b"),
    ("x %w(a)", "x % w(a)"),
    ("x [1] && a", "x[1] && a"),
    ("x ::A", "x::A"),
    ("x ?a : b", "x ? a : b"),
    ("[1].each { x -1 }", "[1].each { x - 1 }"),
    ("y = y -1", "y = y - 1"),
    ("a, y = 1; y -1", "a, y = 1; y - 1"),
    ("a { |y| y -1 }", "a { |y| y - 1 }"),
    ("b.each do |(y, z)| z -1 end", "b.each do |(y, z)| z - 1 end"),
    ("begin; rescue A => y; y -1; end", "begin; rescue A => y; y - 1; end"),
    ("for y in b do y -1 end", "for y in b do y - 1 end"),
]


@pytest.mark.parametrize(("code", "plain"), LOCALS)
def test_signs_after_a_local_variable_are_operators(code: str, plain: str) -> None:
    same(f"{LOCAL}{code}\nend", f"{LOCAL}{plain}\nend")


ARGUMENTS = [
    ("f -1", "f(-1)"),
    ("f *a", "f(*a)"),
    ("f [1]", "f([1])"),
    ("f %w(a)", "f(%w(a))"),
    ("f +1", "f(1)"),
    ("a.x -1", "a.x(-1)"),
    ("a { |y| y }; y -1", "a { |y| y }; y(-1)"),
    ("x = 1; def n; x -1; end", "x = 1; def n; x(-1); end"),
    ("return -1", "return(-1)"),
    ("return[:a].b", "return [:a].b"),
    ("f <<A\ntext\nA", "f(<<A)\ntext\nA"),
]


@pytest.mark.parametrize(("code", "plain"), ARGUMENTS)
def test_signs_after_the_name_of_a_method_begin_arguments(code: str, plain: str) -> None:
    same(code, plain.replace("return(-1)", "return -1"))


FORMS = [
    ("a b do c end.d(1, 2)", "(a b do c end).d(1, 2)"),
    ("a b do c end.d(1).e { 2 }", "(a b do c end).d(1).e { 2 }"),
    ("a b do c end.d do e end.f 1, 2", "(a b do c end).d do e end.f 1, 2"),
    ("v = */a/.match(b)[1, 2]", "v = * /a/.match(b)[1, 2]"),
    ("a(:b => __FILE__, :c => 1)", "a(:b => begin __FILE__ end, :c => 1)"),
    ("a [:$,, :$;]", 'a [:"$,", :"$;"]'),
    ("not (a).b", "not begin (a) end.b"),
]


@pytest.mark.parametrize(("code", "plain"), FORMS)
def test_forms_that_the_grammar_lacks(code: str, plain: str) -> None:
    same(code, plain)


def test_rows_remain() -> None:
    root = parse_ruby('a<<"x"\nb<<"y"\nb do |c| c -1 end')
    assert [child.start_point[0] for child in root.children] == [0, 1, 2]


MISTAKES = [
    ("a\nend", 2),
    ("class A < or::B\nend", 1),
    ("@a b", 1),
    ("def a(b = b)\nend", 1),
    ("def a(b, b)\nend", 1),
    ("a do |b, b|\nend", 1),
    ("a\nx =~ /(/", 2),
    ("x =~ /[\\x80-\\xFF]/", 1),
    ("class A\nreturn\nend", 2),
    ("begin\na\nelse\nb\nend", 3),
    ("def a\nclass B; end\nend", 2),
    ("def a\nB = 1\nend", 2),
    ("nil = 1", 1),
    ("a = return", 1),
]


@pytest.mark.parametrize(("code", "line"), MISTAKES)
def test_mistakes_that_the_grammar_accepts(code: str, line: int) -> None:
    assert mistake_line(code) == line


@pytest.mark.parametrize(
    "code",
    [
        "a.end; a.class; a.nil",
        "def if; end\ndef self.end; end\ndef ensure=(a); end",
        "def a(if:); end\n{if: 1}\nalias end foo\nundef begin",
        "def a(_, _); end",
        "def a\nclass << self\nB = 1\nend\nend",
        "A = 1\nclass B\nC = 1\nd { return }\nend",
        "x =~ /[\\x80-\\xFF]/n\nx =~ /\\xC3\\xA9/\nx =~ /\\\\xFF/\nx =~ /#{a}(/",
        "begin\na\nrescue\nb\nelse\nc\nend",
        "a(__FILE__, __LINE__)",
        "return",
    ],
)
def test_forms_that_look_like_mistakes(code: str) -> None:
    assert mistake_line(code) is None


@pytest.mark.parametrize(
    ("type_", "helper", "place"),
    [
        (TYPE + "end\n", "", "type/t.rb, line 6"),
        (TYPE, "def a\n@b c\nend\n", "x.rb, line 2"),
        ("puts (\n" + TYPE, "", "type/t.rb, line"),
    ],
)
def test_a_broken_file_of_a_type_is_an_error(
    tmp_path: Path, type_: str, helper: str, place: str
) -> None:
    """Puppet: ``Could not autoload puppet/type/t: … syntax error``."""
    files = tmp_path / "m/lib/puppet"
    (files / "type").mkdir(parents=True)
    (files / "x.rb").write_text(helper)
    (files / "type/t.rb").write_text(type_)
    with pytest.raises(PuppetError, match=re.escape(place)) as found:
        compiled("t { 'a': }", modulepath=[str(tmp_path)])
    assert found.value.code == "BROKEN_TYPE"


ENCODED = [
    (b"# caf\xe9\na = 1\n", None),
    (b"a = 'caf\xe9'\n", 1),
    (b"a = 1\nb = /caf\xe9/\n", 2),
    (b"a = <<B\ncaf\xe9\nB\n", 2),
    (b"# encoding: iso-8859-1\na = 'caf\xe9'\n", None),
    (b"#!/usr/bin/ruby\n# -*- coding: windows-1252 -*-\na = 'caf\xe9'\n", None),
    (b"# frozen_string_literal: true\n# encoding: iso-8859-1\na = 'caf\xe9'\n", 3),
    (b"# encoding: shift_jis\na = '\x83\x5c'\n", None),
    (b"# encoding: binary\na = '\xe9'\n", None),
    (b"# encoding: latin-1\na = 1\n", 1),
    (b"a = 1\n__END__\ncaf\xe9 (((\n", None),
    (b"=begin\ncaf\xe9\n=end\na = 1\n", None),
    (b"\xef\xbb\xbfa = 1\n", None),
    (b"a = <<B\r\nb\r\nB\r\nif a\r\n  b\r\nend\r\n", None),
    (b"a = 1\n\0 garbage (((\n", None),
    (b"a = 1\n\x04 garbage (((\n", None),
    (b"a = 'b\0c'\n", None),
]


@pytest.mark.parametrize(("content", "line"), ENCODED)
def test_encodings(content: bytes, line: int | None) -> None:
    assert mistake_line(source_text(content)) == line


def test_strings_in_other_encodings() -> None:
    root = parse_ruby(source_text(b"# encoding: iso-8859-1\na = 'caf\xe9'\n"))
    assert "café".encode() in root.text


@pytest.mark.parametrize(
    "code",
    [
        "def a(x) = x + 1\ndef b = 2\ndef self.c(x) = x",
        "def a(x) = puts x",
        "private def a(x) = puts x, 1",
        "case x\nin {a: Integer => b, **rest} if b > 1 then 1\nin [1, *, 2] | nil\n 2\nend",
        "x => {a:}\ny in [b, c]",
        "x = {a:, b: 2}\nf(a:)",
        "[1].map { _1 + 1 }\n[1].map { it + 1 }",
        "def a(&) = b(&)\ndef c(...)\n d(...)\nend",
        "x = (..1)\ny = [1..]\na[..-2]",
    ],
)
def test_forms_of_ruby_3(code: str) -> None:
    assert mistake_line(code) is None


def test_newtype_of_puppet_3_is_unknown_later(tmp_path: Path) -> None:
    folder = tmp_path / "m/lib/puppet/type"
    folder.mkdir(parents=True)
    (folder / "t.rb").write_text("Puppet.newtype(:t) { newparam(:name) }\n")
    with pytest.raises(PuppetError, match="undefined method `newtype' for Puppet:Module"):
        compiled("t { 'a': }", modulepath=[str(tmp_path)])
    catalog, _ = compiled("t { 'a': }", modulepath=[str(tmp_path)], language="3.8")
    assert any(each.type == "T" for each in catalog.resources)


REPEATED = [
    "a = 1\na -b\n",
    "def f\n a = 1\n a -b\nend\n",
    "x<<A\n",
    "not (a).b\n",
    "a b do end.c(1, 2)\n",
    "a [:$;, :$,]\n",
]


@pytest.mark.parametrize("line", REPEATED)
def test_many_misreadings_are_corrected_in_few_rounds(line: str) -> None:
    started = time.process_time()
    assert mistake_line(line * 1000) is None
    assert time.process_time() - started < 10
