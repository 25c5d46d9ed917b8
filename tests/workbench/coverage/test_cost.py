"""A covered compile costs at most twice a plain one, and a plain one nothing more."""

from __future__ import annotations

import ast
from importlib import import_module
from pathlib import Path

from bunraku.base.source import Source
from bunraku.compiler.code import to_ast
from bunraku.compiler.probes import HITS
from bunraku.compiler.rules import DEFAULTS
from bunraku.engine.compile import compile_catalog
from bunraku.engine.request import Request
from bunraku.runtime.helpers import HELPERS
from bunraku.syntax.parser.parser import parse
from bunraku.workbench.coverage.project import CountedFiles

from .support import recording

ROOT = Path(__file__).parents[3]
CONTROL = Path(__file__).parent / "control"


def test_a_covered_compile_executes_at_most_half_as_many_instructions_again(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    counted = import_module("counts").counted
    one = Request(
        node="web1",
        path=str(CONTROL / "manifests/site.pp"),
        modulepath=[str(CONTROL / "modules")],
        facts={"os": {"family": "Debian"}},
    )

    def work():
        compile_catalog(one, lambda _: None)

    work()
    work()
    plain = counted(work)
    with recording(tmp_path / "records", CountedFiles(str(CONTROL)), monkeypatch):
        work()
        work()
        covered = counted(work)
    assert plain < covered < 1.5 * plain


def test_code_without_coverage_has_no_probes():
    source = Source((CONTROL / "modules/shop/manifests/init.pp").read_text())
    tree = to_ast(source, parse(source).program, DEFAULTS)
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    assert HITS not in names


def test_no_helper_has_the_name_of_the_recorder():
    assert HITS not in HELPERS
