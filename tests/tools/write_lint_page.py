"""Write the table of checks in ``docs/lint.md``."""

from __future__ import annotations

from pathlib import Path

from bunraku.workbench.lint.registry import checks

PAGE = Path(__file__).parents[2] / "docs" / "lint.md"
BEGIN, END = "<!-- checks -->\n", "<!-- end of checks -->"


def table() -> str:
    """Return the table of all checks."""
    lines = [
        "| check | what holds | finding | default | `--fix` | plugin |",
        "|---|---|---|---|---|---|",
    ]
    for name, one in sorted(checks().items()):
        fix = "" if not one.fixes else "tree" if one.changes_tree else "yes"
        default = "on" if one.enabled else "off"
        plugin = f"`{one.plugin}`" if one.plugin else ""
        lines.append(
            f"| `{name}` | {one.description} | {one.severity} | {default} | {fix} | {plugin} |"
        )
    return "\n".join(lines) + "\n"


def page(text: str) -> str:
    """Return the page with its table."""
    before, _, rest = text.partition(BEGIN)
    return before + BEGIN + table() + END + rest.partition(END)[2]


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text()))
