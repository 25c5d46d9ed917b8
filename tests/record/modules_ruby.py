"""Compare how Ruby and bunraku read the Ruby files of modules: accepted or refused, and the syntax trees.

    modules_ruby.py FOLDER… [--trees N] [--record FILE]

All files ``*.rb`` below the folders are compared, each content once; the trees of one in N accepted files
(default: 1, all of them). FILE receives the numbers and the differences as JSON. No code of the files runs.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import asdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from rigs.modules.folders import report_differences
from rigs.modules.syntax import compare_syntax, ruby_files


def main() -> None:
    """Compare, print the numbers and the differences."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--trees", type=int, default=1, metavar="N")
    parser.add_argument("--record", type=Path, metavar="FILE")
    options = parser.parse_args()
    paths = [path for folder in options.folders for path in ruby_files(folder)]
    figures = asdict(compare_syntax(paths, options.trees))
    report_differences(figures, options.record)


if __name__ == "__main__":
    main()
