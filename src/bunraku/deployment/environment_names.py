"""Names of environments, made from those of branches as r10k makes them (``R10K::Environment::Name``)."""

from __future__ import annotations

import re
from collections.abc import Iterable

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.lazy_typing import Literal
from bunraku.base.records import record
from bunraku.base.suggestions import suggestion

INVALID = lazy_pattern(r"\W", re.ASCII)
InvalidNames = Literal["correct", "correct_and_warn", "error", ""]
"""What happens to characters that are not letters, digits or underscores; empty: they stay."""


def folded_name(name: str) -> str:
    """Return a name with an underscore for each character that Puppet does not allow.

    >>> folded_name("feature/foo-bar")
    'feature_foo_bar'
    """
    return INVALID.sub("_", name)


@record(frozen=True)
class NameRules:
    """How a source names its environments. ``prefix`` and ``strip`` are empty if they are not set."""

    prefix: str = ""
    strip: str = ""
    invalid: InvalidNames = ""

    def stripped(self, name: str) -> str:
        """Return a name without the part that the source strips: a text, or a ``/regexp/``.

        >>> (
        ...     NameRules(strip="/^(env/|feature-)/").stripped("env/dev"),
        ...     NameRules(strip="env/").stripped("x"),
        ... )
        ('dev', 'x')
        """
        if re.search(r"^/.*/$", self.strip, re.MULTILINE):
            from bunraku.values.regexp.regexp import Regexp, substitute  # few sources have one

            return substitute(Regexp(self.strip[1:-1]), name, "", global_=True)
        return name.removeprefix(self.strip)

    def directory(self, name: str) -> str:
        """Return the name of the directory for a stripped name.

        >>> NameRules("main_", invalid="correct").directory("a.b")
        'main_a_b'
        """
        corrects = self.invalid in {"correct", "correct_and_warn"}
        return self.prefix + (folded_name(name) if corrects else name)

    def is_valid(self, name: str) -> bool:
        """Return whether the name needs neither a warning nor an error."""
        return self.invalid not in {"correct_and_warn", "error"} or not INVALID.search(name)


def unknown_environments(requested: Iterable[str], known: Iterable[str]) -> str:
    """Return the error for requested environments that no source has; empty if all are known.

    >>> unknown_environments(["production", "devel"], ["production", "dev"])
    "Environment(s) 'devel' cannot be found in any source and will not be deployed. (did you mean 'dev'?)"
    """
    names = list(known)
    missing = [name for name in dict.fromkeys(requested) if name not in names]
    if not missing:
        return ""
    near = suggestion(missing[0], names)
    return (
        f"Environment(s) '{', '.join(missing)}' cannot be found in any source and will not be"
        f" deployed.{near}"
    )
