"""The modules that a ``metadata.json`` names: the one that it describes, and those that it needs."""

from __future__ import annotations

import re

from bunraku.base.source import Source
from bunraku.workbench.editor.languages.collector import MentionCollector
from bunraku.workbench.editor.mentions import Mention, PuppetSymbol, Role

NAME = re.compile(r'"name"\s*:\s*"(?:[\w-]+?[-/])?(\w+)"')


def mentions_in_metadata(source: Source) -> list[Mention]:
    """Return the names of modules; the first one before the dependencies is that of the module itself.

    >>> text = '{"name": "me-ntp", "dependencies": [{"name": "puppetlabs/stdlib"}]}'
    >>> [(one.symbol.name, one.role) for one in mentions_in_metadata(Source(text, "metadata.json"))]
    [('ntp', 'definition'), ('stdlib', 'use')]
    """
    collector = MentionCollector(source.text)
    inside = source.text.find('"dependencies"')
    end = source.text.find("]", inside)
    for found in NAME.finditer(source.text):
        is_dependency = 0 <= inside < found.start() < end
        if is_dependency or not source.text.count("{", 1, found.start()):
            role: Role = "use" if is_dependency else "definition"
            symbol = PuppetSymbol("module", found[1])
            collector.add(symbol, found.start(1), found[1], role)
    return collector.found
