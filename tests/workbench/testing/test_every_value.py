"""A class or defined type compiles with every value that its parameters accept."""

from __future__ import annotations

import pytest

from bunraku import PuppetError
from bunraku.workbench.testing.compiling import Compiler
from bunraku.workbench.testing.project import code_under_test
from bunraku.world.machine import Machine

METADATA = '{"name": "a-web", "version": "1.0.0", "author": "a", "license": "MIT", "source": "s", "dependencies": []}'
MANIFESTS = {
    "init.pp": """
class web(Integer[1, 9] $workers, Boolean $tls = false, Optional[Web::Port] $port = undef) {
  if $workers > 4 and $tls { fail("no TLS with ${workers} workers") }
  file { '/srv': mode => $port ? { 443 => 'secret', default => '0644' } }
}""",
    "site.pp": """
define web::site(String[1] $owner, $untyped = 1, Optional[Callable] $callback = undef) {
  file { $title: owner => $owner }
}""",
    "good.pp": 'class web::good(Web::Port $port, Sensitive[String] $password) { notify { "${port}": } }',
    "callable.pp": "class web::callable(Callable $callback) { }",
    "wrong.pp": "class web::wrong { fail('always') }",
}


@pytest.fixture
def compiler(tmp_path):
    root = tmp_path / "web"
    for folder in ("manifests", "types"):
        (root / folder).mkdir(parents=True)
    (root / "metadata.json").write_text(METADATA)
    for name, text in MANIFESTS.items():
        (root / "manifests" / name).write_text(text)
    (root / "types" / "port.pp").write_text("type Web::Port = Integer[440, 443]")
    return Compiler(code_under_test(str(root), Machine()), {})


def message(compiler, *arguments, **options):
    with pytest.raises(AssertionError) as caught:
        compiler.for_every_value(*arguments, **options)
    return str(caught.value)


def test_values_that_compile(compiler):
    compiler.for_every_value("web::good")
    compiler.for_every_value("web", params={"tls": False, "port": 440})
    compiler.for_every_value("web", only=["workers"])
    assert not compiler.matches


def test_the_simplest_values_that_do_not_compile(compiler):
    found = message(compiler, "web", params={"port": 440})
    assert found.startswith(
        "class web does not compile with values that its parameters accept\n"
        "  workers => 5\n"
        "  tls => true\n"
        "  error: no TLS with 5 workers (file: "
    )
    assert message(compiler, "web", params={"port": 440}) == found


def test_an_agent_could_not_apply_the_catalog(compiler):
    found = message(compiler, "web", refused="no TLS")
    assert "port => 443" in found
    assert "The file mode specification is invalid" in found


def test_an_error_on_purpose(compiler):
    compiler.for_every_value("web", params={"port": 440}, refused=r"no TLS with \d workers")


def test_a_class_that_never_compiles(compiler):
    assert message(compiler, "web::wrong").startswith(
        "class web::wrong does not compile\n  error: always"
    )


def test_a_defined_type_of_the_module_and_of_the_test(compiler):
    compiler.for_every_value(define="web::site", title="/srv", examples=10)
    code = "define small(Integer[0, 3] $number) { if $number == 2 { fail('two') } }"
    found = message(compiler, define="small", title="a", pre=code)
    assert found.startswith("small does not compile with values")
    assert "number => 2\n  error: two" in found


def test_parameters_of_which_no_value_can_be_made(compiler):
    with pytest.raises(PuppetError, match="Cannot make values of Callable") as caught:
        compiler.for_every_value("web::callable")
    assert caught.value.diagnostic.hint == "give the value: params={'callback': …}"
    with pytest.raises(PuppetError, match="Cannot make values of Any: the parameter has no type"):
        compiler.for_every_value(define="web::site", title="a", only=["untyped"])


def test_mistyped_names(compiler):
    with pytest.raises(TypeError, match=r"no parameter named 'prt' \(did you mean 'port'\?\)"):
        compiler.for_every_value("web", only=["prt"])
    with pytest.raises(TypeError, match="no parameter named 'x'"):
        compiler.for_every_value("web", params={"x": 1})
    with pytest.raises(PuppetError, match="Could not find class ::webs"):
        compiler.for_every_value("webs")
    with pytest.raises(TypeError, match="only classes and defined types have parameters, not code"):
        compiler.for_every_value(code="include web")
