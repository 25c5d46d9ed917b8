"""The options of a compile in a test: those of every compile, and those about its subject."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bunraku.base.records import record
from bunraku.project.options import TEST, CompileOptions, Table, option, options_in
from bunraku.project.request_options import RequestOptions


@record(slots=False)
class SubjectOptions:
    """The subject of a test, and its data, which are merged over those of the whole test."""

    class_: str | None = option(None, "a class, as the subject", by=TEST)
    define: str | None = option(None, "a defined type, as the subject", by=TEST)
    title: str | None = option(None, "the title of the defined type", by=TEST)
    host: str | None = option(
        None, "a node that the main manifest is compiled for, as the subject", by=TEST
    )
    code: str | None = option(None, "a manifest, as the subject", by=TEST)
    params: Mapping[str, Any] | None = option(
        None,
        "the parameters of the class or defined type; None is undef",
        kind="variables",
        by=TEST,
    )
    facts: Any = option(
        None,
        "facts, which are merged over those of the test; or the name of a fact set of FacterDB, such "
        "as debian-12; or several of these, the later over the earlier",
        kind="anything",
        by=TEST,
    )
    trusted: Mapping[str, Any] | None = option(
        None,
        'values of $trusted, such as {"extensions": {"pp_role": "web"}}',
        kind="variables",
        by=TEST,
    )
    server_facts: Mapping[str, Any] | None = option(
        None, "values of $server_facts", kind="variables", by=TEST
    )
    pre: str | None = option(None, "code before the subject", by=TEST)
    post: str | None = option(None, "code after the subject", by=TEST)
    hiera: Any = option(
        None,
        "data for Hiera, the path of a hiera.yaml, or what data.hiera_data returns",
        kind="anything",
        by=TEST,
    )


SUBJECT_KEYWORDS: Table = options_in(SubjectOptions, CompileOptions, RequestOptions, by=TEST)
"""The keywords of a compile in a test."""
