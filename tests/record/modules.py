"""Ask real Puppet and bunraku about a corpus of public modules, and compare the answers.

    modules.py list REPOSITORIES                       write the list of releases, tests/data/modules.txt
    modules.py compare FOLDER --repositories REPOSITORIES --reference COMMAND
               [--part PART]… [--only TEXT]… [--sample NUMBER] [--seed NUMBER] [--debian] [--second] [--verbose] [--record FILE]
    modules.py debian FOLDER --reference COMMAND       record the sample of tests/test_debian_modules.py

REPOSITORIES has a folder ``OWNER+NAME/repo`` for each git repository. FOLDER receives the unpacked releases, their
environments, bunraku's cache and the answers of Puppet. COMMAND speaks the batch protocol (docs/protocol.md) for real
Puppet. A question is a class or defined type with generated parameters on several systems, a call of a function, a
template with generated variables, or a resource type with unknown attributes, all attributes or titles of some shapes. ``--debian`` takes the modules of Debian's packages instead of those of the list.

Code of modules runs on both sides: start the program by ``isolated.sh``, without a network and with a read-only disk.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from rigs.modules.corpus import (
    LIST,
    Library,
    Module,
    available,
    debian_modules,
    lay_out,
    module_in,
    releases,
)
from rigs.modules.debian import RECORD, digest, library, sampled
from rigs.modules.run import PARTS, Figures, Sides, compare, merged
from rigs.sites.outcomes import BUNRAKU, Kept, Program
from support.debian_classes import differs, installed_versions

SEVERAL = tuple(
    f"puppetlabs/puppetlabs-{name}"
    for name in [
        "stdlib",
        "apache",
        "apt",
        "mysql",
        "postgresql",
        "firewall",
        "ntp",
        "haproxy",
        "inifile",
        "vcsrepo",
        "java",
        "concat",
        "docker",
        "lvm",
    ]
) + tuple(
    f"voxpupuli/puppet-{name}"
    for name in [
        "nginx",
        "systemd",
        "archive",
        "php",
        "redis",
        "rabbitmq",
        "python",
        "letsencrypt",
        "nodejs",
    ]
)
HEAD = "# The corpus of docs/real-repositories.md: repository, tag or HEAD, commit.\n"


def write_list(repositories: Path) -> None:
    """Write the list of releases."""
    lines = [release.line() for release in available(repositories, SEVERAL)]
    LIST.write_text(HEAD + "".join(lines), encoding="utf-8")
    print(f"{len(lines)} releases")


def corpus(options: argparse.Namespace) -> list[Module]:
    """Return the modules of the corpus, unpacked."""
    if options.debian:
        return debian_modules()
    found = []
    for release in releases():
        folder = lay_out(release, options.repositories, options.folder)
        if folder is None:
            print(f"{release.repository}: no repository", file=sys.stderr)
        else:
            found.append(module_in(folder, release.label))
    return found


def run(options: argparse.Namespace) -> None:
    """Compare the answers about all chosen modules, and print the causes of differences."""
    options.folder.mkdir(parents=True, exist_ok=True)
    modules = corpus(options)
    chosen = [one for one in modules if all(text in one.label for text in options.only)]
    os.environ["BUNRAKU_CACHE_DIR"] = str((options.folder / "cache").resolve())
    command = shlex.split(options.reference)
    totals: dict[str, list[Figures]] = {part: [] for part in options.part}
    with (
        Program(command) as puppet,
        Program(command) as again,
        Program(BUNRAKU) as first,
        Program(BUNRAKU) as second,
    ):
        kept = Kept(puppet, options.folder / "puppet", "")
        sides = Sides(kept, again, first, second if options.second else None)
        known = Library(modules, options.folder.resolve())
        for module, figures in compare(
            known, chosen, options.part, sides, options.sample, options.seed
        ):
            for part, one in figures.items():
                totals[part].append(one)
            if options.verbose:
                print_module(module, figures)
            if options.record:
                record(options.record, module.label, figures)
    for part, several in totals.items():
        print_part(part, merged(several))


def record_debian(options: argparse.Namespace) -> None:
    """Record the digests of Puppet's answers to the sample; random answers are left out."""
    command = shlex.split(options.reference)
    found = {}
    known, modules = library(options.folder.resolve())
    with Program(command) as puppet, Program(command) as again, Program(BUNRAKU) as mine:
        kept = Kept(puppet, options.folder / "puppet", "")
        for module in modules:
            kept.content = " ".join(sorted(one.label for one in known.closure(module)))
            for question in sampled(known, module):
                one = digest(kept.ask(question.request), question.modulepath)
                if differs(digest(mine.ask(question.request), question.modulepath), one):
                    other = digest(again.ask(question.request), question.modulepath)
                    if one != other:
                        continue
                    print(f"differs: {question.request['id']}", flush=True)
                found[question.request["id"]] = one
            print(f"{module.label}: {len(found)} answers in all", flush=True)
    content = {"packages": installed_versions(), "answers": found}
    text = json.dumps(content, indent=1, ensure_ascii=False)
    (options.folder / RECORD.name).write_text(text + "\n", encoding="utf-8")


def print_module(module: Module, figures: dict[str, Figures]) -> None:
    """Print the numbers of a module on one line."""
    parts = [
        f"{part} {one.identical}/{one.compiled}, {one.refused_alike}/{one.refused} refused"
        for part, one in figures.items()
        if one.asked
    ]
    print(f"{module.label}: {'; '.join(parts)}", flush=True)


def print_part(part: str, figures: Figures) -> None:
    """Print the sums of a part and its causes."""
    numbers = {name: value for name, value in vars(figures).items() if name != "causes"}
    print(f"\n{part}: {numbers}")
    for cause, count, labels in figures.as_json()["causes"]:
        print(f"  {count}  {cause}\n       {', '.join(labels)}")


def record(path: Path, label: str, figures: dict[str, Figures]) -> None:
    """Put the figures of a module into a JSON file, beside those of other modules."""
    known: dict[str, Any] = json.loads(path.read_text("utf-8")) if path.exists() else {}
    known.setdefault(label, {}).update({part: one.as_json() for part, one in figures.items()})
    path.write_text(json.dumps(dict(sorted(known.items())), indent=1) + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    actions = parser.add_subparsers(required=True)
    listing = actions.add_parser("list")
    listing.add_argument("repositories", type=Path)
    listing.set_defaults(run=lambda options: write_list(options.repositories))
    comparing = actions.add_parser("compare")
    comparing.add_argument("folder", type=Path)
    comparing.add_argument("--repositories", type=Path, default=Path("repositories"))
    comparing.add_argument("--reference", required=True, help="command of real Puppet")
    comparing.add_argument("--part", action="append", choices=PARTS)
    comparing.add_argument("--only", action="append", default=[], metavar="TEXT")
    comparing.add_argument("--debian", action="store_true")
    comparing.add_argument(
        "--sample", type=int, default=0, help="at most so many questions of a part"
    )
    comparing.add_argument("--seed", type=int, default=0, help="ask other questions")
    comparing.add_argument("--second", action="store_true", help="ask again in a second process")
    comparing.add_argument("--verbose", action="store_true")
    comparing.add_argument("--record", type=Path, metavar="FILE")
    comparing.set_defaults(run=run)
    recording = actions.add_parser("debian")
    recording.add_argument("folder", type=Path)
    recording.add_argument("--reference", required=True, help="command of real Puppet")
    recording.set_defaults(run=record_debian)
    options = parser.parse_args()
    if "part" in options:
        options.part = options.part or list(PARTS)
    options.run(options)


if __name__ == "__main__":
    main()
