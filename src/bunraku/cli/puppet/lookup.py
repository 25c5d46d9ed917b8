"""``puppet lookup``: values of Hiera keys and their explanations, with Puppet's settings and exit codes."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from bunraku.base.errors import PuppetError
from bunraku.base.usage import UsageError
from bunraku.cli import exits
from bunraku.cli.options.lookups import QUESTION, QUESTION_RULES, answer_text, question_from
from bunraku.cli.options.puppet_call import Call, call_of, parser_for
from bunraku.cli.output.output import write
from bunraku.cli.puppet.catalog import node_and_facts, request_for
from bunraku.cli.puppet.parser import with_place
from bunraku.engine.lookup import Answer, look_up
from bunraku.facts.documents import FACTS_EXTENSIONS, read_facts
from bunraku.jobs.puppet_environment import STORED, stored_file


def look_keys_up(words: Sequence[str]) -> int:
    """Print a value or an explanation; exit code 1 without output if no data has the keys."""
    parser = parser_for("lookup", "Look up Hiera keys.", QUESTION, QUESTION_RULES)
    call = call_of(parser, words, "server")
    question = question_from(call.options)
    try:
        node, facts = node_and_facts(call)
        if not has_facts(call, node):
            call.messages.error(f"Could not run: No facts available for target node: {node}")
            return exits.FINDINGS
        request = request_for(call, node, {**facts, **facts_of_file(call)})
        answer = look_up(request, question, call.messages)
        text = answer_text(answer, call.options.format)
    except PuppetError as error:
        return failed(call, error)
    write(text)
    return exit_code(call, answer)


def has_facts(call: Call, node: str) -> bool:
    """Return whether the facts are the node's: this machine's are not those of another node."""
    if call.options.facts is not None or node in {call.text("certname"), ""}:
        return True
    terminus = call.text("facts_terminus")
    return terminus in STORED and os.path.isfile(stored_file(call, node, terminus))


def facts_of_file(call: Call) -> dict[str, Any]:
    """Return the facts of ``--facts``; UsageError for a file that is missing or of another kind."""
    path = call.options.facts
    if path is None:
        return {}
    if not path.endswith(FACTS_EXTENSIONS):
        raise UsageError(f"--facts: {path} must be a .yaml or .json file", "puppet lookup")
    if not os.path.isfile(path):
        raise UsageError(f"--facts: cannot find {path}", "puppet lookup")
    return read_facts(path)


def exit_code(call: Call, answer: Answer) -> int:
    """Return the exit code of an answer; an error other than a missing key is printed."""
    if answer.error is None or (answer.is_missing and answer.explanation is not None):
        return exits.OK
    return exits.FINDINGS if answer.is_missing else failed(call, answer.error)


def failed(call: Call, error: PuppetError) -> int:
    """Print an error as Puppet's applications do; return the exit code."""
    call.messages.error(f"Could not run: {with_place(error.diagnostic)}")
    return exits.FINDINGS
