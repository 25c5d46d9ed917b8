"""The checks of Hiera data: keys, values, options, interpolations, secrets, files without a level."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator

from bunraku.base.errors import Diagnostic
from bunraku.base.records import replace
from bunraku.base.source import Place
from bunraku.base.suggestions import did_you_mean
from bunraku.hiera.config import Config, uncommented_line
from bunraku.hiera.issues import FUNCTION_NOT_FOUND
from bunraku.runtime.suggest import sentence
from bunraku.workbench.analysis.hiera.interpolations import check_interpolations
from bunraku.workbench.analysis.hiera.issues import DATA_FILE_UNUSED
from bunraku.workbench.analysis.hiera.keys import check_key
from bunraku.workbench.analysis.hiera.options import check_options
from bunraku.workbench.analysis.hiera.secrets import check_secrets
from bunraku.workbench.analysis.hiera_layers import OPTIONS, READERS, DataFile, DataLayer, Layers
from bunraku.workbench.analysis.state import Analysis


def check_data(analysis: Analysis) -> list[Diagnostic]:
    """Return the findings in the files of data that are checked."""
    found: list[Diagnostic] = []
    for layer in checked_layers(analysis.layers):
        check_levels(analysis, layer.config)
        for file in layer.files:
            if is_checked(analysis.layers, file.path):
                found += check_file(analysis, layer, file)
        for path in layer.unused:
            if is_checked(analysis.layers, path):
                shown = analysis.layers.checked[os.path.abspath(path)]
                found.append(DATA_FILE_UNUSED.diagnostic(Place(shown), "warning"))
    return found


def check_levels(analysis: Analysis, config: Config) -> None:
    """Report the functions of levels that nothing defines, if the configuration is checked."""
    if config.path is None or not is_checked(analysis.layers, config.path):
        return
    shown = analysis.layers.checked[os.path.abspath(config.path)]
    definitions = analysis.definitions
    for level in (*config.hierarchy, *(config.default_hierarchy or ())):
        name = level.function
        if level.kind == "hiera3_backend" or definitions.is_function(name):
            continue
        if "::" in name and not definitions.can_be_checked(name):
            continue
        line = uncommented_line(config.text, rf"\b{level.kind}:\s+['\"]?{re.escape(name)}\b")
        place = Place.in_text(shown, config.text, line, None)
        finding = FUNCTION_NOT_FOUND.diagnostic(
            place, kind=level.kind, name=name, level=level.name, path=shown
        )
        analysis.unsure.append(replace(finding, hint=backend_hint(analysis, name)))


def backend_hint(analysis: Analysis, name: str) -> str | None:
    """Return the module that may define a backend, or the backend that may be meant."""
    definitions = analysis.definitions
    missing = filter(definitions.is_absent, definitions.modules_to_install)
    module = next((one for one in sorted(missing) if one == name.partition("::")[0]), None)
    if module is not None:
        return f"the module '{module}' of the Puppetfile is not installed"
    others = {one for one in definitions.candidates("function", name) if "::" in one}
    return sentence(did_you_mean(name, {*READERS, *others}), definitions.searched("function", name))


def is_checked(layers: Layers, path: str) -> bool:
    """Return whether findings in a file are wanted."""
    return os.path.abspath(path) in layers.checked


def checked_layers(layers: Layers) -> Iterator[DataLayer]:
    """Yield the layers that have a file which is checked."""
    environment = layers.environment
    homes = {environment.module_of_path(path) for path in layers.checked}
    names = sorted(one.name for one in homes if one is not None)
    for name in (None, *names):
        if (layer := layers.of(name)) is not None:
            yield layer


def check_file(analysis: Analysis, layer: DataLayer, file: DataFile) -> Iterable[Diagnostic]:
    """Yield the findings in a file of data."""
    for key, value in file.entries.items():
        if key == OPTIONS:
            yield from check_options(analysis, layer, file, value)
        elif isinstance(key, str):
            yield from check_key(analysis, layer, file, key, value)
    yield from check_interpolations(analysis, file)
    yield from check_secrets(analysis, file)
