"""Record the public methods of Puppet's classes that bunraku has, as ``tests/data/ruby_interface.json``.

    record_ruby_interface.py COMMAND…

COMMAND speaks the batch protocol for a real Puppet. A row has the methods that a class adds to the class above
it, and those of them that bunraku's class lacks.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from bunraku.jobs.batch import answer
from support.conformance import ask
from support.recorded import write_recorded
from support.ruby_interface import KINDS, interface, lacking, own_names, request


def main() -> None:
    """Ask and record."""
    here = interface(json.loads(answer(json.dumps(request()).encode())))
    (found,) = ask([request(here)], sys.argv[1:])
    theirs = interface(found)
    rows = []
    for name, methods in theirs.items():
        own = here[name]
        if methods is not None and own is not None:
            added = [own_names(name, theirs, kind) for kind in KINDS]
            lacks = [lacking(own, set(only), kind) for only, kind in zip(added, KINDS, strict=True)]
            rows.append([name, methods["above"], *added, *lacks])
    print(f"{len(rows)} classes in {write_recorded('ruby_interface', rows)}")


if __name__ == "__main__":
    main()
