"""Write the part about the corpus of modules in docs/real-repositories.md, from the records of ``modules.py --record``.

modules_table.py RECORD...
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parents[2] / "docs" / "real-repositories.md"
BEGIN, END = "<!-- modules -->\n", "<!-- end of modules -->\n"
NAMES = {
    "class": "classes",
    "define": "defined types",
    "function": "calls of functions",
    "template": "templates",
}
COLUMNS = (
    "asked",
    "compiled",
    "identical",
    "refused_alike",
    "same_text",
    "second_run",
    "not_repeatable",
)
HEAD = (
    "| what | modules | questions | Puppet compiles | identical | refused at the same place | with the same text "
    "| in a second process | left out as random |\n| --- | --: | --: | --: | --: | --: | --: | --: | --: |\n"
)
SHOWN = 25


def by_part(paths: list[Path]) -> dict[str, list[dict[str, Any]]]:
    """Return the figures of all modules for each part; modules without a question are left out."""
    found: dict[str, list[dict[str, Any]]] = {}
    for path in paths:
        for parts in json.loads(path.read_text("utf-8")).values():
            for part, figures in parts.items():
                if figures["asked"]:
                    found.setdefault(part, []).append(figures)
    return found


def row(part: str, several: list[dict[str, Any]]) -> str:
    """Return the line of a part."""
    sums = {name: sum(figures[name] for figures in several) for name in COLUMNS}
    compared = sums["asked"] - sums["not_repeatable"]
    refused = compared - sums["compiled"]
    asked_again = sum(one["asked"] - one["not_repeatable"] for one in several if one["second_run"])
    cells = [
        NAMES[part],
        f"{len(several)}",
        f"{sums['asked']:,}",
        f"{sums['compiled']:,}",
        f"{sums['identical']:,}",
        f"{sums['refused_alike']:,} of {refused:,}",
        f"{sums['same_text']:,}",
        f"{sums['second_run']:,} of {asked_again:,}",
        f"{sums['not_repeatable']:,}",
    ]
    return f"| {' | '.join(cells)} |\n"


def causes(found: dict[str, list[dict[str, Any]]]) -> str:
    """Return the most frequent differences as a list, with an example of each."""
    counts: dict[str, tuple[int, str]] = {}
    for several in found.values():
        for figures in several:
            for text, count, labels in figures["causes"]:
                if text.startswith("text: "):
                    continue  # counted in a column of the table
                before, label = counts.get(text, (0, labels[0]))
                counts[text] = before + count, label
    ordered = sorted(counts.items(), key=lambda one: (-one[1][0], one[0]))
    lines = [f"* {count}: {plain(text)} ({label})\n" for text, (count, label) in ordered[:SHOWN]]
    more = "" if len(ordered) <= SHOWN else f"* and {len(ordered) - SHOWN} others\n"
    return f"\nWhat differs, by number:\n\n{''.join(lines)}{more}" if lines else ""


def plain(text: str) -> str:
    """Return a difference as text that Markdown leaves as it is."""
    return "`" + text.replace("`", "'").replace("|", "¦") + "`"


def main() -> None:
    found = by_part([Path(one) for one in sys.argv[1:]])
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    rows = "".join(row(part, found[part]) for part in NAMES if part in found)
    part = f"{BEGIN}{HEAD}{rows}{causes(found)}{END}"
    PAGE.write_text(before + part + after, encoding="utf-8")


if __name__ == "__main__":
    main()
