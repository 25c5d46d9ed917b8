"""What Ruby files of modules define: functions, resource types with their attributes, data types, facts."""

from __future__ import annotations

import re

from bunraku.base.source import Source
from bunraku.workbench.editor.languages.collector import MentionCollector
from bunraku.workbench.editor.mentions import Kind, Mention, PuppetSymbol

FUNCTION = re.compile(
    r"(?:create_function|newfunction)\s*\(?\s*:?(?P<quote>['\"]?)(?P<name>[\w:]+)"
)
RESOURCE_TYPE = re.compile(r"(?:newtype|ensure_type)\s*\(?\s*:(?P<quote>)(?P<name>\w+)")
REGISTERED_TYPE = re.compile(
    r"register_type\s*\(?\s*\{?\s*:?name:?\s*(?:=>)?\s*(?P<quote>['\"])(?P<name>\w+)"
)
DATA_TYPE = re.compile(r"create_type\s*\(?\s*(?P<quote>['\"])(?P<name>[\w:]+)")
FACT = re.compile(r"(?:Facter\.add|add_fact)\s*\(?\s*:?(?P<quote>['\"]?)(?P<name>\w+)")
PROVIDER = re.compile(r"\.provide\s*\(?\s*:?(?P<quote>['\"]?)(?P<name>\w+)")
ATTRIBUTE = re.compile(
    r"\b(?:newparam|newproperty|newstate)\s*\(?\s*:?(?P<quote>['\"]?)(?P<name>\w+)"
)
REGISTERED_ATTRIBUTE = re.compile(
    r"^\s{2,6}(?P<quote>['\"]?)(?P<name>\w+)['\"]?:\s*\{\s*$", re.MULTILINE
)
FOLDERS: tuple[tuple[str, Kind, tuple[re.Pattern[str], ...]], ...] = (
    ("/lib/puppet/functions/", "function", (FUNCTION,)),
    ("/lib/puppet/parser/functions/", "function", (FUNCTION,)),
    ("/lib/puppet/type/", "resource_type", (RESOURCE_TYPE, REGISTERED_TYPE)),
    ("/lib/puppet/datatypes/", "data_type", (DATA_TYPE,)),
    ("/lib/puppet/provider/", "provider", (PROVIDER,)),
    ("/lib/facter/", "fact", (FACT,)),
)
"""Folders of modules, what their files define, and how it is written."""


def mentions_in_ruby(source: Source) -> list[Mention]:
    """Return what a Ruby file of a module defines.

    >>> text = "Puppet::Functions.create_function(:'ntp::peers') do"
    >>> source = Source(text, "/m/ntp/lib/puppet/functions/ntp/peers.rb")
    >>> [one.symbol.name for one in mentions_in_ruby(source)]
    ['ntp::peers']
    """
    collector = MentionCollector(source.text)
    for folder, kind, patterns in FOLDERS:
        if folder not in source.path:
            continue
        for pattern in patterns:
            for found in pattern.finditer(source.text):
                collector.add_name(kind, found["name"], found.start("name"), "definition")
    if collector.found and collector.found[0].symbol.kind == "resource_type":
        add_attributes(collector, collector.found[0].symbol.name)
    return sorted(collector.found, key=lambda one: one.range.start)


def add_attributes(collector: MentionCollector, owner: str) -> None:
    """Add the parameters and properties of a resource type."""
    pattern = REGISTERED_ATTRIBUTE if "register_type" in collector.text else ATTRIBUTE
    for found in pattern.finditer(collector.text):
        symbol = PuppetSymbol("attribute", found["name"], owner)
        collector.add(symbol, found.start("name"), found["name"], "definition")


def is_ruby_of_module(path: str) -> bool:
    """Return whether a Ruby file can define what manifests use.

    >>> is_ruby_of_module("/m/ntp/lib/facter/x.rb"), is_ruby_of_module("/m/ntp/spec/x.rb")
    (True, False)
    """
    return path.endswith(".rb") and any(folder in path for folder, _kind, _patterns in FOLDERS)
