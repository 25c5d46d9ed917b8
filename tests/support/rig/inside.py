"""Run one case: the program that ``container.isolate`` starts in fresh namespaces."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from support.rig import container, run

if __name__ == "__main__":
    container.reap()
    run.inside(Path(sys.argv[1]))
