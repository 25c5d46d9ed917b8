"""``python -m bunraku`` is the command ``bunraku``."""

from __future__ import annotations

import sys

from bunraku.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
