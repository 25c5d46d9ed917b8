"""Debian's modules: the syntax of all their Ruby files, and their resource types as real Puppet has them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from rigs.modules.corpus import DEBIAN, Library, debian_modules
from rigs.modules.syntax import compare_syntax, ruby_files
from rigs.modules.types import compare_types, questions
from support.debian_modules import needs_debian_modules
from support.ruby import needs_ruby

needs_puppet = pytest.mark.skipif(shutil.which("puppet") is None, reason="needs Puppet")
SAMPLE = ("concat", "corosync", "mysql", "rabbitmq", "stdlib", "sysctl", "vcsrepo")


@needs_ruby
@needs_debian_modules
def test_ruby_files_are_read_as_ruby_reads_them() -> None:
    figures = compare_syntax(ruby_files(DEBIAN), every=20)
    assert figures.differences == []
    assert figures.files > 500
    assert figures.trees > 30


@needs_ruby
@needs_puppet
@needs_debian_modules
def test_types_are_read_as_puppet_loads_them(tmp_path: Path) -> None:
    modules = debian_modules()
    chosen = [one for one in modules if one.name in SAMPLE]
    asked = list(questions(Library(modules, tmp_path), chosen))
    figures = compare_types(asked, tmp_path / "cache")
    assert figures.differences == []
    assert figures.alike_from_cache > 20
