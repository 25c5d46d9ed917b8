"""Hiera backends of modules, as real Puppet and bunraku call them with generated options, data and keys."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rigs.modules.run import Figures, outcome
from rigs.sites.comparison import differences, message, short
from rigs.sites.outcomes import Program

CONTEXT = "Puppet::LookupContext"
FUNCTION = re.compile(r"create_function\(\s*:?['\"]?([\w:]+)")
NATIVE = re.compile(r"^\s*function\s+([\w:]+)", re.MULTILINE)
DISPATCH = re.compile(r"dispatch\b.*?\bend\b", re.DOTALL)
PARAMETERS = re.compile(r"^\s*(?:required_|optional_)?param\b", re.MULTILINE)
OPTION = re.compile(r"options(?:\.fetch\(|\[)\s*['\"]([\w:-]+)['\"]|options\['([\w-]+)'\]")
NETWORK = re.compile(
    r"net/http|Net::HTTP|open-uri|httpclient|Vault|Aws::|consul|TCPSocket|LDAP|Mysql", re.IGNORECASE
)
NODE = "web1.example.test"
DATA = """\
alpha: one
m::beta: [1, 2, {c: d}]
nested: {a: {b: c}, list: [x, y]}
interpolated: "%{facts.role} %{lookup('alpha')} %{unknown}"
literal: "%{literal('%')}{x}"
empty: ~
false: false
'number': 7
lookup_options: {nested: {merge: deep}}
terraform: {instances: {web1.example.test: {ip: 192.0.2.1}}}
"""
OTHER = "nested: {a: {e: f}, list: [z]}\nalpha: two\nonly: here\n"
HOCON = 'alpha: one, "m::beta": [1, 2], nested { a { b: c } }, number: 7\n'
FILES = {
    "own.yaml": DATA,
    "more.yaml": OTHER,
    "broken.yaml": "a: [\n",
    "own.conf": HOCON,
    "list.yaml": "[1]\n",
}
KEYS = (
    "alpha",
    "m::beta",
    "nested",
    "nested.a.b",
    "interpolated",
    "literal",
    "empty",
    "number",
    "terraform.self",
    "absent",
)
VALUES: Mapping[str, Any] = {
    "function": "yaml_data",
    "filter": ["^m::", "number"],
    "node": NODE,
    "hostname": NODE,
    "data_dirs": ["data"],
}
"""Values of options that backends read; others are a text."""


@dataclass(frozen=True)
class Backend:
    """A function that can be an entry of a hierarchy, and the options that its code reads."""

    name: str
    kind: str
    file: Path
    options: tuple[str, ...]
    online: bool


def backends(module: Path) -> Iterator[Backend]:
    """Yield the backends of a module, each in every kind that its signatures allow."""
    for pattern in ("lib/puppet/functions/**/*.rb", "functions/**/*.pp"):
        for file in sorted(module.glob(pattern)):
            text = file.read_text("utf-8", "replace")
            if CONTEXT not in text:
                continue
            found = (FUNCTION if file.suffix == ".rb" else NATIVE).search(text)
            options = tuple(
                sorted({one or other for one, other in OPTION.findall(text)} - {"path", "uri"})
            )
            for kind in kinds(text, file.suffix) if found else ():
                assert found
                yield Backend(found[1], kind, file, options, NETWORK.search(text) is not None)


def kinds(text: str, suffix: str) -> list[str]:
    """Return what a function can be, by the parameters of its signatures; the first is a key, or the parts of one."""
    signatures = [text[: text.index(CONTEXT)]] if suffix == ".pp" else DISPATCH.findall(text)
    found = [one for one in signatures if CONTEXT in one or suffix == ".pp"]
    return sorted({kind for one in found if (kind := kind_of(one, suffix)) is not None})


def kind_of(signature: str, suffix: str) -> str | None:
    """Return what a function with a signature can be."""
    number = signature.count("$") + 1 if suffix == ".pp" else len(PARAMETERS.findall(signature))
    if number == 2:
        return "data_hash"
    if number != 3:
        return None
    return "data_dig" if "Array" in signature else "lookup_key"


PLACES: Mapping[str, Mapping[str, Any]] = {
    "path": {"path": "own.yaml"},
    "paths": {"paths": ["own.yaml", "absent.yaml", "more.yaml"]},
    "broken": {"path": "broken.yaml"},
    "list": {"path": "list.yaml"},
    "hocon": {"path": "own.conf"},
    "uri": {"uri": "https://data.example.test/%{facts.role}"},
    "nothing": {},
}
"""Where a level has its data."""


def hierarchy(
    backend: Backend, entry: Mapping[str, Any], names: Iterable[str], data: Path
) -> dict[str, Any]:
    """Return a hiera.yaml whose first level is the backend; ``data`` is the directory of files."""
    options = {name: VALUES.get(name, "text") for name in names}
    first = {"name": "by the backend", backend.kind: backend.name, **entry}
    folder = str(data)
    levels = [
        {**first, **({"options": options} if options else {})},
        {"name": "more", "path": "more.yaml"},
    ]
    return {
        "version": 5,
        "defaults": {"datadir": folder, "data_hash": "yaml_data"},
        "hierarchy": levels,
    }


def requests(backend: Backend, modulepath: str, folder: Path) -> Iterator[dict[str, Any]]:
    """Yield questions: each place of data and set of options, with and without a default value.

    The configuration and the files of data are written to a folder. Each question has files of its own, because
    the contents that a backend reads are shared by all compiles of an environment.
    """
    for place, entry in PLACES.items():
        for names in {(), backend.options}:
            for code, label in codes():
                title = f"{backend.name} {backend.kind} {place} {len(names)} options {label}"
                own = folder / re.sub(r"\W", "_", title)
                configuration = written(own, hierarchy(backend, entry, names, own))
                yield {
                    "id": title,
                    "code": code,
                    "settings": {"hiera_config": str(configuration), "strict": "warning"},
                    "modulepath": [modulepath],
                    "node": NODE,
                    "facts": {"role": "web", "os": {"family": "Debian"}},
                    "timeout": 60,
                }


def written(folder: Path, configuration: Mapping[str, Any]) -> Path:
    """Write the files of a question to a folder; return the path of the configuration."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "hiera.yaml").write_text(json.dumps(configuration), encoding="utf-8")
    return folder / "hiera.yaml"


def codes() -> Iterator[tuple[str, str]]:
    """Yield manifests that look keys up, and what they look up."""
    defaults = "".join(f"notice(lookup('{key}', undef, undef, 'default'))\n" for key in KEYS)
    yield defaults, "all keys"
    yield (
        "notice(lookup('nested', Hash, 'deep'))\nnotice(lookup('alpha', Data, 'unique'))\n",
        "merges",
    )
    for key in ("alpha", "nested.a.b", "absent"):
        yield f"notice(lookup('{key}'))\n", key


def compare(module: Path, folder: Path, puppet: Program, bunraku: Program) -> Figures:
    """Ask the questions about the backends of a module on both sides; ``folder`` gets their files."""
    figures = Figures()
    for backend in backends(module):
        if backend.online:
            figures.note("not asked: it needs a network", backend.name)
            continue
        for request in requests(backend, str(module.parent), folder):
            count(
                figures, request["id"], outcome(puppet.ask(request)), outcome(bunraku.ask(request))
            )
    return figures


def count(figures: Figures, label: str, theirs: Any, mine: Any) -> None:
    """Count the two answers to a question."""
    figures.asked += 1
    found = list(differences(theirs, mine, errors=False))
    if theirs["status"] == "ok":
        figures.compiled += 1
        figures.identical += not found
    else:
        figures.refused_alike += not found
        figures.same_text += not list(differences(theirs, mine))
    if found:
        figures.note(f"{short(message(theirs))} {found[0]}"[:300], label)
