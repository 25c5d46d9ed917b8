"""The modules of the commands; only the one that runs is imported."""

from __future__ import annotations

from types import ModuleType


def command_module(name: str) -> ModuleType:
    """Import the module of a command."""
    command: ModuleType
    match name:
        case "apply":
            from bunraku.cli.commands import apply as command
        case "plan":
            from bunraku.cli.commands import plan as command
        case "agent":
            from bunraku.cli.commands import agent as command
        case "ssl":
            from bunraku.cli.commands import ssl as command
        case "resource":
            from bunraku.cli.commands import resource as command
        case "report":
            from bunraku.cli.commands import report as command
        case "compile":
            from bunraku.cli.commands import compile as command
        case "validate":
            from bunraku.cli.commands import validate as command
        case "check":
            from bunraku.cli.commands import check as command
        case "lint":
            from bunraku.cli.commands import lint as command
        case "fmt":
            from bunraku.cli.commands import fmt as command
        case "docs":
            from bunraku.cli.commands import docs as command
        case "lsp":
            from bunraku.cli.commands import lsp as command
        case "dump":
            from bunraku.cli.commands import dump as command
        case "eval":
            from bunraku.cli.commands import eval as command
        case "repl":
            from bunraku.cli.commands import repl as command
        case "debug":
            from bunraku.cli.commands import debug as command
        case "types":
            from bunraku.cli.commands import types as command
        case "functions":
            from bunraku.cli.commands import functions as command
        case "facts":
            from bunraku.cli.commands import facts as command
        case "explain":
            from bunraku.cli.commands import explain as command
        case "lookup":
            from bunraku.cli.commands import lookup as command
        case "ci":
            from bunraku.cli.commands import ci as command
        case "diff":
            from bunraku.cli.commands import diff as command
        case "test":
            from bunraku.cli.commands import test as command
        case "cover":
            from bunraku.cli.commands import cover as command
        case "graph":
            from bunraku.cli.commands import graph as command
        case "affected":
            from bunraku.cli.commands import affected as command
        case "migrate":
            from bunraku.cli.commands import migrate as command
        case "new":
            from bunraku.cli.commands import new as command
        case "build":
            from bunraku.cli.commands import build as command
        case "modules":
            from bunraku.cli.commands import modules as command
        case "deploy":
            from bunraku.cli.commands import deploy as command
        case "doctor":
            from bunraku.cli.commands import doctor as command
        case "site":
            from bunraku.cli.commands import site as command
        case "ca":
            from bunraku.cli.commands import ca as command
        case "puppetdb":
            from bunraku.cli.commands import puppetdb as command
        case "server":
            from bunraku.cli.commands import server as command
        case "query":
            from bunraku.cli.commands import query as command
        case "puppet":
            from bunraku.cli.commands import puppet as command
        case "r10k":
            from bunraku.cli.commands import r10k as command
        case "batch":
            from bunraku.cli.commands import batch as command
        case "cache":
            from bunraku.cli.commands import cache as command
        case "completion":
            from bunraku.cli.commands import completion as command
        case "config":
            from bunraku.cli.commands import config as command
        case _:
            raise KeyError(name)
    return command
