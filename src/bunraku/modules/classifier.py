"""Node classifiers: a program or a YAML file that assigns classes to a node.

Both give a hash of ``classes`` (a list of names, or names with their parameters), ``parameters``
(variables of top scope) and ``environment``; any of them may be missing.
"""

from __future__ import annotations

from collections.abc import Mapping
from subprocess import CalledProcessError
from typing import Any

from bunraku.base.records import field, record
from bunraku.facts.documents import FACTS, with_names
from bunraku.formats.document import read_document
from bunraku.formats.shape import NULL, TEXT, Array, Either, Fields, HashOf
from bunraku.modules import issues
from bunraku.world.processes import failure_reason
from bunraku.world.protocol import World

Value = Any
ANSWER = Fields(
    {
        "classes": Either((Array(TEXT), HashOf(Either((NULL, HashOf()))))),
        "parameters": FACTS,
        "environment": TEXT,
    }
)
"""The hash that a classifier returns; other keys are ignored, as Puppet does."""
TERMINI = ("plain", "exec", "yaml")


@record()
class Classified:
    """The answer of a classifier for a node."""

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
    """Return the output of the program for a node, whose name is its last argument."""
    try:
        text = world.run([*command.split(), node])
    except (OSError, CalledProcessError) as error:
        reason = failure_reason(error)
        raise issues.CLASSIFIER_FAILED(command=command, node=node, reason=reason) from None
    if not text.strip():
        raise issues.CLASSIFIER_FAILED(command=command, node=node, reason="it printed nothing")
    return text


def read_classified(text: str, source: str, node: str) -> Classified:
    """Return the content of a classifier's YAML.

    >>> found = read_classified("{classes: [ntp], parameters: {a: 1}}", "nodes.yaml", "web1")
    >>> found.classes, found.parameters
    ({'ntp': {}}, {'a': 1})
    """
    document = read_document(text, source, issues.CLASSIFIER_ANSWER, "YAML", node=node)
    document.check(ANSWER, issues.CLASSIFIER_ANSWER, node=node)
    data = document.data
    return Classified(
        classes_of(data.get("classes")),
        with_names(data.get("parameters") or {}),
        data.get("environment"),
    )


def classes_of(given: Value) -> dict[str, dict[str, Value]]:
    """Return names and parameters of classes, from a list or a hash."""
    if isinstance(given, Mapping):
        return {name: dict(values or {}) for name, values in given.items()}
    return {name: {} for name in given or ()}
