"""The variables of Puppet in ERB templates."""

from __future__ import annotations

import re

from bunraku.base.source import Source
from bunraku.workbench.editor.languages.collector import MentionCollector
from bunraku.workbench.editor.mentions import Mention, template_name

TAG = re.compile(r"<%(?![%#])(.*?)%>", re.DOTALL)
NAME = re.compile(
    r"(?<![\w@])@(?P<own>[a-z_]\w*)"
    r"|\bscope\s*\[\s*['\"](?P<index>(?:::)?\w+(?:::\w+)*)['\"]"
    r"|\bscope\.(?:lookupvar|include\?|has_variable\?)\s*\(?\s*['\"](?P<call>(?:::)?\w+(?:::\w+)*)['\"]"
)


def mentions_in_erb(source: Source) -> list[Mention]:
    """Return the variables in an ERB template.

    Those of instances (``@name``) are of the class or defined type that renders the template.

    >>> source = Source("<%= @port %> <%= scope['ntp::host'] %>", "/m/ntp/templates/x.erb")
    >>> [(one.symbol.name, one.symbol.owner) for one in mentions_in_erb(source)]
    [('port', 'template ntp/x.erb'), ('host', 'ntp')]
    """
    collector = MentionCollector(source.text)
    owner = f"template {template_name(source.path)}"
    for tag in TAG.finditer(source.text):
        for found in NAME.finditer(source.text, tag.start(1), tag.end(1)):
            group = found.lastgroup or ""
            collector.add_variable(found[group], found.start(group), owner)
    return collector.found
