"""Where the data of Hiera sets the parameters of classes. Secrets are never a part of the result."""

from __future__ import annotations

import re
from typing import Any

from bunraku.engine.request import ResolvedRequest
from bunraku.values.literal import literal
from bunraku.workbench.analysis.definitions import Definitions
from bunraku.workbench.analysis.hiera_layers import DataLayer, Layers
from bunraku.workbench.docs.secrets import has_secret, is_secret_name
from bunraku.workbench.docs.site import SetValue

LONGEST = 2000
"""Longer values are cut."""


class DataValues:
    """The values of keys in the data of an environment and of its modules."""

    def __init__(self, resolved: ResolvedRequest) -> None:
        self.layers = Layers(Definitions(resolved, []), {})
        self.found = {layer.module: layer for layer in self.layers.all()}

    @property
    def is_readable(self) -> bool:
        """Whether the configuration of the environment's data has no mistake."""
        return None not in self.layers.unreadable

    def of(self, key: str, *, is_secret: bool = False) -> list[SetValue]:
        """Return the values of a key, those of the environment first."""
        module = key.partition("::")[0]
        layers = [self.found[name] for name in (None, module) if name in self.found]
        hidden = is_secret or is_secret_name(key) or any(wraps(one, key) for one in layers)
        return [
            set_value(one.path, one.place(key).line or 1, one.entries[key], hidden=hidden)
            for layer in layers
            for one in layer.by_key.get(key, ())
        ]


def set_value(path: str, line: int, value: Any, *, hidden: bool) -> SetValue:
    """Return a value as text, unless it is a secret."""
    if hidden or has_secret(value):
        return SetValue(path, line, "", is_secret=True)
    text = literal(value)
    return SetValue(path, line, text if len(text) <= LONGEST else f"{text[:LONGEST]}…")


def wraps(layer: DataLayer, key: str) -> bool:
    """Return whether ``lookup_options`` make the values of a key Sensitive."""
    for name, options in layer.options:
        same = re.match(name, key) if name.startswith("^") else name == key
        if same and "Sensitive" in str(options.get("convert_to", "")):
            return True
    return False
