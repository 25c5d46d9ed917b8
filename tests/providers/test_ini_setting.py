"""The resource types ini_setting and ini_subsetting: the file and the providers."""

from __future__ import annotations

import pytest

from bunraku.providers.attributes import Property
from bunraku.providers.ini_file import IniFile, IniStyle
from bunraku.providers.ini_setting.type import HIDDEN
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.registry import BUILTIN_TYPES, resource_type
from bunraku.providers.run import Run
from support.host import MemoryHost, file

TEXT = "top = 1\n\n[one]\n  a = 1\n  ; b = 2\n\n\n[two]\nx=1\n"


def no_log(*_: object, **__: object) -> None:
    """Drop a message."""


def resource(host: MemoryHost, kind: str, **parameters: object) -> ManagedResource:
    """Return a resource whose values are checked."""
    found = resource_type(
        kind, Run(host, no_log, {"noop": False, "show_diff": False}, BUILTIN_TYPES)
    )
    assert found is not None
    made = ManagedResource(found, "title", {"path": "/a.ini", **parameters})
    made.complete()
    return made


@pytest.mark.parametrize(
    ("section", "setting", "expected"),
    [
        ("", "top", TEXT.replace("top = 1", "top = new")),
        ("", "other", TEXT.replace("top = 1\n", "top = 1\nother = new\n")),
        ("one", "a", TEXT.replace("  a = 1", "  a = new")),
        ("one", "b", TEXT.replace("  ; b = 2\n", "  ; b = 2\n  b = new\n")),
        ("one", "z", TEXT.replace("  ; b = 2\n", "  ; b = 2\n  z = new\n")),
        ("two", "x", TEXT.replace("x=1", "x=new")),
        ("three", "x", TEXT + "\n[three]\nx = new\n"),
    ],
)
def test_a_setting_is_put_where_it_belongs(section: str, setting: str, expected: str) -> None:
    ini = IniFile(TEXT, IniStyle())

    ini.set(section, setting, "new")

    assert ini.text() == expected


def test_a_section_without_settings_and_comments_is_removed() -> None:
    ini = IniFile(TEXT, IniStyle())

    ini.remove("two", "x")
    ini.remove("one", "a")

    assert ini.text() == "top = 1\n\n[one]\n  ; b = 2\n\n\n"


def test_values_are_not_shown_unless_diffs_are() -> None:
    made = resource(MemoryHost({"/a.ini": TEXT}), "ini_setting", setting="top", value="secret")

    value = made.type.by_name["value"]
    assert isinstance(value, Property)

    assert value.described(made, "1", "secret") == f"value changed {HIDDEN} to {HIDDEN}"


def test_mode_and_owner_stay() -> None:
    host = MemoryHost({"/a.ini": file(TEXT, mode=0o600, uid=1)})
    made = resource(host, "ini_setting", setting="top", value="2")

    made.provider.set(made, "value", "2")

    assert (host.entry("/a.ini").mode, host.entry("/a.ini").uid) == (0o600, 1)
    assert host.text("/a.ini").startswith("top = 2\n")


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        ({}, '"-Xmx1g -Dfoo -Xms2g"'),
        ({"insert_type": "start"}, '"-Xms2g -Xmx1g -Dfoo"'),
        ({"insert_type": "after", "insert_value": "-Xmx"}, '"-Xmx1g -Xms2g -Dfoo"'),
        ({"insert_type": "index", "insert_value": 9}, '"-Xmx1g -Dfoo -Xms2g"'),
    ],
)
def test_a_part_is_inserted(parameters: dict[str, object], expected: str) -> None:
    host = MemoryHost({"/a.ini": 'args = "-Xmx1g -Dfoo"\n'})
    given = {"setting": "args", "subsetting": "-Xms", "value": "2g"}
    made = resource(host, "ini_subsetting", **given, **parameters)

    made.provider.create(made)

    assert host.text("/a.ini") == f"args = {expected}\n"
    assert made.provider.get(made, "value") == "2g"
