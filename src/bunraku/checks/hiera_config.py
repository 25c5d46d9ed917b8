"""``hiera.yaml`` of version 3, 4 and 5."""

from __future__ import annotations

import os.path
import re
from collections.abc import Mapping
from typing import Any

from bunraku.base.errors import Diagnostic, PuppetError
from bunraku.base.lines import line_matching
from bunraku.base.source import Source
from bunraku.checks import issues
from bunraku.checks.data import check_yaml
from bunraku.checks.source import finding, found_by
from bunraku.hiera.config import Config, Layer, parse_config
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
        whole = data if isinstance(data, dict) else {}
        config = parse_config(whole, source.path, root, layer, "", source.text)
    except PuppetError as error:
        return [found_by(error, source), *found]
    return [*found, *missing_folders(source, root, config)]


def missing_folders(source: Source, root: str, config: Config) -> list[Diagnostic]:
    """Return a warning for each directory of data in the project that does not exist."""
    if not os.path.isfile(source.path):
        return []
    named = dict.fromkeys(level.datadir for level in config.hierarchy if level.locations)
    missing = [
        path
        for path in named
        if path and not path.startswith("/") and "%{" not in path
        if not os.path.isdir(os.path.join(root, path))
    ]
    return [
        finding(
            issues.MISSING_FOLDER,
            source,
            line_matching(source.text, rf"\bdatadir:.*{re.escape(path)}") or 1,
            "warning",
            path=path,
            name="hierarchy",
        )
        for path in missing
    ]


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
