"""Ask a real Puppet and bunraku the same random questions about types, and count the differences.

    compare_types.py ORACLE [--matrices N] [--conversions N] [--seed N] [--record]

A matrix is a manifest with ten types and ten values: who is an instance of what, which type is within
which, how types are written, what is inferred of values. A conversion is a manifest of its own.
``--record`` writes a sample of the answers for ``tests/types/test_differential.py``.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[1]))

from bunraku.jobs.batch import answer
from support.conversion_expressions import conversion
from support.differential import MODES, Matrix, differences, known, outcome, request
from support.recorded import write_recorded
from support.type_expressions import ALIASES, Generator

SIZE = 10
BATCH = 25
RECORDED = {"matrices": 60, "conversions": 2500}


def main() -> None:
    """Run, print the counts and each kind of difference."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("oracle")
    parser.add_argument("--matrices", type=int, default=1000)
    parser.add_argument("--conversions", type=int, default=20000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--record", action="store_true", help="write types_differential.json")
    options = parser.parse_args()
    ask = Oracle(options.oracle).ask
    random = Random(options.seed)
    matrices = [draw_matrix(random) for _ in range(options.matrices)]
    found, recorded = compare_matrices(ask, matrices)
    expressions = [conversion(Generator(random)) for _ in range(options.conversions)]
    found += list(compare_conversions(ask, expressions, recorded))
    report(found, len(matrices), len(expressions))
    if options.record:
        write_recorded("types_differential", recorded)


def draw_matrix(random: Random) -> Matrix:
    """Types, among them some within others, and values near them."""
    generator = Generator(random)
    shapes = [generator.shape() for _ in range(SIZE * 6 // 10)]
    types = [shape.text for shape in shapes]
    types += [generator.within(generator.pick(shapes)) for _ in range(SIZE - len(types))]
    return Matrix(types, [generator.near(generator.pick(shapes)) for _ in range(SIZE)])


class Oracle:
    """A real Puppet, asked many manifests in one run."""

    def __init__(self, command: str) -> None:
        self.command = command

    def ask(self, codes: list[str]) -> list[list[str] | None]:
        """The notices of each manifest, or None if it fails."""
        lines = "".join(request(code) + "\n" for code in codes)
        done = subprocess.run(
            [self.command], input=lines, capture_output=True, text=True, check=True
        )
        return [outcome(json.loads(line)) for line in done.stdout.splitlines()]


def ours(code: str) -> list[str] | None:
    """bunraku's result for a manifest."""
    return outcome(json.loads(answer(request(code).encode())))


def compare_matrices(ask, matrices: list[Matrix]) -> tuple[list[str], dict]:
    """The differences in all matrices; those that are no manifest lose the terms that are to blame."""
    recorded: dict = {"matrices": [], "conversions": []}
    answers = dict(enumerate(ask([matrix.manifest() for matrix in matrices])))
    mine = {place: ours(matrix.manifest()) for place, matrix in enumerate(matrices)}
    failed = [place for place in answers if answers[place] is None or mine[place] is None]
    good, found = judged_terms(ask, [matrices[place] for place in failed])
    for place in failed:
        matrices[place] = matrices[place].without_all_but(good)
        mine[place] = ours(matrices[place].manifest())
    answers.update(zip(failed, ask([matrices[place].manifest() for place in failed]), strict=True))
    for place, matrix in enumerate(matrices):
        theirs, own = answers[place], mine[place]
        if theirs is None or own is None:
            if theirs != own:
                found.append(f"matrix: {'ours' if own is None else 'theirs'} fails: {matrix}")
            continue
        if len(recorded["matrices"]) < RECORDED["matrices"]:
            recorded["matrices"].append([matrix.types, matrix.values, theirs])
        found += differences(matrix, theirs, own)
    return found, recorded


def judged_terms(ask, matrices: list[Matrix]) -> tuple[set[str], list[str]]:
    """The terms of some matrices with which both agree to work, and where only one of us does."""
    terms = list(dict.fromkeys(term for one in matrices for term in (*one.types, *one.values)))
    codes = [Matrix([], [term]).manifest() for term in terms]
    good: set[str] = set()
    found = []
    for term, code, theirs in zip(terms, codes, ask(codes), strict=True):
        own = ours(code)
        if theirs is not None and own is not None:
            good.add(term)
        elif theirs != own:
            found.append(f"term: {term}: {own or 'fails'} for {theirs or 'fails'}")
    return good, found


def compare_conversions(ask, expressions: list[str], recorded: dict) -> Iterator[str]:
    """The differences of conversions.

    Those that bunraku can make are asked many at a time; where one of them fails, singly.
    """
    mine = [ours(conversion_code(text)) for text in expressions]
    good = [text for text, answer in zip(expressions, mine, strict=True) if answer is not None]
    groups = [good[start : start + BATCH] for start in range(0, len(good), BATCH)]
    theirs: dict[str, list[str] | None] = {}
    for group, rows in zip(groups, ask(list(map(batch_code, groups))), strict=True):
        if rows is not None:
            theirs.update(zip(group, zip(rows[::2], rows[1::2], strict=True), strict=True))
    rest = [text for text in expressions if text not in theirs]
    theirs.update(zip(rest, ask(list(map(conversion_code, rest))), strict=True))
    for text, own in zip(expressions, mine, strict=True):
        expected = None if theirs[text] is None else list(theirs[text])
        if len(recorded["conversions"]) < RECORDED["conversions"]:
            recorded["conversions"].append([text, expected])
        if own != expected:
            yield f"convert: {text}: {own} for {expected}"


def batch_code(texts: list[str]) -> str:
    """Many conversions in one manifest."""
    return ALIASES + "".join(
        f'$r{n} = {text}\nnotice("${{r{n}}}")\nnotice("${{type($r{n})}}")\n'
        for n, text in enumerate(texts)
    )


def conversion_code(text: str) -> str:
    """One conversion in a manifest: its value and the value's type."""
    return batch_code([text])


def report(found: list[str], matrices: int, conversions: int) -> None:
    """Counts, and unknown differences."""
    reasons = Counter(known(line) or "UNKNOWN" for line in found)
    print(
        f"{matrices} matrices: {matrices * SIZE * SIZE} pairs of value and type, as many of types,"
    )
    print(
        f"{matrices * SIZE} types written, {matrices * SIZE} values inferred in {len(MODES)} ways;"
    )
    print(f"{conversions} conversions")
    for reason, count in reasons.most_common():
        print(f"{count:6} {reason}")
    for line in found:
        if known(line) is None:
            print(line)


if __name__ == "__main__":
    main()
