"""The core functions compared with the results of Puppet and Ruby for the same calls."""

from __future__ import annotations

import importlib
import pkgutil
import re
import time
from pathlib import Path

import pytest
from tests.support.recorded import recorded

import bunraku.functions.core
from bunraku.base.errors import PuppetError
from bunraku.engine.compile import compile_catalog
from bunraku.engine.request import Request
from bunraku.functions.core.random_numbers import RubyRandom
from bunraku.functions.core.scanf import read
from bunraku.functions.declaration import FunctionTable
from bunraku.functions.registry import PUPPET_8
from bunraku.runtime.control import ControlSignal
from bunraku.values.iterator import Iterator
from bunraku.world.dictionary import DictionaryWorld
from support.known_differences import known_differences

DATA = Path(__file__).parents[1] / "data"
FILES = DictionaryWorld({"/etc/passwd": b""})
FACTS = {"networking": {"fqdn": "Host.Example.com"}}


def run(code, facts=(), world=None, modulepath=()):
    """The log of a manifest, and the code of the error that ends it."""
    entries = []
    request = Request(code=code, facts=dict(facts), modulepath=modulepath)
    request.world = world or DictionaryWorld()
    try:
        compile_catalog(request, entries.append)
    except PuppetError as error:
        return entries, error
    return entries, None


def notices(code, **more):
    entries, error = run(code, **more)
    assert error is None, f"{code}: {error}"
    return [entry.message for entry in entries if entry.level == "notice"]


# -- Puppet's results ----------------------------------------------------------------------------
RECORDED = recorded("functions_core")


def known():
    """Cases where we differ, each with the reason; they must differ."""
    return known_differences("functions_core")


def name_of(code):
    found = re.match(r"notice\(String\((\w+)", code)
    return found[1] if found else "snippets"


def grouped():
    groups = {}
    for row in RECORDED:
        groups.setdefault(name_of(row[0]), []).append(row)
    return groups


def answer(code, with_facts):
    try:
        entries, error = run(code, FACTS if with_facts else {}, FILES)
    except ControlSignal:
        return {"stray": 1}
    found = {"n": [entry.message for entry in entries if entry.level == "notice"]}
    if error is not None:
        found["e"] = 1
    return found


BATCH = 40


def together(rows):
    """Calls that succeed, many in one manifest; the others alone."""
    for with_facts in (0, 1):
        chosen = [
            row
            for row in rows
            if row[1] == with_facts and "e" not in row[2] and row[0] not in known()
        ]
        joinable = [row for row in chosen if row[0].startswith("notice(")]
        for at in range(0, len(joinable), BATCH):
            yield joinable[at : at + BATCH]
    kept = {id(row) for row in rows if "e" in row[2] or row[0] in known()}
    yield from ([row] for row in rows if id(row) in kept or not row[0].startswith("notice("))


def differences(rows):
    """Results that differ from the recorded ones; calls are repeated one by one only after an error."""
    code = "\n".join(row[0] for row in rows)
    expected = {"n": [text for row in rows for text in row[2]["n"]]}
    if "e" in rows[0][2]:
        expected["e"] = 1
    if (answer(code, rows[0][1]) == expected) != (code in known()):
        return
    for one, with_facts, wanted in rows:
        found = answer(one, with_facts)
        if (found == wanted) == (one in known()):
            yield f"{one}\n  expected {wanted}\n  found    {found}"


@pytest.fixture
def utc(monkeypatch):
    """The time zone in which Puppet's answers were recorded."""
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.usefixtures("utc")
@pytest.mark.parametrize(("name", "rows"), grouped().items(), ids=grouped())
def test_does_what_real_puppet_does(name, rows):
    wrong = [text for some in together(rows) for text in differences(some)]
    assert not wrong, f"{len(wrong)} of {len(rows)}:\n" + "\n".join(wrong[:20])


def test_known_differences_are_recorded_cases():
    assert set(known()) <= {row[0] for row in RECORDED}


# -- the table ---------------------------------------------------------------------------------
def modules():
    for found in pkgutil.iter_modules(bunraku.functions.core.__path__):
        name = f"bunraku.functions.core.{found.name}"
        yield name, importlib.import_module(name)


def test_index_equals_what_the_modules_define():
    defined = {
        name: module_name.removeprefix("bunraku.functions.core.")
        for module_name, module in modules()
        if isinstance(getattr(module, "function", None), FunctionTable)
        for name in module.function
    }
    assert defined == PUPPET_8.core


def test_every_function_is_documented():
    for name in PUPPET_8.core:
        assert PUPPET_8.builtin(name).documentation, name


EXAMPLE = re.compile(r"```puppet\n(.*?)```", re.DOTALL)


def examples():
    for name, module in PUPPET_8.core.items():
        if module.rpartition(".")[2] in {"catalog", "lookup", "queries", "templates"}:
            continue  # test_complete.py runs these, which need a catalog or data
        function = PUPPET_8.builtin(name)
        for dispatch in function.dispatches:
            text = dispatch.implementation.__doc__ or ""
            for block in EXAMPLE.findall(text):
                for line in block.splitlines():
                    yield name, line.strip()


def test_examples_in_docstrings_are_true():
    lines = sorted({line for _, line in examples() if line})
    assert len(lines) > 80
    for line in lines:
        assert notices(f"notice({line})")[-1:] == ["true"], line


# -- Ruby's own --------------------------------------------------------------------------------
def test_random_numbers_are_those_of_ruby():
    for seed, draws in recorded("functions_core_random").items():
        for limit, expected in draws:
            generator = RubyRandom(int(seed))
            assert [generator.below(int(limit)) for _ in expected] == list(map(int, expected))


NOT_AS_RUBY = {("-0x1F", "%3f")}  # Ruby reads "-0x" as 0.0, we as -0.0


def test_scanf_reads_what_ruby_reads():
    data = recorded("functions_core_scanf")
    for pattern, row in data["formats"].items():
        for text, expected in zip(data["texts"], row, strict=True):
            if expected is not None and (text, pattern) not in NOT_AS_RUBY:
                assert repr(read(text, pattern)) == repr(expected), (text, pattern)


# -- lazy sequences ----------------------------------------------------------------------------
def test_iterator_that_is_walked_once_goes_on_where_it_was_left():
    numbers = Iterator(lambda: range(1, 10), once=True).step(3)
    assert next(iter(numbers)) == 1
    assert list(numbers) == [4, 7]
    assert list(numbers) == []


def test_each_leaves_the_rest_of_a_sequence_after_a_break():
    code = """
    $it = [1, 2, 3, 4].step(2)
    $it.each |$x| { notice($x) break() }
    $it.each |$x| { notice($x) }
    """
    assert notices(code) == ["1", "3"]


def test_element_type_is_found_out_only_when_asked_for():
    def fail():
        raise AssertionError

    numbers = Iterator(lambda: [1, 2], fail).step(2)
    assert list(numbers) == [1]


# -- files and programs ------------------------------------------------------------------------
WORLD = DictionaryWorld(
    {
        "/modules/m/files/a.txt": b"in m\n",
        "/modules/m/files/sub/b.bin": b"\x00\xff",
        "/modules/m/templates/t.epp": b"",
        "/etc/plain": b"plain \xff",
    }
)


def in_world(code):
    return notices(code, world=WORLD, modulepath=["/modules"])


def test_file_reads_the_first_file_there_is():
    assert in_world("notice(file('m/none', '/none', 'm/a.txt', '/etc/plain'))") == ["in m\n"]


def test_file_keeps_bytes_that_are_not_utf8():
    assert in_world("notice(file('/etc/plain'))") == ["plain \udcff"]


def test_binary_file_reads_bytes():
    assert in_world("notice(binary_file('m/sub/b.bin'))") == ["AP8="]


def test_find_file_and_find_template_give_paths():
    code = "notice(find_file(['x/y', 'm/a.txt']), find_template('m/t.epp'), module_directory('m'))"
    assert in_world(code) == ["/modules/m/files/a.txt /modules/m/templates/t.epp /modules/m"]


@pytest.mark.parametrize(
    "code",
    [
        "file('m/none')",
        "file('m')",
        "file(1)",
        "file()",
        "binary_file('/none')",
        "generate('echo')",
        "generate('/bin/../bin/echo')",
        "generate('/bin/e cho')",
        "generate('/no/such/program')",
        "generate(5)",
        "generate()",
    ],
)
def test_what_cannot_be_read_or_run_is_an_error(code):
    _, error = run(code, world=WORLD, modulepath=["/modules"])
    assert error is not None
    assert error.code != "INTERNAL_ERROR"


class Echo(DictionaryWorld):
    """A machine on which every program prints its own command line."""

    def run(self, command, directory=None):
        return f"{directory} {command}"


def test_generate_gives_the_program_its_arguments_one_by_one():
    code = "notice(generate('/bin/x', 'a b', 5, [true, ['z']], undef))"
    assert notices(code, world=Echo()) == ["/bin ['/bin/x', 'a b', '5', 'true', 'z', '']"]


# -- messages ----------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "level", ["debug", "info", "notice", "warning", "err", "alert", "crit", "emerg"]
)
def test_log_functions_join_their_arguments(level):
    entries, error = run(f"{level}('a', [1, undef], {{ b => 2 }}, undef, Sensitive('s'))")
    assert error is None
    assert [(entry.level, entry.message) for entry in entries] == [
        (level, "a [1, ] {b => 2}  Sensitive [value redacted]")
    ]


def test_deprecated_conversions_warn_once():
    entries, _ = run("notice(max('1', 2), max('3', 4), abs('-1'), abs('-2'))")
    assert [entry.level for entry in entries].count("warning") == 2


@pytest.mark.parametrize(
    ("code", "issue"),
    [
        ("import('x')", "DISCONTINUED_IMPORT"),
        ("dig({ a => 1 }, a, b)", "EXPECTED_COLLECTION"),
        ("dig([1], a)", "EXPECTED_INTEGER_INDEX"),
        ("call('no_such_function')", "UNKNOWN_FUNCTION"),
    ],
)
def test_errors_have_codes(code, issue):
    _, error = run(code)
    assert error.code == issue


def test_empty_of_a_number_is_deprecated_once_for_each_line():
    """Puppet counts the lines, not the calls."""
    entries = []
    code = "[1, 2].each |$x| { empty($x) }\nnotice(empty(3))\n"
    compile_catalog(Request(code=code), entries.append)
    assert [entry.line for entry in entries if "deprecated" in entry.message] == [1, 2]


@pytest.mark.parametrize("name", ["each", "map", "filter", "any", "all", "index"])
def test_all_signatures_of_an_iteration_are_in_its_error_as_in_puppet(name):
    with pytest.raises(PuppetError) as caught:
        bunraku.evaluate(f"undef.{name} |$x| {{ true }}")
    lines = str(caught.value.diagnostic.in_puppet.words).splitlines()
    shown = [one.strip() for one in lines if one.endswith("block)")]
    assert shown == [
        "(Hash hash, Callable[2, 2] block)",
        "(Hash hash, Callable[1, 1] block)",
        "(Iterable enumerable, Callable[2, 2] block)",
        "(Iterable enumerable, Callable[1, 1] block)",
    ]
