"""Where the data of Hiera sets the parameters of classes. Secrets are never a part of the result."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from bunraku.base.records import record
from bunraku.engine.request import ResolvedRequest
from bunraku.values.literal import literal
from bunraku.workbench.analysis.definitions import Definitions
from bunraku.workbench.analysis.hiera_layers import DataLayer, Layers

ENCRYPTED = re.compile(r"ENC\[|-----BEGIN ")
SECRET_NAME = re.compile(
    r"(?:^|[_:.-])(?:password|passwd|passphrase|secret|secrets|token|tokens|api_key|private_key|credentials)"
    r"(?:_hash)?$",
    re.IGNORECASE,
)
HIDDEN = "hidden: a secret"
LONGEST = 2000
"""Longer values are cut."""


@record(frozen=True)
class SetValue:
    """A value of a key: the file and the line that set it, and the value as text.

    ``is_secret`` values have no text.
    """

    path: str
    line: int
    text: str
    is_secret: bool = False


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


def is_secret_name(name: str) -> bool:
    """Return whether a name is that of a secret.

    >>> [is_secret_name(one) for one in ("db::root_password", "db::password_length", "api::token")]
    [True, False, True]
    """
    return SECRET_NAME.search(name) is not None


def has_secret(value: Any) -> bool:
    """Return whether a value has an encrypted part, or an entry with the name of a secret."""
    if isinstance(value, str):
        return ENCRYPTED.search(value) is not None
    if isinstance(value, Mapping):
        return any(
            has_secret(key) or has_secret(one) or (isinstance(key, str) and is_secret_name(key))
            for key, one in value.items()
        )
    return isinstance(value, list) and any(map(has_secret, value))


def wraps(layer: DataLayer, key: str) -> bool:
    """Return whether ``lookup_options`` make the values of a key Sensitive."""
    for name, options in layer.options:
        same = re.match(name, key) if name.startswith("^") else name == key
        if same and "Sensitive" in str(options.get("convert_to", "")):
            return True
    return False
