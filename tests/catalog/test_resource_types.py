"""The resource types of Puppet, and the meaning of a title for the identity of a resource."""

from __future__ import annotations

import pytest

from bunraku.base.errors import PuppetError
from bunraku.base.metaparameters import METAPARAMETERS
from bunraku.catalog.schema.builtin import (
    builtin_resource_type,
    builtin_resource_type_names,
    vendored_resource_type,
    vendored_resource_type_names,
)
from bunraku.catalog.schema.model import ResourceTypeSchema, TitlePattern
from bunraku.catalog.schema.titles import (
    PLAIN,
    catalog_parameters,
    index_key,
    parse_title,
    read_title,
    uniqueness_key,
)
from bunraku.modules.vendored import ALL


def known(name: str, version: str = "core") -> ResourceTypeSchema:
    schema = builtin_resource_type(name, version) or vendored_resource_type(name)
    assert schema is not None
    return schema


# Counts of parameters and properties that Puppet 8.28.1 and 3.8.7 themselves give.
COUNTS = {
    "core": {
        "component": (1, 0),
        "exec": (17, 1),
        "file": (20, 14),
        "filebucket": (4, 0),
        "group": (8, 4),
        "notify": (2, 1),
        "package": (22, 4),
        "resources": (4, 0),
        "schedule": (6, 0),
        "service": (15, 4),
        "stage": (1, 0),
        "tidy": (9, 0),
        "user": (14, 21),
        "whit": (1, 0),
    },
    "vendored": {
        "augeas": (12, 1),
        "cron": (2, 11),
        "host": (2, 5),
        "mount": (3, 9),
        "scheduled_task": (3, 9),
        "selboolean": (3, 1),
        "selmodule": (4, 2),
        "ssh_authorized_key": (3, 6),
        "sshkey": (3, 4),
        "yumrepo": (3, 43),
        "zfs": (2, 37),
        "zone": (8, 9),
        "zpool": (3, 10),
    },
    "puppet_3": {
        "file": (18, 13),
        "interface": (3, 10),
        "nagios_contact": (5, 25),
        "nagios_service": (5, 49),
        "service": (13, 3),
        "sshkey": (2, 5),
        "tidy": (8, 0),
        "yumrepo": (3, 35),
        "zfs": (2, 32),
    },
}


@pytest.mark.parametrize("which", COUNTS)
def test_types_have_as_many_attributes_as_puppet_says(which: str) -> None:
    for name, counts in COUNTS[which].items():
        schema = known(name, which)
        assert (len(schema.parameters), len(schema.properties)) == counts, name


def test_each_dialect_knows_its_types_and_no_others() -> None:
    assert builtin_resource_type_names() == sorted(COUNTS["core"])
    assert vendored_resource_type_names() == sorted(COUNTS["vendored"]) == sorted(ALL)
    assert len(builtin_resource_type_names("puppet_3")) == 50
    assert builtin_resource_type("cron") is None
    assert builtin_resource_type("cron", "puppet_3") is not None
    assert builtin_resource_type("nagios_host") is None
    assert builtin_resource_type("my::file") is None


def test_every_type_has_a_name_and_attributes() -> None:
    for version in ("core", "puppet_3"):
        for name in builtin_resource_type_names(version):
            schema = known(name, version)
            assert schema.name == name
            assert schema.namevars
            assert not set(schema.parameters) & set(schema.properties)


def test_attributes_include_metaparameters_and_name() -> None:
    file = known("file")
    assert all(map(file.has_attribute, [*METAPARAMETERS, "name", "path", "ensure", "mode"]))
    assert not file.has_attribute("colour")
    assert file.ensurable
    assert not known("exec").ensurable


def test_an_open_schema_refuses_no_attribute() -> None:
    assert ResourceTypeSchema("x", open="reads a file").has_attribute("anything")


def test_a_path_is_the_title_without_slashes_at_its_end() -> None:
    file = known("file")
    assert parse_title(file, "/tmp/a//") == {"path": "/tmp/a"}
    assert parse_title(file, "/") == {"path": "/"}
    assert uniqueness_key(file, "x", {"path": "/b"}) == ["/b"]


def test_namevars_that_are_not_given_are_none_in_the_key() -> None:
    package = known("package")
    assert uniqueness_key(package, "vim", {"provider": "apt"}) == [None, "vim", "apt"]
    assert uniqueness_key(known("sshkey"), "host@rsa", {}) == ["host", "rsa"]
    assert uniqueness_key(known("notify"), "hello", {}) is None
    assert uniqueness_key(known("notify"), "hello", {"name": "x"}) == ["x"]
    assert uniqueness_key(known("file"), "a", {"name": "/x"}) is None
    assert uniqueness_key(known("exec"), "a", {"command": "/x"}) is None


def test_arrays_lie_flat_in_the_key() -> None:
    notify = known("notify")
    assert uniqueness_key(notify, "x", {"name": ["a", ["b"]]}) == [["a", ["b"]]]
    assert uniqueness_key(notify, "x", {"name": False}) is None
    assert index_key([["a", ["b"]]]) == ("a", "b")
    assert index_key([5]) != index_key(["5"])
    assert index_key([5]) != index_key([5.0])
    assert hash(index_key([{"a": [1]}]))


COMPOSITE = ResourceTypeSchema(
    "pair",
    parameters=("a", "b"),
    namevars=("a", "b"),
    title_patterns=(
        TitlePattern("^(.*):(.*)$", "", ("a", "b")),
        TitlePattern("^([a-z]+)(-.*)?$", "", ("a", "b")),
    ),
)


def test_a_title_that_fits_no_pattern_is_refused() -> None:
    with pytest.raises(PuppetError, match="PLAIN"):
        parse_title(COMPOSITE, "PLAIN")
    with pytest.raises(PuppetError, match="does not match any"):
        uniqueness_key(ResourceTypeSchema("bare", title_patterns=()), "x", {})


def test_several_namevars_need_patterns() -> None:
    with pytest.raises(PuppetError, match="a, b"):
        parse_title(ResourceTypeSchema("t", namevars=("a", "b")), "x")


def test_titles_that_ruby_code_takes_apart_are_told_apart_by_title_only() -> None:
    unknown = ResourceTypeSchema("t", namevars=("a", "b"), titles_known=False)
    assert parse_title(unknown, "x") == {}
    assert uniqueness_key(unknown, "x", {"a": 1}) is None
    patterns = (TitlePattern("^(.*):(.*)$", "", ("a", "b"), ("a",)),)
    computed = ResourceTypeSchema("t", namevars=("a", "b"), title_patterns=patterns)
    assert parse_title(computed, "x:y") == {"b": "y"}
    assert uniqueness_key(computed, "x:y", {}) is None
    assert uniqueness_key(computed, "x:y", {"a": "z"}) == ["z", "y"]


# Each as Puppet 7.23 puts it into the catalog.
IN_CATALOG = [
    ("file", "a", {"path": "/x"}, {"path": "/x"}),
    ("file", "/x", {"path": "/x"}, {}),
    ("file", "/x", {"name": "/x"}, {}),
    ("file", "/x/", {}, {"path": "/x"}),
    ("file", "/x/", {"path": "/x/"}, {}),
    ("file", "/x", {"path": "/x/"}, {"path": "/x/"}),
    ("file", "a", {"name": "/x", "path": "/y"}, {"path": "/x"}),
    ("file", "relative", {"ensure": "file"}, {"ensure": "file"}),
    ("exec", "a", {"command": "z", "name": "y"}, {"command": "y"}),
    ("notify", "a", {"name": "y"}, {"name": "y"}),
    ("package", "x", {"name": "x", "provider": "apt"}, {"provider": "apt"}),
    ("sshkey", "h@rsa", {"key": "k"}, {"name": "h", "type": "rsa", "key": "k"}),
    ("sshkey", "h", {"key": "k", "type": "rsa"}, {"key": "k", "type": "rsa"}),
    ("sshkey", "x", {"name": "h", "type": "dsa"}, {"name": "h", "type": "dsa"}),
    ("sshkey", "@", {}, {"name": "", "type": ""}),
    ("user", "x", {"ensure": "present", "name": ""}, {"name": "", "ensure": "present"}),
]


@pytest.mark.parametrize(("name", "title", "given", "expected"), IN_CATALOG)
def test_parameters_in_the_catalog(
    name: str, title: str, given: dict[str, str], expected: dict[str, str]
) -> None:
    found = catalog_parameters(known(name), title, given)
    assert list(found.items()) == list(expected.items())


def test_parameters_of_composite_and_defined_types() -> None:
    assert catalog_parameters(COMPOSITE, "x", {}) == {"a": "x", "b": None}
    assert catalog_parameters(COMPOSITE, "x:y", {"b": "z"}) == {"a": "x", "b": "z"}
    assert catalog_parameters(COMPOSITE, "x:y", {"name": "n"}) == {"a": "x", "b": "y", "name": "n"}
    assert catalog_parameters(None, "x", {"name": "x", "b": 1}) == {"b": 1}
    assert catalog_parameters(None, "x", {"name": "y"}) == {"name": "y"}


def test_exec_and_tidy_may_name_the_same_thing_twice() -> None:
    assert not known("exec").isomorphic
    assert not known("tidy").isomorphic
    assert known("tidy", "puppet_3").isomorphic
    assert known("file").isomorphic


@pytest.mark.parametrize("title", ["/a", "/a/", "//", "/", "a\nb", "C:/x", "/a\n/b/", "/a/\n"])
@pytest.mark.parametrize("name", ["file", "notify", "package", "sshkey"])
def test_a_title_is_plain_where_it_gives_the_one_namevar_as_it_stands(
    name: str, title: str
) -> None:
    schema = known(name)
    try:
        given = parse_title(schema, title)
    except PuppetError:
        with pytest.raises(PuppetError):
            read_title(schema, title)
        return
    plain = len(schema.namevars) == 1 and given == {schema.namevars[0]: title}
    found = read_title(schema, title)
    assert (found is PLAIN) is plain
    assert plain or found == given


@pytest.mark.parametrize(
    "schema",
    [
        ResourceTypeSchema("t", namevars=("a",), titles_known=False),
        ResourceTypeSchema(
            "t", namevars=("a",), title_patterns=(TitlePattern("(.*)", "", ("a",), ("a",)),)
        ),
        ResourceTypeSchema(
            "t", namevars=("a",), title_patterns=(TitlePattern("(.*)", "", ("b",)),)
        ),
        ResourceTypeSchema(
            "t",
            namevars=("a",),
            title_patterns=(TitlePattern("^x$", "", ("a",)), TitlePattern("(.*)", "", ("a",))),
        ),
    ],
    ids=["unknown", "computed", "other attribute", "no group"],
)
def test_a_title_that_is_not_the_namevar_is_told_by_its_attributes(
    schema: ResourceTypeSchema,
) -> None:
    for title in ("x", "y"):
        found, given = read_title(schema, title), parse_title(schema, title)
        assert found is PLAIN or found == given
        assert (found is PLAIN) == (given == {"a": title})
