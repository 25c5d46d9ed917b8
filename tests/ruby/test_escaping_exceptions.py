"""Exceptions of Ruby code that are no StandardError pass Puppet 7.23's evaluator: no place, no words around.

The report for people has bunraku's message and the place of the call.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.support.ruby_code import needs_ruby

from bunraku.jobs.batch import answer

pytestmark = needs_ruby
CALLS = {
    "at top scope": "\n$x = m::f()",
    "in a class": "class c {\n  $x = m::f()\n}\ninclude c",
    "in a defined type": "define d {\n  $x = m::f()\n}\nd { 'a': }",
    "in a template": "\n$x = inline_template(\"<% scope.call_function('m::f', []) %>\")",
}
BODIES = {
    "LoadError": "raise LoadError, 'text'",
    "NotImplementedError": "raise NotImplementedError, 'text'",
    "SecurityError": "raise SecurityError, 'text'",
    "dynamic": "raise Object.const_get('ScriptError'), 'text'",
}


def error(folder: Path, code: str, text: str, name: str = "functions/m/f.rb") -> dict[str, Any]:
    """The error of a manifest with one function file."""
    path = folder / "m/lib/puppet" / name
    path.parent.mkdir(parents=True)
    path.write_text(text)
    request = {"id": "1", "code": code, "modulepath": [str(folder)], "node": "n"}
    found: dict[str, Any] = json.loads(answer(json.dumps(request).encode()))["error"]
    return found


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("call", CALLS)
def test_passes_as_it_is(call: str, body: str, tmp_path: Path) -> None:
    text = (
        f"Puppet::Functions.create_function(:'m::f') do\n  def f\n    {BODIES[body]}\n  end\nend\n"
    )
    found = error(tmp_path, CALLS[call], text)
    assert (found["text"], found["line"]) == ("text on node n", None)


@pytest.mark.parametrize("call", ["at top scope", "in a defined type"])
@pytest.mark.parametrize(
    ("name", "rest"),
    [
        ("functions/m/f.rb", "Puppet::Functions.create_function(:'m::f') do\n def f; end\nend"),
        (
            "parser/functions/f.rb",
            "Puppet::Parser::Functions.newfunction(:f, type: :rvalue) { |args| 1 }",
        ),
    ],
)
def test_a_missing_library_of_a_function(call: str, name: str, rest: str, tmp_path: Path) -> None:
    code = CALLS[call].replace("m::f", "f") if name.startswith("parser") else CALLS[call]
    found = error(tmp_path, code, f"require 'no_such_library'\n{rest}\n", name)
    assert (found["text"], found["line"]) == (
        "cannot load such file -- no_such_library on node n",
        None,
    )


def test_a_method_in_an_old_function(tmp_path: Path) -> None:
    text = (
        "def helper; end\nPuppet::Parser::Functions.newfunction(:f, type: :rvalue) { |args| 1 }\n"
    )
    found = error(tmp_path, "\n$x = f()", text, "parser/functions/f.rb")
    assert "defines the method 'helper'" in found["message"]
    assert found["line"] is None


def test_a_standard_error_has_a_place(tmp_path: Path) -> None:
    text = "Puppet::Functions.create_function(:'m::f') do\n  def f\n    raise 'text'\n  end\nend\n"
    found = error(tmp_path, CALLS["at top scope"], text)
    assert found["line"] == 2


def test_no_address_of_a_class_without_a_name(tmp_path: Path) -> None:
    text = "Puppet::Functions.create_function(:'m::f') do\n  def f\n    nope\n  end\nend\n"
    first = error(tmp_path / "one", CALLS["at top scope"], text)["message"]
    assert "0x" not in first
    assert first == error(tmp_path / "two", CALLS["at top scope"], text)["message"]
