"""The keys that code and data look up.

Manifests, templates and functions in Ruby of the environment and all modules are searched as text,
so that no use is missed. A key that a run computes can be any key, or any that matches its written
parts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from bunraku.hiera.interpolate import EXPRESSION, LOOKUPS, METHOD
from bunraku.workbench.analysis.hiera_layers import Layers
from bunraku.world.protocol import World

GLOBS = (
    "manifests/**/*.pp",
    "functions/**/*.pp",
    "plans/**/*.pp",
    "templates/**/*.epp",
    "templates/**/*.erb",
    "lib/puppet/functions/**/*.rb",
    "lib/puppet/parser/functions/**/*.rb",
    "lib/hiera/**/*.rb",
)
"""The files of a module, or of the environment, that may look keys up."""
ARGUMENT = (
    r"""(?P<key>\[[^\]]*\]|\{[^}]*\}|'[^'\n]*'|"[^"\n]*"|[a-z]\w*(?:::\w+)+(?!\s*[(\w:])|.)"""
)
CALL = re.compile(
    r"""(?<!class\ )(?<!define\ )(?:(?<![\w:$@])|(?<=\(:))(?:function_)?(?:lookup|hiera(?:_array|_hash|_include)?)
    (?:['"]?\s*[,(]|\s+(?=['"]))\s*\(?\s*"""
    + ARGUMENT,
    re.VERBOSE,
)
"""A call, also by ``call_function('lookup', key)`` of Ruby, with its first argument."""
METHOD_CALL = re.compile(r"""(?P<key>'[^'\n]*'|"[^"\n]*"|[^\s.])\s*\.\s*(?:lookup|hiera)\b""")
WORD = re.compile(r"[a-z]\w*(?:::\w+)+")
QUOTED = re.compile(r"""'([^'\n]*)'|"([^"\n]*)\"""")
COMMENT = re.compile(r"^\s*#.*$", re.MULTILINE)
INTERPOLATED = re.compile(r"\$\{[^}]*\}|\$[\w:]+|#\{[^}]*\}")


class KeyReaders:
    """What reads keys of data, apart from the parameters of classes."""

    def __init__(self, layers: Layers) -> None:
        self.layers = layers
        self.keys: set[str] = set()
        self.patterns: list[re.Pattern[str]] = []
        self.any = False
        self.searched = False

    def may_read(self, key: str) -> bool:
        """Return whether something may look a key up."""
        return self.names(key) or self.any

    def names(self, key: str) -> bool:
        """Return whether the text of a call has a key, or parts that match it."""
        self.search()
        return key in self.keys or any(one.fullmatch(key) for one in self.patterns)

    def uses(self, namespace: str) -> bool:
        """Return whether calls have other keys of a namespace, which then is not that of a module."""
        self.search()
        return any(key.startswith(f"{namespace}::") for key in self.keys)

    def search(self) -> None:
        """Search all code and data, once."""
        if self.searched:
            return
        self.searched = True
        for world, path in self.files():
            try:
                text = world.read(path).decode("utf-8", "replace")
            except OSError:
                continue
            if "lookup" in text or "hiera" in text:
                self.add_calls(COMMENT.sub("", text), path)
        for layer in self.layers.all():
            for one in layer.files:
                self.keys.update(interpolated_keys(one.text))

    def files(self) -> Iterator[tuple[World, str]]:
        """Yield the files that may look keys up."""
        environment = self.layers.environment
        roots = [one.path for one in environment.modules.values()]
        if environment.path is not None:
            roots.append(environment.path)
        for root in roots:
            for pattern in GLOBS:
                for path in environment.files.glob(f"{root}/{pattern}"):
                    yield environment.world, path
        for path in environment.manifests():
            yield environment.world, path

    def add_calls(self, text: str, path: str) -> None:
        """Note the keys in the calls of a text."""
        patterns = (CALL, METHOD_CALL) if path.endswith((".pp", ".epp")) else (CALL,)
        for pattern in patterns:
            for found in pattern.finditer(text):
                self.add_key(found["key"])

    def add_key(self, text: str) -> None:
        """Note the keys in an argument: a string, a name, an array of strings, options with a name."""
        if WORD.fullmatch(text):
            self.keys.add(text)
            return
        strings = [one or other for one, other in QUOTED.findall(text)]
        if text[:1] not in {"'", '"', "[", "{"} or not strings:
            self.any = True
            return
        if text[:1] == "[" and INTERPOLATED.search(QUOTED.sub("", text)):
            self.any = True
        for one in strings:
            if INTERPOLATED.search(one):
                self.add_pattern(one)
            else:
                self.keys.add(root_of(one))

    def add_pattern(self, text: str) -> None:
        """Note a key that has parts which a run computes."""
        pieces = INTERPOLATED.split(text)
        if not any(pieces):
            self.any = True
            return
        self.patterns.append(re.compile(".*".join(map(re.escape, pieces)) + r"(?:\..*)?"))


def interpolated_keys(text: str) -> Iterator[str]:
    """Yield the keys that interpolations in data look up.

    >>> list(interpolated_keys("a: \\"%{lookup('b.c')} %{facts.os}\\""))
    ['b']
    """
    if "%{" not in text:
        return
    for found in EXPRESSION.finditer(text):
        call = METHOD.fullmatch(found[1].strip().replace("\\'", "'").replace('\\"', '"'))
        call = call or METHOD.fullmatch(found[1].strip().replace("''", "'"))
        if call is not None and call[1] in LOOKUPS:
            yield root_of(call[2] or call[3])


def root_of(key: str) -> str:
    """Return the first part of a key: ``a.b`` looks up ``a``."""
    return key.partition(".")[0]
