"""One run over a site: its nodes, the answers of both programs for each, and the summary."""

from __future__ import annotations

import copy
import json
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rigs.sites.comparison import differences, in_terms_of_3, message, short
from rigs.sites.copies import make_up, missing_files
from rigs.sites.definitions import Definitions, read
from rigs.sites.environment import GENERATED, define, environment_of
from rigs.sites.hosts import Host, hosts
from rigs.sites.machines import facts, merge, ranked
from rigs.sites.outcomes import Kept, content_of, revision
from rigs.sites.private import made_up, missing_keys, supply
from rigs.sites.sides import Mine, Reference, Settings, classify
from rigs.sites.stand_ins import StandIns, summarised

ROUNDS = 12


@dataclass
class Options:
    """The options of the command line."""

    site: Path
    repositories: Path
    given: Path | None
    scratch: Path
    classes: bool
    only: list[str]
    limit: int
    verbose: bool
    errors: bool
    isolate: bool
    record: Path | None


@dataclass
class Result:
    """The result of a node: whether Puppet compiled it, and the differences of each run of bunraku."""

    host: Host
    system: str
    theirs: str
    resources: int
    found: list[str] = field(default_factory=list)
    later: list[str] = field(default_factory=list)

    @property
    def compiled(self) -> bool:
        return self.theirs == "ok"


@dataclass
class Asked:
    """A node as Puppet was asked for it, and the answer."""

    host: Host
    system: str
    facts: dict[str, Any]
    answer: Any


class Run:
    """The answers for the nodes of one site."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.owner = tomllib.loads(options.given.read_text("utf-8")) if options.given else {}
        place = options.scratch / options.site.name
        place.mkdir(parents=True, exist_ok=True)
        repository = next(one for one in (options.site / "repo", options.site) if one.is_dir())
        self.environment = environment_of(repository, self.owner, options.repositories, place)
        self.repository = repository
        self.site = self.environment.site
        self.stand_ins = StandIns(self.environment, self.owner)
        define(self.site, [])  # those of an earlier run are not part of the site
        self.found = self.definitions()
        self.systems = self.owner.get("systems") or ranked(self.texts())[:2]
        self.listed = self.hosts()
        classify(self.environment, self.listed, self.owner)
        self.settings = Settings(self.environment, self.owner)
        self.data = made_up(self.site, self.found, self.owner.get("data", {}))

    def definitions(self) -> Definitions:
        """Return the definitions of the manifests: the main one, and those of the modules."""
        paths = [*self.site.manifests()]
        for folder in [*self.site.modules().values(), self.environment.root]:
            for kind in (
                "types",
                "functions",
                *(["manifests"] if folder.name != "production" else []),
            ):
                paths += sorted((folder / kind).rglob("*.pp"))
        return read(paths)

    def texts(self) -> Iterator[str]:
        """Yield the texts that say which systems a site is for."""
        for path in self.site.data_files():
            yield str(path)
        for name, folder in self.site.modules().items():
            if name in {"profile", "role", "profiles", "roles", "site"}:
                for path in sorted(folder.rglob("manifests/**/*.pp")):
                    yield path.read_text("utf-8", "replace")

    def hosts(self) -> list[Host]:
        """Return the nodes that were asked for."""
        domain = self.owner.get("domain", "example.org")
        scope = "classes" if self.options.classes else "roles"
        limit = 0 if self.options.only else self.options.limit or self.owner.get("limit", 0)
        found = hosts(self.site, self.found, domain, scope, self.owner, limit)
        define(self.site, [one.code for one in found if one.code])
        if self.options.only:
            found = [one for one in found if any(text in one.label for text in self.options.only)]
        return found

    def facts_of(self, host: Host, system: str) -> dict[str, Any]:
        """Return the facts of a node, those that agents add among them."""
        found = facts(system, host.name, self.owner.get("facts", {}))
        merge(found, host.facts)
        return {**found, "clientcert": host.name, "clientversion": "7.23.0", "clientnoop": False}

    def ask(self, reference: Kept, host: Host, known: dict[str, Any]) -> Asked:
        """Return the answer of Puppet: for the first system for which it compiles, else the first."""
        tried = []
        for system in host.systems or self.systems:
            data, files = dict(known), list[str]()
            question = {"node": host.name, "facts": self.facts_of(host, system)}
            for _ in range(ROUNDS):
                self.write_data(host, data)
                known_parts = {**made(files), **own(host), **self.stand_ins.key(host.name)}
                answer = reference.ask(
                    {**question, **self.settings.node(), "data": data, **known_parts}
                )
                if answer["status"] == "ok" or not self.supply(host, answer, data, files):
                    break
            tried.append((Asked(host, system, question["facts"], answer), data))
            if answer["status"] == "ok":
                break
        else:
            tried.reverse()
        asked, data = tried[-1]
        self.write_data(host, data)
        known.update(data)
        return asked

    def write_data(self, host: Host, data: dict[str, Any]) -> None:
        """Write the data that is generated for a node."""
        path = self.environment.generated_file(self.owner, host.name)
        merge(data := copy.deepcopy(data), host.data)
        path.write_text(json.dumps(data, indent=1, sort_keys=True) + "\n", "utf-8")

    def supply(self, host: Host, answer: Any, data: dict[str, Any], files: list[str]) -> bool:
        """Generate what an error says is missing: keys, files and code; False where it says nothing."""
        error = message(answer)
        keys = [key for key in missing_keys(error) if key not in data]
        missing = [key for key in keys if supply(data, key, self.found)]
        named = missing_files(error, self.environment.outside, self.owner.get("missing_files", {}))
        paths = [one for one in named if str(one) not in files]
        for path in paths:
            make_up(path)
        files += map(str, paths)
        stood_in = self.stand_ins.supply(error, host.name)
        if stood_in:
            self.write_nodes()
        return bool(missing or paths or stood_in)

    def write_nodes(self) -> None:
        """Write the node definitions that are generated."""
        generated = [one for one in self.listed if one.code]
        define(self.site, [self.stand_ins.code(one.name, one.code) for one in generated])

    def results(self) -> list[Result]:
        """Return the results of all nodes."""
        root = self.environment.root
        content = content_of([str(root)], without=GENERATED) + self.settings.content()
        folder = self.options.scratch / "puppet"
        with Reference(self.settings, isolate=self.options.isolate) as program:
            reference = Kept(program, folder, content)
            asked, generated = self.ask_all(reference), 0
            while len(self.stand_ins.names) > generated:  # those of later nodes count for all
                generated = len(self.stand_ins.names)
                asked = self.ask_all(reference)
        mine = Mine(
            self.settings, {one.host.name: one.facts for one in asked}, isolate=self.options.isolate
        )
        first = mine.compile("first")
        second = mine.compile("second")
        unchanged = mine.compile("unchanged")
        shuffled = mine.compile_shuffled("shuffled")
        later = {"second": second, "unchanged": unchanged, "shuffled": shuffled}
        found = []
        for one in asked:
            name = one.host.name
            again = [
                word for word, answers in later.items() if answers.get(name) != first.get(name)
            ]
            found.append(self.result(one, first[name], again))
        return found

    def ask_all(self, reference: Kept) -> list[Asked]:
        """Return the answers of Puppet for all nodes."""
        known, asked = dict(self.data), []
        for number, host in enumerate(self.listed, 1):
            asked.append(self.ask(reference, host, known))
            if self.options.verbose:
                words = asked[-1].answer
                state = (
                    short(message(words))
                    if words["status"] != "ok"
                    else f"{len(words['resources'])} resources"
                )
                print(
                    f"Puppet {number}/{len(self.listed)} {host.label}: {state[:200]}",
                    flush=True,
                )
        return asked

    def result(self, asked: Asked, mine: Any, later: list[str]) -> Result:
        """Return the result of a node."""
        theirs = asked.answer
        status = theirs["status"] if theirs["status"] == "ok" else short(message(theirs))
        if self.settings.language != "8":
            apart = self.owner.get("apart", ())
            theirs, mine = in_terms_of_3(theirs, apart), in_terms_of_3(mine, apart)
        found = list(dict.fromkeys(differences(theirs, mine, errors=self.options.errors)))
        return Result(asked.host, asked.system, status, len(theirs["resources"]), found, later)


def own(host: Host) -> dict[str, Any]:
    """Return the part of a question that tells apart answers for other data of a node."""
    return {"own": dict(host.data)} if host.data else {}


def made(files: list[str]) -> dict[str, list[str]]:
    """Return the part of a question that tells apart answers before and after files were generated."""
    return {"files": list(files)} if files else {}


def run(options: Options) -> None:
    """Compile the nodes of a site and print the results."""
    whole = Run(options)
    print(f"{len(whole.listed)} nodes, systems {', '.join(whole.systems)}", flush=True)
    if whole.environment.missing:
        print(f"modules that no repository has: {', '.join(whole.environment.missing)}", flush=True)
    results = whole.results()
    for number, result in enumerate(results, 1):
        if options.verbose:
            print_result(number, result)
    print_summary(results)
    if options.record:
        record(whole, results)


def print_result(number: int, result: Result) -> None:
    """Print the result of a node in a few lines."""
    state = "identical" if not result.found else f"{len(result.found)} differences"
    state += f", other in {', '.join(result.later)}" if result.later else ""
    outcome = f"{result.resources} resources" if result.compiled else result.theirs[:160]
    print(f"{number} {result.host.label} ({result.system}): {outcome}; {state}", flush=True)
    for one in result.found[:6]:
        print(f"    {one}", flush=True)


def groups(pairs: list[tuple[str, str]]) -> list[tuple[str, list[str]]]:
    """Return text → the labels it goes with, the most frequent first."""
    found: dict[str, list[str]] = {}
    for text, label in pairs:
        found.setdefault(text, []).append(label)
    return sorted(found.items(), key=lambda group: (-len(group[1]), group[0]))


def print_summary(results: list[Result]) -> None:
    """Print the numbers, and the causes of differences."""
    numbers = summary(results)
    print(
        "\n{nodes} nodes; Puppet compiles {compiled}, of these identical {identical}, in later runs too"
        " {identical_again}; of the {failed} that it refuses, {failed_alike} fail alike".format(
            **numbers
        )
    )
    compiled = [one for one in results if one.compiled]
    failed = [one for one in results if not one.compiled]
    print_groups("Causes", [(one.found[0], one.host.label) for one in compiled if one.found])
    print_groups(
        "Later runs", [(", ".join(one.later), one.host.label) for one in results if one.later]
    )
    print_groups("Other failures", [(one.found[0], one.host.label) for one in failed if one.found])
    print_groups("What Puppet does not compile", [(one.theirs, one.host.label) for one in failed])


def print_groups(title: str, pairs: list[tuple[str, str]]) -> None:
    if pairs:
        print(f"\n{title}:")
    for text, labels in groups(pairs):
        print(f"  {len(labels)}  {text}\n       {', '.join(labels[:4])}", file=sys.stdout)


def summary(results: list[Result]) -> dict[str, int]:
    """Return the numbers of a site."""
    compiled = [one for one in results if one.compiled]
    failed = [one for one in results if not one.compiled]
    return {
        "nodes": len(results),
        "compiled": len(compiled),
        "identical": len([one for one in compiled if not one.found]),
        "identical_again": len([one for one in compiled if not one.found and not one.later]),
        "resources": sum(one.resources for one in compiled),
        "failed": len(failed),
        "failed_alike": len([one for one in failed if not one.found]),
    }


def record(whole: Run, results: list[Result]) -> None:
    """Put the numbers of a site into a JSON file, beside those of other sites."""
    options, commit = whole.options, revision(str(whole.repository))
    assert options.record
    path = options.record
    kept = json.loads(path.read_text("utf-8")) if path.exists() else {}
    compiled = [one for one in results if one.compiled]
    kept[options.site.name.replace("+", "/")] = {
        "revision": commit[:12],
        "language": whole.owner.get("language", "8"),
        "bunraku": revision(str(Path(__file__).parent))[:9],
        **summary(results),
        "causes": groups([(one.found[0], one.host.label) for one in compiled if one.found]),
        "stand_ins": [*summarised(whole.stand_ins.names)],
        "refused": groups([(one.theirs, one.host.label) for one in results if not one.compiled]),
    }
    path.write_text(json.dumps(dict(sorted(kept.items())), indent=1) + "\n", encoding="utf-8")
