"""The pages of docs/ that are made: ``language.md`` from the language cases, ``issues.md`` from the issues.

write_docs.py           rewrites them
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from support.issues import issues  # noqa: E402, the path first
from support.known_differences import known_differences  # noqa: E402
from support.language import cases  # noqa: E402

FORMS = ROOT / "tests" / "data" / "language_forms.txt"
DOCS = ROOT / "docs"
# What is to be said of a form beside its cases; and those that are not supported.
NOTES = {
    "B59": "simple ones need no Ruby; others run in one Ruby process, without Puppet; tested with Debian's",
    "B63": "refused with a clear error: there are no classes of Ruby to map to",
    "B97": "plans are read and checked; to run them is Bolt's work",
    "B99": "needs Bolt",
}
REFUSED = {"B63", "B97", "B99"}


def forms() -> Iterator[tuple[str, str | None]]:
    """Headings (without a form) and forms of the language, in order."""
    for line in FORMS.read_text(encoding="utf-8").splitlines():
        if line.startswith("# "):
            yield line[2:], None
        else:
            name, form = line.split("\t")
            yield name, form


def counted() -> dict[str, int]:
    """Form → how many cases of ``tests/language`` are about it."""
    found: dict[str, int] = {}
    for case in cases():
        for name in set(re.findall(r"\bB\d+\b|\bS4-\d+\b", case.name)):
            found[name] = found.get(name, 0) + 1
    return found


def status(name: str, count: int) -> str:
    """Whether a form works."""
    if name in REFUSED:
        return "no"
    return "yes" if count or name in NOTES else "?"


def language_page() -> str:
    """``docs/language.md``."""
    count = counted()
    names = [name for name, form in forms() if form is not None]
    works = sum(status(name, count.get(name, 0)) == "yes" for name in names)
    lines = [
        "# What of the language works",
        "",
        'Made by `tests/tools/write_docs.py` from the cases in `tests/language/*.pp`. "Cases" are those about the',
        "form; each is also held against real Puppet 7.23 by `pytest --reference`. Where it differs:",
        "[differences.md](differences.md).",
        "",
        f"Of {len(names)} forms {works} work; {len(names) - works} do not, those that their note tells of. B106 to B113 are",
        "those of Puppet 3 (`--language 3.8`), which no real Puppet can be asked about any more.",
    ]
    for name, form in forms():
        if form is None:
            lines += ["", f"## {name}", "", "| form | works | cases | |", "|---|---|--:|---|"]
            continue
        note = NOTES.get(name, "")
        lines.append(
            f"| {form} | {status(name, count.get(name, 0))} | {count.get(name, 0)} | {note} |"
        )
    return "\n".join(lines) + "\n"


def issues_page() -> str:
    """``docs/issues.md``."""
    lines = [
        "# Codes of errors",
        "",
        "Made by `tests/tools/write_docs.py`. The code stands in brackets behind the message and in `code` of",
        "`--format json`. Codes are stable; message texts may change. Most are Puppet's own. Where Puppet only has its",
        "general code `RUNTIME_ERROR`, bunraku has codes of its own, marked (Puppet: `RUNTIME_ERROR`); `issue_code` of",
        "[the batch protocol](protocol.md) and `puppet_code` of `bunraku.PuppetError` keep Puppet's. The file behind a",
        "message, below `src/bunraku/`, has its text.",
    ]
    for code, found in issues().items():
        lines += ["", f"## {code}", ""]
        for file, issue in sorted(found, key=lambda one: one[1].text):
            text = " ".join(issue.text.split())
            hint = f" *{' '.join(issue.hint.split())}*" if issue.hint else ""
            general = f" (Puppet: `{issue.puppet}`)" if issue.puppet else ""
            lines.append(f"- {escaped(text)}{hint}{general} `{file}`")
    return "\n".join(lines) + "\n"


def escaped(text: str) -> str:
    """A message's text where Markdown would take it for something else."""
    return re.sub(r"([<>*_\[\]`|\\])", r"\\\1", text)


def differences_part() -> str:
    """The table in ``docs/differences.md`` of what a real Puppet 7.23 does otherwise."""
    lines = ["| case | why |", "|---|---|"]
    for name, why in known_differences("language").items():
        title = re.sub(r"^\w+: ", "", name)
        lines.append(f"| {re.sub(r'^((B|S4-)[0-9]+ )+', '', title)} | {why} |")
    return "\n".join(lines) + "\n"


def differences_page(text: str) -> str:
    """``docs/differences.md`` with its made part renewed."""
    begin, end = "<!-- 7.23: begin -->\n", "<!-- 7.23: end -->"
    before, _, rest = text.partition(begin)
    _, _, after = rest.partition(end)
    return f"{before}{begin}\n{differences_part()}\n{end}{after}"


def pages() -> dict[Path, str]:
    """Path → what should stand there."""
    differences = DOCS / "differences.md"
    return {
        DOCS / "commands.md": import_module("tools.write_commands_page").page(),
        DOCS / "conformance.md": import_module("tools.write_conformance_page").page(),
        DOCS / "language.md": language_page(),
        DOCS / "issues.md": issues_page(),
        differences: differences_page(differences.read_text(encoding="utf-8")),
    }


def main() -> None:
    """Write all generated pages."""
    for path, text in pages().items():
        path.write_text(text, encoding="utf-8")
    migration = import_module("tools.write_migration_page")
    migration.PAGE.write_text(migration.page(), encoding="utf-8")
    functions = import_module("tools.update_functions")
    functions.PAGE.write_text(functions.page(), encoding="utf-8")


if __name__ == "__main__":
    main()
