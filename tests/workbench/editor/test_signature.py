"""The signature of the call around ``^``, with the argument that is written."""

from __future__ import annotations

import pytest

from bunraku.workbench.editor.signature import signature_help

FILES = {
    "functions/key.pp": "# Return a key\n# @param name A name\nfunction ntp::key(String $name, Integer $number = 1) >> String {\n  $name\n}\n"
}


@pytest.mark.parametrize(
    ("text", "label", "argument"),
    [
        ("$x = ntp::key(^", "ntp::key(String $name, Integer $number = 1) >> String", 0),
        ("$x = ntp::key('a, (b', ^", "ntp::key(String $name, Integer $number = 1) >> String", 1),
        ("$x = ntp::key('a', [1, 2^])", "ntp::key(String $name, Integer $number = 1) >> String", 1),
        ("$x = 'a'.ntp::key(^)", "ntp::key(String $name, Integer $number = 1) >> String", 1),
        ("$x = split('a^')", "split(", 0),
    ],
)
def test_the_call_around_the_cursor(workspace, text, label, argument):
    found = signature_help(*workspace({**FILES, "manifests/init.pp": text}).cursor)
    assert found is not None
    assert found.signatures[found.active].label.startswith(label)
    assert found.argument == argument


@pytest.mark.parametrize(
    "text", ["$x = ^", "class a(^", "unknown_function(^", "notice(1)^", "# f(^"]
)
def test_no_signature_outside_of_calls(workspace, text):
    assert signature_help(*workspace({**FILES, "manifests/init.pp": text}).cursor) is None
