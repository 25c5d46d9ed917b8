"""Write the tables of sites in docs/real-repositories.md from the numbers that ``sites.py --record`` put into a JSON file.

sites_table.py RECORD
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parents[2] / "docs" / "real-repositories.md"
BEGIN, END = "<!-- sites -->\n", "<!-- end of sites -->\n"
COLUMNS = {
    "revision": "revision",
    "bunraku": "bunraku at",
    "nodes": "nodes",
    "failed": "refused by Puppet",
    "compiled": "compiled",
    "identical": "identical",
    "identical_again": "in later runs",
    "resources": "resources",
}
MOST = 3
"""The reasons that are listed for a repository."""
SUMS = ("nodes", "failed", "compiled", "identical", "identical_again", "resources")


def row(name: str, entry: dict[str, Any]) -> str:
    """Return a row of the table."""
    cells = [entry[key] for key in COLUMNS]
    shown = [f"{cell:,}" if isinstance(cell, int) else cell for cell in cells]
    language = entry.get("language", "8")
    label = f"`{name}`" + (f" (language {language})" if language != "8" else "")
    return f"| {' | '.join([label, *shown])} |\n"


def table(recorded: dict[str, dict[str, Any]]) -> str:
    """Return the numbers of all repositories, and their sums."""
    sums = {name: sum(entry[name] for entry in recorded.values()) for name in SUMS}
    head = (
        f"| {' | '.join(['repository', *COLUMNS.values()])} |\n| --- | --- | --- |{' --: |' * 6}\n"
    )
    rows = [row(name, entry) for name, entry in recorded.items()]
    return head + "".join(rows) + row("all", {"revision": "", "bunraku": "", **sums})


def causes(recorded: dict[str, dict[str, Any]]) -> str:
    """Return the nodes that differ, by their first difference."""
    lines = [
        f"* `{name}`, {len(labels)} of {entry['compiled']}: {plain(text)} ({', '.join(labels[:3])})\n"
        for name, entry in recorded.items()
        for text, labels in entry["causes"]
    ]
    return "\n## What differs\n\n" + ("".join(lines) or "Nothing.\n")


def refused(recorded: dict[str, dict[str, Any]]) -> str:
    """Return the most frequent reasons for which Puppet refuses nodes."""
    lines = [
        f"* `{name}`, {len(labels)} of {entry['nodes']}: {plain(text)}\n"
        for name, entry in recorded.items()
        for text, labels in entry["refused"][:MOST]
    ]
    return "\n## What Puppet refuses\n\n" + ("".join(lines) or "Nothing.\n")


def generated(recorded: dict[str, dict[str, Any]]) -> str:
    """Return the code that was generated in place of private code, by repository."""
    lines = [
        f"* `{name}`: {', '.join(f'`{one}`' for one in entry['stand_ins'])}\n"
        for name, entry in recorded.items()
        if entry["stand_ins"]
    ]
    return "\n## What is generated\n\n" + ("".join(lines) or "Nothing.\n")


def plain(text: str) -> str:
    """Return a difference as text that Markdown leaves as it is, without the paths of this machine."""
    short = re.sub(r"/\S*\+[^/\s]+/(?:code/environments/production/)?", "", text.replace("`", "'"))
    return f"`{short[:160]}`"


def main() -> None:
    recorded = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    part = (
        f"{BEGIN}{table(recorded)}{causes(recorded)}{refused(recorded)}{generated(recorded)}{END}"
    )
    PAGE.write_text(before + part + after, encoding="utf-8")


if __name__ == "__main__":
    main()
