"""Where code can stop: executable lines, steps in order, breakpoints that move."""

from __future__ import annotations

import random

import pytest

from support.debian_modules import MODULES, needs_debian_modules
from support.debugging import DrivenDebugger, lines_with, plan_in

MANIFEST = """\
# A comment
$a = 1

if $a == 1 {
  $b = [
    'x',
    'y',
  ]
} else {
  $b = []
}

$c = $a ? {
  1       => 'one',
  default => 'other',
}
case $c {
  'one': {
    notice($c)
  }
  default: { fail('never') }
}
file { '/a':
  ensure => file,
}
"""


@pytest.fixture
def manifest(tmp_path):
    """A file with code of many kinds."""
    path = tmp_path / "site.pp"
    path.write_text(MANIFEST)
    return path


@pytest.mark.parametrize(
    ("line", "stops_on"),
    [(1, 2), (2, 2), (3, 4), (6, 5), (8, 5), (9, 10), (12, 13), (14, 14), (24, 23), (99, 23)],
)
def test_a_breakpoint_moves_to_code(manifest, line, stops_on):
    assert plan_in(manifest).executable(line) == stops_on


def test_steps_visit_each_line_that_runs(manifest):
    assert DrivenDebugger(manifest).steps("over") == [2, 4, 5, 13, 14, 17, 18, 19, 23]


def generated(chance):
    """Return a manifest whose lines that run end with ``# N``, in order."""
    lines, number = [], 0

    def line(text):
        nonlocal number
        number += 1
        lines.append(f"{text} # {number}")

    def block(indent, depth):
        for _ in range(chance.randint(1, 3)):
            kind = chance.choice(["set", "call", "resource", "if", "unless", "case", "each"])
            if depth > 2 and kind in ("if", "unless", "case", "each"):
                kind = "set"
            name = f"v{len(lines)}"
            if kind == "set":
                line(f"{indent}${name} = {number}")
            elif kind == "call":
                line(f"{indent}notice('{name}')")
            elif kind == "resource":
                line(f"{indent}notify {{ '{name}':")
                lines.append(f"{indent}  message => 'x',")
                lines.append(f"{indent}}}")
            elif kind == "each":
                line(f"{indent}[1].each |$i{len(lines)}| {{")
                block(f"{indent}  ", depth + 1)
                lines.append(f"{indent}}}")
            elif kind == "case":
                line(f"{indent}case 1 {{")
                lines.append(f"{indent}  2: {{")
                lines.append(f"{indent}    fail('never')")
                lines.append(f"{indent}  }}")
                line(f"{indent}  default: {{")
                block(f"{indent}    ", depth + 1)
                lines.append(f"{indent}  }}")
                lines.append(f"{indent}}}")
            else:
                line(f"{indent}{kind} {'true' if kind == 'if' else 'false'} {{")
                block(f"{indent}  ", depth + 1)
                lines.append(f"{indent}}} else {{")
                lines.append(f"{indent}  fail('never')")
                lines.append(f"{indent}}}")
            lines.extend(["", "# comment"][: chance.randint(0, 2)])

    block("", 0)
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("seed", range(25))
def test_steps_into_a_generated_manifest_visit_its_lines_in_order(tmp_path, seed):
    text = generated(random.Random(seed))
    path = tmp_path / "site.pp"
    path.write_text(text)
    driven = DrivenDebugger(path)
    visited = driven.steps("into")
    assert driven.error is None
    assert visited == list(lines_with(text, " # "))


@pytest.mark.parametrize("seed", range(10))
def test_every_line_that_runs_takes_a_breakpoint(tmp_path, seed):
    text = generated(random.Random(seed))
    path = tmp_path / "site.pp"
    path.write_text(text)
    driven = DrivenDebugger(path)
    wanted = list(lines_with(text, " # "))
    for line in wanted:
        assert driven.break_at(line).stops_on == line
    assert [line for _name, line in driven.run()] == wanted


@needs_debian_modules
def test_every_line_of_apache_has_a_place():
    for path in sorted((MODULES / "apache").rglob("*.pp")):
        lines = path.read_text().count("\n")
        plan = plan_in(path)
        if plan.lines:
            assert {plan.executable(line) for line in range(1, lines + 1)} <= plan.lines.keys(), (
                path
            )
