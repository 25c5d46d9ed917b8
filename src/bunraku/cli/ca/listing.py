"""What ``bunraku ca list`` prints."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from bunraku.base.excerpt import visible
from bunraku.ca.authority import Authority
from bunraku.ca.statuses import Status
from bunraku.cli import exits
from bunraku.cli.output.output import write

Groups: TypeAlias = "dict[str, list[Status]]"

STATES = ("requested", "signed", "revoked")


def list_certificates(
    authority: Authority, names: Sequence[str], everything: bool, form: str
) -> int:
    """Print pending requests, all certificates, or those of nodes; 1 if a node has none."""
    found = authority.statuses(None if names or everything else "requested")
    chosen = [one for one in found if not names or one["name"] in names]
    groups = {state: [one for one in chosen if one["state"] == state] for state in STATES}
    missing = [name for name in names if name not in {one["name"] for one in chosen}]
    if form == "json":
        write(listing_json(groups, missing, everything) + "\n")
    else:
        write("".join(f"{line}\n" for line in text_lines(groups, missing)))
    return exits.FINDINGS if missing else exits.OK


def listing_json(groups: Groups, missing: Sequence[str], everything: bool) -> str:
    """Return the groups as JSON; empty ones only if all certificates are listed."""
    shown: Mapping[str, object] = groups
    if not everything:
        shown = {name: group for name, group in [*groups.items(), ("missing", missing)] if group}
        shown = shown or {"requested": []}
    return json.dumps(shown, ensure_ascii=False, separators=(",", ":"))


def text_lines(groups: Groups, missing: Sequence[str]) -> list[str]:
    """Return the lines of a list."""
    if not missing and not any(groups.values()):
        return ["No certificates to list"]
    lines = []
    for state, group in groups.items():
        if group:
            width = max(len(str(one["name"])) for one in group)
            lines.append(f"{state.capitalize()} Certificates:")
            lines += [status_line(one, width) for one in group]
    if missing:
        lines += ["Missing Certificates:", *[f"    {visible(name)}" for name in missing]]
    return lines


def status_line(status: Status, width: int) -> str:
    """Return the line of a certificate or a request."""
    name, names = str(status["name"]), status["subject_alt_names"]
    parts = [f"    {name.ljust(width + 6)} (SHA256)  {status['fingerprint']}"]
    if names:
        parts.append(f"alt names: {json.dumps(names, ensure_ascii=False)}")
    extensions = status["authorization_extensions"]
    if isinstance(extensions, dict) and extensions:
        values = ", ".join(f"{key}: {value}" for key, value in extensions.items())
        parts.append(f"authorization extensions: [{values}]")
    return "\t".join(map(visible, parts))
