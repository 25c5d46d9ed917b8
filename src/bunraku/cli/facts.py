"""Reading a file of facts: JSON or YAML, plain or as Puppet stores them."""

from __future__ import annotations

import json
from typing import Any

from bunraku.cli.options import UsageError, read_text


def read_facts(path: str) -> dict[str, Any]:
    """The facts in a file by name; ``{"name": …, "values": {…}}`` is understood too."""
    text = read_text(path)
    try:
        data = json.loads(text) if path.endswith(".json") else parse_yaml(text)
    except (ValueError, RecursionError) as error:
        problem = " ".join(str(error).split())
        raise UsageError(f"{path} holds no {kind(path)}: {problem}") from error
    if data is None:
        return {}
    if not isinstance(data, dict):
        raise UsageError(f"{path} holds no hash of facts")
    values = data.get("values")
    if isinstance(values, dict) and "name" in data:
        data = values
    return {str(name): value for name, value in data.items()}


def kind(path: str) -> str:
    """What a facts file is expected to hold, for messages."""
    return "JSON" if path.endswith(".json") else "YAML"


def parse_yaml(text: str) -> Any:
    """YAML as facts have it: Ruby's tags are passed over, dates stay text."""
    import yaml  # a heavy one, and facts are mostly JSON

    class Loader(yaml.SafeLoader):
        """The safe loader less dates, plus passing over tags."""

    def untagged(loader: Any, _suffix: str, node: yaml.Node) -> Any:
        if isinstance(node, yaml.MappingNode):
            return loader.construct_mapping(node, deep=True)
        if isinstance(node, yaml.SequenceNode):
            return loader.construct_sequence(node, deep=True)
        return loader.construct_scalar(node)

    def as_text(loader: Any, node: yaml.Node) -> Any:
        return loader.construct_scalar(node)

    Loader.add_multi_constructor("", untagged)
    Loader.add_constructor("tag:yaml.org,2002:timestamp", as_text)
    try:
        return yaml.load(text, Loader)  # noqa: S506, a safe loader
    except yaml.YAMLError as error:
        raise ValueError(error) from error
