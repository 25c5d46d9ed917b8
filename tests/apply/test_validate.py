"""Values are checked without a machine as Puppet checks them before it applies a catalog."""

from __future__ import annotations

from collections import Counter

import pytest

import bunraku
from bunraku.apply.validate import run_without_machine, wrong_values
from bunraku.base.errors import PuppetError
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.registry import resource_type, type_names
from support.wrong_values import KNOWN_DIFFERENCES, agrees, catalog_of, lines, recorded

ODD = ("", "bad word", "rel/x", 5, -1, True, [], ["a", "/b"], {"a": 1}, 1.5)


def test_every_resource_of_the_table_is_recorded() -> None:
    assert list(recorded()) == lines()


def test_a_compile_names_the_module_of_a_type() -> None:
    with pytest.raises(PuppetError) as caught:
        bunraku.compile("archive { '/x': }")
    hint = "the module puppet-archive has the type; it must be on the module path"
    assert caught.value.diagnostic.hint == hint


def test_every_type_has_ten_resources_in_the_table() -> None:
    counts = Counter(line.split()[0] for line in lines())

    assert [name for name in type_names() if counts[name] < 10] == []


def test_known_differences_are_in_the_table() -> None:
    assert KNOWN_DIFFERENCES.keys() <= set(lines())


@pytest.mark.parametrize("line", lines())
def test_a_value_is_refused_as_puppet_refuses_it(line: str) -> None:
    expected = recorded()[line]
    found = [finding.message for finding in wrong_values(catalog_of(line))]
    assert agrees(found, expected) != (line in KNOWN_DIFFERENCES), (found, expected)


@pytest.mark.parametrize("name", type_names())
def test_a_value_of_an_odd_kind_never_ends_in_an_internal_error(name: str) -> None:
    run = run_without_machine()
    kind = resource_type(name, run)
    assert kind is not None
    for attribute in kind.attributes:
        for value in ODD:
            for error in ManagedResource(kind, "/title", {attribute.name: value}).problems():
                assert error.code in {
                    "INVALID_RESOURCE_VALUE",
                    "INVALID_RESOURCE",
                    "UNKNOWN_FILEBUCKET",
                }


def test_all_wrong_values_are_reported_at_their_places() -> None:
    manifest = (
        "service { 'a': ensure => 1, enable => 2 }\nexec { '/a': tries => 0 }\nfoo::bar { 'x': }"
    )
    catalog = bunraku.compile(manifest + "\ndefine foo::bar() { notify { 'a': withpath => 3 } }")

    found = [(one.line, one.arguments["name"]) for one in wrong_values(catalog)]

    assert found == [(1, "enable"), (1, "ensure"), (2, "tries"), (4, "withpath")]


def test_checks_of_the_machine_are_left_out() -> None:
    """Which users exist and whether this is root depend on the machine; so does the provider."""
    catalog = bunraku.compile("exec { '/a': user => 'nobody' } service { 'a': ensure => running }")

    assert wrong_values(catalog) == []


def test_types_that_cannot_be_applied_and_exported_resources_are_left_alone() -> None:
    code = "nagios_host { 'a': use => 5 } @@exec { 'a': timeout => x } @exec { 'b': tries => 0 }"

    assert wrong_values(bunraku.compile(code, language="3.8")) == []


def test_a_secret_value_is_not_shown() -> None:
    catalog = bunraku.compile("exec { '/a': umask => Sensitive('hidden') }")

    assert "hidden" not in repr(wrong_values(catalog))


def test_an_unknown_schedule_is_reported() -> None:
    catalog = bunraku.compile("notify { 'a': schedule => often } notify { 'b': schedule => daily }")

    assert [one.message for one in wrong_values(catalog)] == ["Could not find schedule often"]
