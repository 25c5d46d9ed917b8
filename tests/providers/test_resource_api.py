"""Resource types that modules bring in Python: the example of ``docs/providers.md``."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from bunraku import Catalog, PuppetError
from bunraku.apply.run import apply_catalog
from support.applying import SETTINGS
from support.host import MemoryHost

PAGE = Path(__file__).parents[2] / "docs" / "providers.md"
EXAMPLE = re.findall(r"^```python\n(.*?)```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)[0]
FILE = "/modules/app/lib/bunraku/providers/app_setting.py"


def applied(host: MemoryHost, **parameters: Any) -> list[str]:
    """Apply one setting and return the messages of its events."""
    resource = {"type": "App_setting", "title": "port", "parameters": parameters}
    catalog = Catalog({"name": "node", "resources": [resource], "edges": []})
    report = apply_catalog(catalog, host, SETTINGS, modules=["/modules"])
    return [str(event.message) for event in report.events()]


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


@pytest.mark.parametrize("code", ["1 / 0", "TYPE = {}", "TYPE = {'attributes': {}}"])
def test_a_file_that_describes_no_type_is_an_error(code: str) -> None:
    with pytest.raises(PuppetError, match=r"app_setting\.py does not describe"):
        applied(machine(code), value="80")
