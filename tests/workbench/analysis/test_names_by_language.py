"""The analysis finds the class or defined type that a compile finds, in every language."""

from __future__ import annotations

import json
from itertools import product

import pytest

from bunraku.base.source import Source
from bunraku.dialects.languages import dialect_named
from bunraku.engine.request import Request
from bunraku.jobs.batch import answer
from bunraku.workbench.analysis.analyse import analyse
from bunraku.workbench.analysis.issues import MODULE_NOT_INSTALLED
from bunraku.world.dictionary import DictionaryWorld

LANGUAGES = ("8", "3.8-future", "3.8", "3.0")
SHARED = """
define d($top = 1, $both = 2) { }
define m::d($inner = 1, $both = 2) { }
define m::service($special = 1) { }
define m::x::d($deep = 1) { }
define m::only($mine = 1) { }
class k($top = 1, $both = 2) { }
class m::k($inner = 1, $both = 2) { }
class m::alone($mine = 1) { }
class m::x::k($deep = 1) { }
"""
PLACES = {
    "top": "%s",
    "class m": "class m { %s }\ninclude m",
    "class m::x::y": "class m::x::y { %s }\ninclude m::x::y",
    "define m::z": "define m::z() { %s }\nm::z { 'z': }",
    "define m::x::z": "define m::x::z() { %s }\nm::x::z { 'z': }",
    "class n::m": "class n::m { %s }\ninclude n::m",
}
STATEMENTS = [
    "service { 'a': provider => 'upstart' }",
    "service { 'a': special => 1 }",
    "m::service { 'a': special => 1 }",
    "::m::service { 'a': special => 1 }",
    "d { 'a': top => 1 }",
    "d { 'a': inner => 1 }",
    "d { 'a': deep => 1 }",
    "d { 'a': both => 1 }",
    "::d { 'a': top => 1 }",
    "::d { 'a': inner => 1 }",
    "m::d { 'a': inner => 1 }",
    "x::d { 'a': deep => 1 }",
    "only { 'a': mine => 1 }",
    "class { 'k': top => 1 }",
    "class { 'k': inner => 1 }",
    "class { 'k': deep => 1 }",
    "class { '::k': top => 1 }",
    "class { '::k': inner => 1 }",
    "class { 'm::k': inner => 1 }",
    "class { 'x::k': deep => 1 }",
    "class { 'alone': mine => 1 }",
    "include alone",
    "include x::k",
    "include ::alone",
    "include m::alone",
]


def compiles(code, language):
    """Whether a catalog can be compiled from code."""
    asked = {"id": "", "code": code, "language": language, "as_file": True}
    return json.loads(answer(json.dumps(asked).encode()))["status"] == "ok"


def has_errors(code, language):
    """Whether the analysis finds an error in code, or a class of a module that is not there."""
    program = dialect_named(language).parse(Source(code, "/site.pp")).program
    # The module is there, so an unknown name in it is an error.
    world = DictionaryWorld({"/m/m/manifests/none.pp": b"", "/m/x/manifests/none.pp": b""})
    request = Request(modulepath=["/m"], world=world, language=language)
    absent = MODULE_NOT_INSTALLED.code
    return any(one.severity == "error" or one.code == absent for one in analyse(request, [program]))


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_mean_what_a_compile_finds(language):
    different = []
    for (place, around), statement in product(PLACES.items(), STATEMENTS):
        code = SHARED + around % statement
        if compiles(code, language) == has_errors(code, language):
            different.append((place, statement))
    assert different == []


@pytest.mark.parametrize(
    ("language", "parent"), [("8", "top"), ("3.8", "inner"), ("3.8-future", "top")]
)
def test_a_class_inherits_from_the_class_that_a_compile_finds(language, parent):
    code = """
class base { $top = 1 }
class m::base { $inner = 1 }
class m::child inherits base { notice($%s) }
include m::child
"""
    program = dialect_named(language).parse(Source(code % "top", "/site.pp")).program
    request = Request(world=DictionaryWorld({}), language=language)
    unknown = [one for one in analyse(request, [program]) if one.code == "UNKNOWN_VARIABLE"]
    assert (not unknown) == (parent == "top")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_type_in_ruby_comes_before_a_defined_type_of_the_namespace(language):
    code = "define m::service() { service { $title: provider => 'upstart' } }\nm::service { 'a': }"
    assert compiles(code, language)
    assert not has_errors(code, language)
