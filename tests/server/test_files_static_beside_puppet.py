"""Static catalogs beside those that the compiler of an installed Puppet makes."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from bunraku.providers.errors import ResourceFailure
from bunraku.server.failures import Refused
from bunraku.server.files.static_catalogs import static_metadata
from support.server_files import files_of

pytestmark = pytest.mark.skipif(shutil.which("puppet") is None, reason="needs Puppet and Ruby")
SCRIPT = Path(__file__).with_name("static_catalogs.rb")
TIME = re.compile(r"20\d\d-\d\d-\d\d \d\d:\d\d:\d\d \+0000")
ONE, TREE, FAR = (f"puppet:///modules/{name}" for name in ("a/one", "a/tree", "far/x"))
CATALOGS = [
    [{"source": ONE}],
    [{"source": ONE + "/", "ensure": "file", "mode": "0644"}],
    [{"source": ONE, "ensure": "absent"}],
    [{"source": [ONE, TREE]}, {"source": ["puppet:///modules/a/no", ONE]}, {"content": "x"}],
    [{"source": TREE}],
    [{"source": "puppet:///modules/a/no"}],
    [{"source": ["puppet:///modules/a/no", "puppet:///modules/no/x"]}],
    [{"source": "/etc/motd"}, {"source": "http://example.com/x"}, {"source": ["/a", ONE]}],
    [{"source": FAR}],
    [{"source": [FAR, ONE]}],
    [{"source": [ONE, FAR]}],
    [{"source": "puppet:///plugins/p.rb"}],
    [{"source": "puppet:///modules/a"}],
    [{"source": "puppet:///modules/a", "recurse": True}],
    [{"source": "puppet:///modules/a/one two", "links": "follow", "checksum": "md5"}],
    [{"source": "puppet:///modules/a/tree/link", "links": "follow"}],
    [{"source": "puppet:///modules/a/tree/link", "links": "manage"}],
    [{"source": ONE, "source_permissions": "use", "checksum": "sha512"}],
    [{"source": ONE, "checksum": "none"}, {"source": ONE, "checksum": "mtime"}],
    *([{"source": TREE, "recurse": value}] for value in (True, "true", "remote", False, "false")),
    [{"source": TREE, "recurse": True, "recurselimit": 1, "ignore": "*.bak"}],
    [{"source": TREE, "recurse": True, "recurselimit": "1", "ignore": ["*.bak", "s*"]}],
    [{"source": TREE, "recurse": True, "max_files": 2}],
    [{"source": TREE, "recurse": True, "max_files": -1, "links": "follow"}],
    [{"source": [TREE, ONE, "puppet:///modules/a/tree/sub"], "recurse": True}],
    [{"source": [TREE, ONE], "recurse": True, "sourceselect": "all"}],
    [{"source": [TREE, FAR], "recurse": True, "sourceselect": "all"}],
    [{"source": [TREE, FAR], "recurse": True, "sourceselect": "first"}],
    [{"source": "puppet:///modules/a/no", "recurse": True}],
    [{"source": ["puppet:///modules/a/no", TREE + "/"], "recurse": "remote"}],
    [{"source": "puppet:///plugins", "recurse": True}],
    [{"source": "puppet:///modules/a/../b"}],
    [{"source": "puppet:///no-mount/x"}],
    [{"source": ["puppet:///no-mount/x", ONE]}],
    [{"source": ["puppet:///no-mount/x", TREE], "recurse": True}],
    [{"source": "puppet:///modules/a/%6fne"}],
]


@pytest.fixture(scope="module")
def rig(tmp_path_factory):
    root = tmp_path_factory.mktemp("static")
    environments = root / "code/environments"
    for path in ("one", "one two", "tree/x", "tree/x.bak", "tree/sub/deep/y"):
        file = environments / "production/modules/a/files" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(path)
    (environments / "production/modules/a/files/tree/link").symlink_to("x")
    (environments / "production/modules/a/files/one").chmod(0o4711)
    for path in ("files/x", "lib/p.rb"):
        file = root / "code/modules/far" / path
        file.parent.mkdir(parents=True)
        file.write_text(path)
    return root, files_of(environments)


def of_puppet(root: Path) -> list[dict]:
    lines = "".join(json.dumps(one) + "\n" for one in CATALOGS)
    places = [str(root / name) for name in ("own", "code/environments", "code/modules")]
    command = ["ruby", str(SCRIPT), *places]
    in_utc = {**os.environ, "TZ": "UTC"}  # Puppet describes times in the zone of the server
    done = subprocess.run(
        command, input=lines, capture_output=True, text=True, check=False, env=in_utc
    )
    found = [line for line in done.stdout.splitlines() if line.startswith("{")]
    assert len(found) == len(CATALOGS), done.stderr
    return [json.loads(TIME.sub("<time>", line)) for line in found]


def of_ours(files, catalog: list[dict]) -> dict:
    resources = [
        {"type": "File", "title": f"/f{number}", "parameters": one}
        for number, one in enumerate(catalog)
    ]
    served = files.environment("production")
    try:
        found = static_metadata(files, served, {"resources": resources}, "sha256")
    except (Refused, ResourceFailure) as error:
        return {"error": str(error)}
    del found["resources"]
    return json.loads(TIME.sub("<time>", json.dumps(found)))


def normal(result: dict) -> dict:
    """A result with listings in one order, and without the ends of some errors."""
    if "error" in result:
        return {"error": result["error"].partition(" with {")[0]}
    for listings in result.get("recursive_metadata", {}).values():
        for listing in listings.values():
            listing.sort(key=lambda one: one["relative_path"])
    return result


def test_agrees_with_puppet(rig):
    root, files = rig
    wrong = [
        (catalog, ours, theirs)
        for catalog, found in zip(CATALOGS, of_puppet(root), strict=True)
        if (ours := normal(of_ours(files, catalog))) != (theirs := normal(found))
    ]
    assert wrong == []
