"""Write the table of rules in ``docs/check.md``."""

from __future__ import annotations

from pathlib import Path

from bunraku.workbench.analysis.rules import RULES
from tools.write_issue_pages import address

PAGE = Path(__file__).parents[2] / "docs" / "check.md"
BEGIN, END = "<!-- rules -->\n", "<!-- end of rules -->"


def table() -> str:
    """Return the table of all rules."""
    lines = ["| code | what is reported | severity | example |", "|---|---|---|---|"]
    for code, rule in sorted(RULES.items()):
        lines.append(
            f"| [{code}]({address(code)}) | {rule.description} | {rule.severity} | {example(rule.example)} |"
        )
    return "\n".join(lines) + "\n"


def example(code: str) -> str:
    """Return code for a cell of the table: each line by itself."""
    return "<br>".join(f"`{line}`" for line in code.split("\n"))


def page(text: str) -> str:
    """Return the page with its table."""
    before, _, rest = text.partition(BEGIN)
    return before + BEGIN + table() + END + rest.partition(END)[2]


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text()))
