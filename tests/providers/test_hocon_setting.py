"""The type hocon_setting: values, files and secrets. ``tests/formats/test_hocon_document.py`` tries layouts."""

from __future__ import annotations

from typing import Any

import pytest

from bunraku.values.sensitive import Sensitive
from support.applying import apply, declared
from support.host import MemoryHost, directory, file, link

TEXT = "# one\na : [1, 2] // two\nb { c = x }\none = [1]\nsame = ${b.c}\n"
PASSWORD = "s3cret-w0rd"


def changed(setting: str, text: str = TEXT, **attributes: Any) -> tuple[str, list[str]]:
    """Return the text of a file after a run, and the changes."""
    host = MemoryHost({"/srv/a.conf": file(text, 0o640, 7, 7)})
    wanted = {setting: {"path": "/srv/a.conf", **attributes}}
    done = apply(host, declared("hocon_setting", wanted))
    status = host.status("/srv/a.conf")
    assert (status.mode, status.uid) == (0o640, 7)
    return host.text("/srv/a.conf"), done.changes


@pytest.mark.parametrize(
    ("setting", "attributes"),
    [
        ("a", {"value": [1, 2]}),
        ("a", {"value": 2, "type": "array_element"}),
        ("b.c", {"value": "x"}),
        ("b", {"value": {"c": "x"}}),
        ("one", {"value": [1], "type": "array"}),
        ("same", {"value": "x"}),
        ("nothing", {"ensure": "absent"}),
        ("b.c.d", {"ensure": "absent"}),
        ("a", {"ensure": "absent", "value": [3, "1"], "type": "array_element"}),
        ("one", {"ensure": "absent"}),
    ],
)
def test_nothing_is_written_for_a_setting_in_sync(setting: str, attributes: dict[str, Any]) -> None:
    assert changed(setting, **attributes) == (TEXT, [])


@pytest.mark.parametrize(
    ("attributes", "line", "message"),
    [
        ({"value": [1, 2, 3]}, "a : [\n    1,\n    2,\n    3\n]", "value changed [1, 2] to [1, 2, 3]"),
        ({"value": [2, 3], "type": "array_element"}, "a : [\n    1,\n    2,\n    3\n]", "value changed [1, 2] to [1, 2, 3]"),
        ({"value": True}, "a : true", "value changed [1, 2] to [true]"),
        ({"value": "1"}, 'a : "1"', "value changed [1, 2] to ['1']"),
        ({"value": [1], "type": "array"}, "a : [\n    1\n]", "value changed [1, 2] to [1]"),
        ({"value": "[3] [4]", "type": "text"}, "a : [3] [4]", "value changed [1, 2] to ['[3] [4]']"),
        ({"value": [1, 3], "type": "array_element", "ensure": "absent"}, "a : [\n    2\n]", "removed"),
    ],
)  # fmt: skip
def test_a_setting_changes_and_the_rest_stays(
    attributes: dict[str, Any], line: str, message: str
) -> None:
    text, changes = changed("a", **attributes)
    assert text == TEXT.replace("a : [1, 2]", line)
    assert [one.partition(": ")[2] for one in changes] == [message]


def test_a_file_is_written_once_with_all_of_its_text() -> None:
    host = MemoryHost({"/srv": directory(), "/srv/link.conf": link("real.conf")})
    wanted = {
        "a.b": {"path": "/srv/link.conf", "value": 1},
        "c": {"path": "/srv/new.json", "value": 1},
    }
    done = apply(host, declared("hocon_setting", wanted))
    assert done.changes[0] == "Hocon_setting[a.b]/ensure: created"
    assert host.text("/srv/real.conf") == "a: {\n  b: 1\n}\n"
    assert host.status("/srv/new.json") is None
    assert any("expected an object, not the end of the text" in line for line in done.lines)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a : {\n", "/srv/a.conf, line 2: "),
        ("a : null", "/srv/a.conf: a has no value"),
        ("a : ${b}", "/srv/a.conf, line 1: ${b} names nothing"),
        ("a : b\ninclude 'x'", "/srv/a.conf, line 2: "),
        ('a : b\nc { include "x" }', "line 2: include is not supported inside of an object"),
        ('a : b\ninclude url("http://x/")', "line 2: include is supported for files only"),
        ('a : b\ninclude "broken"', "line 2: /srv/broken.conf: an object is not closed"),
        ('a : b\n\ninclude "a"', "line 3: "),
        ("[1]", "the document is an array, not an object"),
        (b"a : \xff", "/srv/a.conf is not in UTF-8"),
    ],
)
def test_a_file_that_cannot_be_read_stays_as_it_is(text: str | bytes, reason: str) -> None:
    host = MemoryHost({"/srv/a.conf": file(text), "/srv/broken.conf": file("{")})
    before = host.read("/srv/a.conf")
    done = apply(host, declared("hocon_setting", {"a": {"path": "/srv/a.conf", "value": 1}}))
    assert done.report.failures == 1
    assert any(reason in line for line in done.lines), done.lines
    assert host.read("/srv/a.conf") == before


INCLUDED = """x : 1
y : { z : 2 }
w : ${x}
"""


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('include "b"\na : ${x}', 1),
        ('x : 3\ninclude "b.conf"\na : ${x}', 1),
        ('include "b.conf"\nx : 7\na : ${w}', 7),
        ('{ include "/srv/b.conf", a : ${y.z} }', 2),
        ('include file("/srv/b.conf")\na : ${y}', {"z": 2}),
        ('y : { q : 1 }\ninclude "b"\na : ${y}', {"z": 2, "q": 1}),
        ('include "j"\na : ${x}', 5),
        ('include "deep/c"\na : ${x}', 1),
        ('include "none"\ninclude "none.conf"\na : ${?x}\na : 4', 4),
    ],
)
def test_values_come_from_included_files_as_in_the_gem(text: str, value: Any) -> None:
    files = {
        "/srv/a.conf": file(text),
        "/srv/b.conf": file(INCLUDED),
        "/srv/j.json": file('{"x": 5}'),
        "/srv/deep/c.conf": file('include "../b"\n'),
    }
    host = MemoryHost(files)
    done = apply(host, declared("hocon_setting", {"a": {"path": "/srv/a.conf", "value": value}}))
    assert (done.changes, done.report.failures) == ([], 0)


def test_substitutions_can_be_variables_of_the_environment() -> None:
    host = MemoryHost({"/srv/a.conf": file("a : ${PLACE}/b\n")})
    host.variables = {"PLACE": "/srv"}
    done = apply(host, declared("hocon_setting", {"a": {"path": "/srv/a.conf", "value": "/srv/b"}}))
    assert done.changes == []
    assert done.report.failures == 0


def test_files_can_have_a_setting_of_the_same_name() -> None:
    host = MemoryHost({"/srv": directory()})
    wanted = {
        "one": {"setting": "a", "path": "/srv/one.conf", "value": 1},
        "two": {"setting": "a", "path": "/srv/two.conf", "value": 2},
    }
    done = apply(host, declared("hocon_setting", wanted))
    assert done.changes == [f"Hocon_setting[{one}]/ensure: created" for one in wanted]
    assert (host.text("/srv/one.conf"), host.text("/srv/two.conf")) == ("a: 1\n", "a: 2\n")


@pytest.mark.parametrize("value", [PASSWORD, [PASSWORD, "b"], {"a": PASSWORD}])
def test_a_secret_value_is_in_no_message(value: Any) -> None:
    host = MemoryHost({"/srv/a.conf": file("a : old-w0rd\n")})
    wanted = {"a": {"path": "/srv/a.conf", "value": Sensitive(value)}}
    done = apply(host, declared("hocon_setting", wanted))
    assert done.changes == ["Hocon_setting[a]/value: changed [redacted] to [redacted]"]
    assert PASSWORD in host.text("/srv/a.conf")
    assert PASSWORD not in repr(done.messages) + repr(done.lines)
    assert "old-w0rd" not in "\n".join(done.lines)
