"""``docs/coming-from-puppet-3.md``, made from the manifests of ``tests/migrate``.

write_migration_page.py           rewrites it
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from bunraku.cli.diff_groups import Comparison, marked  # noqa: E402
from bunraku.cli.diff_text import lines_of  # noqa: E402
from bunraku.cli.migrate_text import replacement  # noqa: E402
from bunraku.migrate.findings import Finding  # noqa: E402
from bunraku.migrate.rules import RULES  # noqa: E402
from bunraku.migrate.run import Migration, migrate  # noqa: E402
from support.migration import EXAMPLES, Example  # noqa: E402, the path first

PAGE = ROOT / "docs" / "coming-from-puppet-3.md"
HEAD = """\
# Coming from Puppet 3

`bunraku migrate` compiles a node under Puppet 3 and under Puppet 8 in one process, and tells what changes:

```
bunraku migrate manifests --modulepath modules --facts-folder facts        # every node of the folder
bunraku migrate site.pp --facts facts.json --format html > report.html
bunraku migrate site.pp --facts facts.json --fix
bunraku migrate site.pp --from 7 --facts facts.json
```

The run of Puppet 3 is watched: whenever the values at hand would make Puppet 8 answer otherwise, the place, the values, both
answers and the edit that keeps the old meaning are reported. Only what really differs is, so give it the facts of many nodes:
code that no node runs is looked at for what its text alone tells. Then both catalogs are compared, as the code stands and with
the edits. In that comparison numbers are text, as Puppet 3 wrote them, and it does not count which node definition holds a
resource. `--fix` makes the edits, keeping formatting and comments; each file is written as a whole or not at all. What has no
certain edit stays a finding. `--format` is `text`, `json`, `sarif` or `html`; the exit code is 0 when nothing differs, 1 when
something does, 2 when the old language does not compile a node.

`--from 7` looks for what Puppet 7 let pass: flat facts, unknown variables, text used as numbers, keys that stand twice.

A mark such as S1-6 names the statement of the reference texts that held: S1 counts those of "Language: Data Types" (3.8), S3
those of "Language: Variables"; `tests/language/s1_data_types.pp` and `s3_variables.pp` have a case for each.

A bare number in a manifest was the text that was written; it is a number today. Where both look the same (`80`) that is no
difference, for agents take both.

## An old repository as a whole

`mozilla-releng/build-puppet` held the manifests of Mozilla's build machines until 2019, for Puppet 3.8: 724 manifests, with
functions, resource types and templates in Ruby. All 724 parse under `--language 3.8`. 597 of 613 classes compile, each alone
under the repository's own `site.pp`, with the facts of a machine of that time: CentOS 6, Ubuntu 12.04 or 16.04, OS X 10.10 or
Windows. The secrets are not published; a made-up text stands for each. The other 16 would not compile in Puppet 3 either:

| classes | why |
|---|---|
| 5 | `file()` reads a key that lies on their servers only |
| 5 | they need a class or a template of a module that is no longer in the repository |
| 4 | a template uses a variable that nothing sets any more |
| 1 | `fail()`: for another OS X only |
| 1 | reads a variable of the class `config`, which it does not include |

`tests/reference/old_repository.py CHECKOUT` measures it, and `tests/data/old_repository_known.txt` lists the 16.

## Every difference

What the two versions make of an example. This page is made from the tests' examples, by `tests/tools/write_migration_page.py`.

| rule | example | Puppet 3.8 | Puppet 8 | write |
|---|---|---|---|---|
"""
MIDDLE = """
## The examples

Each with the difference of its catalogs (`-` Puppet 3.8, `+` Puppet 8), and with the edits that `--fix` makes.
"""


def cell(text: str, *, code: bool = True) -> str:
    """Text in a table."""
    shown = " ".join(text.split()).replace("|", "\\|")
    return f"`` {shown} ``" if code and shown else shown


def rows(example: Example, found: Migration) -> list[str]:
    """The findings of an example that show what no earlier one did, as rows."""
    return [row(item, found) for item in found.findings if first(example, item)]


def first(example: Example, finding: Finding) -> bool:
    """Whether an example is the first with such a finding in it, and the finding the first of its kind."""
    id_ = finding.rule.id
    own = next(one for one in EXAMPLES if any(rule == id_ for rule, _ in one.rules))
    line = min(number for rule, number in own.rules if rule == id_)
    return own is example and finding.span.line == line


def row(finding: Finding, found: Migration) -> str:
    """A finding as a row of the table."""
    refusal = found.outcomes[0].refusal
    new = finding.new or ("error" if refusal is None else f"error: {refusal.message}")
    cells = (
        f"{finding.rule.title} (`{finding.rule.id}`)",
        cell(finding.span.source.text[finding.span.start : finding.span.end]),
        cell(finding.old or "works", code=bool(finding.old)),
        cell(new, code=not new.startswith("error")),
        cell(replacement(finding)) if finding.edits else finding.rule.instead,
    )
    return f"| {' | '.join(text or 'nothing' for text in cells)} |"


def section(example: Example, found: Migration) -> str:
    """An example with both outputs."""
    outcome = found.outcomes[0]
    ids = list(dict.fromkeys(rule for rule, _ in example.rules))
    changes = " ".join(RULES[id_].change for id_ in ids)
    named = ", ".join(
        f"`{id_}` ({RULES[id_].statement})" if RULES[id_].statement else f"`{id_}`" for id_ in ids
    )
    parts = [f"\n### {example.title}\n\n{changes} Rules: {named}.\n"]
    parts += [
        f"\n{name.capitalize()}: `{example.head[name]}`\n"
        for name in ("facts", "node")
        if name in example.head
    ]
    parts.append(f"\n```puppet\n{example.code.strip()}\n```\n")
    if outcome.refusal is not None:
        parts.append(f"\nPuppet 8 refuses it: {outcome.refusal.message}\n")
    elif outcome.difference is not None:
        lines = [text for _, text in marked(lines_of(Comparison("", outcome.difference)))]
        shown = "\n".join(line.partition("   # ")[0] for line in lines)
        parts.append(f"\n```diff\n{shown}\n```\n")
    text = found.edited[str(example.path)]
    edited = "\n".join(line for line in text.splitlines() if not line.startswith("# ")).strip()
    parts.append(f"\nWith the edits:\n\n```puppet\n{edited}\n```\n")
    return "".join(parts)


def page() -> str:
    """The whole page."""
    made = [(example, migrate([example.request()], "3.8")) for example in EXAMPLES]
    table = [line for example, found in made for line in rows(example, found)]
    sections = [section(example, found) for example, found in made]
    return "".join([HEAD, "\n".join(table), "\n", MIDDLE, *sections])


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
