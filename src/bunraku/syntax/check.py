"""What can be found wrong in a syntax tree without running it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from bunraku.errors import Diagnostic
from bunraku.syntax.dialect import Dialect
from bunraku.syntax.nodes import Program

NO_SETTINGS: Mapping[str, Any] = MappingProxyType({})


def check(
    program: Program, dialect: Dialect, settings: Mapping[str, Any] = NO_SETTINGS
) -> list[Diagnostic]:
    """All that is wrong with a program, in the order in which Puppet finds it."""
    return []
