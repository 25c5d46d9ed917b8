r"""Text that is not UTF-8, and surrogates without their other half, in every output of every command.

Bytes are printed as they are. JSON has them in its strings, YAML as ``!binary``, as Ruby writes bytes.
A surrogate ``\ud800`` in JSON stands for the three bytes that Ruby makes of it.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bunraku.cli import exits
from bunraku.cli.main import main
from bunraku.formats.yaml import load_plain

BYTE = b"\xff"
SURROGATE = b"\xed\xa0\x80"
# Mistake → the text in JSON, and its bytes.
BAD = {
    "invalid byte": (b"x" + BYTE, b"x" + BYTE),
    "cut character": (b"x\xe2\x82", b"x\xe2\x82"),
    "lone high surrogate": (b"x\\ud800", b"x" + SURROGATE),
    "lone low surrogate": (b"x\\udcff", b"x\xed\xb3\xbf"),
    "surrogate as bytes": (b"x" + SURROGATE, b"x" + SURROGATE),
}
CATALOG = (
    b'{"name": "n", "resources": [{"type": "Notify", "title": "%s", "parameters": {"k": "%s"}}]}'
)
# Command → its arguments and its formats. The files are those of the fixture.
COMMANDS = {
    "compile": (["compile", "--facts", "facts.json", "site.pp", "--format"], "json yaml text"),
    "compile many": (
        [
            *("compile", "--nodes", "--facts-folder", "facts", "site.pp"),
            *("--output-folder", "out", "--jobs", "1", "--format"),
        ],
        "json yaml text",
    ),
    "lookup": (["lookup", "--facts", "facts.json", "k", "--render-as"], "s json yaml"),
    "lookup --explain": (
        ["lookup", "--facts", "facts.json", "--explain", "k", "--render-as"],
        "s json yaml",
    ),
    "facts": (["facts", "--external-dir", "external", "bad", "--render-as"], "json yaml"),
    "diff": (["diff", "old.json", "new.json", "--format"], "text json markdown html"),
    "diff directories": (["diff", "old", "new", "--format"], "text json markdown html"),
    "eval": (["eval", "lookup('k')", "--format"], "text json"),
    "eval of facts": (["eval", "$facts", "--facts", "facts.json", "--format"], "text json"),
    "dump": (["dump", "site.pp", "--stage"], "tokens pn python bytecode"),
    "validate": (["validate", "broken.pp", "data", "--format"], "text json github sarif"),
    "functions": (["functions", "--format"], "text json"),
    "types": (["types", "Enum['a']", "--format"], "text json"),
    "config": (["config", "--format"], "text json"),
}
CASES = [(name, form) for name, (_, forms) in COMMANDS.items() for form in forms.split()]


@pytest.fixture(params=BAD)
def bad(request, tmp_path, monkeypatch):
    """A control repository with a text that is not right in all its files; the bytes of the text."""
    written, wanted = BAD[request.param]
    files = {
        "environment.conf": b"modulepath = modules\n",
        "hiera.yaml": b"version: 5\nhierarchy: [{name: a, path: a.json, data_hash: json_data}]\n",
        "data/a.json": b'{"k": {"%s": ["%s"]}}' % (written, written),
        "facts.json": b'{"bad": {"%s": "%s"}}' % (written, written),
        "facts/n.json": b'{"bad": {"%s": "%s"}}' % (written, written),
        "external/a.json": b'{"bad": {"%s": "%s"}}' % (written, written),
        "site.pp": b"# %s\nnotify { \"%s\": message => [$facts['bad'], lookup('k')] }\n"
        % (wanted, wanted),
        "broken.pp": b'notify { "%s": $x\n' % wanted,
        "modules/m/metadata.json": b'{"name": "a-%s"}' % written,
        "modules/m/functions/f.pp": b"# %s\n# @param x %s\nfunction m::f($x) { $x }\n"
        % (wanted, wanted),
        "old.json": CATALOG % (written, written),
        "new.json": CATALOG % (b"other", written + b"y"),
        "old/n.json": CATALOG % (b"same", written),
        "new/n.json": CATALOG % (b"same", written + b"y"),
    }
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(content)
    monkeypatch.chdir(tmp_path)
    return wanted


def texts_in(value):
    """The strings in data, keys included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from (key, *texts_in(item))
    elif isinstance(value, list):
        for item in value:
            yield from texts_in(item)


@pytest.mark.parametrize(("command", "form"), CASES)
def test_every_output_can_be_written_and_read(command, form, bad, capfdbinary):
    assert main([*COMMANDS[command][0], form]) in {exits.OK, exits.FINDINGS}
    out, err = capfdbinary.readouterr()
    assert b"internal error" not in err
    assert b"Traceback" not in err
    if command == "compile many":
        (written,) = Path("out").iterdir()
        out = written.read_bytes()
    text = out.decode("utf-8", "surrogateescape")
    kept = command.startswith(("compile", "lookup", "eval"))
    if command == "facts":  # a value that is not UTF-8 is left out, as in Facter
        assert out.decode()
        kept = bad.decode("utf-8", "replace").encode() == bad
    if form in {"json", "sarif"}:
        data = json.loads(text)
    elif form == "yaml":
        data = load_plain(text)
    else:
        data = text
    if kept:
        assert bad in "\n".join(texts_in(data)).encode("utf-8", "surrogateescape")
