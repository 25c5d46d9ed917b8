"""``docs/coming-from-puppet-3.md``, made from the manifests of ``tests/migrate``.

write_migration_page.py           rewrites it
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from bunraku.cli.diff.groups import Comparison, marked  # noqa: E402
from bunraku.cli.diff.text import lines_of  # noqa: E402
from bunraku.cli.migration.text import replacement  # noqa: E402
from bunraku.migrate.findings import Finding  # noqa: E402
from bunraku.migrate.rules import RULES  # noqa: E402
from bunraku.migrate.run import Migration, migrate  # noqa: E402
from support.migration import EXAMPLES, Example  # noqa: E402, the path first

PAGE = ROOT / "docs" / "coming-from-puppet-3.md"
HEAD = """\
# Coming from Puppet 3

`bunraku migrate` compiles a node as Puppet 3 and as Puppet 8 in one process, and reports what changes:

```
bunraku migrate --facts-folder facts                      # a control repository, every node of the directory
bunraku migrate manifests --modulepath modules --facts-folder facts
bunraku migrate site.pp --facts facts.json --format html > report.html
bunraku migrate site.pp --facts facts.json --diff         # the edits as a patch; no file is changed
bunraku migrate site.pp --facts facts.json --fix          # apply the edits
bunraku migrate site.pp --from 7 --facts facts.json
```

```
$ bunraku migrate site.pp --facts facts.yaml --node web1
site.pp:1:4: warning: Legacy facts are not sent (S3-31) [legacy-facts]
  1 | if $::osfamily == 'Debian' {
    |    ^^^^^^^^^^^
  hint: use the structured facts: $facts['os']['family']
  edit: $facts['os']['family']

site.pp:2:47: warning: Number literals are numbers (S1-68); was '0644', becomes 420 [number-literals]
  2 |   file { '/etc/motd': ensure => file, mode => 0644 }
    |                                               ^^^^
  hint: quote the number where its digits matter
  edit: '0644'
```

The Puppet 3 run is instrumented: whenever Puppet 8 would give another result for the values that occur, the place, the values, both
results and the edit that preserves the behaviour are reported. Only actual differences are reported, so supply facts from many nodes;
code that no node executes is only analysed statically. Then both catalogs are compared, without and with the edits. In this
comparison numbers are text, as Puppet 3 wrote them, and the enclosing node definition is ignored.

`--fix` applies the edits and keeps formatting and comments. Findings without a safe edit are only reported. The edits are verified by
the compile: if the catalog of a node changes with the edits, or does not compile with them, a message at the top says so, and no
file is written (`--force` writes anyway). The files that were changed are listed. `--diff` prints the edits as a patch instead.

| exit code | meaning |
|---|---|
| 0 | nothing differs, or `--fix` fixed everything |
| 1 | something differs |
| 2 | error, or the old language does not compile a node |

`--format` is `text`, `json`, `sarif` or `html`. `--from 7` reports what Puppet 7 allowed: legacy facts, unknown variables, strings used as
numbers, duplicate keys.

Facts can be those that a Puppet 3 server stored (`$vardir/yaml/facts`), where every fact is text: the words true and false are
then treated as booleans in Puppet 8, and the structured facts that legacy facts stand for are added. In ERB templates, variables
without an `@` and legacy facts are found and edited, too; templates given as text (`inline_template`) are only compared by their result.

A mark such as S1-6 names a statement of the reference documentation: S1 is "Language: Data Types" of Puppet 3.8, S3 is
"Language: Variables"; `tests/language/s1_data_types.pp` and `s3_variables.pp` have a case for each.

A number literal in a manifest was the text that was written; it is a number today. Where both look the same (`80`), nothing is
reported, because agents accept both.

## A whole Puppet 3 repository

`mozilla-releng/build-puppet` held the manifests of Mozilla's build machines until 2019, for Puppet 3.8: 724 manifests, with
functions, resource types and templates in Ruby. All 724 parse with `--language 3.8`. 597 of 613 classes compile, each alone
with the repository's own `site.pp` and the facts of a machine of that time: CentOS 6, Ubuntu 12.04 or 16.04, OS X 10.10 or
Windows. The secrets are not published; made-up text replaces them. The other 16 would not compile in Puppet 3 either:

| classes | why |
|---|---|
| 5 | `file()` reads a key that exists only on their servers |
| 5 | they need a class or a template of a module that is no longer in the repository |
| 4 | a template uses a variable that is no longer set |
| 1 | `fail()`: written for another OS X |
| 1 | reads a variable of the class `config`, which it does not include |

`tests/record/compile_old_repository.py CHECKOUT` measures this, and `tests/known_differences.toml` lists the 16.

## All differences

What both versions make of an example. This page is generated from the examples of the tests by
`tests/tools/write_migration_page.py`.

| rule | example | Puppet 3.8 | Puppet 8 | write |
|---|---|---|---|---|
"""
MIDDLE = """
## The examples

Each example with the difference of its catalogs (`-` Puppet 3.8, `+` Puppet 8) and the edits that `--fix` makes.
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
        parts.append(f"\nPuppet 8 rejects it: {outcome.refusal.message}\n")
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
