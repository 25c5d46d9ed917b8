"""Rename random names in copies of modules, and compare the catalogs of their classes before and after.

    python tests/rigs/editor/renames.py MODULES... [--count 200] [--seed 1]      (``make renames``)

MODULES are directories of modules. A rename that the editor refuses counts as refused. After each rename all classes
of the module, and those in changed files, are compiled; then the files are put back.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

import bunraku
from bunraku.base.errors import PuppetError
from bunraku.base.text_edits import edited
from bunraku.facts.built_in_systems import built_in_facts
from bunraku.jobs.editor import Projects
from bunraku.runtime.suggest import as_reference
from bunraku.workbench.editor.host import EditorHost
from bunraku.workbench.editor.mentions import Mention, PuppetSymbol, canonical
from bunraku.workbench.editor.rename import PATTERNS, Edits, RenameRefused, renamed

FACTS = built_in_facts("debian-12-x86_64")
MOST_CLASSES = 25
SUFFIX = "_renamed"
NAMES = re.compile(r"/[^ ]*|[$]?[a-z_0-9]+(::[a-z_0-9]+)+|[$]\w+")


class Site:
    """Copies of modules in an environment, open in an editor."""

    def __init__(self, modules: Iterable[Path], root: Path) -> None:
        self.modules = root / "modules"
        for one in modules:
            wanted = shutil.ignore_patterns("spec", "tests", ".git", "*.md")
            shutil.copytree(one, self.modules / one.name, ignore=wanted, symlinks=True)
        (root / "environment.conf").write_text("modulepath = modules\n")
        self.host = EditorHost(Projects(print))
        self.host.set_folders([str(root)])

    def names(self) -> list[tuple[str, Mention]]:
        """Return the definitions in all manifests, with their files."""
        snapshot = self.host.snapshot()
        return [
            (path, one)
            for path in sorted(one.path for one in snapshot.index.records())
            if path.endswith(".pp") and "/manifests/" in path
            for one in snapshot.mentions(path)
            if one.role == "definition" and one.symbol.kind in PATTERNS
        ]

    def classes(self, paths: Iterable[str]) -> list[str]:
        """Return the names of the classes in the modules of some files, those in the files first."""
        index = self.host.snapshot().index
        wanted = set(paths)
        modules = {Path(path).relative_to(self.modules).parts[0] for path in wanted}
        found = {name: index.definitions("class", name)[0].path for name in index.names("class")}
        near = [name for name, path in found.items() if path in wanted]
        rest = [name for name in found if name.partition("::")[0] in modules and name not in near]
        return [*near, *rest][:MOST_CLASSES]

    def outcomes(self, classes: Iterable[str]) -> dict[str, str]:
        """Return the catalog or the error of each class."""
        return {name: self.outcome(name) for name in classes}

    def outcome(self, name: str) -> str:
        """Return the catalog of a class as text, or its error."""
        try:
            catalog = bunraku.compile(
                f"include {name}", modulepath=[str(self.modules)], facts=FACTS
            )
        except PuppetError as error:
            return f"{error.code} {error.message}"
        return json.dumps([plain(one) for one in catalog.to_data()["resources"]], sort_keys=True)

    def write(self, edits: Edits) -> dict[str, bytes | None]:
        """Write the changes; return what was there."""
        before: dict[str, bytes | None] = {}
        snapshot = self.host.snapshot()
        for path, some in edits.texts.items():
            before[path] = Path(path).read_bytes()
            source = snapshot.source(path)
            assert source is not None
            Path(path).write_bytes(edited(source.text, some).encode("utf-8", "surrogateescape"))
        for old, new in edits.moves.items():
            before[new] = None
            before.setdefault(old, Path(old).read_bytes())
            Path(new).parent.mkdir(parents=True, exist_ok=True)
            Path(old).rename(new)
        return before

    def restore(self, before: dict[str, bytes | None]) -> None:
        """Put the files back."""
        for path, content in before.items():
            if content is None:
                Path(path).unlink()
            else:
                Path(path).write_bytes(content)


def plain(resource: dict[str, Any]) -> dict[str, Any]:
    """Return a resource without its place and its tags, which have the names of classes in them."""
    return {name: value for name, value in resource.items() if name not in {"file", "line", "tags"}}


def with_new_name(text: str, symbol: PuppetSymbol, name: str) -> str:
    """Return an outcome as it must be after a rename; names are sorted again."""
    pairs = [(symbol.name, name)]
    if symbol.kind == "variable" and symbol.owner:
        qualified = f"{symbol.owner}::{symbol.name}"
        pairs += [(f"{colons}{qualified}", f"{colons}{qualified}{SUFFIX}") for colons in ("", "::")]
    if symbol.kind in {"class", "resource_type", "data_type"}:
        pairs = [(symbol.name, canonical(name)), (as_reference(symbol.name), as_reference(name))]
    if symbol.kind == "class":
        pairs += [
            (f"{symbol.name}::{one}", f"{canonical(name)}::{one}")
            for one in variables_of(text, symbol)
        ]
    for old, new in pairs:
        text = re.sub(rf"(?<![\w:]){re.escape(old)}(?![\w]|::\w)", new, text)
    return json.dumps(json.loads(text), sort_keys=True) if text.startswith("[") else text


def variables_of(text: str, symbol: PuppetSymbol) -> set[str]:
    """Return the names of variables of a class that an error names."""
    return set(re.findall(rf"UNKNOWN_VARIABLE .*'{re.escape(symbol.name)}::(\w+)'", text))


def trial(site: Site, path: str, mention: Mention) -> str:
    """Rename one name; return what came of it."""
    snapshot = site.host.snapshot()
    symbol = snapshot.symbol(mention)
    name = f"{symbol.name if symbol.kind != 'data_type' else as_reference(symbol.name)}{SUFFIX}"
    try:
        edits = renamed(snapshot, path, mention.range.start, name)
    except RenameRefused as refused:
        return f"refused: {NAMES.sub('…', str(refused))}"
    classes = site.classes(edits.texts)
    before = site.outcomes(classes)
    saved = site.write(edits)
    try:
        for one in classes:
            new = canonical(name) if symbol.kind == "class" and one == symbol.name else one
            after = site.outcome(new)
            if with_new_name(before[one], symbol, name) != with_new_name(after, symbol, name):
                print(
                    f"{path}: {symbol} to {name}: {one}\n  before {before[one][:400]}\n  after  {after[:400]}"
                )
                return "DIFFERENT"
    finally:
        site.restore(saved)
    return f"equal: {symbol.kind}"


def run(modules: list[Path], count: int, seed: int) -> Counter[str]:
    """Return how many renames came to what."""
    with tempfile.TemporaryDirectory() as folder:
        site = Site(modules, Path(folder))
        names = site.names()
        chosen = random.Random(seed).sample(names, min(count, len(names)))
        return Counter(trial(site, path, one) for path, one in chosen)


def main() -> int:
    """Print the counts; exit with 1 after a difference."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("modules", nargs="+", type=Path)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    found = run(options.modules, options.count, options.seed)
    for outcome, number in found.most_common():
        print(f"{number:5} {outcome}")
    return 1 if found["DIFFERENT"] else 0


if __name__ == "__main__":
    sys.exit(main())
