"""Compile a manifest to a catalog: the catalog on standard output, all else on standard error."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any

from bunraku.catalog.model import Catalog
from bunraku.catalog.wire import catalog_to_data
from bunraku.cli import exits
from bunraku.cli.catalog_text import catalog_text
from bunraku.cli.facts_file import read_facts
from bunraku.cli.log import LEVELS, Printer
from bunraku.cli.memory import limit_memory
from bunraku.cli.node_options import add_node_options, node_fields
from bunraku.cli.options import (
    UsageError,
    add_language_options,
    add_output_options,
    add_setting_options,
    paint_for,
    read_text,
    settings,
    split_path,
)
from bunraku.cli.output import write, write_error
from bunraku.cli.report import text_report
from bunraku.cli.yaml_text import yaml_text
from bunraku.collector import PATIENT
from bunraku.engine import Request, compile_catalog
from bunraku.errors import PuppetError
from bunraku.formats.json import json_text, quick_text
from bunraku.records import record


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``bunraku compile``."""
    parser.add_argument(
        "file",
        nargs="?",
        metavar="FILE",
        help="a manifest, a folder of them, or - (standard input)",
    )
    parser.add_argument("-e", "--execute", metavar="CODE", help="compile this code")
    parser.add_argument("--modulepath", default="", help="folders of modules, joined by colons")
    parser.add_argument("--facts", metavar="FILE", help="the node's facts, JSON or YAML")
    parser.add_argument("--node", "--certname", metavar="NAME", help="the node's certname")
    nodes = parser.add_argument_group("many nodes")
    nodes.add_argument("--nodes", action="store_true", help="all nodes of --facts-folder")
    nodes.add_argument(
        "--facts-folder", metavar="FOLDER", help="facts by node: NODE.yaml or NODE.json"
    )
    nodes.add_argument(
        "--match",
        action="append",
        default=[],
        metavar="GLOB",
        help="only nodes with such names; may be repeated",
    )
    nodes.add_argument(
        "--output-folder", metavar="FOLDER", help="where each node's catalog is written"
    )
    nodes.add_argument("--jobs", type=int, metavar="N", help="processes (one for each processor)")
    nodes.add_argument(
        "--summary", choices=("text", "json"), default="text", help="what is printed (text)"
    )
    parser.add_argument(
        "--format", choices=list(FORMATS), default="json", help="of the catalog (json)"
    )
    parser.add_argument(
        "--with-exported",
        action="store_true",
        help="keep exported resources in the catalog, as a server stores it for --storedconfigs",
    )
    parser.add_argument(
        "--profile",
        metavar="FILE",
        help="write where the time went: a page (.html), or .json for speedscope",
    )
    parser.add_argument(
        "--no-cycles",
        dest="cycles",
        action="store_false",
        help="do not look for dependency cycles",
    )
    parser.add_argument(
        "--log_level", "--log-level", choices=list(LEVELS), default="notice", help="(notice)"
    )
    parser.add_argument("-v", "--verbose", action="store_true", help="the same as --log_level info")
    add_language_options(parser)
    add_setting_options(parser)
    add_node_options(parser)
    parser.set_defaults(language=None)
    add_output_options(parser)


def run(options: argparse.Namespace) -> int:
    """Compile and print the catalog, or the report of what is wrong."""
    limit_memory()
    request = request_from(options)
    paint = paint_for(options)
    level = "debug" if options.debug else "info" if options.verbose else options.log_level
    if options.nodes or options.facts_folder:
        code: int = import_module("bunraku.cli.compile_nodes").run(
            options, request, Printer(level, paint), renderer(options, many=True)
        )
        return code
    try:
        if options.profile:
            profiled = import_module("bunraku.cli.profile_compile").compile_profiled
            catalog = profiled(request, Printer(level, paint), options.profile)
        else:
            catalog = compile_catalog(request, Printer(level, paint))
        with PATIENT:
            text = renderer(options)(catalog)
    except PuppetError as error:
        write_error(text_report(error, paint))
        return exits.FINDINGS
    write(text)
    return exits.OK


def request_from(options: argparse.Namespace) -> Request:
    """What the options ask the engine for."""
    given = settings(options)
    told = (options.execute is not None) + (options.file is not None)
    if told == 2 or (not told and "environmentpath" not in given):
        raise UsageError("compile wants one of FILE and -e CODE, or an environment")
    facts = read_facts(options.facts) if options.facts else {}
    code, path = options.execute, options.file
    if path == "-":
        code, path = read_text("-"), None
    elif path is not None and not os.path.exists(path):
        raise UsageError(f"there is no {path}")
    node = options.node or node_name(facts)
    return Request(
        code=code,
        path=path,
        as_file=None,
        node=node,
        **node_fields(options, node, facts),
        settings=given,
        modulepath=split_path(options.modulepath),
        language=options.language,
        follow=options.follow,
        hiera_config=options.hiera_config,
        cycles=options.cycles,
        exports={} if options.with_exported else None,
    )


def renderer(options: argparse.Namespace, *, many: bool = False) -> Callable[[Catalog], str]:
    """Return the function that writes a catalog in the requested format."""
    return partial(
        FORMATS[options.format], shape=Shape(with_exported=options.with_exported, many=many)
    )


def node_name(facts: dict[str, Any]) -> str:
    """The certname as Puppet finds it: from the facts, else this machine's name.

    >>> node_name({"networking": {"fqdn": "web.example.com"}})
    'web.example.com'
    """
    networking = facts.get("networking")
    fqdn = networking.get("fqdn") if isinstance(networking, dict) else None
    return str(facts.get("clientcert") or fqdn or facts.get("fqdn") or os.uname().nodename).lower()


@record(frozen=True)
class Shape:
    """What of a catalog is printed; ``many`` chooses the fast writer of indented JSON."""

    with_exported: bool = False
    many: bool = False

    def data(self, catalog: Catalog) -> dict[str, Any]:
        """Return the catalog as JSON data."""
        return catalog_to_data(catalog, with_exported=self.with_exported)


PLAIN = Shape()


def as_json(catalog: Catalog, shape: Shape = PLAIN) -> str:
    """Return the catalog as an agent gets it, as indented JSON."""
    data = shape.data(catalog)
    try:
        return (quick_text(data) if shape.many else json_text(data, indent=True)) + "\n"
    except PuppetError:
        for resource in data["resources"]:
            with_place(resource)
        raise


def with_place(resource: dict[str, Any]) -> None:
    """Complain of what a resource holds that JSON cannot, where the resource is."""
    try:
        json_text(resource)
    except PuppetError as error:
        error.diagnostic.file, error.diagnostic.line = resource.get("file"), resource.get("line")
        raise


def as_yaml(catalog: Catalog, shape: Shape = PLAIN) -> str:
    """Return the catalog as YAML."""
    return yaml_text(shape.data(catalog))


def as_text(catalog: Catalog, shape: Shape = PLAIN) -> str:
    """Return the resources in Puppet's notation."""
    return catalog_text(shape.data(catalog))


FORMATS = {"json": as_json, "yaml": as_yaml, "text": as_text}
