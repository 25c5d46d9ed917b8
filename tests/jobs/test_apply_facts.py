"""A run collects the facts that its manifests read."""

from __future__ import annotations

import pytest

from bunraku.facts.collect import ALL
from bunraku.jobs.apply import ApplyJob, ApplyOptions
from bunraku.jobs.compile import CodeOrManifest
from bunraku.jobs.context import Context
from bunraku.project.options import CompileOptions


@pytest.mark.parametrize(
    ("code", "read"),
    [("", set()), ("notice($facts['timezone'])", {"timezone"}), ("notice($facts)", ALL)],
)
def test_facts_that_no_code_reads_are_not_collected(code, read):
    what = CodeOrManifest(code=code)
    job = ApplyJob(Context(CompileOptions(no_project=True)), ApplyOptions(what))
    job.catalog()
    known = job.machine.own_facts(())
    assert ("processors" in known) == ("processors" in read)
    assert ("timezone" in known) == ("timezone" in read)


def test_after_the_compile_all_facts_can_be_read():
    job = ApplyJob(Context(CompileOptions(no_project=True)), ApplyOptions(CodeOrManifest(code="")))
    job.catalog()
    assert {"kernel", "processors", "puppetversion"} <= job.facts.keys()
