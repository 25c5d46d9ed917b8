"""Property tests of a class or defined type: it compiles with all values that its parameters accept.

hypothesis is imported with this module alone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from bunraku.base.errors import PuppetError
from bunraku.base.records import replace
from bunraku.base.source import Source
from bunraku.base.suggestions import suggestion
from bunraku.engine.compile import in_top_scope
from bunraku.engine.programs import parse_program
from bunraku.engine.request import resolve
from bunraku.runtime.name_resolution import find_class, find_define
from bunraku.syntax.nodes import ClassDefinition, DefineDefinition, Parameter
from bunraku.types.model import Type
from bunraku.workbench.testing.issues import NO_STRATEGY
from bunraku.workbench.testing.strategies import from_type
from bunraku.workbench.testing.subject import Subject
from bunraku.workbench.testing.subject_compiler import (
    SubjectCompiler,
    ignore,
    notes_of,
    subject_of,
)
from bunraku.workbench.testing.values import shown

Values = Mapping[str, Any]
"""Values of parameters by name."""
FINDS = {"class": find_class, "define": find_define}


class Refused(Exception):
    """Values with which the subject does not compile, and why."""

    def __init__(self, params: Values, reason: str) -> None:
        super().__init__(reason)
        self.params = params
        self.reason = reason


def check_every_value(
    compiler: SubjectCompiler,
    options: Mapping[str, Any],
    examples: int,
    only: Sequence[str] | None,
    refused: str | None,
) -> None:
    """Compile a class or defined type with many values of its parameters.

    ``options`` are those of a compile; the values of ``params`` do not vary. ``examples`` is the
    number of compiles, ``only`` the parameters that vary. An error whose message has a match of the
    pattern ``refused`` is meant. The values are the same in every run. Raises AssertionError with
    the simplest values with which the subject does not compile, PuppetError if no value of a
    required parameter can be made.
    """
    __tracebackhide__ = True
    subject = subject_of(options)
    if subject.kind not in FINDS:
        raise TypeError(f"only classes and defined types have parameters, not {subject.kind}")
    types = parameter_types(compiler, options, subject)
    check_parameter_names(types, [*subject.params, *(only or ())])
    strategy = strategy_of_all(types, subject.params, only)

    @settings(
        max_examples=examples,
        derandomize=True,
        database=None,
        deadline=None,
        report_multiple_bugs=False,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def compiles(params: Values) -> None:
        reason = problem(compiler, options, {**params, **subject.params})
        if reason is not None and not (refused and re.search(refused, reason)):
            raise Refused(params, reason)

    found: Refused | None = None
    try:
        compiles()
    except Refused as error:
        found = error
    if found is not None:
        raise AssertionError(explanation(subject, found))


def parameter_types(
    compiler: SubjectCompiler, options: Mapping[str, Any], subject: Subject
) -> dict[str, tuple[Type | None, bool]]:
    """Return the type of each parameter, None for one without, and whether it is required."""
    source, parameters = definition_of(compiler, options, subject)
    typed = {one.name: one.type for one in parameters if one.type is not None}
    texts = [source.text[one.start : one.end] for one in typed.values()]
    found = compiler.evaluate(f"[{', '.join(texts)}]")
    types = dict(zip(typed, found, strict=True))
    return {one.name: (types.get(one.name), one.value is None) for one in parameters}


def definition_of(
    compiler: SubjectCompiler, options: Mapping[str, Any], subject: Subject
) -> tuple[Source, list[Parameter]]:
    """Return the manifest that defines the subject, and its parameters."""
    code = str(options.get("pre") or "")
    request = compiler.request({**options, "pre": "", "post": ""}, Subject("code", code))
    find = FINDS[subject.kind]
    found = compiler.run(
        lambda: in_top_scope(request, ignore, lambda scope: find(scope, subject.name))
    )
    if found is None:
        compiler(**options)  # raises the error
    resolved = resolve(request, ignore)
    source = Source(code)
    if found.file:
        text = resolved.world.read(found.file).decode("utf-8", "surrogateescape")
        source = Source(text, found.file, on_disk=True)
    definitions = parse_program(source, resolved.dialect).program.definitions
    parameters = [
        one.parameters
        for one in definitions
        if isinstance(one, ClassDefinition | DefineDefinition)
        and one.name.removeprefix("::").lower() == found.name
    ]
    return source, parameters[-1]


def check_parameter_names(types: Mapping[str, Any], names: Sequence[str]) -> None:
    """Raise TypeError for a parameter that the subject does not have."""
    for name in names:
        if name not in types:
            raise TypeError(f"no parameter named {name!r}{suggestion(name, types)}")


def strategy_of_all(
    types: Mapping[str, tuple[Type | None, bool]], fixed: Values, only: Sequence[str] | None
) -> Any:
    """Return the strategy of the values of all parameters, of which those with a default may be missing.

    Raises PuppetError if a required one has no strategy.
    """
    required: dict[str, Any] = {}
    others: dict[str, Any] = {}
    for name, (type_, needed) in types.items():
        if name in fixed or (only is not None and name not in only):
            continue
        try:
            strategy = strategy_of(type_)
        except PuppetError as error:
            if needed or only is not None:
                raise error.hinted(f"give the value: params={{{name!r}: …}}") from None
            continue
        (required if needed else others)[name] = strategy
    return st.fixed_dictionaries(required, optional=others)


def strategy_of(type_: Type | None) -> Any:
    """Return the strategy of a parameter's type; PuppetError if there is none."""
    if type_ is None:
        raise NO_STRATEGY(type="Any", reason="the parameter has no type")
    return from_type(type_)


def problem(compiler: SubjectCompiler, options: Mapping[str, Any], params: Values) -> str | None:
    """Return why a subject with parameters does not compile; None if it does."""
    __tracebackhide__ = True
    try:
        answer = replace(compiler, reuses=False)(**{**options, "params": params}).compiles()
    except PuppetError as error:
        return "\n".join([f"error: {error}", *notes_of(error, ())])
    compiler.matches.remove(answer)
    return None if answer else answer.explanation


def explanation(subject: Subject, found: Refused) -> str:
    """Return the message about values with which a subject does not compile."""
    name = f"{subject.kind} {subject.name}" if subject.kind == "class" else subject.name
    if not found.params:
        return f"{name} does not compile\n{indented(found.reason)}"
    values = "\n".join(f"{key} => {shown(value)}" for key, value in found.params.items())
    text = f"{name} does not compile with values that its parameters accept"
    return f"{text}\n{indented(values)}\n{indented(found.reason)}"


def indented(text: str) -> str:
    """Return lines with the indent of explanations."""
    return "\n".join(f"  {line}" for line in text.splitlines())
