"""Resources that several attributes name together, defaults among them: real Puppet 7.23 refuses them, too."""

from __future__ import annotations

from typing import Any

import pytest

from bunraku.base.errors import PuppetError
from support.applying import apply, declared
from support.host import MemoryHost


@pytest.mark.parametrize(
    ("kind", "wanted", "text"),
    [
        (
            "kernel_parameter",
            {"audit": {"value": "0"}, "audit:all": {"value": "1"}},
            "[audit:all] failed: Kernel_parameter[audit] has the same name: bootmode 'all' and name 'audit'",
        ),
        (
            "firewalld_direct_chain",
            {"ipv4:raw:A": {}, "other": {"name": "A", "table": "raw"}},
            "has the same name: inet_protocol 'ipv4' and name 'A' and table 'raw'",
        ),
        (
            "rvm_gem",
            {"ruby-3/json": {}, "json": {"ruby_version": "ruby-3"}},
            "has the same name: name 'json' and ruby_version 'ruby-3'",
        ),
    ],
)
def test_a_name_of_several_attributes_is_given_once(
    kind: str, wanted: dict[str, dict[str, Any]], text: str
) -> None:
    with pytest.raises(PuppetError) as caught:
        apply(MemoryHost(), declared(kind, wanted))

    assert text in caught.value.message


def test_resources_may_share_a_part_of_their_names() -> None:
    wanted = {"audit:normal": {"value": "0"}, "audit:default": {"value": "1"}}

    done = apply(MemoryHost(), declared("kernel_parameter", wanted))

    assert all("alias" not in line for line in done.lines)
