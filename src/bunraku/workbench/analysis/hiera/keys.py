"""Keys of data that nothing reads, and values that cannot be of the types of their parameters."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bunraku.base.errors import Diagnostic, Severity
from bunraku.base.records import replace
from bunraku.base.suggestions import did_you_mean
from bunraku.runtime.issues import PARAMETERS
from bunraku.runtime.suggest import as_reference
from bunraku.syntax.nodes import ClassDefinition, Parameter
from bunraku.types import model as m
from bunraku.types.mismatch import ActualType, describe_mismatch
from bunraku.types.model import Type
from bunraku.types.relations.overlap import can_overlap, options, wrong_parts, wrong_path
from bunraku.workbench.analysis.hiera.issues import DATA_KEY_UNUSED, DATA_UNKNOWN_PARAMETER
from bunraku.workbench.analysis.hiera.options import options_of_key
from bunraku.workbench.analysis.hiera.value_types import type_of_data
from bunraku.workbench.analysis.hiera_layers import DataFile, DataLayer
from bunraku.workbench.analysis.state import Analysis


def check_key(
    analysis: Analysis, layer: DataLayer, file: DataFile, key: str, value: Any
) -> Iterator[Diagnostic]:
    """Yield the findings about a key: read by nothing, or with a value of a wrong type."""
    definitions = analysis.definitions
    if layer.module is not None and not key.startswith(f"{layer.module}::"):
        return  # such keys of a module are ignored; a compile warns of them
    class_name, qualified, name = key.rpartition("::")
    definition = definitions.definition(class_name) if qualified else None
    if isinstance(definition, ClassDefinition):
        parameter = next((one for one in definition.parameters if one.name == name), None)
        if parameter is not None:
            yield from check_value(analysis, file, key, parameter, value)
        elif not analysis.readers.names(key):
            reference = f"Class[{as_reference(class_name)}]"
            place = file.place(key)
            finding = DATA_UNKNOWN_PARAMETER.diagnostic(
                place, "warning", key=key, name=name, reference=reference
            )
            known = (one.name for one in definition.parameters)
            yield replace(finding, hint=did_you_mean(name, known))
        return
    namespace = key.partition("::")[0]
    if qualified and not definitions.can_be_checked(class_name):
        is_expected = namespace in {*definitions.modules_to_install, *analysis.absent}
        if is_expected or not definitions.is_absent(namespace):
            return  # of a module that has to be installed first, or that cannot be read
        if not analysis.readers.uses(namespace):
            return  # of a module that may be elsewhere
    if not qualified and definitions.lacks_modules:
        return  # code of these modules may read it
    if not analysis.readers.may_read(key):
        finding = DATA_KEY_UNUSED.diagnostic(file.place(key), "warning", key=key)
        names = definitions.candidates("class", class_name) if qualified else ()
        yield replace(finding, hint=did_you_mean(class_name, set(names)))


def check_value(
    analysis: Analysis, file: DataFile, key: str, parameter: Parameter, value: Any
) -> Iterator[Diagnostic]:
    """Yield the finding about a value that cannot be of the type of its parameter."""
    if parameter.type is None or value is None:
        return
    expected = analysis.declared.of_node(parameter.type)
    conversions, merges = options_of_key(analysis.layers, key)
    if conversions or "unique" in merges:
        return
    severity: Severity = "warning" if analysis.layers.has_global else "error"
    if merges - {"first", "default"}:
        severity = "warning"
        expected = without_required(expected)
    actual = type_of_data(value)
    if can_overlap(expected, actual):
        return
    subject = f"parameter '{parameter.name}'"
    problem = describe_mismatch(subject, expected, ActualType(wrong_parts(expected, actual)))
    reference = f"Class[{as_reference(key.rpartition('::')[0])}]"
    place = file.place(key, *wrong_path(expected, actual))
    yield PARAMETERS.diagnostic(place, severity, mismatch=f"{reference}: {problem}")


def without_required(expected: Type) -> Type:
    """Return a type for a part of a merged hash: other files may give the rest of its entries."""
    found: list[Type] = []
    for one in options(expected, 0):
        if isinstance(one, m.StructType):
            parts = (m.StructElement(item.name, item.type, True) for item in one.elements)
            found.append(m.StructType(tuple(parts)))
        elif isinstance(one, m.HashType):
            found.append(m.HashType(one.key, one.value, None, one.high))
        elif isinstance(one, m.ArrayType):
            found.append(m.ArrayType(one.element, None, one.high))
        else:
            found.append(one)
    return found[0] if len(found) == 1 else m.VariantType(tuple(found))
