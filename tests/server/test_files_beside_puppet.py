"""Descriptions of files beside those of the file server of an installed Puppet.

The modules are in two directories: Puppet takes those in one directory in no particular order.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from itertools import product
from pathlib import Path
from urllib.parse import quote, urlencode

import pytest

from support.server_files import asked, files_of, got

pytestmark = pytest.mark.skipif(shutil.which("puppet") is None, reason="needs Puppet and Ruby")
SCRIPT = Path(__file__).with_name("file_server.rb")
SYSTEM_CALL = re.compile(r" @ \w+ - ")
"""How Ruby names the call that failed: ``No such file or directory @ rb_file_s_stat - /path``."""
KEYS = (
    *("modules/a", "modules/a/", "modules/a/one", "modules/a/one/", "modules/a/tree"),
    *("modules/a/tree/", "modules/a/tree/link", "modules/a/tree/up", "modules/a/tree/outside"),
    *("modules/a/tree/fifo", "modules/a/tree/null", "modules/a/absent", "modules/a/dangling"),
    *("modules", "modules/", "modules/c", "modules/c/x", "modules/A/one", "modules/b/x"),
    *("plugins", "plugins/both.rb", "plugins/sub", "plugins/absent", "pluginfacts", "locales"),
    *("scripts", "scripts/b", "scripts/b/run", "tasks", "tasks/b/init", "no-mount/x", "a b/x"),
)
FIND = [
    {},
    {"links": "follow", "checksum_type": "md5", "source_permissions": "use"},
    {"links": "ignore", "checksum_type": "mtime", "source_permissions": "use_when_creating"},
    {"links": "manage", "checksum_type": "none"},
    {"checksum_type": "sha512"},
    {"checksum_type": "sha256lite"},
    {"checksum_type": "etag"},
    {"links": "other"},
    {"source_permissions": "other"},
]
SEARCH = [
    {},
    {"recurse": "true"},
    {"recurse": "remote", "links": "follow", "source_permissions": "use"},
    {"recurse": "true", "recurselimit": "1", "checksum_type": "ctime"},
    {"recurse": "true", "ignore": ["*.bak", "s*"]},
    {"recurse": "true", "ignore": ["[!lo]*"], "links": "manage", "checksum_type": "md5"},
    {"recurse": "true", "max_files": "3"},
    {"recurse": "true", "max_files": "-1"},
    {"recurse": "2"},
    {"recurse": "true", "recurselimit": "x"},
    {"links": "ignore"},
    {"checksum_type": "other"},
]


@pytest.fixture(scope="module")
def rig(tmp_path_factory):
    root = tmp_path_factory.mktemp("beside")
    modules = root / "code/environments/production/modules"
    modules.mkdir(parents=True)
    for path, text in {
        "a/files/one": "one\n",
        "a/files/tree/x": "x" * 5000,
        "a/files/tree/x.bak": "b",
        "a/files/tree/.hidden": "h",
        "a/files/tree/sub/deep/y": "y",
        "a/lib/both.rb": "of a",
        "a/lib/sub/a.rb": "",
        "../../../modules/b/lib/both.rb": "of b",
        "../../../modules/b/lib/sub/b.rb": "",
        "../../../modules/b/scripts/run": "",
        "../../../modules/b/tasks/init": "",
        "Upper/files/x": "",
    }.items():
        (modules / path).parent.mkdir(parents=True, exist_ok=True)
        (modules / path).write_text(text)
    (modules / "c").mkdir()
    (root / "out").mkdir()
    (root / "out/secret").write_text("outside")
    tree = modules / "a/files/tree"
    (tree / "link").symlink_to("x")
    (tree / "up").symlink_to("sub")
    (tree / "outside").symlink_to(root / "out")
    os.mkfifo(tree / "fifo")
    (modules / "a/files/dangling").symlink_to("nothing")
    (tree / "x").chmod(0o4750)
    return root, modules, files_of(root / "code/environments")


def requests() -> list[dict]:
    return [
        {"route": route, "key": key, "options": options}
        for route, every in (("file_metadata", FIND), ("file_metadatas", SEARCH))
        for key, options in product(KEYS, every)
    ]


def of_puppet(root, modules, every) -> list[dict]:
    lines = "".join(json.dumps(given_to_puppet(one)) + "\n" for one in every)
    command = ["ruby", str(SCRIPT), str(root / "own"), str(modules), str(root / "code/modules")]
    in_utc = {**os.environ, "TZ": "UTC"}  # Puppet describes times in the zone of the server
    done = subprocess.run(
        command, input=lines, capture_output=True, text=True, check=False, env=in_utc
    )
    found = [line for line in done.stdout.splitlines() if line.startswith("{")]
    assert len(found) == len(every), done.stderr
    return [json.loads(line) for line in found]


def given_to_puppet(one: dict) -> dict:
    """A request with the values that Puppet's handler of requests makes of texts."""
    types = {"true": True, "false": False}
    options = {
        name: int(value) if isinstance(value, str) and value.isdigit() else value
        for name, value in one["options"].items()
    }
    options = {n: types.get(v, v) if isinstance(v, str) else v for n, v in options.items()}
    return {**one, "options": options}


def of_ours(files, one: dict) -> dict:
    pairs = [("environment", "production")]
    for name, value in one["options"].items():
        pairs += [(name, each) for each in (value if isinstance(value, list) else [value])]
    target = f"/puppet/v3/{one['route']}/{quote(one['key'])}?{urlencode(pairs)}"
    status, _, body = got(files, asked(target, accept="application/json"))
    content = json.loads(body)
    if status == 200:
        return {"found": content}
    message = content["message"].partition(": ")[2]
    return {"found": None} if status == 404 else {"error": message}


def normal(result: dict) -> dict:
    """A result without what is not compared: the order of a listing, the system calls in errors."""
    if "error" in result:
        text = SYSTEM_CALL.sub(" - ", result["error"])
        return {"error": text.partition(" with {")[0]}
    found = result["found"]
    if isinstance(found, list):
        found = sorted(found, key=lambda one: one["relative_path"])
    return {"found": found}


def test_agrees_with_puppet(rig):
    root, modules, files = rig
    every = requests()
    theirs = of_puppet(root, modules, every)
    wrong = [
        (one, ours, found)
        for one, found in zip(every, map(normal, theirs), strict=True)
        if (ours := normal(of_ours(files, one))) != found
    ]
    assert wrong == []
    assert sum("error" in one for one in theirs) > 50
    assert sum(one.get("found") is not None for one in theirs) > 200
