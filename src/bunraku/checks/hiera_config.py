"""``hiera.yaml`` of version 3, 4 and 5."""

from __future__ import annotations

import os.path
from collections.abc import Mapping
from typing import Any

from bunraku.base.errors import Diagnostic, PuppetError
from bunraku.base.source import Source
from bunraku.checks.data import check_yaml
from bunraku.checks.source import found_by
from bunraku.hiera.config import Layer, parse_config
from bunraku.hiera.data import keys_to_text, parse_yaml


def check_hiera_config(source: Source) -> list[Diagnostic]:
    """Return the errors in a configuration of Hiera."""
    found = check_yaml(source)
    if any(one.severity == "error" for one in found):
        return found
    try:
        data = keys_to_text(parse_yaml(source.text.encode("utf-8", "surrogateescape"), source.path))
        root = os.path.dirname(source.path)
        layer = layer_of(root, data)
        parse_config(
            data if isinstance(data, dict) else {}, source.path, root, layer, "", source.text
        )
    except PuppetError as error:
        return [found_by(error, source), *found]
    return found


def layer_of(root: str, data: Any) -> Layer:
    """Return the layer of a configuration, from its path and from keys that only one layer has."""
    if os.path.isfile(os.path.join(root, "metadata.json")):
        return "module"
    levels = data.get("hierarchy") if isinstance(data, dict) else None
    if isinstance(levels, list):
        named = (one for one in levels if isinstance(one, Mapping))
        if any("hiera3_backend" in one for one in named):
            return "global"
    return "environment"
