"""Write rules of access in the format of ``auth.conf``, which is also JSON within each rule."""

from __future__ import annotations

import json

from bunraku.base.lazy_typing import Any
from bunraku.server.authorization.reading import HEADER_CERT_INFO
from bunraku.server.authorization.rules import Access, Both, Entry, Extensions, Rule


def access_text(access: Access) -> str:
    """Return the text of a file that means the same, with a rule on each line."""
    rules = "".join(f"    {json.dumps(rule_data(rule))},\n" for rule in access.rules)
    headers = f"  {HEADER_CERT_INFO}: true\n" if access.header_cert_info else ""
    return f"authorization: {{\n  version: 1\n{headers}  rules: [\n{rules}  ]\n}}\n"


def rule_data(rule: Rule) -> dict[str, Any]:
    """Return a rule as ``auth.conf`` has it."""
    match: dict[str, Any] = {"path": rule.path.pattern, "type": "regex"}
    if rule.methods:
        match["method"] = sorted(rule.methods)
    if rule.parameters:
        match["query-params"] = {name: sorted(one) for name, one in rule.parameters.items()}
    found = {"name": rule.name, "sort-order": rule.order, "match-request": match}
    if rule.unauthenticated:
        return {**found, "allow-unauthenticated": True}
    if rule.denied:
        found["deny"] = [entry_data(one) for one in rule.denied]
    if rule.allowed or not rule.denied:
        found["allow"] = [entry_data(one) for one in rule.allowed]
    return found


def entry_data(entry: Entry) -> Any:
    """Return an entry of ``allow`` or ``deny``."""
    if isinstance(entry, Both):
        return {"certname": entry.first.text, **entry_data(entry.second)}
    if isinstance(entry, Extensions):
        return {"extensions": {name: sorted(one) for name, one in entry.values.items()}}
    return entry.text
