"""A published repository of Puppet 3's time, its classes compiled one by one.

It is ``mozilla-releng/build-puppet``, the manifests of Mozilla's build machines until 2019. Nothing
of it is kept here: whoever wants to measure gives a checkout. Its own ``manifests/site.pp`` is the
main manifest, with the configuration of its largest site. What came from elsewhere is made up:
facts (``data/old_facts.json``), what is said of a node beside its class, parameters that a class
wants and secrets (``data/old_site.json``); any other secret is a text with its name.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import bunraku
from bunraku.base.source import Source
from bunraku.dialects.languages import dialect_named
from bunraku.engine.compile import compile_catalog
from bunraku.engine.programs import check_program
from bunraku.engine.request import Request
from bunraku.syntax.nodes import ClassDefinition, Program

DATA = Path(__file__).parents[1] / "data"
LANGUAGE = "3.8"
SECRET = re.compile(r"""(?:secret|hiera)\(\s*\[?\s*["']([^"'$]+)["']""")


@dataclass(frozen=True)
class Outcome:
    """The result of a class: the machine for which it compiled, otherwise the messages by machine."""

    name: str
    machine: str = ""
    resources: int = 0
    messages: dict[str, str] = field(default_factory=dict)


@cache
def machines() -> dict[str, dict[str, str]]:
    """The facts of one machine of each kind, in the order in which they are tried."""
    found: dict[str, dict[str, str]] = json.loads((DATA / "old_facts.json").read_text("utf-8"))
    return found


@cache
def site() -> dict[str, dict[str, Any]]:
    """Variables of a node, secrets, and parameters of classes by their name."""
    found: dict[str, dict[str, Any]] = json.loads((DATA / "old_site.json").read_text("utf-8"))
    return found


def programs(checkout: Path) -> Iterator[tuple[Path, Program, list[str]]]:
    """Each manifest, its syntax tree, and the errors in it."""
    dialect = dialect_named(LANGUAGE, "puppet")
    for path in sorted(checkout.rglob("*.pp")):
        if path.is_file():
            text = path.read_bytes().decode("utf-8", "surrogateescape")
            checked = check_program(Source(text, str(path)), dialect, {})
            yield path, checked.program, [one.message for one in checked.errors]


def classes(checkout: Path) -> dict[str, list[str]]:
    """The classes of the modules, each with the names of the parameters that it must be given."""
    found = {}
    for path, program, _ in programs(checkout / "modules"):
        for definition in program.definitions:
            if isinstance(definition, ClassDefinition) and "manifests" in path.parts:
                wanted = [one.name for one in definition.parameters if one.value is None]
                found[definition.name.lower().removeprefix("::")] = wanted
    return dict(sorted(found.items()))


def lay_out(checkout: Path, folder: Path) -> None:
    """The files of a server beside the checkout: links to its manifests, and secrets."""
    manifests = folder / "manifests"
    manifests.mkdir()
    for name, target in (("site", "site"), ("stages", "stages"), ("config", "moco-config")):
        (manifests / f"{name}.pp").symlink_to(checkout / "manifests" / f"{target}.pp")
    secrets: dict[str, Any] = {
        f"{name}::{parameter}": site()["parameters"][parameter]
        for name, wanted in classes(checkout).items()
        for parameter in wanted
        if parameter in site()["parameters"]
    }
    for path in [*checkout.rglob("*.pp"), *checkout.rglob("*.erb")]:
        for name in SECRET.findall(path.read_text("utf-8", "surrogateescape")):
            secrets[name] = f"value of {name}"
    secrets.update(site()["secrets"])
    (folder / "secrets.json").write_text(json.dumps(secrets), encoding="utf-8")
    (folder / "hiera.yaml").write_text(
        f"---\n:backends: json\n:hierarchy: secrets\n:json:\n  :datadir: {folder}\n",
        encoding="utf-8",
    )


def node_definition(name: str) -> str:
    """A node with a class, and with the one where virtual package repositories are declared."""
    variables = [f"  ${name} = '{value}'" for name, value in site()["variables"].items()]
    aspects = "  $aspects = ['low-security', 'prod']"
    included = [f"  include {name}", "  include packages::setup"]
    return "\n".join(["node default {", aspects, *variables, *included, "}", ""])


def compile_class(checkout: Path, folder: Path, name: str) -> Outcome:
    """Try a class on the machines, one after the other, until it compiles."""
    messages = {}
    for machine, facts in machines().items():
        nodes = folder / f"{machine}-{name.replace('::', '-')}"
        nodes.mkdir(exist_ok=True)
        for manifest in (folder / "manifests").iterdir():
            (nodes / manifest.name).symlink_to(manifest)
        (nodes / "nodes.pp").write_text(node_definition(name), encoding="utf-8")
        request = Request(
            path=str(nodes / "site.pp"),
            node=facts["fqdn"],
            facts=facts,
            modulepath=[str(checkout / "modules")],
            language=LANGUAGE,
            hiera_config=str(folder / "hiera.yaml"),
            cycles=False,
        )
        try:
            catalog = compile_catalog(request, lambda _: None)
        except bunraku.PuppetError as error:
            messages[machine] = described(error, checkout)
        except Exception as error:
            messages[machine] = f"CRASH {type(error).__name__}: {error}"
        else:
            return Outcome(name, machine, len(catalog.resources), messages)
    return Outcome(name, messages=messages)


def described(error: bunraku.PuppetError, checkout: Path) -> str:
    """An error in one line, with its place in the checkout."""
    file, line, _ = error.diagnostic.place.where
    place = re.sub(r".*/(?=[^/]*-[^/]*/nodes.pp)", "", file or "")
    message = " ".join(line.strip() for line in error.message.splitlines())
    return f"{message} ({place}:{line})".replace(f"{checkout}/", "")


def outcomes(checkout: Path, folder: Path, names: list[str], jobs: int = 2) -> list[Outcome]:
    """The result of each class; the machines' files are put in an empty folder."""
    lay_out(checkout, folder)
    if jobs == 1:
        return [compile_class(checkout, folder, name) for name in names]
    count = len(names)
    with ProcessPoolExecutor(jobs) as pool:
        each = pool.map(compile_class, [checkout] * count, [folder] * count, names, chunksize=8)
        return list(each)


def grouped(results: list[Outcome]) -> list[tuple[str, list[str]]]:
    """The messages of the classes that failed on the first machine, the most frequent first."""
    groups: dict[str, list[str]] = {}
    for result in results:
        if not result.machine:
            message = next(iter(result.messages.values()))
            groups.setdefault(message, []).append(result.name)
    return sorted(groups.items(), key=lambda group: (-len(group[1]), group[0]))


def machine_counts(results: list[Outcome]) -> dict[str, int]:
    """How many classes compiled for each machine."""
    return dict(Counter(result.machine for result in results if result.machine))
