"""The commands of the prompt, which begin with a colon."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from bunraku.base.suggestions import did_you_mean
from bunraku.base.usage import UsageError
from bunraku.cli.output.output import Paint
from bunraku.cli.report.explanation import explanation_text
from bunraku.jobs.session import Session
from bunraku.types.convert.formats import format_value
from bunraku.types.relations.infer import infer_detailed
from bunraku.types.text.display import display
from bunraku.types.text.indented import indented
from bunraku.values.literal import string_literal

PLAIN = Paint(enabled=False)
LONGEST_VALUE = 10_000


class Quit(Exception):
    """The session ends."""


def type_of_value(session: Session, text: str) -> str:
    """Return the type of the value of an expression, which leaves nothing in the session."""
    value = session.evaluate(text, keep=False).value
    return f"{indented(display(infer_detailed(value)))}\n"


def looked_up(session: Session, key: str) -> str:
    """Return the value of a Hiera key."""
    return value_shown(session.evaluate(f"lookup({string_literal(key)})", keep=False).value)


def fact_shown(session: Session, path: str) -> str:
    """Return a fact by its path, or all facts."""
    path_of_get = f".get({string_literal(path)})" if path else ""
    value = session.evaluate(f"$facts{path_of_get}", keep=False).value
    if value is None:
        raise UsageError(f"the node has no fact '{path}'; :facts shows all")
    return value_shown(value)


def catalog_of_session(session: Session, _argument: str) -> str:
    """Return the resources of the session."""
    return session.catalog()


def explained_subject(session: Session, subject: str) -> str:
    """Return why something is in the catalog, and where its values come from."""
    result = session.explain(subject)
    if result.explained:
        return explanation_text(result, PLAIN)
    for _node, error in result.failed:
        raise error
    return f"{subject} is not in the catalog{f': {result.similar}' if result.similar else ''}\n"


def forget_code(session: Session, _argument: str) -> str:
    """Forget all code of the session."""
    session.pieces.clear()
    session.logged = 0
    return ""


def leave(_session: Session, _argument: str) -> str:
    """End the session."""
    raise Quit


def command_list(_session: Session, _argument: str) -> str:
    """Return the commands."""
    return "".join(f":{name:<22}{text}\n" for name, (text, _run) in COMMANDS.items())


COMMANDS: Mapping[str, tuple[str, Callable[[Session, str], str]]] = {
    "type EXPRESSION": ("the type of a value", type_of_value),
    "catalog": ("the resources that the session declares", catalog_of_session),
    "explain REFERENCE": (
        "why a resource is there, and where its values come from",
        explained_subject,
    ),
    "lookup KEY": ("the value of a Hiera key", looked_up),
    "facts [NAME]": ("the facts of the node, or one of them: os.family", fact_shown),
    "reset": ("forget all code of the session", forget_code),
    "help": ("this list", command_list),
    "quit": ("end the session, as Ctrl-D does", leave),
}
"""A command with its argument → what it shows, and the function that returns the text."""


def answer_to(session: Session, line: str) -> str:
    """Return the text of a command such as ``:type 1``. Raises PuppetError, UsageError and Quit."""
    word, _, argument = line.removeprefix(":").strip().partition(" ")
    names = {usage.partition(" ")[0]: usage for usage in COMMANDS}
    if word not in names:
        hint = did_you_mean(word, names) or ":help shows the commands"
        raise UsageError(f"unknown command ':{word}': {hint}")
    usage = names[word]
    if usage.partition(" ")[2].isupper() and not usage.endswith("]") and not argument.strip():
        raise UsageError(f":{usage}: the {usage.partition(' ')[2]} is missing")
    return COMMANDS[usage][1](session, argument.strip())


def value_shown(value: object) -> str:
    """Return a value as Puppet code and its type; very long values are cut."""
    text = format_value(value, "%p")
    if len(text) > LONGEST_VALUE:
        text = f"{text[:LONGEST_VALUE]}…"
    return f"{text}\n"
