"""The two suites of benchmarks/testing.py ask the same, and none of their catalogs are the same."""

from importlib import import_module
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[3] / "benchmarks"
MODULES = Path("/usr/share/puppet/modules")


@pytest.fixture
def benchmark(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return import_module("testing")


def test_every_catalog_has_other_parameters(benchmark):
    cases = benchmark.cases(500)
    assert len(cases) == len(set(cases)) == 500
    python, ruby = benchmark.python_suite(500), benchmark.ruby_suite(500)
    assert python.count("def test_") == ruby.count("describe '") == 500
    for name, parameter, value, _ in cases:
        assert f"compile({name!r}, params={{{parameter!r}: {value!r}}})" in python
        assert f"{{ {{ {parameter}: '{value}' }} }}" in ruby


@pytest.mark.skipif(not MODULES.joinpath("ntp").is_dir(), reason="needs Debian's modules")
def test_the_suite_of_the_plugin_passes(benchmark, tmp_path):
    work = benchmark.works_in(tmp_path, 4)["pytest"]
    assert work() > 0
    (tmp_path / "test_classes.py").write_text("def test_a():\n    assert False\n")
    with pytest.raises(SystemExit, match="1 failed"):
        work()
