"""The names that compiled code of `parser = future` of Puppet 3.8 may use: what differs from Puppet 8."""

from __future__ import annotations

from typing import Any

from bunraku.runtime import abi
from bunraku.runtime.puppet3 import RULES

__all__ = ["HELPERS", "RULES"]

HELPERS: dict[str, Any] = {
    **abi.HELPERS,
    "__puppet__": "3.8-future",
}
