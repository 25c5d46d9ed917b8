"""From the words of a call of ``puppet`` to the function of its action."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module

from bunraku.base.suggestions import suggestion
from bunraku.base.usage import UsageError
from bunraku.cli import exits
from bunraku.cli.output.output import write

ACTIONS = {
    ("catalog", "compile"): ("bunraku.cli.puppet.catalog", "compile_node"),
    ("catalog", "find"): ("bunraku.cli.puppet.catalog", "find"),
    ("config", "delete"): ("bunraku.cli.puppet.config", "delete"),
    ("config", "print"): ("bunraku.cli.puppet.config", "print_settings"),
    ("config", "set"): ("bunraku.cli.puppet.config", "change"),
    ("epp", "dump"): ("bunraku.cli.puppet.epp", "dump"),
    ("epp", "render"): ("bunraku.cli.puppet.epp", "render"),
    ("epp", "validate"): ("bunraku.cli.puppet.epp", "validate"),
    ("facts", "find"): ("bunraku.cli.puppet.facts", "find"),
    ("facts", "info"): ("bunraku.cli.puppet.facts", "info"),
    ("facts", "show"): ("bunraku.cli.puppet.facts", "show"),
    ("module", "list"): ("bunraku.cli.puppet.module", "list_modules"),
    ("parser", "dump"): ("bunraku.cli.puppet.dump", "dump"),
    ("parser", "validate"): ("bunraku.cli.puppet.parser", "validate"),
}
"""Subcommand and action → the module and the function that runs it; only that is imported."""
APPLICATIONS = {
    "describe": ("bunraku.cli.puppet.describe", "describe"),
    "filebucket": ("bunraku.cli.puppet.filebucket", "run_mode"),
    "lookup": ("bunraku.cli.puppet.lookup", "look_keys_up"),
}
"""Subcommands without actions → the module and the function that runs them."""
DEFAULT_ACTIONS = {"facts": "show"}
"""Subcommand → the action that runs without its name."""
FORWARDED = ("apply", "agent", "resource", "ssl")
"""Subcommands of Puppet that are commands of bunraku with the same options."""
HELP = """\
Usage: puppet <subcommand> [options] <action> [options]

bunraku runs these subcommands of Puppet:

{actions}
These are the commands of bunraku with the same names:

{forwarded}
"""


RunCommand = Callable[[Sequence[str]], int]
"""Runs a command of bunraku: its name and the words after it."""


def run(words: Sequence[str], run_command: RunCommand) -> int:
    """Run a call of ``puppet``; return its exit code. UsageError for what is not supported."""
    if words[:1] in (["--version"], ["-V"]):
        write(f"{version()}\n")
        return exits.OK
    if not words or words[0] in {"help", "--help", "-h"}:
        return helped(list(words[1:]), run_command)
    if words[0] in FORWARDED:
        return run_command(words)
    if words[0] in APPLICATIONS:
        return called(APPLICATIONS[words[0]], words[1:])
    return face(words[0], list(words[1:]))


def face(name: str, rest: list[str]) -> int:
    """Run an action of a subcommand; options may stand before the action."""
    actions = [action for face, action in ACTIONS if face == name]
    if not actions:
        known = {*(face for face, _ in ACTIONS), *FORWARDED, *APPLICATIONS}
        raise UsageError(
            f"the subcommand '{name}' is not supported{suggestion(name, known)}", "puppet"
        )
    at = next((index for index, word in enumerate(rest) if word in actions), None)
    if at is None and name in DEFAULT_ACTIONS:
        return called(ACTIONS[name, DEFAULT_ACTIONS[name]], rest)
    if at is None:
        word = next((word for word in rest if not word.startswith("-")), "")
        raise UsageError(
            f"'{name}' has no action '{word}'; use one of {', '.join(actions)}", "puppet"
        )
    return called(ACTIONS[name, rest.pop(at)], rest)


def called(place: tuple[str, str], words: Sequence[str]) -> int:
    """Run the function at a place: of a module, with a name."""
    module, function = place
    code: int = getattr(import_module(module), function)(words)
    return code


def helped(words: list[str], run_command: RunCommand) -> int:
    """Print the help of an action, the actions of a subcommand, or the subcommands."""
    if not words:
        write(help_text())
        return exits.OK
    if words[0] in FORWARDED:
        return run_command([words[0], "--help"])
    if words[0] in APPLICATIONS:
        return called(APPLICATIONS[words[0]], ["--help"])
    actions = [action for face, action in ACTIONS if face == words[0]]
    if actions and not words[1:]:
        listed = "".join(f"  {one}\n" for one in actions)
        write(f"Usage: puppet {words[0]} <action>\n\n{listed}")
        return exits.OK
    return face(words[0], [*words[1:], "--help"])


def version() -> str:
    """Return the version of Puppet whose language is chosen: by BUNRAKU_LANGUAGE or bunraku.toml."""
    from bunraku.cli.options.puppet_call import call_of, parser_for

    return call_of(parser_for("--version", ""), [], "user").dialect.version


def help_text() -> str:
    """Return the list of subcommands."""
    faces = [f"{face} {action}" for face, action in ACTIONS]
    actions = "".join(f"  {one}\n" for one in sorted([*faces, *APPLICATIONS]))
    return HELP.format(actions=actions, forwarded="".join(f"  {name}\n" for name in FORWARDED))
