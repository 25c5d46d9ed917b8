"""The secrets of a run: texts that no message, event or report may contain."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.types.model import SensitiveType
from bunraku.types.ruby_semantics.values import inspect
from bunraku.types.value_text import to_text
from bunraku.values.binary import Binary
from bunraku.values.pcore import PcoreObject
from bunraku.values.sensitive import Sensitive

Value = Any
REDACTED = "[redacted]"
SHORTEST = 4
"""Characters of a secret that is searched for; a shorter one is part of too many harmless texts."""
ANYWHERE = 8
"""Characters of a secret that is also hidden inside of longer words."""
LONGEST_WORD_SOURCE = 500
"""Characters of a secret whose single words are hidden in messages about its own resource."""
WORD = lazy_pattern(r"""[^\s'"=:,;@&|<>()\[\]{}]{5,}""")

URL_PASSWORD = lazy_pattern(r"(//[^/:@]*:)[^/]*@")
CREDENTIALS = lazy_pattern(r"//([^/?#:@\s]*):([^/?#\s]*)@([^/?#\s]*)")
TOKEN_ENDINGS = ("", "x-oauth-basic")
"""Passwords that mean that the name of the user is the secret, a token."""


class Secrets:
    """Texts to hide. Commands and messages may show a secret whole, quoted or line by line.

    >>> secrets = Secrets()
    >>> secrets.add(["two\\nlines", "tok3n"])
    >>> secrets.hidden("a tok3n and some lines"), secrets.hidden("tok3ns")
    ('a [redacted] and some [redacted]', 'tok3ns')
    """

    def __init__(self) -> None:
        self.texts: set[str] = set()
        self.pattern: re.Pattern[str] | None = None

    def add(self, value: Value, *, public: tuple[str, ...] = ()) -> None:
        """Hide all texts of a value from now on, except ``public`` ones such as titles."""
        known = len(self.texts)
        for text in texts_of(value):
            self.texts.update(shape for shape in shapes(text) if shape not in public)
        if len(self.texts) > known:
            self.pattern = pattern_of(self.texts)

    def add_words(self, value: Value, *, public: tuple[str, ...] = ()) -> None:
        """Hide the single words of a short value, too: a message may show a part of a command."""
        self.add(value, public=public)
        for text in texts_of(value):
            if "\n" not in text and len(text) <= LONGEST_WORD_SOURCE:
                self.add(WORD.findall(text), public=public)

    def hidden(self, text: str) -> str:
        """Return a text without the secrets."""
        return text if self.pattern is None else self.pattern.sub(REDACTED, text)

    def hidden_in(self, value: Value) -> Value:
        """Return a value of an event without the secrets."""
        if self.pattern is None:
            return value
        if isinstance(value, str):
            return self.hidden(value)
        if isinstance(value, list):
            return [self.hidden_in(one) for one in value]
        if isinstance(value, dict):
            return {self.hidden_in(key): self.hidden_in(one) for key, one in value.items()}
        return value


def texts_of(value: Value) -> Iterator[str]:
    """Yield the texts in a value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | tuple | set):
        for item in value:
            yield from texts_of(item)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from texts_of(key)
            yield from texts_of(item)
    elif isinstance(value, Sensitive):
        yield from texts_of(value.value)
    elif isinstance(value, Binary):
        yield value.data.decode("utf-8", "replace")
        yield to_text(value)
    elif isinstance(value, PcoreObject):
        yield from texts_of(dict(value.attributes))
    elif value is not None and not isinstance(value, bool):
        yield to_text(value)


def passwords_in(value: Value) -> Iterator[str]:
    """Yield the passwords in the URLs of a value, as they are written and decoded.

    A password that is too short to be searched for comes with its user and its host.

    >>> list(passwords_in({"a": "https://anna:tok%3An@web/x", "b": "https://u:pw@web/"}))
    ['tok%3An', 'tok:n', 'u:pw@web']
    """
    for text in texts_of(value):
        for user, password, host in CREDENTIALS.findall(text):
            secret = user if password in TOKEN_ENDINGS else password
            if len(secret) < SHORTEST:
                yield f"{user}:{password}@{host}"
            else:
                yield from dict.fromkeys((secret, unquote(secret)))


def contains_sensitive(value: Value) -> bool:
    """Return whether a value is secret or has a secret inside.

    >>> contains_sensitive(["a", {"b": Sensitive("c")}]), contains_sensitive("a")
    (True, False)
    """
    if isinstance(value, list):
        return any(map(contains_sensitive, value))
    if isinstance(value, dict):
        return any(map(contains_sensitive, value)) or any(map(contains_sensitive, value.values()))
    return isinstance(value, Sensitive)


def without_password(uri: str) -> str:
    """Return a URI without its password.

    >>> without_password("https://anna:secret@web/a")
    'https://anna:xxxxx@web/a'
    """
    return URL_PASSWORD.sub(r"\1xxxxx@", uri)


def computes_secret(value: Value) -> bool:
    """Return whether a deferred call in a value of a catalog gets a secret or makes one.

    OpenVox 9 calls the result of such a call secret, whatever the function returns.
    """
    if isinstance(value, list):
        return any(map(computes_secret, value))
    if isinstance(value, dict):
        return any(map(computes_secret, value)) or any(map(computes_secret, value.values()))
    return isinstance(value, Sensitive | SensitiveType)


def shapes(text: str) -> Iterator[str]:
    """Yield the forms in which messages show a text."""
    for one in (text, *text.splitlines()):
        yield one.strip()
        yield inspect(one)[1:-1]


def pattern_of(texts: set[str]) -> re.Pattern[str] | None:
    """Return a pattern for texts, the longest one first; None if all of them are too short."""
    found = sorted((one for one in texts if len(one) >= SHORTEST), key=len, reverse=True)
    forms = [re.escape(one) if len(one) >= ANYWHERE else alone(one) for one in found]
    return re.compile("|".join(forms)) if forms else None


def alone(text: str) -> str:
    """Return a pattern for a text that is not a part of a longer word."""
    return rf"(?<!\w){re.escape(text)}(?!\w)"
