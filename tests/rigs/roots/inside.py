"""Run one case in fresh namespaces: the program that ``run_case`` starts there as process 1."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from rigs.roots import outcome
from rigs.roots.case import load
from rigs.roots.sandbox import Sandbox


def main(folder: Path) -> None:
    """Run the case of ``request.json`` and write ``outcome.json`` beside it; without a case, start systemd."""
    request = json.loads((folder / "request.json").read_text())
    top = folder / "top"
    top.mkdir()
    sandbox = Sandbox([Path(layer) for layer in request["base"]], top, request["binds"])
    if "case" in request:
        case = load(Path(request["case"]))
        if request["stubs"]:
            case.modules |= request["stubs"]
            case.foreign = {}
        found = outcome.run_in(sandbox, case, request["command"])
    else:
        sandbox.boot()
        sandbox.close()
        found = {}
    (folder / "outcome.json").write_text(json.dumps(found))


def serve_as_init(child: int) -> None:
    """Collect orphans until the child ends, and end with its status."""
    while True:
        process, status = os.wait()
        if process == child:
            os._exit(0 if status == 0 else 1)


if __name__ == "__main__":
    if child := os.fork():
        serve_as_init(child)
    main(Path(sys.argv[1]))
