"""Record Puppet's result for the example, as ``tests/catalogs/example.json``.

    record_example.py COMMAND…

COMMAND speaks the batch protocol for a real Puppet.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from support.conformance import ask  # noqa: E402, the path first


def main() -> None:
    examples = ROOT / "examples"
    case = {
        "id": "example",
        "code": (examples / "site.pp").read_text(),
        "facts": yaml.safe_load((examples / "facts.yaml").read_text()),
        "node": "web01.example.com",
        "modulepath": [str(examples / "modules")],
    }
    (answer,) = ask([case], sys.argv[1:])
    assert answer["status"] == "ok", answer["error"]
    kept = ("type", "title", "parameters", "tags")
    resources = [{name: one[name] for name in kept} for one in answer["resources"]]
    target = ROOT / "tests" / "catalogs" / "example.json"
    target.parent.mkdir(exist_ok=True)
    target.write_text(json.dumps({"resources": resources}, indent=1) + "\n")


if __name__ == "__main__":
    main()
