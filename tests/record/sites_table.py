"""Write docs/real-repositories.md from the numbers that ``sites.py --record`` put into a JSON file.

sites_table.py RECORD
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parents[2] / "docs" / "real-repositories.md"
HEAD = """# Real repositories

Whole repositories with the Puppet code of many machines, compiled with real Puppet 7.23 and with bunraku, as
`tests/record/sites.py` does it. Nothing of them is part of bunraku.

The nodes are the node definitions of a repository, the machines that have data of their own, and the classes of its
modules for roles and profiles. Facts are those of a made-up machine. Private data are made up for the types that the
manifests declare; a few facts and values that only the owner knows stand in `tests/data/sites/`. Functions that
ask other machines or make passwords by chance return a constant.

A node is identical when everything is: resources and their order, parameters and their order, tags, files and lines,
containment, relationships, classes, and what the manifests log (messages of Puppet itself count by
their level). Of the nodes that real Puppet does not compile, the last column counts those that bunraku refuses at the
same file and line.

"""
COLUMNS = (
    "repository",
    "revision",
    "bunraku at",
    "nodes",
    "Puppet compiles",
    "identical",
    "resources",
    "refused alike",
)
TAIL = """
## Repeat it

```sh
git clone https://github.com/theforeman/foreman-infra sites/theforeman+foreman-infra
python tests/record/sites_modules.py REPOSITORIES sites/modules --puppetfile sites/theforeman+foreman-infra/puppet/Puppetfile
python tests/record/sites.py sites/theforeman+foreman-infra --modulepath sites/modules \\
    --given tests/data/sites/foreman-infra.toml --reference 'COMMAND OF REAL PUPPET' --record sites/record.json
python tests/record/sites_table.py sites/record.json
```

`REPOSITORIES` is a folder with the git repositories of the modules, as `OWNER+NAME/repo`. The command of real Puppet
speaks [the batch protocol](protocol.md) and has the libraries `facter` and `puppet/resource_api` loaded or in its load
path, for types of modules use them. Its answers are kept, so that a second run compiles on bunraku only.

* `miraheze/puppet` and `wikimedia/operations-puppet` bring their modules; the types of Puppet's own packages are added
  (`sites_modules.py REPOSITORIES FOLDER` without a Puppetfile).
* `mozilla-platform-ops/ronin_puppet` has modules in `r10k_modules`, given by `--modulepath`; its roles are compiled
  (`--only roles_profiles::roles`).
* `wikimedia/operations-puppet` has private data and modules in `wikimedia/labs-private`: `--outside
  /etc/puppet/private=CHECKOUT` and `--modulepath CHECKOUT/modules`. Of its 2,171 nodes, the first are compiled
  (`--limit 60`).
* `ocf/puppet`: the node that only bunraku compiles calls `scanf`, whose library Debian's Ruby lacks.
"""


def row(name: str, entry: dict[str, Any]) -> list[str]:
    """The cells of a repository."""
    numbers = ("nodes", "compiled", "identical", "resources")
    shown = [f"{entry[number]:,}" for number in numbers]
    revisions = [entry["revision"], entry["bunraku"]]
    return [f"`{name}`", *revisions, *shown, f"{entry['failed_alike']} of {entry['failed']}"]


def total(entries: list[dict[str, Any]]) -> list[str]:
    """The cells of the last row."""
    numbers = ("nodes", "compiled", "identical", "resources", "failed_alike", "failed")
    sums = {number: sum(entry[number] for entry in entries) for number in numbers}
    return row("all", {**sums, "revision": "", "bunraku": ""})


def table(recorded: dict[str, dict[str, Any]]) -> str:
    rows = [row(name, entry) for name, entry in recorded.items()]
    lines = [COLUMNS, ["---", "---", "---", *["--:"] * 5], *rows, total(list(recorded.values()))]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def causes(recorded: dict[str, dict[str, Any]]) -> str:
    """The nodes that differ, by their first difference."""
    lines = [
        f"* `{name}`, {len(labels)} of {entry['compiled']}: {plain(text)} ({', '.join(labels[:3])})\n"
        for name, entry in recorded.items()
        for text, labels in entry["causes"]
    ]
    return "\n## What differs\n\n" + ("".join(lines) or "Nothing.\n")


def plain(text: str) -> str:
    """A difference as text that Markdown leaves as it is."""
    return "`" + text.replace("`", "'") + "`"


def main() -> None:
    recorded = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    page = HEAD + table(recorded) + causes(recorded) + TAIL
    PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
