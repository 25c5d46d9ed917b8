"""What the files that configure an environment name: modules, manifests, files of data, functions, facts."""

from __future__ import annotations

import os
import re
from typing import Any

from bunraku.base.source import Source
from bunraku.workbench.editor.languages.yaml_data import YamlReader, entries, root_entries, scalars
from bunraku.workbench.editor.mentions import Mention, PuppetSymbol

MODULE = re.compile(r"^[ \t]*mod[ \t(]+['\"]((?:\w+[-/])?(\w+))['\"]", re.MULTILINE)
SETTING = re.compile(
    r"^[ \t]*(?:modulepath|manifest|config_version)[ \t]*=[ \t]*(.+)$", re.MULTILINE
)
PATH = re.compile(r"[^\s:]+")
INTERPOLATION = re.compile(r"%\{[^}]*\}")
PATHS = frozenset({"path", "paths", "glob", "globs", "datadir"})
FUNCTIONS = frozenset({"data_hash", "lookup_key", "data_dig", "hiera3_backend"})
DATADIR = "data"
"""The directory of data if no level and no default names one."""


def mentions_in_puppetfile(source: Source) -> list[Mention]:
    """Return the modules that a Puppetfile declares.

    >>> text = "mod 'puppetlabs/stdlib', '9.0.0'\\n# mod 'a'\\nmod \\"ntp\\"\\n"
    >>> [one.symbol.name for one in mentions_in_puppetfile(Source(text, "/c/Puppetfile"))]
    ['stdlib', 'ntp']
    """
    reader = YamlReader(source)
    for found in MODULE.finditer(source.text):
        reader.add(PuppetSymbol("module", found[2]), found.start(1), found[1])
    return reader.found


def mentions_in_environment_conf(source: Source) -> list[Mention]:
    """Return the files and directories that an ``environment.conf`` names; settings of Puppet in them are left out.

    >>> text = "modulepath = site:$basemodulepath\\nmanifest = /m/site.pp\\n"
    >>> found = mentions_in_environment_conf(Source(text, "/c/environment.conf"))
    >>> [one.symbol.name for one in found]
    ['/c/site', '/m/site.pp']
    """
    reader = YamlReader(source)
    root = os.path.dirname(source.path)
    for setting in SETTING.finditer(source.text):
        for found in PATH.finditer(source.text, setting.start(1), setting.end(1)):
            if "$" not in found[0]:
                symbol = PuppetSymbol("file", os.path.normpath(os.path.join(root, found[0])))
                reader.add(symbol, found.start(), found[0])
    return reader.found


def mentions_in_hiera_yaml(source: Source) -> list[Mention]:
    """Return the files of data, the functions and the variables that a ``hiera.yaml`` of version 5 names.

    An interpolation in a path stands for any text.

    >>> text = "hierarchy:\\n- name: os\\n  path: 'os/%{facts.os.name}.yaml'\\n"
    >>> found = mentions_in_hiera_yaml(Source(text, "/c/hiera.yaml"))
    >>> [(one.symbol.kind, one.symbol.name) for one in found]
    [('file', '/c/data/os/*.yaml'), ('variable', 'facts'), ('fact', 'os')]
    """
    reader = YamlReader(source)
    top = {key.value: value for key, value in root_entries(source.text)}
    defaults = {key.value: value for key, value in entries(top.get("defaults"))}
    datadir = scalar_text(defaults.get("datadir")) or DATADIR
    add_paths(reader, defaults.items(), datadir)
    for level in getattr(top.get("hierarchy"), "value", None) or ():
        named = {key.value: value for key, value in entries(level)}
        add_paths(reader, named.items(), scalar_text(named.get("datadir")) or datadir)
    reader.add_interpolations()
    return sorted(reader.found, key=lambda one: (one.range.start, one.range.end))


def add_paths(reader: YamlReader, level: Any, datadir: str) -> None:
    """Add what a level of the hierarchy names."""
    root = os.path.dirname(reader.source.path)
    for name, value in level:
        for scalar in scalars(value):
            start, text = reader.start_of(scalar), scalar.value
            if name in PATHS:
                base = root if name == "datadir" else os.path.join(root, datadir)
                path = os.path.normpath(INTERPOLATION.sub("*", os.path.join(base, text)))
                reader.add(PuppetSymbol("file", path), start, text)
            elif name in FUNCTIONS:
                reader.add_name("function", text, start)


def scalar_text(node: Any) -> str:
    """Return the text of a scalar; none for other nodes."""
    value = getattr(node, "value", None)
    return value if isinstance(value, str) else ""
