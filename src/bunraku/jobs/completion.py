"""The completion of command lines: scripts for shells, and the names that a project has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from bunraku.base.records import record
from bunraku.base.usage import UsageError
from bunraku.engine.request import Request, resolve
from bunraku.engine.resource_types import ResourceTypes
from bunraku.jobs.context import Context
from bunraku.jobs.nodes import facts_by_node, has_nodes
from bunraku.modules.environment import Environment
from bunraku.modules.known_names import MODULE_NAMES, known_names, module_paths

NAMED = {
    "node": "nodes",
    "match": "nodes",
    "classes": "classes",
    "functions names": "functions",
    "resource type": "types",
}
"""An option, or a command and its argument → the kind of names that it takes."""
KINDS = ("nodes", "classes", "functions", "types")
ASK = "bunraku completion --names"
"""What the scripts run for the names of a project."""


@record(frozen=True)
class Completed:
    """An option or an argument of a command, as completion sees it.

    ``flags`` are empty for an argument; ``values`` are its possible words; ``kind`` is that of names
    of the project.
    """

    flags: tuple[str, ...]
    values: tuple[str, ...] = ()
    kind: str = ""
    takes_value: bool = False
    help: str = ""

    @property
    def long(self) -> list[str]:
        """The names of the option that are completed."""
        return [name for name in self.flags if name.startswith("--")]


Commands = Mapping[str, Sequence[Completed]]


def kind_of(command: str, name: str) -> str:
    """Return the kind of names that an option or an argument takes; empty for none.

    >>> kind_of("compile", "node"), kind_of("functions", "names"), kind_of("lint", "names")
    ('nodes', 'functions', '')
    """
    return NAMED.get(name, NAMED.get(f"{command} {name}", ""))


# -- scripts ---------------------------------------------------------------------------------------


def script_for(shell: str, commands: Commands, summaries: Mapping[str, str]) -> str:
    """Return the script of a shell: bash, zsh or fish."""
    if shell == "fish":
        return fish(commands, summaries)
    return bash(commands) if shell == "bash" else ZSH + bash(commands)


ZSH = """\
#compdef bunraku
autoload -U +X compinit && compinit -C
autoload -U +X bashcompinit && bashcompinit
"""
"""The begin of a script for zsh, which can read that of bash."""
BASH = """\
_bunraku() {{
    local current="${{COMP_WORDS[COMP_CWORD]}}" before="${{COMP_WORDS[COMP_CWORD-1]}}"
    local words=
    if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W "{names}" -- "$current")); return
    fi
    case "${{COMP_WORDS[1]}} $before" in
{options}    esac
    if [ -n "$words" ]; then
        COMPREPLY=($(compgen -W "$words" -- "$current")); return
    fi
    case "${{COMP_WORDS[1]}}" in
{commands}    esac
    COMPREPLY=($(compgen -W "$words" -- "$current"))
}}
complete -o default -F _bunraku bunraku
"""


def bash(commands: Commands) -> str:
    """Return the completion for bash."""
    options: list[str] = []
    rest: list[str] = []
    for name, all_of in commands.items():
        words = [one for option in all_of for one in option.long]
        for option in all_of:
            if option.flags and (option.values or option.kind):
                patterns = "|".join(f"'{name} {one}'" for one in option.flags)
                options.append(f"        {patterns}) words={bash_words(option)} ;;\n")
            elif not option.flags:
                words += option.values
        asked = [f"$({ASK} {one.kind} 2>/dev/null)" for one in all_of if one.kind and not one.flags]
        rest.append(f'        {name}) words="{" ".join([*words, *asked])}" ;;\n')
    return BASH.format(names=" ".join(commands), options="".join(options), commands="".join(rest))


def bash_words(option: Completed) -> str:
    """Return the words of an option for bash: known ones, or the command that prints them."""
    if option.values:
        return f"'{' '.join(option.values)}'"
    return f'"$({ASK} {option.kind} 2>/dev/null)"'


def fish(commands: Commands, summaries: Mapping[str, str]) -> str:
    """Return the completion for fish, with the help texts."""
    lines = [
        f"complete -c bunraku -n __fish_use_subcommand -f -a {name} -d {quoted(summaries[name])}"
        for name in commands
    ]
    for name, all_of in commands.items():
        here = f"complete -c bunraku -n '__fish_seen_subcommand_from {name}'"
        for option in all_of:
            lines += fish_lines(here, option)
    return "\n".join(lines) + "\n"


def fish_lines(here: str, option: Completed) -> Iterator[str]:
    """Yield the lines of an option for fish."""
    words = " ".join(option.values) or (f"({ASK} {option.kind})" if option.kind else "")
    values = f" -x -a {quoted(words)}" if words else ""
    takes = " -r" if option.takes_value and not values else ""
    text = f" -d {quoted(option.help)}" if option.help else ""
    for word in option.long:
        yield f"{here} -l {word.removeprefix('--')}{values}{takes}{text}"
    if not option.flags and values:
        yield f"{here}{values}"


def quoted(text: str) -> str:
    """Return a text in quotes as fish reads it.

    >>> quoted("it's")
    "'it\\\\'s'"
    """
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


# -- names -----------------------------------------------------------------------------------------


def names_in_project(context: Context, kind: str) -> list[str]:
    """Return the names of a kind in the project of a directory, sorted; none without a project."""
    if kind == "nodes":
        try:
            return sorted(facts_by_node(context)) if has_nodes(context) else []
        except UsageError:
            return []
    resolved = resolve(Request(**context.fields), lambda _entry: None)
    environment = resolved.environment
    if kind == "classes":
        return sorted(set(names_of_modules(environment, "class")))
    if kind == "types":
        of_modules = known_names(resolved.autoloader, "resource_type", "")
        return sorted({*ResourceTypes(resolved).names(), *of_modules})
    found = {*resolved.functions, *names_of_modules(environment, "function")}
    return sorted({*found, *known_names(resolved.autoloader, "function", "")})


def names_of_modules(environment: Environment, kind: str) -> Iterable[str]:
    """Yield the names of a kind that all modules define."""
    for name in module_paths(environment):
        module = environment.find_module(name)
        if module is not None:
            yield from MODULE_NAMES[kind](module)
