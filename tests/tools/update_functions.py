"""Write docs/functions.md: each function, since which version, in which dialects, its status."""

from __future__ import annotations

from pathlib import Path

from bunraku.functions.listing import Entry, entries

PAGE = Path(__file__).parents[2] / "docs" / "functions.md"
INTRODUCTION = """\
# Functions

Every function that bunraku has. `bunraku functions NAME` tells how one is called and what it does; the same functions do
the same in real Puppet, which is what the tests ask ({core} core functions, {stdlib} of the standard library).

* **since**: the first release of Puppet (for core functions) or of `puppetlabs-stdlib` that has the function; for those
  that went away, the last one too.
* **language**: the dialects (`--language`) that carry it out. In 3.0, 3.8 and 3.8-future a function does what it did in
  Puppet 3: undef is the empty string to it, and numbers written in a manifest of 3.0 or 3.8 are strings.
* **status**: `complete`, or what is to be said about it.

The version of the standard library that is on the modulepath (in its `metadata.json`) decides which of its functions
there are and what they do; without that module they are those of the newest. The module's Ruby code is not run. How to write functions of your own:
[functions-in-python.md](functions-in-python.md).
"""


def row(entry: Entry) -> str:
    """A function's line of the table."""
    since = entry.first if entry.last is None else f"{entry.first} to {entry.last}"
    summary = entry.summary.replace("``", "`").replace("|", "\\|")
    dialects = ", ".join(entry.dialects)
    return f"| `{entry.name}` | {since} | {dialects} | {entry.status} | {summary} |\n"


def page() -> str:
    """The whole page."""
    found = list(entries())
    core = [entry for entry in found if entry.library == "core"]
    stdlib = [entry for entry in found if entry.library == "stdlib"]
    text = INTRODUCTION.format(core=len(core), stdlib=len(stdlib))
    head = "| function | since | language | status | what it does |\n|---|---|---|---|---|\n"
    for title, rows in (("Core functions", core), ("The standard library", stdlib)):
        text += f"\n## {title}\n\n{head}" + "".join(map(row, rows))
    return text


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
