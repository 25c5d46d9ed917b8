"""Fill a table of small manifests with Puppet's results.

    record_forms.py ORACLE < sources > tests/syntax/forms.txt

Sources are separated by empty lines. Under each stands, after ``==>``, its PN; ``error`` with line,
column and code where it does not parse; ``invalid`` where it parses and Puppet's validator refuses
it, which is not the parser's business; or ``crash`` where Puppet itself fails. A mistake for which
Puppet has no code stands as ``-``.
"""

from __future__ import annotations

import json
import subprocess
import sys

SYNTAX_CODES = frozenset(
    [
        "SYNTAX_ERROR",
        "UNCLOSED_QUOTE",
        "UNCLOSED_MLCOMMENT",
        "ILLEGAL_BOM",
        "ILLEGAL_NUMBER",
        "INVALID_HEX_NUMBER",
        "INVALID_OCTAL_NUMBER",
        "INVALID_DECIMAL_NUMBER",
        "ILLEGAL_FULLY_QUALIFIED_NAME",
        "ILLEGAL_FULLY_QUALIFIED_CLASS_REFERENCE",
        "ILLEGAL_CLASS_REFERENCE",
        "ILLEGAL_NAME_OR_BARE_WORD",
        "ILLEGAL_UNICODE_ESCAPE",
        "HEREDOC_UNCLOSED_PARENTHESIS",
        "HEREDOC_INVALID_SYNTAX",
        "HEREDOC_EMPTY_ENDTAG",
        "HEREDOC_MULTIPLE_AT_ESCAPES",
        "HEREDOC_INVALID_ESCAPE",
        "HEREDOC_WITHOUT_TEXT",
        "HEREDOC_WITHOUT_END_TAGGED_LINE",
        "EPP_UNBALANCED_TAG",
        "EPP_UNBALANCED_COMMENT",
        "EPP_UNBALANCED_EXPRESSION",
    ]
)


def expectation(answer: dict[str, object]) -> str:
    """The text to write under a source."""
    if answer["status"] == "ok":
        return str(answer["pn"])
    error = answer["error"]
    assert isinstance(error, dict)
    code = error.get("issue_code")
    if error["class"] not in ("Puppet::ParseErrorWithIssue", "Puppet::ParseError"):
        return "crash"
    syntax = code in SYNTAX_CODES or (code is None and error["class"] == "Puppet::ParseError")
    if not syntax:
        return "invalid"
    line = error.get("line") or "end"
    return f"error {line}:{error.get('pos') or 'end'} {code or '-'}"


def main(oracle: str, kind: str = "pp") -> None:
    """Ask about every source and print the table."""
    sources = [chunk.strip("\n") for chunk in sys.stdin.read().split("\n\n") if chunk.strip("\n")]
    requests = "".join(
        json.dumps({"id": str(index), "do": "pn", "code": source, "epp": kind == "epp"}) + "\n"
        for index, source in enumerate(sources)
    )
    done = subprocess.run([oracle], input=requests, capture_output=True, text=True, check=True)
    for source, line in zip(sources, done.stdout.splitlines(), strict=True):
        print(f"{source}\n==> {expectation(json.loads(line))}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
