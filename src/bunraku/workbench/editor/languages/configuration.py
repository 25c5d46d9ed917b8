"""What a ``Puppetfile`` and an ``environment.conf`` name: modules, manifests, directories."""

from __future__ import annotations

import os
import re

from bunraku.base.source import Source
from bunraku.workbench.editor.languages.collector import MentionCollector
from bunraku.workbench.editor.mentions import Mention, PuppetSymbol

MODULE = re.compile(r"^[ \t]*mod[ \t(]+['\"]((?:\w+[-/])?(\w+))['\"]", re.MULTILINE)
SETTING = re.compile(
    r"^[ \t]*(?:modulepath|manifest|config_version)[ \t]*=[ \t]*(.+)$", re.MULTILINE
)
PATH = re.compile(r"[^\s:]+")


def mentions_in_puppetfile(source: Source) -> list[Mention]:
    """Return the modules that a Puppetfile declares.

    >>> text = "mod 'puppetlabs/stdlib', '9.0.0'\\n# mod 'a'\\nmod \\"ntp\\"\\n"
    >>> [one.symbol.name for one in mentions_in_puppetfile(Source(text, "/c/Puppetfile"))]
    ['stdlib', 'ntp']
    """
    collector = MentionCollector(source.text)
    for found in MODULE.finditer(source.text):
        collector.add(PuppetSymbol("module", found[2]), found.start(1), found[1])
    return collector.found


def mentions_in_environment_conf(source: Source) -> list[Mention]:
    """Return the files and directories that an ``environment.conf`` names; settings of Puppet in them are left out.

    >>> text = "modulepath = site:$basemodulepath\\nmanifest = /m/site.pp\\n"
    >>> found = mentions_in_environment_conf(Source(text, "/c/environment.conf"))
    >>> [one.symbol.name for one in found]
    ['/c/site', '/m/site.pp']
    """
    collector = MentionCollector(source.text)
    root = os.path.dirname(source.path)
    for setting in SETTING.finditer(source.text):
        for found in PATH.finditer(source.text, setting.start(1), setting.end(1)):
            if "$" not in found[0]:
                symbol = PuppetSymbol("file", os.path.normpath(os.path.join(root, found[0])))
                collector.add(symbol, found.start(), found[0])
    return collector.found
