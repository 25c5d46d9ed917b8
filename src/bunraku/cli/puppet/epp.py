"""``puppet epp validate``, ``dump`` and ``render``, with Puppet's messages and exit codes."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Any, cast

from bunraku.base.errors import PuppetError
from bunraku.base.source import Source
from bunraku.base.usage import UsageError
from bunraku.cli import exits
from bunraku.cli.options.declarations import Rules, declare
from bunraku.cli.options.puppet_call import Call, call_of, parser_for
from bunraku.cli.options.shared import read_text
from bunraku.cli.puppet.catalog import request_of
from bunraku.cli.puppet.dump import (
    HEADER,
    HEADER_RULES,
    MISSING,
    check_format,
    dump_parser,
    only_tree,
    print_errors,
    printed,
    standard_input,
    tree,
)
from bunraku.cli.puppet.parser import with_place
from bunraku.engine.loader import Loader
from bunraku.engine.programs import check_program
from bunraku.engine.request import Request
from bunraku.facts.documents import read_facts
from bunraku.formats.yaml import YamlError
from bunraku.jobs.puppet_environment import environment_of
from bunraku.runtime.state import Scope
from bunraku.values.sensitive import Sensitive

VALIDATED = """
files [TEMPLATE]...: files, or MODULE/NAME.epp
--[no-]continue_on_error: also report the errors of the templates after a wrong one
"""
RENDERED = f"""
files [TEMPLATE]...: files, or MODULE/NAME.epp
-e --e SOURCE: render this text
@node: node with the facts (default: this machine)
--values CODE: Puppet code of a Hash of parameters
--values_file FILE: .pp or .yaml file of parameters
@facts: .yaml or .json file of more facts
{HEADER}
"""

# -- validate and dump -------------------------------------------------------------------------------


def validate(words: Sequence[str]) -> int:
    """Validate templates; after a wrong one the others only with ``--continue_on_error``."""
    about = "Validate the syntax of one or more EPP templates."
    rules = {"continue_on_error": {"default": False}}
    parser = parser_for("epp validate", about, VALIDATED, rules, formats=("console", "json", "s"))
    call = call_of(parser, words, "user")
    if not call.options.files:
        return validated_input(call)
    missing: list[str] = []
    valid = True
    for name in call.options.files:
        if not valid and not call.options.continue_on_error:
            break
        path = template_path(call, name)
        if path is None:
            missing.append(name)
        else:
            valid = is_valid(call, Source(read_text(path), path, on_disk=True)) and valid
    if missing:
        return failed(call, "validate", MISSING + "\n".join(f"   {name}" for name in missing))
    return exits.OK if valid else failed(call, "validate", "Errors while validating epp")


def validated_input(call: Call) -> int:
    """Validate standard input."""
    if sys.stdin is None or sys.stdin.isatty():
        call.messages.say("notice", "No template specified. No action taken")
        return exits.OK
    valid = is_valid(call, Source(read_text("-"), "<stdin>"))
    return exits.OK if valid else failed(call, "validate", "Errors while validating epp")


def is_valid(call: Call, source: Source) -> bool:
    """Return whether a template is valid; its errors are printed."""
    source.is_template = True
    errors = check_program(source, call.dialect, dict(call.given)).errors
    print_errors(call, errors)
    return not errors


def dump(words: Sequence[str]) -> int:
    """Print the syntax trees of templates."""
    about = "Show the syntax tree of EPP templates."
    parser = dump_parser("epp dump", about, "TEMPLATE", validates=True)
    declare(parser, HEADER, HEADER_RULES)
    call = call_of(parser, words, "user")
    check_format(call, parser.prog)
    if call.options.source is not None or not call.options.files:
        printed(only_tree(call, is_template=True))
        return exits.OK
    found = {name: template_path(call, name) for name in call.options.files}
    paths = [path for path in found.values() if path is not None]
    several = len(paths) > 1
    text = ""
    for path in paths:
        source = Source(read_text(path), path, on_disk=True)
        source.is_template = True
        header = f"--- {path}\n" if several and call.options.header else ""
        text += tree(call, source, header, f"--- {path}" if several else "")
    missing = [name for name, path in found.items() if path is None]
    if missing:
        return failed(call, "dump", MISSING + "\n".join(f"   {name}" for name in missing))
    printed(text)
    return exits.OK


def failed(call: Call, action: str, text: str) -> int:
    """Print the error of an action; return the exit code."""
    call.messages.error(text)
    call.messages.error(f"Try 'puppet help epp {action}' for usage")
    return exits.FINDINGS


def template_path(call: Call, name: str) -> str | None:
    """Return the path of a template: of a module, else a file; None if there is neither."""
    module, _, rest = name.partition("/")
    found = environment_of(call).find_module(module) if rest and module else None
    path = found.file("templates", rest) if found is not None else None
    if path is not None and os.path.isfile(path):
        return path
    return name if os.path.exists(name) else None


# -- render ------------------------------------------------------------------------------------------


def render(words: Sequence[str]) -> int:
    """Print the text of templates."""
    rules: Rules = {"node": {"flags": ("--node",)}, "e": {"dest": "source"}, **HEADER_RULES}
    about = "Render EPP templates."
    parser = parser_for("epp render", about, RENDERED, rules, formats=("console", "s"))
    call = call_of(parser, words, "user")
    text = call.options.source
    if text is None and not call.options.files:
        text = standard_input("process", parser.prog)
    request = render_request(call)
    try:
        if text is not None:
            from bunraku.functions.core.templates import inline_epp

            printed(
                template_text(call, request, lambda scope, given: inline_epp(scope, text, given))
            )
            return exits.OK
    except PuppetError as error:
        return failed(call, "render", error_text(error))
    return render_files(call, request)


def render_request(call: Call) -> Request:
    """Return the request whose top scope the templates see: no manifest, more facts."""
    request = request_of(call)
    given = call.options.facts
    if given is not None and not os.path.isfile(given):
        raise UsageError(f"--facts: cannot find {given}", "puppet epp render")
    request.facts = {**request.facts, **(read_facts(given) if given is not None else {})}
    request.path, request.code = None, ""
    return request


def render_files(call: Call, request: Request) -> int:
    """Print the texts of files; if one is wrong, print only errors."""
    from bunraku.functions.core.templates import epp

    several = len(call.options.files) > 1
    output, valid = "", True
    for number, name in enumerate(call.options.files):
        path = template_path(call, name)
        wanted = os.path.abspath(name) if path == name else name

        def action(scope: Scope, given: Any, wanted: str = wanted) -> Any:
            return epp(scope, wanted, given)

        if several and call.options.header:
            output += ("\n" if number else "") + f"--- {name}\n"
        try:
            output += template_text(call, request, action)
        except PuppetError as error:
            if several:
                call.messages.error(f"--- {name}")
            call.messages.error(error_text(error))
            valid = False
    if not valid:
        return failed(call, "render", "error while rendering epp")
    printed(output)
    return exits.OK


def template_text(call: Call, request: Request, action: Any) -> str:
    """Return the text of a template, with the values that the options give."""
    from bunraku.engine.compile import in_top_scope

    def run(scope: Scope) -> Any:
        return action(scope, values_of(call, scope))

    value = in_top_scope(request, call.messages, run)
    return str(value.value if isinstance(value, Sensitive) else value)


def values_of(call: Call, scope: Scope) -> dict[Any, Any] | None:
    """Return the parameters: those of ``--values`` over those of the file; None without a Hash."""
    path, code = call.options.values_file, call.options.values
    found = None
    if path is not None:
        found = checked_hash(values_of_file(path, scope), "--values_file")
    if code is None:
        return found
    more = checked_hash(evaluated(scope, Source(code, "values-hash")), "--values")
    return found if more is None else {**(found or {}), **more}


def values_of_file(path: str, scope: Scope) -> Any:
    """Return the value of a ``.pp`` or ``.yaml`` file."""
    if not os.path.isfile(path):
        raise UsageError(f"--values_file: cannot find {path}", "puppet epp render")
    if path.endswith(".pp"):
        return evaluated(scope, Source(read_text(path), os.path.abspath(path), on_disk=True))
    if path.endswith(".yaml"):
        from bunraku.formats.yaml import load_plain

        try:
            return load_plain(read_text(path))
        except YamlError as error:
            message = f"--values_file: cannot read {path}: {error}"
            raise UsageError(message, "puppet epp render") from error
    raise UsageError("Only .yaml or .pp can be used as a --values_file", "puppet epp render")


def evaluated(scope: Scope, source: Source) -> Any:
    """Return the value of the last expression of a text in top scope."""
    value: Any = None
    loader = cast(Loader, scope.compilation.loader)  # the one of this compile, see engine.compile
    for body in loader.load(source, "", ()):
        value = body(scope)
    return value


def checked_hash(value: Any, option: str) -> dict[Any, Any] | None:
    """Return the values of an option; UsageError if they are neither a Hash nor undef."""
    if value is None or isinstance(value, dict):
        return value
    raise UsageError(f"{option} must evaluate to a Hash or undef", "puppet epp render")


def error_text(error: PuppetError) -> str:
    """Return an error with its place, as Puppet formats it."""
    return with_place(error.diagnostic)
