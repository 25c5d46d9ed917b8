"""One run over a site: its nodes, both answers for each, and the summary."""

from __future__ import annotations

import json
import shlex
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from support.sites.comparison import differences, message, short
from support.sites.copies import copied, make_up, missing_files
from support.sites.definitions import Definitions, read
from support.sites.hosts import Host, hosts
from support.sites.layout import Site
from support.sites.machines import facts, ranked
from support.sites.outcomes import BUNRAKU, Kept, Program, content_of, revision
from support.sites.private import lay_out, made_up, missing_keys, supply

ROUNDS = 8
TIMEOUT = 300
SETTINGS = {"strict": "warning", "strict_variables": False}


@dataclass
class Options:
    """The options of the command line."""

    checkout: Path
    reference: str
    modulepath: list[str]
    outside: list[str]
    given: Path | None
    scratch: Path
    classes: bool
    only: list[str]
    limit: int
    verbose: bool
    record: Path | None


@dataclass
class Result:
    """The result of a node: whether Puppet compiled it, and the differences of bunraku."""

    host: Host
    system: str
    theirs: str
    resources: int
    found: list[str] = field(default_factory=list)

    @property
    def compiled(self) -> bool:
        return self.theirs == "ok"


class Run:
    """The answers for the nodes of one site."""

    def __init__(self, options: Options, reference: Program, mine: Program) -> None:
        self.options = options
        self.given = tomllib.loads(options.given.read_text("utf-8")) if options.given else {}
        beside = options.given.parent if options.given else Path()
        checkout = options.checkout.resolve()
        made_up_folder = options.scratch / "files" / checkout.name
        outside = {
            path: str((beside / target).resolve() if target else made_up_folder)
            for path, target in self.given.get("outside", {}).items()
        }
        for pair in options.outside:
            path, _, target = pair.partition("=")
            outside[path] = str(Path(target).resolve())
        self.folders = list(outside.values())
        options.modulepath = [str(Path(one).resolve()) for one in options.modulepath]
        content = content_of([str(checkout)])
        functions = self.given.get("functions", {})
        copy = copied(
            checkout, outside, functions, options.modulepath, content, options.scratch.resolve()
        )
        self.site = Site(copy, outside, tuple(options.modulepath))
        folders = [level["datadir"] for level in self.site.levels()]
        given = [one for one in outside.values() if one != str(made_up_folder)]
        content += options.reference + content_of(
            dict.fromkeys([*self.site.modulepath, *given, *folders])
        )
        self.reference = Kept(reference, options.scratch / "puppet", content)
        self.mine = mine
        self.found = self.definitions()
        self.data = made_up(self.site, self.found, self.given.get("data", {}))
        self.systems = self.given.get("systems") or ranked(self.texts())[:2]
        self.manifest = "\n".join(path.read_text("utf-8") for path in self.site.manifests())

    def definitions(self) -> Definitions:
        """The definitions of the manifests: the main one, and those of the modules."""
        paths = [*self.site.manifests()]
        for folder in self.site.modules().values():
            for kind in ("manifests", "types", "functions"):
                paths += sorted((folder / kind).rglob("*.pp"))
        return read(paths)

    def texts(self) -> Iterator[str]:
        """The texts that say which systems a site is for."""
        for path in self.site.data_files():
            yield str(path)
        for folder in self.site.own_modulepath:
            for path in sorted(Path(folder).rglob("manifests/**/*.pp")):
                yield path.read_text("utf-8", "replace")

    def hosts(self) -> list[Host]:
        """The nodes that were asked for."""
        domain = self.given.get("domain", "example.org")
        scope = "classes" if self.options.classes else "roles"
        found = hosts(self.site, self.found, domain, scope)
        if self.options.only:
            found = [one for one in found if any(text in one.label for text in self.options.only)]
        return found[: self.options.limit] if self.options.limit else found

    def request(self, host: Host, system: str, data: dict[str, Any]) -> dict[str, Any]:
        """The question for a node."""
        config = lay_out(self.site, data, self.options.scratch / "data")
        return {
            "id": host.label,
            "code": f"{self.manifest}\n{host.code}\n",
            "as_file": True,
            "node": host.name,
            "facts": facts(system, host.name, self.given.get("facts", {})),
            "modulepath": self.site.modulepath,
            "settings": {
                **SETTINGS,
                "hiera_config": str(config),
                **self.given.get("settings", {}),
            },
            "timeout": TIMEOUT,
        }

    def on_puppet(self, host: Host) -> tuple[str, dict[str, Any], Any]:
        """The system for which Puppet compiles a node (else the first), the request, its answer."""
        tried = []
        for system in self.systems:
            data, files = dict(self.data), list[str]()
            for _ in range(ROUNDS):
                request = {**self.request(host, system, data), "made_up_files": files}
                answer = self.reference.ask(request)
                if answer["status"] == "ok" or not self.supply(message(answer), data, files):
                    break
            tried.append((system, request, answer))
            if answer["status"] == "ok":
                return tried[-1]
        return tried[0]

    def supply(self, error: str, data: dict[str, Any], files: list[str]) -> bool:
        """Make up the keys and files that an error says are missing; False where it says nothing."""
        keys = [key for key in missing_keys(error) if key not in data]
        missing = [key for key in keys if supply(data, key, self.found)]
        paths = [one for one in missing_files(error, self.folders) if str(one) not in files]
        for path in paths:
            make_up(path)
        files += map(str, paths)
        return bool(missing or paths)

    def result(self, host: Host) -> Result:
        """Return the result of a node."""
        system, request, theirs = self.on_puppet(host)
        mine = self.mine.ask(request)
        status = theirs["status"] if theirs["status"] == "ok" else short(message(theirs))
        found = list(dict.fromkeys(differences(theirs, mine)))
        return Result(host, system, status, len(theirs["resources"]), found)


def run(options: Options) -> None:
    """Compile the nodes of a site and print the results."""
    reference = Program(shlex.split(options.reference))
    with reference, Program(BUNRAKU) as mine:
        whole = Run(options, reference, mine)
        listed = whole.hosts()
        print(f"{len(listed)} nodes, systems {', '.join(whole.systems)}", flush=True)
        print(f"modulepath {':'.join(whole.site.modulepath)}")
        print(f"hiera {whole.site.hiera_file}, {len(whole.data)} keys made up", flush=True)
        results = []
        for number, host in enumerate(listed, 1):
            results.append(whole.result(host))
            if options.verbose:
                print_result(number, results[-1])
    print_summary(results)
    if options.record:
        record(options, results, revision(str(options.checkout)))


def print_result(number: int, result: Result) -> None:
    """One node, in a few lines."""
    state = "identical" if not result.found else f"{len(result.found)} differences"
    outcome = f"{result.resources} resources" if result.compiled else result.theirs[:160]
    print(f"{number} {result.host.label} ({result.system}): {outcome}; {state}", flush=True)
    for one in result.found[:4]:
        print(f"    {one}", flush=True)


def groups(pairs: list[tuple[str, str]]) -> list[tuple[str, list[str]]]:
    """Text → the labels it goes with, the most frequent first."""
    found: dict[str, list[str]] = {}
    for text, label in pairs:
        found.setdefault(text, []).append(label)
    return sorted(found.items(), key=lambda group: (-len(group[1]), group[0]))


def print_summary(results: list[Result]) -> None:
    """The numbers, and the causes of differences."""
    compiled = [one for one in results if one.compiled]
    same = [one for one in compiled if not one.found]
    failed = [one for one in results if not one.compiled]
    alike = [one for one in failed if not one.found]
    print(
        f"\n{len(results)} nodes; Puppet compiles {len(compiled)}, of these identical {len(same)}"
    )
    print(f"of the {len(failed)} that Puppet does not compile, {len(alike)} fail at the same place")
    print_groups("Causes", [(one.found[0], one.host.label) for one in compiled if one.found])
    print_groups(
        "Failures at other places", [(one.found[0], one.host.label) for one in failed if one.found]
    )
    print_groups("What Puppet does not compile", [(one.theirs, one.host.label) for one in failed])


def print_groups(title: str, pairs: list[tuple[str, str]]) -> None:
    if pairs:
        print(f"\n{title}:")
    for text, labels in groups(pairs):
        print(f"  {len(labels)}  {text}\n       {', '.join(labels[:4])}", file=sys.stdout)


def record(options: Options, results: list[Result], commit: str) -> None:
    """Put the numbers of a site into a JSON file, beside those of other sites."""
    assert options.record
    path = options.record
    kept = json.loads(path.read_text("utf-8")) if path.exists() else {}
    compiled = [one for one in results if one.compiled]
    causes = groups([(one.found[0], one.host.label) for one in compiled if one.found])
    kept[options.checkout.name.replace("+", "/")] = {
        "revision": commit[:12],
        "bunraku": revision(str(Path(__file__).parent))[:9],
        "nodes": len(results),
        "compiled": len(compiled),
        "identical": len([one for one in compiled if not one.found]),
        "resources": sum(one.resources for one in compiled),
        "failed": len(results) - len(compiled),
        "failed_alike": len([one for one in results if not one.compiled and not one.found]),
        "causes": [[text, labels] for text, labels in causes],
    }
    path.write_text(json.dumps(dict(sorted(kept.items())), indent=1) + "\n", encoding="utf-8")
