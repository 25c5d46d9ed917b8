"""Node classifiers: a program or a YAML file that says which classes a node has.

Both give a hash of ``classes`` (a list of names, or names with their parameters), ``parameters``
(variables of top scope) and ``environment``; any of them may be missing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from subprocess import CalledProcessError
from typing import Any

from bunraku.errors import PuppetError
from bunraku.facts.external import parse_yaml
from bunraku.modules import issues
from bunraku.records import field, record
from bunraku.world import World, failure_reason

Value = Any
TERMINI = ("plain", "exec", "yaml")


@record()
class Classified:
    """What a classifier says of a node."""

    classes: dict[str, dict[str, Value]] = field(default_factory=dict)
    parameters: dict[str, Value] = field(default_factory=dict)
    environment: str | None = None


def classify(settings: Mapping[str, Any], node: str, world: World) -> Classified:
    """Ask the classifier that ``node_terminus`` and ``external_nodes`` name."""
    terminus = settings.get("node_terminus") or "plain"
    if terminus == "plain":
        return Classified()
    if terminus not in TERMINI:
        raise issues.UNKNOWN_TERMINUS(terminus=terminus, known=", ".join(TERMINI))
    source = str(settings.get("external_nodes") or "none")
    if source == "none":
        raise issues.NO_CLASSIFIER(terminus=terminus)
    if terminus == "exec":
        return read_classified(run_classifier(source, node, world), source, node)
    path = f"{source}/{node}.yaml" if world.is_directory(source) else source
    try:
        text = world.read(path).decode("utf-8", "surrogateescape")
    except OSError as error:
        raise issues.UNREADABLE_FILE(path=path, reason=error.strerror or error) from None
    return read_classified(text, path, node)


def run_classifier(command: str, node: str, world: World) -> str:
    """What the program prints for a node, whose name is its last argument."""
    try:
        text = world.run([*command.split(), node])
    except (OSError, CalledProcessError) as error:
        reason = failure_reason(error)
        raise issues.CLASSIFIER_FAILED(command=command, node=node, reason=reason) from None
    if not text.strip():
        raise issues.CLASSIFIER_FAILED(command=command, node=node, reason="it printed nothing")
    return text


def read_classified(text: str, source: str, node: str) -> Classified:
    """What a classifier's YAML says.

    >>> found = read_classified("{classes: [ntp], parameters: {a: 1}}", "nodes.yaml", "web1")
    >>> found.classes, found.parameters
    ({'ntp': {}}, {'a': 1})
    """
    try:
        data = parse_yaml(text)
    except (ValueError, RecursionError) as error:
        line = re.search(r"line (\d+)", str(error))
        raise wrong(source, node, "broken YAML", int(line[1]) if line else None) from None
    if not isinstance(data, Mapping):
        raise wrong(source, node, "no hash")
    data = {str(name).removeprefix(":"): value for name, value in data.items()}
    parameters = data.get("parameters") or {}
    if not isinstance(parameters, Mapping):
        raise wrong(source, node, "parameters that are no hash")
    environment = data.get("environment")
    return Classified(
        classes_of(data.get("classes"), source, node),
        {str(name): value for name, value in parameters.items()},
        None if environment is None else str(environment),
    )


def classes_of(given: Value, source: str, node: str) -> dict[str, dict[str, Value]]:
    """Names and parameters of classes, from a list or a hash."""
    if given is None:
        return {}
    if isinstance(given, str):
        given = [given]
    if isinstance(given, list) and all(isinstance(name, str) for name in given):
        return {name: {} for name in given}
    if isinstance(given, Mapping) and all(
        isinstance(values, Mapping | None) for values in given.values()
    ):
        return {str(name): dict(values or {}) for name, values in given.items()}
    raise wrong(source, node, "classes that are neither names nor names with hashes of parameters")


def wrong(source: str, node: str, what: str, line: int | None = None) -> PuppetError:
    """The error for an answer that is none."""
    error = issues.CLASSIFIER_ANSWER(source=source, node=node, what=what)
    error.diagnostic.file, error.diagnostic.line = source, line
    return error
