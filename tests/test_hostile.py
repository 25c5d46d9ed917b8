"""Hostile programs: each ends in a catalog or a PuppetError, never in a traceback, a hang or a crash."""

from __future__ import annotations

import json
import multiprocessing
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import bunraku
from bunraku.api.compile import compile as compile_code
from bunraku.base.errors import PuppetError
from bunraku.base.source import Source
from bunraku.cli import exits
from bunraku.engine import kept
from bunraku.engine.compile import compile_catalog
from bunraku.engine.request import Request
from bunraku.jobs.batch import answer
from bunraku.runtime.state import GenerationLimits
from bunraku.syntax.parser.parser import parse
from bunraku.world.dictionary import DictionaryWorld
from support.work import counted, grows_faster

STDLIB = b"""{"name": "puppetlabs-stdlib", "version": "9.4.0", "author": "x", "license": "x",
"summary": "", "source": "", "dependencies": []}"""
MOST_CALLS = (
    20_000_000  # of one case; a million strings of a range take ten, the other cases three at most
)


def ending(code: str, **more: Any) -> str:
    """How a compile ends: ``ok``, or the code of the error."""
    return ending_of(lambda: compile_code(code, **more))


def ending_of(action: Callable[[], object]) -> str:
    """How an action ends that may take only so many calls of functions."""

    def code() -> str:
        try:
            action()
        except PuppetError as error:
            return error.puppet_code or error.code
        return "ok"

    found, calls = counted(code)
    assert calls < MOST_CALLS
    return found


def command(*arguments: str, stdin: bytes = b"", **environment: str) -> tuple[int, str, str]:
    """The exit code of the command line, its output and its errors."""
    done = subprocess.run(
        [sys.executable, "-m", "bunraku", *arguments],
        input=stdin,
        capture_output=True,
        timeout=100,
        check=False,
        env={**os.environ, **environment},
    )
    texts = [text.decode("utf-8", "surrogateescape") for text in (done.stdout, done.stderr)]
    assert "Traceback" not in texts[1]
    return done.returncode, texts[0], texts[1]


# -- nesting ---------------------------------------------------------------------------------------

NESTED = {
    "parentheses": ("notice(", "(", "1", ")", ")"),
    "arrays": ("$x = ", "[", "1", "]", ""),
    "hashes": ("$x = ", "{a => ", "1", "}", ""),
    "accesses": ("$x = ", "$facts[", "1", "]", ""),
    "calls": ("notice(", "min(", "1", ")", ")"),
    "methods": ("notice(", "[1].join(", "1", ")", ")"),
    "types": ("type T = ", "Array[", "Integer", "]", ""),
    "strings": ("notice(", '"${', "$x", '}"', ")"),
    "ifs": ("", "if true { ", "notice(1)", " }", ""),
    "elses": ("", "if false { } else { ", "notice(1)", " }", ""),
    "unlesses": ("", "unless false { ", "notice(1)", " }", ""),
    "cases": ("", "case 1 { 1: { ", "notice(1)", " } }", ""),
    "selectors": ("notice(", "1 ? { 1 => ", "1", " }", ")"),
    "lambdas": ("", "[1].each |$x| { ", "notice(1)", " }", ""),
    "classes": ("", "class a { ", "", " }", ""),
    "defaults of parameters": ("", "class a($x = ", "1", ") { }", ""),
    "resources": ("", "notify { 'a': message => [", "1", "] }", ""),
    "queries": ("Notify <| ", "(", "title == a", ")", " |>"),
    "negations": ("notice(", "!", "true", "", ")"),
    "minuses": ("notice(", "- ", "1", "", ")"),
    "assignments": ("", "$x = ", "1", "", ""),
    "value conditions": ("$x = ", "if true { ", "1", " }", ""),
}
REFUSED = {"NESTING_TOO_DEEP", "SYNTAX_ERROR", "NOT_TOP_LEVEL", "STACK_LEVEL_TOO_DEEP"}


@pytest.mark.parametrize("depth", [150, 10_000])
@pytest.mark.parametrize("form", NESTED)
def test_nested_code(form: str, depth: int) -> None:
    before, opening, middle, closing, after = NESTED[form]
    code = before + opening * depth + middle + closing * depth + after
    found = ending(code, settings={"strict_variables": False, "strict": "off"})
    if depth == 10_000:

        def read(size: int) -> Callable[[], object]:
            return lambda: parse(Source(before + opening * size + middle + closing * size + after))

        assert grows_faster(read, 500) is None
    if depth > 1000:
        assert found in REFUSED
    elif form not in {"classes", "defaults of parameters", "resources", "assignments", "unfolds"}:
        assert found in {"ok", "OPERATOR_NOT_APPLICABLE", "RUNTIME_ERROR"}


def test_nested_heredocs() -> None:
    code = "notice(1)"
    for number in range(300):
        code = f'notice(@("E{number}"))\n${{{code}}}\nE{number}\n'
    assert ending(code) in {"NESTING_TOO_DEEP", "SYNTAX_ERROR", "HEREDOC_WITHOUT_END_TAGGED_LINE"}


def test_a_template_nested_deep() -> None:
    template = "<% if true { %>" * 10_000 + "<% } %>" * 10_000
    with pytest.raises(PuppetError, match="nested deeper than"):
        compile_code(f"notice(inline_epp('{template}'))")


# -- length ----------------------------------------------------------------------------------------

LONG = {
    "sum": " + ".join(["1"] * 5000),
    "product": " * ".join(["1"] * 5000),
    "and": " and ".join(["true"] * 5000),
    "or": " or ".join(["false"] * 5000),
    "text": '"' + "${facts}" * 5000 + '"',
    "concatenation": " + ".join(["[1]"] * 2000),
    "equal": "1" + " == 1" * 5000,
    "shifts": "1" + " >> 1" * 5000,
    "methods": "'a'" + ".upcase" * 3000,
    "methods with lambdas": "[1]" + ".map |$x| { $x }" * 2000,
    "accesses": "{a => 1}" + "[a]" * 3000,
    "selector": "3 ? { " + ", ".join(f"{n} => {n}" for n in range(5000)) + " }",
    "hash": "{ " + ", ".join(f"{n} => {n}" for n in range(20_000)) + " }",
    "array": "[ " + ", ".join(str(n) for n in range(30_000)) + " ]",
    "arguments": "max(" + ", ".join(str(n) for n in range(10_000)) + ")",
    "integer": "9" * 100_000,
    "float": "1." + "9" * 100_000,
    "word": "a" * 1_000_000,
    "regexp": "'x' =~ /" + "a" * 100_000 + "/",
    "variants": "1 =~ Variant[" + ", ".join(f"Integer[{n}, {n}]" for n in range(2000)) + "]",
    "enum": "'1' =~ Enum[" + ", ".join(f"'{n}'" for n in range(5000)) + "]",
    "struct": "1 =~ Struct[{" + ", ".join(f"'{n}' => Integer" for n in range(5000)) + "}]",
}


@pytest.mark.parametrize("form", LONG)
def test_long_expressions(form: str) -> None:
    found = ending(f"notice(({LONG[form]}) =~ Any)")
    assert found in {"ok", "OPERATOR_NOT_APPLICABLE", "NUMBER_TOO_BIG", "NUMERIC_OVERFLOW", "SYNTAX_ERROR"} | (
        {"OPERATOR_NOT_APPLICABLE"} if form == "accesses" else {"ok"}
    )  # fmt: skip


@pytest.mark.parametrize(
    "code",
    [
        " -> ".join(f"notify {{ 'n{n}': }}" for n in range(3000)),
        " -> ".join(f"Notify['n{n % 50}']" for n in range(3000))
        + '\nInteger[0, 49].each |$n| { notify { "n${n}": } }',
        "if false { } " + "elsif false { } " * 400 + "else { notice(1) }",
        "case 4999 { " + " ".join(f"{n}: {{ notice({n}) }}" for n in range(5000)) + " }",
        "\n".join(f"$v{n} = {n}" for n in range(5000)),
        "\n".join(f"class c{n} {{ }} include c{n}" for n in range(3000)),
        "\n".join(f"function f{n}() {{ {n} }}" for n in range(3000)) + "\nnotice(f2999())",
        "notify { " + ", ".join(f"'{n}'" for n in range(1))
        + ": message => 'x'; " + "; ".join(f"'m{n}': message => 'x'" for n in range(3000)) + " }",
        "notify { [" + ", ".join(f"'{n}'" for n in range(5000)) + "]: }",
        "class c(" + ", ".join(f"$p{n} = {n}" for n in range(3000)) + ") { } include c",
        "Notify <| " + " or ".join(f"title == '{n}'" for n in range(3000)) + " |>",
        "define d { } d { 'a': } -> d { 'b': }" + " D['a'] -> D['b']" * 1500,
        'Integer[1, 20000].each |$n| { notify { "n${n}": } }',
        "@notify { 'v': } " + "realize(Notify['v']) " * 3000,
    ],
    ids=lambda code: code[:30],
)  # fmt: skip
def test_long_programs(code: str) -> None:
    assert ending(code, cycles=False) == "ok"


# -- endless code --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("function f($x) { f($x + 1) } f(1)", "STACK_LEVEL_TOO_DEEP"),
        ("function f($x) { g($x) } function g($x) { f($x) } f(1)", "STACK_LEVEL_TOO_DEEP"),
        ("function f($x) { [1].map |$y| { f($y) } } f(1)", "STACK_LEVEL_TOO_DEEP"),
        ("function f($x = f()) { $x } f()", "STACK_LEVEL_TOO_DEEP"),
        ("function f() { inline_epp('<%= f() %>') } f()", "STACK_LEVEL_TOO_DEEP"),
        ('define d { d { "${title}x": } } d { "a": }', None),
        ("define a { b { \"${title}x\": } } define b { a { \"${title}y\": } } a { 'x': }", None),
        ('define d { d { ["${title}x", "${title}y"]: } } d { "a": }', "TOO_MANY_RESOURCES"),
        ("class a inherits b { } class b inherits a { } include a", None),
        ("class a inherits a { } include a", None),
        ("class a { include b } class b { include a } include a notice(1)", "ok"),
        ("class a { require b } class b { require a } include a", None),
        ("class a { contain b } class b { contain a } include a", None),
        ("type A = A notice(1 =~ A)", "RUNTIME_ERROR"),
        ("type A = B type B = A notice(1 =~ A)", "RUNTIME_ERROR"),
        ("type A = Variant[Integer, Array[A]] notice([[1]] =~ A)", "ok"),
        ('type A = Array[A] notice([[[]]] =~ A, A == A, Array[A] =~ Type[A], "${A}")', "ok"),
        ("type A = Array[B] type B = Array[A] notice(A < B, A =~ Type[B])", "ok"),
        ("type A = Optional[A] notice(1 =~ A)", "ok"),
        ("type A = Object[{ parent => A }] notice(A())", "RUNTIME_ERROR"),
        ("type A = Object[{ parent => B }] type B = Object[{ parent => A }] notice(A())", None),
        ("notify { 'a': require => Notify['b'] } notify { 'b': require => Notify['a'] }", None),
        ("notify { 'a': require => Notify['a'] }", None),
        ("@notify { 'a': } Notify <| |> { require => Notify['a'] }", None),
        ("define d { @d { \"${title}x\": } D <| |> } d { 'a': }", None),
        ("notice(lookup('loop'))", None),
        ("notice(lookup('via'))", None),
        ("notice(lookup('aliased'))", None),
        ("Integer[1, 1000000000000].each |$x| { if $x > 3 { break() } }", "ok"),
        ("notice(Integer[1, 100000000000].map |$x| { if $x > 3 { break() } $x })", "ok"),
        ("notice(1 << 100000000)", "NUMERIC_OVERFLOW"),
        ("notice(9223372036854775807 * 9223372036854775807)", "NUMERIC_OVERFLOW"),
        ("notice(1e308 * 10)", None),
        ("notice(Integer('" + "9" * 5000 + "'))", None),
        ("notice(sprintf('%99999999999d', 1))", None),
        ("notice(String(1, '%99999999999d'))", None),
        ("notice(Timespan(1e300))", None),
        ("notice(Timestamp('9999999-99-99'))", None),
        ("notice(Timestamp(1e18))", None),
        ("notice(range('a', 'zzzzzzzzzzzz'))", None),
        ("notice([1, 2, 3].step(0))", None),
        ("notice(Timespan[{ foo => 2 }])", "RUNTIME_ERROR"),
        ("notice(Timespan[{ [1] => 2 }])", "RUNTIME_ERROR"),
        ("notice(Timespan[{ days => a }])", "RUNTIME_ERROR"),
        ("notice(Timestamp[{ string => 1 }])", "RUNTIME_ERROR"),
        ("notice(Timespan({ [a, b] => 1 }))", "RUNTIME_ERROR"),
        ("type T = Object[{ [1] => 2 }] notice(T)", "RUNTIME_ERROR"),
        ("type T = TypeSet[{ version => '1.0.0', types => [1] }] notice(T)", "RUNTIME_ERROR"),
        ("notice('a'[9223372036854775807], [1][-9223372036854775807, 9223372036854775807])", None),
        ("tag('" + "a" * 100_000 + "')", None),
        ("notice(regsubst('" + "a" * 20_000 + "', 'a', 'aaaaaaaaaa', 'G') =~ String)", "ok"),
    ],
    ids=lambda text: text[:50] if text else "",
)  # fmt: skip
def test_what_has_no_end_or_bounds(code: str, expected: str | None) -> None:
    files = {
        "/hiera.yaml": b"version: 5\nhierarchy:\n- name: all\n  path: all.yaml\n",
        "/data/all.yaml": b"loop: \"%{lookup('loop')}\"\nvia: \"%{hiera('back')}\"\n"
        b"back: \"%{hiera('via')}\"\naliased: \"%{alias('aliased')}\"\n",
    }
    modules = {"/modules/stdlib/metadata.json": STDLIB}
    request = Request(
        code=code,
        world=DictionaryWorld(files | modules),
        hiera_config="/hiera.yaml",
        modulepath=["/modules"],
        generation_limits=GenerationLimits(resources=5000, rounds=300),
    )
    found = ending_of(lambda: compile_catalog(request, lambda entry: None))
    assert found == expected if expected else found


@pytest.mark.parametrize("pattern", ["^(a+)+$", "(a|a)*$b", "(x+x+)+y", "([a-z]+)*!"])
def test_patterns_that_backtrack_without_end(pattern: str) -> None:
    found = ending(f"notice('{'a' * 40}b' =~ /{pattern}/)")
    assert found in {"ok", "REGEXP_RUNAWAY"}


def test_values_nested_deep_at_run_time() -> None:
    deep = "$deep = Integer[1, 20000].reduce([]) |$memo, $n| { [$memo] }\n"
    for use in (
        'notice("${deep}")',
        "notice($deep == $deep)",
        "notify { 'a': message => $deep }",
        "notice($deep.flatten)",
        "notice(type($deep))",
        "notice($deep =~ Data)",
        "notice({ $deep => 1 })",
        "notice($deep.tree_each |$x| { $x })",
        "notice(deep_merge({ a => $deep }, { a => $deep }))",
        "type T = Variant[Integer, Array[T]] notice($deep =~ T)",
        "notice(sort([$deep, $deep]))",
        "notice(inline_epp('<%= $v %>', { v => $deep }))",
        "notice(unique([$deep, $deep]))",
    ):
        assert ending(deep + use)


def test_a_catalog_of_many_resources_from_few_lines() -> None:
    code = 'define d($n) { if $n > 0 { d { ["${title}0", "${title}1"]: n => $n - 1 } } } d { "x": n => 12 }'
    assert ending(code) == "ok"


# -- bytes -----------------------------------------------------------------------------------------

BROKEN = {
    "nul in text": b'notice("a\0b")',
    "nul in code": b"notice(1)\0",
    "nul in a title": b'file { "/a\0b": ensure => file }',
    "nul in a name of a file": b'notice(file("/a\0b"))',
    "nul in a class": b'include "a\0b"',
    "nuls": b"\0" * 10_000,
    "latin in text": b"notice('\xe9')",
    "latin in code": b"notice(\xe9)",
    "latin in a comment": b"# \xe9\nnotice(1)",
    "latin in a title": b"notify { '\xff\xfe': message => \"\xc3\" }",
    "latin in a type": b"notice('\xff' =~ /\xff/)",
    "latin in a lookup": b"notice(lookup('\xff', { default_value => 1 }))",
    "cut character": b"notice('\xc3",
    "surrogate": b"notice('\xed\xa0\x80')",
    "utf-16": "notice('a')".encode("utf-16"),
    "utf-8 with mark": b"\xef\xbb\xbfnotice(1)",
    "open string": b"notice('a",
    "open text": b'notice("a ${b',
    "open interpolation": b'notice("${',
    "open comment": b"/* a",
    "open regexp": b"notice('a' =~ /a",
    "open brace": b"class a {",
    "open array": b"$x = [1,",
    "open hash": b"$x = { a =>",
    "open call": b"notice(",
    "open parameters": b"class a(",
    "open lambda": b"[1].each |",
    "open collector": b"Notify <|",
    "open resource": b"file { 'a':",
    "open selector": b"$x = 1 ? {",
    "open heredoc": b"notice(@(E",
    "heredoc at the end": b"@(E)",
    "heredoc at the end of a line": b"notice(@(E))\n",
    "heredoc without its end": b"notice(@(E))\na\n",
    "heredoc in an open text": b'notice("${@(E)',
    "heredocs of one tag": b"notice(@(E), @(E))\na\nE\n",
    "open escape": b'notice("\\u{',
    "random": bytes((n * 7919) % 256 for n in range(5000)),
}  # fmt: skip


@pytest.mark.parametrize("form", BROKEN)
def test_broken_text(form: str) -> None:
    text = BROKEN[form].decode("utf-8", "surrogateescape")
    found = ending(text)
    if form.startswith(("open", "heredoc")):
        assert found not in {"ok", "RUNTIME_ERROR"}
    case = json.dumps({"id": form, "code": text, "as_file": True}).encode()
    told = json.loads(answer(case))
    assert told["status"] == ("ok" if found == "ok" else told["status"])
    assert told["status"] in {"ok", "parse_error", "eval_error"}


def test_the_command_line_reports_broken_files(tmp_path: Path) -> None:
    for number, text in enumerate(BROKEN.values()):
        (tmp_path / f"{number:02}.pp").write_bytes(text)
    code, _out, err = command("validate", str(tmp_path))
    assert code == exits.FINDINGS
    assert "error" in err
    code, out, err = command("compile", str(tmp_path / "01.pp"))
    assert (code, out) == (exits.FINDINGS, "")
    assert "01.pp:1:10: error" in err


def test_fifty_megabytes_in_a_line(tmp_path: Path) -> None:
    path = tmp_path / "long.pp"
    path.write_bytes(b"notice(size('" + b"x" * (50 << 20) + b"'))")
    code, _out, err = command("compile", str(path), "--format", "text")
    assert code == exits.OK
    assert f": {50 << 20}\n" in err
    path.write_bytes(b"notice('" + b"x" * (50 << 20))
    code, out, err = command("validate", str(path))
    assert code == exits.FINDINGS
    assert "UNCLOSED_QUOTE" in err + out
    assert len(err + out) < 10_000


def test_the_command_line_ends_with_its_code() -> None:
    deep = "Integer[1, 20000].reduce([]) |$memo, $n| { [$memo] }"
    for code, expected in (
        ("function f($x) { f($x + 1) } f(1)", exits.FINDINGS),
        (f"notice({deep})", exits.FINDINGS),
    ):
        found, out, err = command("compile", "-e", code)
        assert (found, out) == (expected, "")
        assert len(err) < 100_000


# -- the code cache --------------------------------------------------------------------------------


def compiled_with_cache(manifest: Path, cache: Path) -> list[str]:
    """The resources of a manifest, compiled in this process with a cache of its own."""
    os.environ["XDG_CACHE_HOME"] = str(cache)
    kept.forget()
    return [item.reference for item in compile_code(manifest).resources]


@pytest.fixture
def manifest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    path = tmp_path / "site.pp"
    path.write_text("class a { notify { 'x': } }\ninclude a\n")
    return path


def test_broken_entries_of_the_cache_are_made_again(manifest: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    first = compiled_with_cache(manifest, cache)
    (entry,) = cache.rglob("*.code")
    good = entry.read_bytes()
    for broken in (
        b"",
        good[:30],
        good[:-1],
        b"\0" * len(good),
        good + b"x",
        b"bunraku\0" + b"x" * 100,
    ):
        entry.write_bytes(broken)
        assert compiled_with_cache(manifest, cache) == first
        assert entry.read_bytes() != broken
    entry.unlink()
    entry.mkdir()  # an entry that is a folder can be neither read nor replaced
    assert compiled_with_cache(manifest, cache) == first


@pytest.mark.parametrize("place", ["/dev/null", "/proc/nowhere", "/dev/full", "file"])
def test_a_cache_that_cannot_be_written(manifest: Path, tmp_path: Path, place: str) -> None:
    (tmp_path / "file").write_text("")
    assert "Notify[x]" in compiled_with_cache(manifest, tmp_path / place)


def work(manifest: Path, cache: Path, queue: Any) -> None:
    """Compile over and over with a cache that others write too."""
    queue.put([compiled_with_cache(manifest, cache) for _ in range(20)])


def test_many_processes_write_the_cache(manifest: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    expected = compiled_with_cache(manifest, cache)
    for entry in cache.rglob("*.code"):
        entry.unlink()
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    workers = [context.Process(target=work, args=(manifest, cache, queue)) for _ in range(4)]
    for worker in workers:
        worker.start()
    found = [queue.get(timeout=60) for _ in workers]
    for worker in workers:
        worker.join()
    assert found == [[expected] * 20] * 4
    names = [path.name.rpartition(".")[2] for path in cache.rglob("*") if path.is_file()]
    assert sorted(names) == ["code", "data", "usage"]  # data: the fingerprint of the program


# -- files beside the manifest ---------------------------------------------------------------------

BROKEN_DATA = [
    b"\0", b"\xff\xfe", b"a: [", b"a: &x [*x]", b"- 1", b"a: !ruby/object:File {}", b"a: 1\na: 2", b"[" * 3000,
    b"a: &a [x,x]\nb: &b [*a,*a]\nc: &c [*b,*b]\nd: &d [*c,*c]\n", b"? [a]\n: 1", b"\t", b"%YAML 9", b"--- |\n x",
    b"{", b"a: 99999999999999999999999999", b"a: .inf", b"a: 2001-99-99", b'"%{', b"a: '%{b.c.d}'", b"",
]  # fmt: skip


@pytest.mark.parametrize("text", BROKEN_DATA, ids=repr)
@pytest.mark.parametrize("place", ["/hiera.yaml", "/data/common.yaml", "/data/common.json"])
def test_broken_data(text: bytes, place: str) -> None:
    name = place.rpartition("/")[2].replace("hiera.yaml", "common.yaml")
    kind = f"  data_hash: {name.rpartition('.')[2]}_data\n".encode()
    files = {
        "/hiera.yaml": b"version: 5\nhierarchy:\n- name: c\n  path: "
        + name.encode()
        + b"\n"
        + kind,
        "/data/common.yaml": b"a: 1",
        place: text,
    }
    assert ending(
        "notice(lookup('a', { default_value => 1 }), lookup('b', Any, deep, 1))",
        world=DictionaryWorld(files),
        hiera_config="/hiera.yaml",
    )


@pytest.mark.parametrize("name", ["facts.yaml", "facts.json"])
def test_broken_facts(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    for text in (b"\0", b"\xff", b"[1", b"- 1", b"a: &x [*x]", b"[" * 3000, b'{"a": NaN}'):
        path.write_bytes(text)
        code = bunraku_main(["compile", "-e", "notice($facts)", "--facts", str(path)])
        assert code in {exits.OK, exits.FINDINGS, exits.TROUBLE}
    assert (
        bunraku_main(["compile", "-e", "1", "--facts", str(tmp_path / "no.yaml")]) == exits.TROUBLE
    )


def bunraku_main(arguments: list[str]) -> int:
    """The exit code of the command, run in this process."""
    from bunraku.cli.main import main

    return main(arguments)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("m/manifests/init.pp", b"class m { "),
        ("m/manifests/init.pp", b"\0"),
        ("m/manifests/init.pp", b"class other { }"),
        ("m/manifests/init.pp", b"include m"),
        ("m/manifests/init.pp", b"class m { include m::a }"),
        ("m/functions/f.pp", b"function m::f() { m::f() }"),
        ("m/functions/f.pp", b"function m::other() { 1 }"),
        ("m/types/t.pp", b"type M::T = M::T"),
        ("m/types/t.pp", b"type M::Other = Integer"),
        ("m/hiera.yaml", b"version: 9"),
        ("m/hiera.yaml", b"["),
        ("m/metadata.json", b"{"),
        ("m/metadata.json", b"[]"),
        ("m/metadata.json", b'{"name": 1, "dependencies": 5}'),
        ("m/templates/t.epp", b"<% "),
        ("m/templates/t.epp", b"<%= epp('m/t.epp') %>"),
        ("m/lib/puppet/type/d.rb", b"\0\xff puts ( {"),
    ],
)
def test_broken_modules(path: str, text: bytes) -> None:
    world = DictionaryWorld({"/modules/m/manifests/ok.pp": b"", f"/modules/{path}": text})
    for code in (
        "include m",
        "notice(m::f())",
        "notice(1 =~ M::T)",
        "notice(epp('m/t.epp'))",
        "d { 'x': }",
    ):
        assert ending(code, world=world, modulepath=["/modules"])


def test_requests_that_are_none() -> None:
    for line in (
        b"",
        b"[",
        b"[]",
        b"1",
        b"\xff",
        b'{"code": 1}',
        b'{"facts": []}',
        b"[" * 100_000,
        b'{"modules": {"../../x": 1}}',
    ):
        told = json.loads(answer(line))
        assert told["status"] in {"bad_input", "ok"}


def test_the_package_is_the_one_under_test() -> None:
    assert Path(bunraku.__file__).is_relative_to(Path(__file__).parents[1])
