"""The decorator of custom facts in Python: ``@bunraku.fact``."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from bunraku.base.lazy_typing import Any

PATIENCE = 10.0
"""The default time limit of a custom fact in seconds."""
Compute = Callable[[Mapping[str, Any]], Any]
Confine = Mapping[str, Any] | Callable[[Mapping[str, Any]], bool]


class CustomFact:
    """A decorated function: a fact with its name, conditions and time limit in seconds, if it has one."""

    def __init__(
        self, compute: Compute, name: str, confine: Confine, timeout: float | None
    ) -> None:
        self.compute = compute
        self.name = name
        self.confine = confine
        self.timeout = timeout
        self.__doc__ = compute.__doc__

    def __call__(self, facts: Mapping[str, Any]) -> Any:
        """Return the value of the fact on a machine with other facts."""
        return self.compute(facts)

    def applies(self, facts: Mapping[str, Any]) -> bool:
        """Return whether all conditions hold.

        >>> linux = fact(confine={"kernel": "Linux", "os.family": ["Debian", "RedHat"]})(len)
        >>> linux.applies({"kernel": "Linux", "os": {"family": "Debian"}})
        True
        """
        if callable(self.confine):
            return bool(self.confine(facts))
        return all(
            part(facts, name) in (wanted if isinstance(wanted, (list, tuple, set)) else [wanted])
            for name, wanted in self.confine.items()
        )


def fact(
    name: str | None = None, *, confine: Confine | None = None, timeout: float | None = None
) -> Callable[[Compute], CustomFact]:
    """Return a decorator that makes a function a custom fact.

    The function gets the facts of the machine. The fact has the name of the function unless
    ``name`` is given. ``confine`` maps names of facts, dotted for parts, to a value or a list of
    values; or it is a function of the facts. ``timeout`` is in seconds; 0 means no limit. None as the value of the fact means that the machine
    does not have it.

    >>> @fact("role", confine={"kernel": "Linux"})
    ... def role(facts):
    ...     return "web"
    >>> role.name, role({})
    ('role', 'web')
    """

    def decorate(compute: Compute) -> CustomFact:
        return CustomFact(compute, (name or compute.__name__).lower(), confine or {}, timeout)

    return decorate


def part(facts: Mapping[str, Any], name: str) -> Any:
    """Return a fact, or a part of one by its dotted name; None if it is absent."""
    if name in facts:
        return facts[name]
    value: Any = facts
    for key in name.split("."):
        if not isinstance(value, Mapping) or key not in value:
            return None
        value = value[key]
    return value


def declared(files: Mapping[str, Any], skipped: Collection[str] = ()) -> list[CustomFact]:
    """Return the facts among the names of a module, in their order, without those skipped."""
    found = (value for value in files.values() if isinstance(value, CustomFact))
    return [one for one in found if one.name not in skipped]
