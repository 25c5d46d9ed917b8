"""Functions that define ``lookupdefaults`` of a scope, as that of the module noop does; the answers are those of Puppet 7.23."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.support.ruby_code import compiled, needs_ruby

pytestmark = needs_ruby
MARK = """
Puppet::Functions.create_function(:mark, Puppet::Functions::InternalFunction) do
  dispatch(:mark) do
    scope_param
    param 'Any', :value
  end
  def mark(scope, value)
    scope.define_singleton_method(:lookupdefaults) do |type|
      parameter = Puppet::Parser::Resource::Param.new(name: :noop, value: value, source: source)
      @defaults[type][:noop] = parameter
      super(type).merge(noop: parameter)
    end
  end
end
"""
EXTEND = """
Puppet::Functions.create_function(:mark_by_module, Puppet::Functions::InternalFunction) do
  dispatch(:mark) { scope_param }
  def mark(scope)
    scope.extend(Module.new do
      define_method(:lookupdefaults) do |type|
        super(type).merge(noop: Puppet::Parser::Resource::Param.new(name: :noop, value: 'module', source: source))
      end
    end)
    nil
  end
end
"""
CODE = """
class a { mark(false) notify { 'x': } d { 'y': } include b }
class b { notify { 'z': } file { '/q': noop => true } Notify { message => 'm', noop => true } notify { 'zz': } }
define d() { notify { "d${title}": } mark(true) notify { "e${title}": } }
class c { mark(undef) notify { 'cx': } }
class e { mark(true) notify { 'ex': } include f }
class f {
  mark(undef) Notify { withpath => true } notify { 'fx': } mark(true) notify { 'fy': }
  [1].each |$i| { mark(false) notify { "l$i": } } notify { 'after': }
}
class g { notify { 'g': } mark_by_module() notify { 'module': } }
Notify { loglevel => info }
notify { 'top': }
include a, c, e, g
node default { mark(true) notify { 'node': } include h }
class h inherits parent { notify { 'h': } class { 'i': } }
class parent { }
class i { }
"""
INFO = {"loglevel": "info"}
EXPECTED: dict[str, dict[str, Any]] = {
    "Notify[top]": INFO,
    "Class[B]": {"noop": False},
    "Class[F]": {"noop": True},
    "Class[H]": {"noop": True},
    "Class[I]": {"noop": True},
    "Class[Parent]": {"noop": True},
    "D[y]": {"noop": False},
    "File[/q]": {"noop": True},
    "Notify[x]": {**INFO, "noop": False},
    "Notify[z]": {**INFO, "noop": False},
    "Notify[zz]": {**INFO, "message": "m", "noop": True},
    "Notify[dy]": {**INFO, "noop": False},
    "Notify[ey]": {**INFO, "noop": True},
    "Notify[cx]": INFO,
    "Notify[ex]": {**INFO, "noop": True},
    "Notify[fx]": {**INFO, "withpath": True},
    "Notify[fy]": {**INFO, "noop": True, "withpath": True},
    "Notify[l1]": {**INFO, "noop": False, "withpath": True},
    "Notify[after]": {**INFO, "noop": False, "withpath": True},
    "Notify[g]": INFO,
    "Notify[module]": {**INFO, "noop": "module"},
    "Notify[node]": {**INFO, "noop": True},
    "Notify[h]": {**INFO, "noop": True},
}


def test_defaults_that_ruby_code_computes(tmp_path: Path) -> None:
    for name, text in {"mark.rb": MARK, "mark_by_module.rb": EXTEND}.items():
        path = tmp_path / "m" / "lib" / "puppet" / "functions" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    catalog, _ = compiled(CODE, modulepath=[str(tmp_path)])
    found = {one.reference: one.parameters for one in catalog.resources}
    assert {name: found[name] for name in EXPECTED} == EXPECTED
