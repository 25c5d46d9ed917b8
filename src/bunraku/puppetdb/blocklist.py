"""Facts that are not stored, by their names."""

from __future__ import annotations

from bunraku.base.records import record
from bunraku.values.regexp.regexp import Regexp

TYPES = ("literal", "regex")


@record(frozen=True)
class Blocklist:
    """Names of facts, or regular expressions that match whole names if ``regex`` is true.

    PuppetDB's expressions are Java's. They are read as Ruby's here, which mean the same for names
    of facts.
    """

    names: tuple[str, ...]
    regex: bool = False

    def compile(self) -> Blocklist:
        """Check the expressions; PuppetError if one is invalid."""
        for name in self.names if self.regex else ():
            Regexp(name).compile()
        return self

    def blocks(self, fact: str) -> bool:
        """Return whether a fact is not stored.

        >>> Blocklist(("system_uptime",)).blocks("system_uptime_days")
        False
        >>> Blocklist(("xyz", "mount.*"), regex=True).blocks("mountpoints")
        True
        """
        if not self.regex:
            return fact in self.names
        return any(Regexp(name).fullmatch(fact) is not None for name in self.names)


def names_in(text: str) -> tuple[str, ...]:
    """Return the names in a list with commas.

    >>> names_in("a, b.*"), names_in("")
    (('a', 'b.*'), ())
    """
    return tuple([name.strip() for name in text.split(",") if name.strip()])
