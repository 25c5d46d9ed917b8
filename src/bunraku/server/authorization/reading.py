"""Read ``auth.conf``: HOCON with the rules of access of puppetserver."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from bunraku.base.source import Place
from bunraku.base.suggestions import suggestion
from bunraku.formats.hocon import HoconError, parse_hocon
from bunraku.server.authorization.rules import (
    Access,
    Both,
    Entry,
    Extensions,
    Names,
    Rule,
)
from bunraku.server.issues import INVALID_RULES

METHODS = ("get", "head", "post", "put", "delete")
RULE_KEYS = ("match-request", "allow", "deny", "allow-unauthenticated", "sort-order", "name")
MATCH_KEYS = ("path", "type", "method", "query-params")
HEADER_CERT_INFO = "allow-header-cert-info"
FILE_KEYS = ("version", "rules", HEADER_CERT_INFO)
ENTRY_KEYS = ("certname", "extensions")


def read_access(text: str, file: str) -> Access:
    """Return what the text of a file says; PuppetError with file and line."""
    try:
        return access_in(parse_hocon(text))
    except HoconError as error:
        raise INVALID_RULES(reason=error.problem).at(Place(file, error.line)) from None
    except Mistake as mistake:
        line = line_of(text, mistake.near)
        raise INVALID_RULES(reason=str(mistake)).at(Place(file, line)) from None


class Mistake(Exception):
    """A value that is wrong; ``near`` is a text of the file that stands near to it."""

    def __init__(self, reason: str, near: str = "") -> None:
        super().__init__(reason)
        self.near = near


def line_of(text: str, near: str) -> int | None:
    """Return the line with a text; None if the text is not in the file."""
    at = text.find(near) if near else -1
    return None if at < 0 else text.count("\n", 0, at) + 1


def access_in(data: Any) -> Access:
    """Return what the data of a file say."""
    section = data.get("authorization") if isinstance(data, Mapping) else None
    if not isinstance(section, Mapping):
        raise Mistake("expected a section 'authorization'")
    check_keys(section, FILE_KEYS)
    if section.get("version") != 1:
        raise Mistake(f"expected 'version: 1', not {section.get('version')!r}", "version")
    headers = section.get(HEADER_CERT_INFO, False)
    if not isinstance(headers, bool):
        raise Mistake(f"'{HEADER_CERT_INFO}' must be true or false", HEADER_CERT_INFO)
    found = [rule_in(one) for one in listed(section.get("rules"), "rules")]
    names = [rule.name for rule in found]
    for name in names:
        if names.count(name) > 1:
            raise Mistake(f"two rules have the name '{name}'", name)
    return Access(tuple(sorted(found, key=lambda rule: (rule.order, rule.name))), headers)


def rule_in(data: Any) -> Rule:
    """Return a rule; Mistake with its name if it is wrong."""
    if not isinstance(data, Mapping):
        raise Mistake("a rule must be a hash")
    name = data.get("name")
    if not isinstance(name, str):
        raise Mistake("a rule requires a text 'name'")
    try:
        return checked_rule(name, data)
    except Mistake as mistake:
        raise Mistake(f"rule '{name}': {mistake}", name) from None


def checked_rule(name: str, data: Mapping[str, Any]) -> Rule:
    """Return a rule with a name."""
    check_keys(data, RULE_KEYS)
    order, match = data.get("sort-order"), data.get("match-request")
    if not isinstance(order, int) or isinstance(order, bool) or not 1 <= order <= 999:
        raise Mistake("'sort-order' must be a number from 1 to 999")
    if not isinstance(match, Mapping):
        raise Mistake("'match-request' must be a hash")
    unauthenticated = data.get("allow-unauthenticated", False)
    if not isinstance(unauthenticated, bool):
        raise Mistake("'allow-unauthenticated' must be true or false")
    if unauthenticated and ("allow" in data or "deny" in data):
        raise Mistake("'allow-unauthenticated' excludes 'allow' and 'deny'")
    if not (unauthenticated or "allow" in data or "deny" in data):
        raise Mistake("it requires 'allow', 'deny' or 'allow-unauthenticated'")
    check_keys(match, MATCH_KEYS)
    return Rule(
        name,
        order,
        path_in(match),
        methods_in(match),
        parameters_in(match.get("query-params", {})),
        unauthenticated,
        tuple(entry_in(one) for one in listed_or_one(data.get("allow", []))),
        tuple(entry_in(one) for one in listed_or_one(data.get("deny", []))),
    )


def path_in(match: Mapping[str, Any]) -> re.Pattern[str]:
    """Return the expression for the paths of a rule."""
    path, kind = match.get("path"), match.get("type")
    if not isinstance(path, str):
        raise Mistake("'path' must be a text")
    if kind not in ("path", "regex"):
        raise Mistake("'type' must be 'path' or 'regex'")
    try:
        return re.compile(f"^{re.escape(path)}" if kind == "path" else path)
    except re.error as error:
        raise Mistake(f"'path' is not a regular expression: {error}") from None


def methods_in(match: Mapping[str, Any]) -> frozenset[str]:
    """Return the methods of a rule; an empty set means all."""
    found = listed_or_one(match.get("method", "any"))
    for one in found:
        if one != "any" and one not in METHODS:
            raise Mistake(f"unknown method '{one}'{suggestion(str(one), METHODS)}")
    return frozenset() if "any" in found else frozenset(found)


def parameters_in(data: Any) -> dict[str, frozenset[str]]:
    """Return the values that parameters of the query may have."""
    if not isinstance(data, Mapping):
        raise Mistake("'query-params' must be a hash")
    return {name: frozenset(map(str, listed_or_one(value))) for name, value in data.items()}


def entry_in(data: Any) -> Entry:
    """Return an entry of ``allow`` or ``deny``."""
    if isinstance(data, str):
        return names_in(data)
    if not isinstance(data, Mapping) or not data:
        raise Mistake("an entry of 'allow' and 'deny' must be a name or a hash")
    check_keys(data, ENTRY_KEYS)
    extensions = data.get("extensions")
    if extensions is None:
        return names_in(data["certname"])
    if not isinstance(extensions, Mapping) or not extensions:
        raise Mistake("'extensions' must be a hash")
    values = {
        name: frozenset(text_of(one) for one in listed_or_one(value))
        for name, value in extensions.items()
    }
    if "certname" in data:
        return Both(names_in(data["certname"]), Extensions(values))
    return Extensions(values)


def names_in(text: Any) -> Names:
    """Return the entry for names; Mistake for a wrong expression."""
    if not isinstance(text, str) or not text:
        raise Mistake("a name in 'allow' or 'deny' must be a text")
    if len(text) > 1 and text[0] == text[-1] == "/":
        try:
            re.compile(text[1:-1])
        except re.error as error:
            raise Mistake(f"{text} is not a regular expression: {error}") from None
    return Names(text)


def text_of(value: Any) -> str:
    """Return a scalar of HOCON as the text that a certificate has."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def listed(data: Any, name: str) -> Sequence[Any]:
    """Return a list; Mistake for other values."""
    if not isinstance(data, list):
        raise Mistake(f"'{name}' must be a list")
    return data


def listed_or_one(data: Any) -> Sequence[Any]:
    """Return a list; a single value is a list of one."""
    return data if isinstance(data, list) else [data]


def check_keys(data: Mapping[str, Any], known: Sequence[str]) -> None:
    """Refuse unknown keys."""
    for key in data:
        if key not in known:
            raise Mistake(f"unknown key '{key}'{suggestion(key, known)}", key)
