"""Resources that Ruby code adds to the catalog: places, containers and tags are those of Puppet 7.23."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.ruby_code import compiled, needs_ruby

from bunraku.catalog.compiled import CompiledCatalog, CompiledResource

pytestmark = needs_ruby
FUNCTION = """Puppet::Functions.create_function(:'m::add', Puppet::Functions::InternalFunction) do
  dispatch(:add) do
    scope_param
  end
  def add(scope)
    added = Puppet::Parser::Resource.new(:notify, 'x', scope: scope, source: scope.source%s)
    %s
  end
end
"""
CODE = "class c { m::add() }\ninclude c"


def added(folder: Path, action: str, options: str = "") -> tuple[CompiledCatalog, CompiledResource]:
    """The catalog of a class that calls the function, and the resource that it adds."""
    path = folder / "m/lib/puppet/functions/m/add.rb"
    path.parent.mkdir(parents=True)
    path.write_text(FUNCTION % (options, action))
    catalog, _ = compiled(CODE, modulepath=[str(folder)])
    return catalog, next(one for one in catalog.resources if one.title == "x")


def test_compiler_adds_to_the_container_of_the_scope(tmp_path: Path) -> None:
    catalog, resource = added(tmp_path, "scope.compiler.add_resource(scope, added)")
    assert ("Class[C]", "Notify[x]") in catalog.edges
    assert {"class", "c", "notify"} <= set(resource.tags)
    assert (resource.file, resource.line) == (None, None)


def test_compiler_takes_the_place_of_the_object(tmp_path: Path) -> None:
    action = "scope.compiler.add_resource(scope, added)"
    _, resource = added(tmp_path, action, ", file: '/a.pp', line: 3")
    assert (resource.file, resource.line) == ("/a.pp", 3)


def test_catalog_adds_to_no_container(tmp_path: Path) -> None:
    catalog, resource = added(tmp_path, "scope.catalog.add_resource(added)")
    assert not any("Notify[x]" in edge for edge in catalog.edges)
    assert set(resource.tags) == {"notify", "x"}
    assert (resource.file, resource.line) == (None, None)


@pytest.mark.parametrize("form", ["virtual", "exported"])
def test_resources_may_be_virtual(form: str, tmp_path: Path) -> None:
    path = tmp_path / "m/lib/puppet/functions/m/add.rb"
    path.parent.mkdir(parents=True)
    path.write_text(
        FUNCTION % ("", f"added.{form} = true; scope.compiler.add_resource(scope, added)")
    )
    catalog, _ = compiled(CODE, modulepath=[str(tmp_path)])
    assert "x" not in {one.title for one in catalog.resources}


def test_created_resources_of_a_text_are_in_an_unknown_file() -> None:
    catalog, _ = compiled("\ncreate_resources('notify', {'x' => {}})")
    resource = next(one for one in catalog.resources if one.title == "x")
    assert (resource.file, resource.line) == ("unknown", 2)
