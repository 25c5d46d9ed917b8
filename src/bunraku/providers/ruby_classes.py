"""The Ruby classes of values, as Puppet's messages name them."""

from __future__ import annotations

from typing import Any

from bunraku.values.binary import Binary
from bunraku.values.default import DEFAULT
from bunraku.values.sensitive import Sensitive
from bunraku.values.time.timespan import Timespan
from bunraku.values.time.timestamp import Timestamp
from bunraku.values.version import SemVer, SemVerRange

RUBY_CLASSES = {
    type(None): "NilClass",
    int: "Integer",
    float: "Float",
    str: "String",
    list: "Array",
    tuple: "Array",
    dict: "Hash",
    type(DEFAULT): "Symbol",
    Binary: "Puppet::Pops::Types::PBinaryType::Binary",
    Sensitive: "Puppet::Pops::Types::PSensitiveType::Sensitive",
    SemVer: "SemanticPuppet::Version",
    SemVerRange: "SemanticPuppet::VersionRange",
    Timespan: "Puppet::Pops::Time::Timespan",
    Timestamp: "Puppet::Pops::Time::Timestamp",
}


SINGLE = {None: "nil", True: "true", False: "false"}


def implicit_class(value: Any) -> str:
    """Return what Ruby's messages about conversions call a value.

    >>> implicit_class(True), implicit_class(1)
    ('true', 'Integer')
    """
    return SINGLE[value] if value is None or isinstance(value, bool) else ruby_class(value)


def ruby_class(value: Any) -> str:
    """Return the Ruby class of a value.

    >>> ruby_class(5), ruby_class({}), ruby_class(True)
    ('Integer', 'Hash', 'TrueClass')
    """
    if isinstance(value, bool):
        return "TrueClass" if value else "FalseClass"
    return RUBY_CLASSES.get(type(value), type(value).__name__)
