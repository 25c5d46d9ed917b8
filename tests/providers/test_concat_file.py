"""The resource types concat_file and concat_fragment: the content of the file."""

from __future__ import annotations

import pytest

from bunraku.catalog.catalog import Catalog
from bunraku.providers.concat_file.type import ConcatFile
from bunraku.providers.errors import ResourceFailure
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.registry import BUILTIN_TYPES, resource_type
from bunraku.providers.resource_type import ResourceType
from bunraku.providers.run import Run
from support.applying import apply
from support.host import MemoryHost


def no_log(*_: object, **__: object) -> None:
    """Drop a message."""


def content(parts: dict[str, tuple[object, str]], **parameters: object) -> str:
    """Return the content of a file with fragments of a name, an order and a text."""
    run = Run(MemoryHost(), no_log, {"noop": False}, BUILTIN_TYPES)
    made = [resource(run, "concat_file", "/a", **parameters)]
    for name, (order, text) in parts.items():
        given = {"target": "/a", "order": order, "content": text}
        made.append(resource(run, "concat_fragment", name, **given))
    for one in made:
        run.resources[one.type.name, one.title] = one
    kind: ResourceType = made[0].type
    assert isinstance(kind, ConcatFile)
    return kind.content(made[0], kind.fragments(made[0]))


def resource(run: Run, kind: str, title: str, **parameters: object) -> ManagedResource:
    """Return a resource whose values are checked."""
    found = resource_type(kind, run)
    assert found is not None
    made = ManagedResource(found, title, parameters)
    made.complete()
    return made


def test_fragments_are_in_the_order_of_numbers_or_texts() -> None:
    parts: dict[str, tuple[object, str]] = {
        "x": ("10", "ten "),
        "y": (9, "nine "),
        "b": ("10", "b "),
    }

    assert content(parts) == "nine b ten "
    assert content(parts, order="alpha") == "b ten nine "
    mixed: dict[str, tuple[object, str]] = {
        "x": ("b", "word "),
        "y": (10, "ten "),
        "z": ("2", "two "),
    }
    assert content(mixed) == "two ten word "


def test_a_newline_is_added_where_it_is_missing() -> None:
    assert content({"a": (1, "a"), "b": (2, "b\n")}, ensure_newline=True) == "a\nb\n"


def test_hashes_are_merged() -> None:
    parts: dict[str, tuple[object, str]] = {
        "a": (1, '{"h": {"l": [1]}}'),
        "b": (2, '{"h": {"l": [1, 2]}}'),
    }

    assert content(parts, format="json") == '{"h":{"l":[1,2]}}'
    assert content(parts, format="yaml") == "---\nh:\n  l:\n  - 1\n  - 2\n"


def test_a_key_with_two_values_is_refused_unless_the_first_one_is_to_win() -> None:
    parts: dict[str, tuple[object, str]] = {"a": (1, "k: 1"), "b": (2, "k: 2")}

    with pytest.raises(ResourceFailure, match="Duplicate key 'k'"):
        content(parts, format="yaml")
    assert content(parts, format="yaml", force=True) == "---\nk: 1\n"


def test_the_first_source_that_exists_is_a_fragment() -> None:
    run = Run(MemoryHost({"/srv/b": "text"}), no_log, {"noop": False}, BUILTIN_TYPES)
    made = resource(run, "concat_fragment", "s", target="/a", source=["/srv/a", "/srv/b"])
    file = resource(run, "concat_file", "/a")
    assert isinstance(file.type, ConcatFile)

    assert file.type.content(file, [made]) == "text"


def test_a_file_may_have_several_tags() -> None:
    run = Run(MemoryHost(), no_log, {"noop": False}, BUILTIN_TYPES)
    file = resource(run, "concat_file", "/a", tag=["one", "two"])
    for name, tag in (("x", "two"), ("y", "three"), ("z", "one")):
        made = resource(run, "concat_fragment", name, tag=tag, content=name)
        run.resources["concat_fragment", name] = made
    assert isinstance(file.type, ConcatFile)
    assert file.type.content(file, file.type.fragments(file)) == "xz"


@pytest.mark.parametrize(("create", "kept"), [(True, "x"), (False, None)])
def test_a_file_without_content_may_be_removed(create: bool, kept: str | None) -> None:
    data = {
        "name": "web",
        "environment": "production",
        "edges": [],
        "resources": [
            {
                "type": "Concat_file",
                "title": "/srv/a",
                "parameters": {"tag": "a", "create_empty_file": create},
                "exported": False,
                "tags": [],
            }
        ],
    }
    host = MemoryHost({"/srv/a": "x", "/var/bucket/x": ""})
    done = apply(host, Catalog(data))
    assert done.report.failures == 0
    assert ("/srv/a" in host.entries) is (kept is not None)
