"""The Python interface: small, sorted, typed, cheap to import."""

from __future__ import annotations

import ast
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import bunraku

STUB = Path(bunraku.__file__).with_suffix(".pyi")


def test_the_interface_is_small_and_sorted():
    assert bunraku.__all__ == sorted(bunraku.__all__)
    assert len(bunraku.__all__) <= 22


def test_type_checkers_see_the_same_names():
    tree = ast.parse(STUB.read_text(encoding="utf-8"))
    imported = [
        alias.name for one in tree.body if isinstance(one, ast.ImportFrom) for alias in one.names
    ]
    assert sorted(imported) == bunraku.__all__
    for one in tree.body:
        if isinstance(one, ast.ImportFrom):
            home = import_module(str(one.module))
            for alias in one.names:
                assert getattr(bunraku, alias.name) is getattr(home, alias.name)


@pytest.mark.parametrize("name", bunraku.__all__)
def test_every_name_is_there_and_documented(name):
    assert getattr(bunraku, name).__doc__
    assert name in dir(bunraku)


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="nonsense"):
        _ = bunraku.nonsense


def test_importing_the_package_loads_nothing_else():
    program = "import sys, bunraku; print([name for name in sys.modules if name[:8] == 'bunraku.'])"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"


def test_compiles_a_file_and_a_folder(tmp_path):
    (tmp_path / "site.pp").write_text("notify { 'from a file': }\n")
    for path in (tmp_path / "site.pp", str(tmp_path / "site.pp"), tmp_path):
        catalog = bunraku.compile(path, node="web.example.com")
        assert catalog.name == "web.example.com"
        (notify,) = (one for one in catalog.resources if one.type == "Notify")
        assert (notify.title, notify.file, notify.line) == (
            "from a file",
            str(tmp_path / "site.pp"),
            1,
        )


def test_logs_go_to_the_caller():
    entries = []
    bunraku.compile("notice('hello')", log=entries.append)
    assert [(one.level, one.message) for one in entries] == [("notice", "hello")]


def test_an_error_tells_code_and_place():
    with pytest.raises(bunraku.PuppetError) as caught:
        bunraku.compile("$a = 1\n$b = $a / 0\n")
    assert caught.value.code == "DIV_BY_ZERO"
    assert caught.value.span.line == 2
    assert caught.value.phase == "evaluate"


def test_a_parse_error_holds_every_mistake():
    with pytest.raises(bunraku.PuppetError) as caught:
        bunraku.parse("$a = = 1\n$b = [1,,2]\n")
    assert [one.span.line for one in caught.value] == [1, 2]
    assert caught.value.phase == "parse"


def test_parses_templates():
    program = bunraku.parse("<%= $x %> is x", epp=True)
    assert program.body is not None


def test_evaluates_to_python_values():
    assert bunraku.evaluate("{ 'a' => [1, 2.5, undef, true] }") == {"a": [1, 2.5, None, True]}


def test_an_error_has_no_frames_of_the_compiler():
    with pytest.raises(bunraku.PuppetError) as caught:
        bunraku.compile("class a { fail('no') } include a")
    files = [Path(str(entry.path)).name for entry in caught.traceback]
    assert files == ["test_api.py", "keywords.py", "compile.py", "tracebacks.py"]


def test_a_resource_with_an_alias_compiles():
    catalog = bunraku.compile("file { '/a/': } file { 'b': path => '/b', alias => 'c' }")
    assert [one.reference for one in catalog.by_type("File")] == ["File[/a/]", "File[b]"]
