"""Each resource type has a page, a sentence about each attribute and an example without wrong values."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

import bunraku
from bunraku.apply.validate import wrong_values
from bunraku.catalog.schema.builtin import builtin_resource_type_names
from bunraku.providers.resource_type import ResourceType

TOOL = import_module("tools.write_type_pages")
TYPES: list[ResourceType] = TOOL.types()
ALL_TYPES = {"vendormoduledir": "/opt/puppetlabs/puppet/vendor_modules"}
"""The setting with which the types of Puppet's agent package are known."""
MODULES = Path("/usr/share/puppet/modules")


@pytest.mark.parametrize("path", TOOL.pages(), ids=lambda path: path.name)
def test_page_is_current(path: Path) -> None:
    assert path.read_text(encoding="utf-8") == TOOL.pages()[path], "run make pages"


def test_no_page_is_left_of_a_type_that_is_gone() -> None:
    found = {path.stem for path in (TOOL.DOCS / "types").glob("*.md")}
    assert found == {kind.name for kind in TYPES}


@pytest.mark.parametrize("kind", TYPES, ids=lambda kind: kind.name)
def test_every_attribute_has_a_sentence(kind: ResourceType) -> None:
    assert TOOL.undocumented(kind) == []


@pytest.mark.parametrize("kind", TYPES, ids=lambda kind: kind.name)
def test_the_example_compiles_with_right_values(kind: ResourceType) -> None:
    code = TOOL.example_file(kind.name).read_text(encoding="utf-8")
    if not TOOL.schema_of(kind.name):
        pytest.skip("the type comes from a module")
    catalog = bunraku.compile(code, settings=ALL_TYPES)
    assert any(one.type.lower() == kind.name for one in catalog)
    assert wrong_values(catalog) == []


@pytest.mark.parametrize("kind", TYPES, ids=lambda kind: kind.name)
def test_a_page_has_words_of_puppet_and_names_the_module(kind: ResourceType) -> None:
    text = TOOL.page(kind)
    assert not any(one in text for one in ("`True`", "`False`", "`None`"))
    assert "``" not in text.replace("```puppet", "").replace("```\n", "")
    assert kind.module or kind.name in {*builtin_resource_type_names(), "yumrepo"}
    assert not kind.providers or "`provider` |" in text


def test_a_page_says_which_providers_have_a_feature() -> None:
    text = TOOL.page(next(kind for kind in TYPES if kind.name == "vcsrepo"))
    assert "needs `basic_auth` (`hg`, `svn`)" in text
    assert "needs `gzip_compression` (no provider of bunraku)" in text
