"""EPP templates: ``epp`` and ``inline_epp``; ERB ones need Ruby and say so."""

from __future__ import annotations

from typing import Any

from bunraku.functions import issues_templates as issues
from bunraku.runtime.definitions import Template
from bunraku.runtime.registry import FunctionTable, Value
from bunraku.runtime.scope import Scope
from bunraku.values.keys import pairs
from bunraku.values.sensitive import Sensitive

function = FunctionTable()
Values = dict[Any, Value]


@function("epp(String $path, Optional[Hash[Pattern[/^\\w+$/], Any]] $values = undef)", scope=True)
def epp(scope: Scope, path: str, values: Values | None = None) -> Value:
    """Render the EPP template of a file (``module/name.epp``)."""
    template = scope.compilation.loader.template(scope.compilation, path)
    outer = scope.compilation.top_scope
    return render(scope, outer, template, values, path)


@function(
    "inline_epp(String $text, Optional[Hash[Pattern[/^\\w+$/], Any]] $values = undef)", scope=True
)
def inline_epp(scope: Scope, text: str, values: Values | None = None) -> Value:
    """Render EPP text; without parameters of its own it sees the variables of the caller.

    ```puppet
    inline_epp('a <%= 1 + 2 %>') == 'a 3'
    inline_epp('<%- | $x | -%>b<%= $x %>', { x => 1 }) == 'b1'
    ```
    """
    template = scope.compilation.loader.template_of_text(scope.compilation, text)
    closed = template.parameters_given or values is not None
    outer = scope.compilation.top_scope if closed else scope
    return render(scope, outer, template, values, "inline EPP")


def render(
    scope: Scope, outer: Scope, template: Template, values: Values | None, name: str
) -> Value:
    """The text of a template; Sensitive when a value given to it is."""
    inner = Scope(scope.compilation, outer, scope, scope.resource)
    inner.module_name = scope.module_name
    inner.is_view = True
    inner.captures = scope.captures if outer is scope else None
    given = {str(key): value for key, value in pairs(values or {})}
    secret = any(value.__class__ is Sensitive for value in given.values())
    if template.parameters_given:
        fill_parameters(inner, template, given, name)
    else:
        for key, value in given.items():
            inner.set(key, value)
    output: list[str] = []
    template.body(inner, output)
    text = "".join(output)
    return Sensitive(text) if secret else text


def fill_parameters(scope: Scope, template: Template, given: Values, name: str) -> None:
    """Give the template's parameters their values; refuse unknown, missing and unfit ones."""
    known = {parameter.name for parameter in template.parameters}
    problems = [f"has no parameter named '{key}'" for key in given if key not in known]
    for parameter in template.parameters:
        if parameter.name in given:
            value = given[parameter.name]
        elif parameter.default is not None:
            value = parameter.default(scope)
        else:
            problems.append(f"expects a value for parameter '{parameter.name}'")
            continue
        problem = parameter.check(scope, value)
        if problem is not None:
            problems.append(problem)
        scope.set(parameter.name, value)
    if problems:
        raise issues.EPP_PARAMETERS(name=name, text="; ".join(problems))


@function("template(String *$paths)", scope=True)
def template(scope: Scope, *paths: str) -> str:
    """Render ERB templates, which needs Ruby."""
    raise issues.ERB_NEEDS_RUBY(name=f"template '{', '.join(paths)}'")


@function("inline_template(String *$texts)", scope=True)
def inline_template(scope: Scope, *texts: str) -> str:
    """Render ERB text, which needs Ruby."""
    raise issues.ERB_NEEDS_RUBY(name="inline_template")
