"""Every attribute with every kind of value: a run goes on, whatever a catalog holds."""

from __future__ import annotations

import pytest

from bunraku.providers.registry import type_names
from support.applying import apply
from support.attribute_runs import crash_of, crashes, outcome, python_spellings, words_of_python
from support.attributes import REQUIRED, VALUES, Machine, Trial, catalog_of
from support.host import file


@pytest.mark.parametrize("type_", type_names())
def test_a_value_of_any_kind_fails_its_resource_at_most(type_: str) -> None:
    """Some kinds of values for each attribute; ``make fuzz-sweeps`` tries all of them."""
    assert crashes(type_, every=False) == []


@pytest.mark.parametrize("type_", [one for one in type_names() if one != "yumrepo"])
def test_values_are_written_as_ruby_spells_them(type_: str) -> None:
    """Files of yum have ``True`` and ``False``, as Puppet writes them."""
    assert python_spellings(type_) == []


@pytest.mark.parametrize("type_", type_names())
def test_refusals_have_no_words_of_python(type_: str) -> None:
    assert words_of_python(type_) == []


@pytest.mark.parametrize("type_", ["host", "mailalias", "mount", "sshkey"])
@pytest.mark.parametrize("target", [5, True, {"a": 1}, [["/srv/a"]]])
def test_a_target_that_is_no_text_fails_its_resource_only(type_: str, target: object) -> None:
    """Puppet refuses all resources of such a provider; it reads their states together."""
    title, parameters = REQUIRED[type_]
    done = apply(Machine(), catalog_of(type_, title, {**parameters, "target": target}))
    assert done.report.failures == 1
    assert any("no implicit conversion of " in line for line in done.lines)
    assert "Notice: afterwards" in done.lines


@pytest.mark.parametrize("text", ["", "\0", "\udcff", "\0" * 50 + "\n::::\n= [\n"])
@pytest.mark.parametrize("type_", type_names())
def test_damaged_files_of_a_machine_fail_resources_at_most(type_: str, text: str) -> None:
    machine = Machine()
    content = text.encode("utf-8", "surrogateescape")
    for path, entry in machine.entries.items():
        if entry.kind == "file" and not path.startswith("/bin/"):
            machine.entries[path] = file(content + entry.content[: len(entry.content) // 2])
    title, parameters = REQUIRED[type_]
    done = apply(machine, catalog_of(type_, title, parameters))
    assert "Notice: afterwards" in done.lines


def test_an_empty_target_is_not_the_default_one() -> None:
    machine = Machine()
    before = machine.text("/etc/hosts")
    title, parameters = REQUIRED["host"]
    done = apply(machine, catalog_of("host", title, {**parameters, "target": ""}))
    assert done.report.failures == 1
    assert machine.text("/etc/hosts") == before


def test_a_long_value_takes_no_long_time() -> None:
    """A pattern must not try each part of a long text again: 70,000 characters took 6 s."""
    trial = Trial("exec", "environment", "long")
    assert crash_of(trial.catalog(VALUES["long"]), noop=False) is None


def test_a_huge_number_of_tries_ends_when_the_command_succeeds() -> None:
    trial = Trial("exec", "tries", "huge number")
    assert crash_of(trial.catalog(VALUES["huge number"]), noop=False) is None


@pytest.mark.parametrize(("source", "words"), [(["a", ["b"]], "a b"), ({"a": 1}, '{"a"=>1}')])
def test_words_of_a_command_are_texts(source: object, words: str) -> None:
    """Puppet flattens the words of a command and converts each to text."""
    title, parameters = REQUIRED["package"]
    catalog = catalog_of("package", title, {**parameters, "source": source})
    assert f" install {words}'" in outcome(catalog).texts
