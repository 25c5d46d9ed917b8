"""The names in Hiera data: keys, classes, variables in interpolations, files of modules."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import yaml

from bunraku.base.source import Source
from bunraku.workbench.editor.languages.collector import MentionCollector
from bunraku.workbench.editor.mentions import FILE_URL, Mention, PuppetSymbol

LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
INTERPOLATION = re.compile(
    r"%\{\s*(?:(?P<function>lookup|hiera|alias|scope|literal)\s*\(\s*['\"](?P<key>[^'\"]*)['\"]\s*\)"
    r"|(?P<variable>(?:::)?[a-zA-Z_][\w:]*)[^}]*)\s*\}"
)
FACT = re.compile(r"(?:::)?facts\.(\w+)")
QUALIFIED = re.compile(r"(?:::)?[a-z]\w*(?:::[a-z]\w*)*")
CLASSES = re.compile(r"(?:^|::|_)(?:classes|roles|profiles|includes?)$")
"""Keys whose values are names of classes."""
MOST_MISTAKES = 5
OPTIONS = "lookup_options"


def mentions_in_yaml(source: Source) -> list[Mention]:
    """Return the names in a file of data, in the order of the text.

    >>> text = "ntp::port: '%{facts.port}'\\nclasses: [ntp]\\n"
    >>> [(one.symbol.kind, one.symbol.name) for one in mentions_in_yaml(Source(text, "a.yaml"))]
    [('key', 'ntp::port'), ('variable', 'facts'), ('fact', 'port'), ('key', 'classes'), ('class', 'ntp')]
    """
    reader = YamlReader(source)
    reader.read()
    return sorted(reader.found, key=lambda one: (one.range.start, one.range.end))


class YamlReader(MentionCollector):
    """Reads one file of data."""

    def __init__(self, source: Source) -> None:
        super().__init__(source.text)
        self.source = source

    def read(self) -> None:
        """Add the mentions; a text that is not YAML has only interpolations."""
        for key, value in root_entries(self.text):
            name = str(key.value)
            self.add(PuppetSymbol("key", name), self.start_of(key), name, "write")
            if name == OPTIONS:
                self.add_options(value)
            else:
                self.add_values(value, bool(CLASSES.search(name)))
        self.add_interpolations()

    def start_of(self, node: Any) -> int:
        """Return the offset of a scalar's text; libyaml does not count a byte order mark."""
        start: int = node.start_mark.index
        start += self.text.startswith("\ufeff") and LOADER is not yaml.SafeLoader
        return start + (self.text[start : start + 1] in {"'", '"'})

    def add_options(self, node: Any) -> None:
        """Add the keys whose lookups have options."""
        for key, _value in entries(node):
            name = str(key.value)
            self.add(PuppetSymbol("key", name), self.start_of(key), name)

    def add_values(self, node: Any, are_classes: bool) -> None:
        """Add the classes and the files that values name."""
        for scalar in scalars(node):
            text = scalar.value
            if "puppet:///modules/" in text:
                start = self.start_of(scalar)
                for found in FILE_URL.finditer(text):
                    symbol = PuppetSymbol("file", found[1])
                    self.add(symbol, start + found.start(1), found[1])
            elif QUALIFIED.fullmatch(text) and (are_classes or "::" in text):
                self.add_name("class", text, self.start_of(scalar))

    def add_interpolations(self) -> None:
        """Add the variables and keys between ``%{`` and ``}``."""
        for found in INTERPOLATION.finditer(self.text):
            key, function = found["key"], found["function"]
            if function in {"lookup", "hiera", "alias"}:
                name = key.partition(".")[0]
                self.add(PuppetSymbol("key", name), found.start("key"), name)
            elif function == "scope":
                self.add_variable(key.partition(".")[0], found.start("key"))
            elif function is None:
                self.add_variable_or_fact(found["variable"].rstrip(":"), found.start("variable"))

    def add_variable_or_fact(self, written: str, start: int) -> None:
        """Add a variable; of the hash of facts, also the fact."""
        self.add_variable(written, start)
        fact = FACT.match(self.text, start)
        if fact is not None:
            self.add(PuppetSymbol("fact", fact[1]), fact.start(1), fact[1])


def root_entries(text: str) -> list[tuple[Any, Any]]:
    """Return the nodes of the keys and values at the top; none if the text is not YAML.

    While someone types, the text before the first mistakes counts.
    """
    for _ in range(MOST_MISTAKES):
        try:
            return entries(yaml.compose(text, LOADER))
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark
            if mark is None or mark.line == 0:
                return []
            text = "\n".join(text.split("\n")[: mark.line])
        except (yaml.YAMLError, RecursionError, ValueError):
            return []
    return []


def entries(node: Any) -> list[tuple[Any, Any]]:
    """Return the entries of a mapping whose keys are texts."""
    if node.__class__.__name__ != "MappingNode":
        return []
    return [one for one in node.value if isinstance(one[0].value, str)]


def scalars(node: Any) -> Iterator[Any]:
    """Yield the scalars below a node; an alias is read once."""
    waiting, seen = [node], {id(node)}
    while waiting:
        one = waiting.pop()
        if one.__class__.__name__ == "MappingNode":
            below = [part for pair in one.value for part in pair]
        elif one.__class__.__name__ == "SequenceNode":
            below = list(one.value)
        else:
            yield one
            continue
        for part in reversed(below):
            if id(part) not in seen:
                seen.add(id(part))
                waiting.append(part)
