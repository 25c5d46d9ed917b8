"""Templates: ``epp`` and ``inline_epp`` run here; ``template`` and ``inline_template`` are ERB:
:mod:`bunraku.ruby.process.templates`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from bunraku.base.errors import PuppetError
from bunraku.functions.api_3 import Api3Table
from bunraku.functions.core import issues
from bunraku.functions.core.files import find
from bunraku.modules.known_names import file_hint
from bunraku.modules.names import check_null_byte
from bunraku.ruby.process.templates import render_file, render_text
from bunraku.runtime.callables import Value
from bunraku.runtime.control import ReturnFromFunction
from bunraku.runtime.definitions import Template
from bunraku.runtime.error_texts import whole_text
from bunraku.runtime.issues import PARAMETER_NOT_EVALUATED
from bunraku.runtime.parameters import absence, early_access
from bunraku.runtime.state import Scope
from bunraku.types.mismatch import unknown_parameter
from bunraku.types.relations.infer import infer
from bunraku.types.text.display import display
from bunraku.types.value_text import to_text
from bunraku.values.keys import pairs
from bunraku.values.sensitive import Sensitive

function = Api3Table()
Values = dict[Any, Value]


@function(
    "epp(String $path, Hash[Pattern[/^\\w+$/], Any] $values = undef)", scope=True, since="3.5.0"
)
def epp(scope: Scope, path: str, values: Values | None = None) -> Value:
    """Render the EPP template of a file: ``module/name.epp``, or an absolute path.

    It can read the variables of the node definition and of top scope.
    ``.epp`` may be left out, unless a file with the absolute path exists.
    """
    check_null_byte(path)
    world = scope.compilation.world
    if not path.endswith(".epp") and not (path.startswith("/") and world.is_file(path)):
        path = f"{path}.epp"
    loader = scope.compilation.loader
    template = readable("epp", lambda: loader.template(path))
    return render(scope, scope.global_scope(), template, values, path)


@function(
    "inline_epp(String $text, Hash[Pattern[/^\\w+$/], Any] $values = undef)",
    scope=True,
    since="3.5.0",
)
def inline_epp(scope: Scope, text: str, values: Values | None = None) -> Value:
    """Render EPP text, which can read the variables of the caller.

    The text is Sensitive if a Sensitive value is shown in it.

    ```puppet
    inline_epp('a <%= 1 + 2 %>') == 'a 3'
    inline_epp('<%- | $x | -%>b<%= $x %>', { x => 1 }) == 'b1'
    ```
    """
    loader = scope.compilation.loader
    template = readable("inline_epp", lambda: loader.template_of_text(text))
    return render(scope, scope, template, values, "inline EPP")


def render(
    scope: Scope, outer: Scope, template: Template, values: Values | None, name: str
) -> Value:
    """Return the text of a template, Sensitive if a value shown in it is; or the value it returns."""
    inner = Scope(scope.compilation, outer, outer, outer.resource)
    inner.module_name = scope.module_name
    inner.is_view = True
    inner.captures = scope.captures if outer is scope else None
    given = {str(key): value for key, value in pairs(values or {})}
    if template.parameters_given:
        given = parameter_values(inner, template, given, name)
    for key, value in given.items():
        inner[f"${key}"] = value
    output: list[Value] = []
    try:
        template.body(inner, output)
    except ReturnFromFunction as signal:
        return signal.value
    secret = any(part.__class__ is Sensitive for part in output)
    text = "".join(to_text(part.value if part.__class__ is Sensitive else part) for part in output)
    return Sensitive(text) if secret else text


def readable(name: str, read: Callable[[], Template]) -> Template:
    """Return a template; that it cannot be read is an error of the call, as in Puppet."""
    try:
        return read()
    except PuppetError as error:
        if error.span is None:
            raise
        words = whole_text(error.diagnostic)
        raise issues.INVALID_EPP(name=name, reason=error, words=words) from error


def parameter_values(scope: Scope, template: Template, given: Values, name: str) -> Values:
    """Return the values of a template's parameters; refuse unknown, missing and unfit ones.

    A value that is undef counts as absent: the default replaces it, and an unknown name is ignored.
    """
    values = {key: value for key, value in given.items() if value is not None}
    names = [parameter.name for parameter in template.parameters]
    problems: list[str] = [unknown_parameter(key, ()) for key in values if key not in names]
    inner = defaults_scope(scope, values, names)
    try:
        problems += fill_parameters(inner, template, given, values)
    except PuppetError as error:
        if not error.is_a(PARAMETER_NOT_EVALUATED):
            raise
        raise early_access(name, names, inner.filling, error) from None
    if problems:
        raise issues.EPP_PARAMETERS(**issues.epp_problems(name, problems))
    return values


def defaults_scope(scope: Scope, values: Values, names: list[str]) -> Scope:
    """Return the scope for defaults: they read all values of the call, and defaults before theirs."""
    inner = Scope(scope.compilation, scope, scope, scope.resource)
    inner.is_view = True
    for key, value in values.items():
        inner.set(key, value)
    inner.awaited, inner.given = frozenset(f"${name}" for name in names), {}
    return inner


def fill_parameters(
    scope: Scope, template: Template, given: Values, values: Values
) -> Iterator[str]:
    """Complete the values of a template's parameters in order; yield the problems."""
    for parameter in template.parameters:
        name = parameter.name
        if name not in values and parameter.default is not None:
            scope.filling = name
            values[name] = parameter.default(scope)
        elif name not in given:
            yield absence(name)
            continue
        value = values.setdefault(name)
        scope.set(name, value)
        problem = parameter.check(scope, value)
        if problem is not None:
            yield problem


def need_text(value: Value, name: str) -> str:
    """Return an argument of a template function, which must be a string."""
    if value.__class__ is not str:
        raise issues.NOT_A_TEMPLATE(name=name, actual=display(infer(value)))
    return str(value)


def need_catalog(scope: Scope, name: str) -> None:
    """Refuse an ERB template in a script or plan, which make no catalog."""
    if scope.compilation.settings.get("tasks"):
        raise issues.NO_TEMPLATE_WHEN_SCRIPTING(name=name)


@function.api_3("template", 1, scope=True, since="0.18.2", remark="complete; rarer code needs Ruby")
def template(scope: Scope, *paths: Value) -> str:
    """Render the ERB templates of files (``module/name.erb``), one after the other."""
    need_catalog(scope, "template")
    output = []
    for path in paths:
        name = need_text(path, "template")
        found = find(scope, name, "templates")
        if found is None:
            hint = file_hint(scope.compilation.environment, "templates", name)
            raise issues.TEMPLATE_NOT_FOUND(name=name).hinted(hint)
        output.append(render_file(scope, name, found))
    return "".join(output)


@function.api_3(
    "inline_template", 1, scope=True, since="0.24.7", remark="complete; rarer code needs Ruby"
)
def inline_template(scope: Scope, *texts: Value) -> str:
    """Render ERB texts, one after the other.

    ```puppet
    inline_template('a', 'b') == 'ab'
    ```
    """
    need_catalog(scope, "inline_template")
    return render_text(scope, [need_text(text, "inline_template") for text in texts])
