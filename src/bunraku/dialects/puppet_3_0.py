"""Puppet 3.0: Puppet 3.8 without the functions that came later, and with other escapes."""

from __future__ import annotations

from bunraku.base.lazy_imports import Imported
from bunraku.base.records import replace
from bunraku.dialects.puppet_3_8 import PUPPET_3_8, as_documented

PUPPET_3_0 = replace(
    PUPPET_3_8,
    name="3.0",
    version="3.0.2",
    syntax=replace(PUPPET_3_8.syntax, single_quote_escapes="'\\"),
    functions=Imported("bunraku.dialects.puppet_3.functions.libraries", "PUPPET_3_0"),
)

DIALECTS = {"puppet": PUPPET_3_0, "documents": as_documented(PUPPET_3_0)}
