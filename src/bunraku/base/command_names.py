"""The names of the commands, with what each is for, and what a process does before each."""

from __future__ import annotations

from collections.abc import Callable

COMMANDS = {
    "apply": "bring this machine to the state that a manifest describes",
    "plan": "show the changes that apply would make on this machine",
    "agent": "bring this machine to the state that a Puppet server has for it",
    "ssl": "request, show, check or remove this machine's certificate",
    "resource": "show resources of this machine as Puppet code, or change one",
    "report": "show the last run of apply: changes, failures and slowest resources",
    "compile": "compile a node's catalog, or those of many nodes",
    "validate": "check manifests, templates, Hiera data and metadata",
    "check": "find mistakes in manifests without compiling them; includes validate",
    "lint": "check the style of manifests with puppet-lint's checks, and correct it",
    "fmt": "format manifests: indents, blanks, lines and columns",
    "docs": "write REFERENCE.md, JSON or a site from the comments of a module or a repository",
    "dump": "show the tokens, the syntax tree, the Python code or the bytecode of a manifest",
    "eval": "evaluate code: its value and the value's type",
    "repl": "evaluate code piece by piece, with the facts and the data of a node",
    "debug": "debug a compile in the terminal, or serve an editor's debugger",
    "types": "show data types with their aliases expanded",
    "functions": "list or describe the functions that manifests can call",
    "facts": "show the facts of this machine",
    "explain": "explain why a resource is in a catalog, and where its values come from",
    "lookup": "look up Hiera keys and explain where their values come from",
    "ci": "check a change: its files, and the catalogs of all nodes before and after it",
    "diff": "compare catalogs, or the catalogs of two revisions of a repository",
    "test": "run tests of Puppet code that are written for pytest",
    "cover": "measure which lines and branches of manifests and templates a command runs",
    "graph": "draw a catalog: relationships, containers, includes, the flow of data",
    "affected": "list the nodes that a change of a repository can reach, with the reasons",
    "migrate": "show the changes from Puppet 3 or 7 to 8, or from 8 to OpenVox 9, and apply safe edits",
    "doctor": "examine this machine or site: certificates, disks, agent, database, and more",
    "site": "make a site in one directory, back it up, restore it",
    "ca": "manage the certificate authority: set up, sign, revoke",
    "puppetdb": "serve PuppetDB's commands and queries from an SQLite file or PostgreSQL",
    "server": "serve catalogs, files and certificates to agents, as puppetserver does",
    "lsp": "serve an editor: findings, completion, definitions, hover and more, as a language server",
    "new": "make a module, a control repository, or a definition with its test",
    "build": "build the archive of a module as the Forge takes it",
    "modules": "install the modules of a Puppetfile or of fixtures, lock, update and check them",
    "deploy": "deploy environments from their repositories, each whole and in one switch",
    "query": "ask a PuppetDB, a database file, or a folder of catalogs and facts",
    "puppet": "run a command line of Puppet's, or install an executable named puppet",
    "r10k": "run a command line of r10k's, or install an executable named r10k",
    "batch": "compile many manifests: JSON lines in, JSON lines out",
    "cache": "show or clear the cache on disk",
    "completion": "print the completion of commands, options and names for a shell",
    "config": "show the project, the configuration and the reasons for each value",
}
"""Command → its summary in the general help."""
GROUPS = {
    "write and check code": "validate check lint fmt docs test cover eval repl debug types functions dump lsp new build",
    "compile and look up": "compile explain graph lookup facts config batch cache",
    "judge a change": "ci diff affected migrate",
    "manage this machine": "apply plan resource report agent ssl",
    "deploy and serve a site": "modules deploy site server ca puppetdb query doctor",
    "use it as Puppet, and in a shell": "puppet r10k completion",
}
"""A job → its commands, in the order of the general help."""
BEFORE_COMMANDS: list[Callable[[], None]] = []
"""Functions that run before a command. A module adds its own when it is imported."""
CACHE_KEY = "BUNRAKU_CACHE_KEY"
"""The environment variable with the secret of :mod:`bunraku.base.cache_key`."""
