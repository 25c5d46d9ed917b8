"""Resource types that modules bring in Python: the example of ``docs/providers.md``."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from bunraku import Catalog, PuppetError
from bunraku.apply.report import Report
from bunraku.apply.run import apply_catalog
from bunraku.values.sensitive import Sensitive
from support.applying import SETTINGS
from support.host import MemoryHost

PAGE = Path(__file__).parents[2] / "docs" / "providers.md"
EXAMPLE = re.findall(r"^```python\n(.*?)```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)[0]
FILE = "/modules/app/lib/bunraku/providers/app_setting.py"


def applied(host: MemoryHost, **parameters: Any) -> list[str]:
    """Apply one setting and return the messages of its events."""
    return [str(event.message) for event in applied_report(host, **parameters).events()]


def applied_report(host: MemoryHost, **parameters: Any) -> Report:
    """Apply one setting and return the report."""
    resource = {"type": "App_setting", "title": "port", "parameters": parameters}
    catalog = Catalog({"name": "node", "resources": [resource], "edges": []})
    return apply_catalog(catalog, host, SETTINGS, modules=["/modules"])


def machine(code: str = EXAMPLE) -> MemoryHost:
    """Return a machine with the module and a file of settings."""
    return MemoryHost({FILE: code, "/etc/app.conf": "debug=no\n"})


def test_the_example_creates_changes_and_removes_once() -> None:
    host = machine()

    assert applied(host, value=" 80 ") == ["created"]
    assert applied(host, value="80") == []
    assert host.text("/etc/app.conf") == "debug=no\nport=80\n"
    assert applied(host, value="81") == ["value changed '80' to '81'"]
    assert applied(host, ensure="absent") == ["removed"]
    assert host.text("/etc/app.conf") == "debug=no\n"


def test_a_value_of_another_type_is_refused() -> None:
    with pytest.raises(PuppetError, match="'value' expects a String value, got Integer"):
        applied(machine(), value=80)


@pytest.mark.parametrize(
    "code",
    [
        "1 / 0",
        "exit(3)",
        "TYPE = {}",
        "TYPE = {'attributes': {}}",
        f"{EXAMPLE}\n    def __init__(self):\n        exit(3)\n",
    ],
)
def test_a_file_that_describes_no_type_is_an_error(code: str) -> None:
    with pytest.raises(PuppetError, match=r"app_setting\.py does not describe"):
        applied(machine(code), value="80")


BROKEN = [
    ("get(self, context, names):", "return [{'value': '80'}]", "KeyError: 'name'"),
    ("get(self, context, names):", "return None", "TypeError: "),
    ("get(self, context, names):", "exit(3)", "SystemExit: 3"),
    ("set(self, context, changes):", "int('eighty')", "ValueError: invalid literal for int()"),
    ("set(self, context, changes):", "raise SystemExit", "SystemExit"),
    ("set(self, context, changes):", "return self.set(context, changes)", "RecursionError: "),
]


@pytest.mark.parametrize(("method", "line", "reason"), BROKEN)
def test_code_that_raises_or_exits_fails_its_resource(method: str, line: str, reason: str) -> None:
    code = EXAMPLE.replace(f"def {method}\n", f"def {method}\n        {line}\n")

    report = applied_report(machine(code), value="80")

    assert report.status == "failed"
    messages = [str(one.text) for one in report.logs if one.level == "err"]
    name = method.partition("(")[0]
    assert any(f"{name} in {FILE}" in one and reason in one for one in messages)


def test_a_failure_does_not_show_a_secret() -> None:
    code = EXAMPLE.replace(
        "settings = self.read(context.host)\n        for",
        "int(changes['port']['should']['value'])\n        for",
    )

    report = applied_report(machine(code), value=Sensitive("hunter2-secret"))

    assert report.status == "failed"
    assert "hunter2-secret" not in repr([one.text for one in report.logs])


def test_values_that_cannot_be_converted_are_refused() -> None:
    code = EXAMPLE.replace("return [{**one", "return [][0] and [{**one")

    with pytest.raises(
        PuppetError, match=r"canonicalize in .*app_setting\.py, line \d+ failed: IndexError"
    ):
        applied(machine(code), value="80")
