"""What ``bunraku docs`` finds in comments."""

from __future__ import annotations

from pathlib import Path

import pytest

from bunraku.base.source import Source
from bunraku.workbench.docs.findings import Findings
from bunraku.workbench.docs.module import read_module
from bunraku.world.machine import Machine

DOCUMENTED = "# @summary A class.\n"
SUMMARISED = "# @summary A function.\n"


def found_in(root: Path, path: str, text: str):
    """The findings of a module with one file: code, line, and the text that the carets mark."""
    file = root / path
    file.parent.mkdir(parents=True)
    file.write_text(text)
    found = Findings(str(root), lambda name: Source((root / name).read_text()))
    return [
        (one.code, one.line, one.span and one.span.source.text[one.span.start : one.span.end])
        for one in found.of_module(read_module(Machine(), str(root)))
    ]


MANIFESTS = {
    "nothing": (DOCUMENTED + "class a { }\n", []),
    "no comment": ("class a { }\n", [("DOCS_UNDOCUMENTED", 1, "a")]),
    "no summary": ("# Text.\nclass b { }\n", [("DOCS_NO_SUMMARY", 2, "b")]),
    "long summary": (
        f"# @summary {'x' * 141}\nclass a {{ }}\n",
        [("DOCS_LONG_SUMMARY", 1, "@summary")],
    ),
    "undocumented parameter": (
        DOCUMENTED + "class a (\n  $x,\n) { }\n",
        [("DOCS_UNDOCUMENTED_PARAMETER", 3, "$x")],
    ),
    "unknown parameter": (
        DOCUMENTED + "# @param heihgt text\nclass a { }\n",
        [("DOCS_UNKNOWN_PARAMETER", 2, " heihgt")],
    ),
    "title of a defined type": (
        DOCUMENTED + "# @param title text\n# @param name text\ndefine a { }\n",
        [],
    ),
    "option of an unknown parameter": (
        DOCUMENTED + "# @option opts [String] a text\nclass a { }\n",
        [("DOCS_UNKNOWN_PARAMETER", 2, " opts")],
    ),
    "repeated parameter": (
        DOCUMENTED + "# @param x text\n# @param x text\nclass a ($x) { }\n",
        [("DOCS_REPEATED_PARAMETER", 3, " x")],
    ),
    "other type": (
        DOCUMENTED + "# @param x [String] text\nclass a (Integer $x) { }\n",
        [("DOCS_OTHER_TYPE", 2, " x")],
    ),
    "unknown tag": (DOCUMENTED + "# @parm x\nclass a { }\n", [("DOCS_UNKNOWN_TAG", 2, "@parm")]),
    "incomplete tag": (
        DOCUMENTED + "# @example\nclass a { }\n",
        [("DOCS_INVALID_TAG", 2, "@example")],
    ),
    "broken manifest": ("class a {\n", [("DOCS_BROKEN_FILE", 1, "class a {")]),
}


@pytest.mark.parametrize("name", MANIFESTS)
def test_manifest(name, tmp_path):
    text, expected = MANIFESTS[name]
    assert found_in(tmp_path, "manifests/init.pp", text) == expected


FUNCTIONS = {
    "no return": (
        SUMMARISED + "function m::f() { 1 }\n",
        [("DOCS_NO_RETURN", 2, "m::f")],
    ),
    "other return type": (
        SUMMARISED + "# @return [String] text\nfunction m::f() >> Integer { 1 }\n",
        [("DOCS_OTHER_TYPE", 2, "@return")],
    ),
    "overloads": (
        SUMMARISED + "# @overload m::f()\n#   @return [String] x\nfunction m::f() { 1 }\n",
        [],
    ),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_function(name, tmp_path):
    text, expected = FUNCTIONS[name]
    assert found_in(tmp_path, "functions/f.pp", text) == expected


RUBY = {
    "misplaced tags": (
        """\
# @summary A function.
# @param x no effect
Puppet::Functions.create_function(:f) do
  # @param x text
  # @return [String] text
  dispatch :f do
    param 'String', :x
  end
end
""",
        [("DOCS_MISPLACED_TAG", 2, " x")],
    ),
    "dispatch": (
        """\
# @summary A function.
Puppet::Functions.create_function(:f) do
  # @param y text
  dispatch :f do
    param 'String', :x
  end
end
""",
        [
            ("DOCS_UNKNOWN_PARAMETER", 3, " y"),
            ("DOCS_NO_RETURN", 4, "dispatch :f do"),
            ("DOCS_UNDOCUMENTED_PARAMETER", 5, "x"),
        ],
    ),
    "resource type": (
        """\
Puppet::Type.newtype(:t) do
  @doc = '@summary A type.'
  newparam(:name) { desc 'The name.' }
  newproperty(:size)
end
""",
        [("DOCS_UNDOCUMENTED_PARAMETER", 4, "size")],
    ),
    "broken file": ("Puppet::Type.newtype(:t) do\n", [("DOCS_BROKEN_FILE", 1, None)]),
}


@pytest.mark.parametrize("name", RUBY)
def test_ruby(name, tmp_path):
    text, expected = RUBY[name]
    found = found_in(tmp_path, "lib/puppet/any.rb", text)
    if expected and expected[0][2] is None:
        assert [one[:2] for one in found] == [expected[0][:2]]
    else:
        assert found == expected


def test_task(tmp_path):
    text = '{\n  "parameters": {\n    "size": {"type": "Integer"}\n  }\n}\n'
    assert found_in(tmp_path, "tasks/t.json", text) == [
        ("DOCS_UNDOCUMENTED", 1, "{"),
        ("DOCS_UNDOCUMENTED_PARAMETER", 3, '"size"'),
    ]


def test_invalid_task(tmp_path):
    assert found_in(tmp_path, "tasks/t.json", "[]") == [("DOCS_BROKEN_FILE", 1, "[]")]


def test_texts_of_a_ruby_file_that_begins_with_empty_lines(tmp_path):
    file = tmp_path / "lib/puppet/type/a.rb"
    file.parent.mkdir(parents=True)
    file.write_text(
        "\n\n# A type.\nPuppet::Type.newtype(:a) do\n  desc <<-TEXT\n    All of it.\n  TEXT\nend\n"
    )
    (found,) = read_module(Machine(), str(tmp_path)).things["resource_types"]
    assert found.comment.text == "All of it."
