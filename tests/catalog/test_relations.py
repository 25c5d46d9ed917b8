"""Dependency cycles: errors or warnings with their path, or not checked."""

from __future__ import annotations

import pytest

from bunraku.base.errors import PuppetError
from bunraku.engine.compile import compile_catalog
from bunraku.engine.request import Request


def compiled(code, *, cycles=True):
    return compile_catalog(Request(code, as_file="/site.pp", cycles=cycles), lambda entry: None)


def cycle(code):
    with pytest.raises(PuppetError) as caught:
        compiled(code)
    assert caught.value.code == "DEPENDENCY_CYCLE"
    path = caught.value.message.partition(": ")[2].split(" -> ")
    assert path[0] == path[-1]
    return set(path)


def test_two_resources():
    code = "notify { 'a': require => Notify['b'] }\nnotify { 'b': require => Notify['a'] }\n"
    assert cycle(code) == {"Notify[a]", "Notify[b]"}


def test_a_resource_and_itself():
    assert cycle("notify { 'a': require => Notify['a'] }") == {"Notify[a]"}


def test_a_longer_way():
    code = """
    notify { ['a', 'b', 'c', 'd']: }
    Notify['a'] -> Notify['b'] ~> Notify['c'] -> Notify['a']
    Notify['a'] -> Notify['d']
    """
    assert cycle(code) == {"Notify[a]", "Notify[b]", "Notify[c]"}


def test_through_a_class():
    code = """
    class k { notify { 'inside': } }
    include k
    notify { 'outside': require => Class['k'], before => Notify['inside'] }
    """
    assert "Notify[outside]" in cycle(code)


def test_a_resource_that_its_own_class_requires():
    code = """
    class k { notify { 'inside': before => Class['k'] } }
    include k
    """
    assert "Notify[inside]" in cycle(code)


def test_the_place_is_that_of_a_resource_on_the_way():
    with pytest.raises(PuppetError) as caught:
        compiled("\nnotify { 'a':\n  require => Notify['a'],\n}\n")
    assert caught.value.diagnostic.place.where[:2] == ("/site.pp", 2)


CYCLE = "\nnotify { 'a': require => Notify['b'] }\nnotify { 'b': require => Notify['a'] }\n"


def test_a_warning_beside_the_catalog_that_puppet_makes():
    log = []
    catalog = compile_catalog(Request(CYCLE, as_file="/site.pp"), log.append)
    assert catalog.find("Notify", "a")
    (entry,) = log
    assert (entry.level, entry.code) == ("warning", "DEPENDENCY_CYCLE")
    assert (entry.file, entry.line) == ("/site.pp", 2)
    assert "Notify[a] -> Notify[b] -> Notify[a]" in entry.message
    assert entry.message.endswith("the agent refuses this catalog")


def test_not_checked():
    log = []
    catalog = compile_catalog(Request(CYCLE, as_file="/site.pp", cycles=False), log.append)
    assert catalog.find("Notify", "a")
    assert not log


@pytest.mark.parametrize(
    "code",
    [
        "notify { ['a', 'b']: }\nNotify['a'] -> Notify['b']\nNotify['a'] ~> Notify['b']",
        "class k { notify { 'a': } -> notify { 'b': } }\ninclude k\nnotify { 'c': require => Class['k'] }",
        "@notify { 'v': require => Notify['v'] }",
        "class a { contain b }\nclass b { notify { 'b': } }\ninclude a\nnotify { 'c': before => Class['a'] }",
    ],
)
def test_no_cycle(code):
    assert compiled(code)


def test_a_long_chain_is_no_depth_of_python():
    code = 'Integer[1, 3000].each |$n| { notify { "n${n}": } }\n'
    code += 'Integer[1, 2999].each |$n| { Notify["n${n}"] -> Notify["n${$n + 1}"] }\n'
    assert len(compiled(code).resources) > 3000
