"""Stages, functions and data types."""

import pytest


def test_stages(compile):
    catalog = compile("stdlib::stages")
    assert catalog.contains("Stage[setup]").that_comes_before("Stage[deploy]")


@pytest.mark.parametrize(("text", "title"), [("web server", "Web Server"), ("", "")])
def test_a_function(compile, text, title):
    assert compile.evaluate(f"'{text}'.split(' ').map |$w| {{ $w.capitalize }}.join(' ')") == title


@pytest.mark.parametrize("port", [0, 80, 65535])
def test_ports(compile, port):
    assert compile.accepts("Stdlib::Port", port)


@pytest.mark.parametrize("port", [-1, 65536, "80"])
def test_other_values_are_not_ports(compile, port):
    assert not compile.accepts("Stdlib::Port", port)


def test_merging_hashes(compile):
    assert compile.call("deep_merge", {"a": {"b": 1}}, {"a": {"c": 2}}) == {"a": {"b": 1, "c": 2}}
