"""The command line of programs that ask about the modules in folders, and the output of figures."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any


def folder_parser(description: str) -> argparse.ArgumentParser:
    """Return a parser with the folders, the choice of modules and the output of figures."""
    parser = argparse.ArgumentParser(description=description.partition("\n")[0])
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--only", default="", help="a part of the names of modules")
    parser.add_argument("--record", type=Path, help="write the figures as JSON")
    parser.add_argument("--verbose", action="store_true", help="print the figures of each module")
    return parser


def module_folders(options: argparse.Namespace) -> Iterator[Path]:
    """Yield the folders of the chosen modules."""
    for folder in options.folders:
        yield from (one for one in sorted(folder.resolve().iterdir()) if options.only in one.name)


def print_figures(options: argparse.Namespace, names: str, figures: dict[str, Any]) -> None:
    """Print the figures of some modules if that is wanted."""
    if options.verbose:
        print(f"{names}: {json.dumps(figures)}", flush=True)


def report(options: argparse.Namespace, figures: dict[str, Any]) -> None:
    """Print the figures of all modules, and write them to the file that is named."""
    text = json.dumps(figures, indent=1)
    print(text)
    if options.record:
        options.record.write_text(text + "\n", encoding="utf-8")


def report_differences(figures: Mapping[str, Any], record: Path | None) -> None:
    """Print the differences and the numbers, and write both to a file if there is one."""
    for difference in figures["differences"]:
        print(": ".join(difference))
    print({name: number for name, number in figures.items() if name != "differences"})
    if record:
        record.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
