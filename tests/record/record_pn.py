"""Record, with Puppet, the parse trees of all manifests and templates of an installation.

    record_pn.py ORACLE [FOLDER ...] > tests/syntax/debian_pn.json

A file is known by the digest of its content, so copies and links count once. The result maps
that digest to a path and the digest of its PN, or Puppet's error.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from pathlib import Path

FOLDERS = ["/usr/share/puppet/modules", "/usr/share/puppet/modules.available"]


def digest(data: bytes) -> str:
    """A short name for content."""
    return hashlib.sha256(data).hexdigest()[:24]


def files(folders: list[str]) -> dict[str, Path]:
    """Manifests and templates by digest of content."""
    found: dict[str, Path] = {}
    for folder in folders:
        command = ["find", "-L", folder, "(", "-name", "*.pp", "-o", "-name", "*.epp", ")"]
        names = subprocess.run(command, capture_output=True, text=True, check=False).stdout
        for name in sorted(names.splitlines()):
            key = Path(name).suffix + digest(Path(name).read_bytes())
            found.setdefault(key, Path(name))
    return found


def outcome(answer: dict[str, object]) -> str | dict[str, object]:
    """The recorded part of an answer: the digest of the PN, or the first error's line and code."""
    if answer["status"] == "ok":
        return digest(str(answer["pn"]).encode())
    error = answer["error"]
    logs = [log for log in answer["logs"] if log["level"] == "err"]  # type: ignore[attr-defined]
    first = logs[0] if logs else error
    return {
        "line": first.get("line"),
        "column": first.get("pos"),
        "code": error.get("issue_code"),  # type: ignore[attr-defined]
    }


def main(oracle: str, *folders: str) -> None:
    """Ask about every file and print the table."""
    found = files(list(folders) or FOLDERS)
    requests = []
    for key, path in found.items():
        text = path.read_bytes().decode("utf-8", "replace")
        requests.append({"id": key, "do": "pn", "code": text, "epp": path.suffix == ".epp"})
    lines = "".join(json.dumps(request) + "\n" for request in requests)
    done = subprocess.run([oracle], input=lines, capture_output=True, text=True, check=True)
    table = {}
    for line in done.stdout.splitlines():
        answer = json.loads(line)
        path = found[answer["id"]]
        table[answer["id"]] = [str(path), outcome(answer)]
    json.dump(table, sys.stdout, indent=0, sort_keys=True)
    print()


if __name__ == "__main__":
    main(*sys.argv[1:])
