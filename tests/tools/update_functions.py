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

## Which implementation is used

The files on the modulepath decide, in Puppet's order: core functions first, then the environment and its modules. A function
of `puppetlabs-stdlib` has an implementation in Python, which stands in for the module's Ruby file only where that file is
known: its content is that of a release of stdlib (0.1.1 to 9.7.0, and the main branch of February 2026), apart from line
endings and blanks at the end of the file. The files that its code calls must be known, too. A changed file runs as Ruby, and a
function that has no file is unknown. `bunraku functions --explain NAME` shows what is used, and why:

    $ bunraku functions --explain pick --modulepath /usr/share/puppet/modules
    pick: Python implementation of stdlib 8.5.0
        file: /usr/share/puppet/modules/stdlib/lib/puppet/parser/functions/pick.rb
        why: the content of the file is that of release 8.5.0 of stdlib

Where no module on the modulepath has files of stdlib's functions, those of the newest release are there (language 8 only),
which Puppet would not find. A stdlib that is only a `metadata.json` names the release. How to write functions of your own:
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
