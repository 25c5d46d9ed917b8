"""Errors of the bridge to Ruby code of modules, and of that code."""

from __future__ import annotations

from bunraku.base.errors import Issue

HOW_TO_INSTALL = (
    "install Ruby 2.7 or newer (apt-get install ruby, dnf install ruby, brew install ruby), or name"
    " the program in BUNRAKU_RUBY; Puppet itself is not needed, and code of modules that bunraku can"
    " translate to Python runs without Ruby"
)
RUBY_MISSING = Issue.own(
    "RUBY_MISSING", "{what} needs Ruby, and '{command}' cannot be run: {reason}", HOW_TO_INSTALL
)
RUBY_WITHOUT_FILES = Issue.own(
    "RUBY_MISSING", "{what} needs Ruby, which cannot read the files of this compile: {reason}"
)
RUBY_ENDED = Issue.own("RUBY_ERROR", "{what} failed: the Ruby process ended ({ending})")
RUBY_TIMEOUT = Issue.own(
    "RUBY_TIMEOUT",
    "{what} used more than {seconds:g} seconds of processor time{place}",
    "set BUNRAKU_RUBY_TIMEOUT to the number of seconds that it may use",
)
RUBY_WAITS = Issue.own(
    "RUBY_TIMEOUT",
    "{what} waited for more than {seconds:g} seconds{place}",
    "code may wait ten times as long as BUNRAKU_RUBY_TIMEOUT, and at least a minute",
)
TEMPLATE_FAILED = Issue(
    "RUBY_ERROR",
    "Template '{name}' failed: {message}{place}",
    words="Failed to parse template {name}:\n  Filepath: {file}\n  Line: {line}\n  Detail: {message}\n",
)
INLINE_TEMPLATE_FAILED = Issue(
    "RUBY_ERROR",
    "The inline template failed: {message}{place}",
    words="Failed to parse inline template: {message}",
)
FUNCTION_FAILED = Issue("RUBY_ERROR", "{what} failed: {message}{place}", words="{message}")
FUNCTION_THREW = Issue("RUBY_ERROR", "{name}() raised {kind}: {message}{place}", words="{message}")
PIECE_MISSING = Issue.own(
    "RUBY_ERROR",
    "{what} uses {name}, a part of Puppet's Ruby interface that bunraku does not provide{place}",
    "install Puppet (gem install puppet, or your system's package puppet or puppet-agent) so that"
    " bunraku can load it from there, or set BUNRAKU_PUPPET_LIBRARY to the directory of puppet.rb",
)
FUNCTION_RAISED = Issue("RUBY_ERROR", "{message}")
FUNCTION_RAISED_AT = Issue("RUBY_ERROR", "{message}", form="placed")
WRONG_COUNT = Issue(
    "ILLEGAL_ARGUMENT_TYPE",
    "{name}(): takes {expected} arguments, got {actual}",
    words="{name}(): Wrong number of arguments given ({actual} for {wanted})",
)
ITERATOR_ARGUMENT = Issue(
    "RUBY_ERROR", "Cannot pass an Iterator to '{name}', a function written for Puppet 3"
)
WRONG_RETURN = Issue.general("TYPE_MISMATCH", "{mismatch}", words="{words}")
ILLEGAL_ARGUMENT = Issue("ILLEGAL_ARGUMENT_TYPE", "{mismatch}")
REFUSED_ARGUMENT = Issue("ILLEGAL_ARGUMENT_TYPE", "'{name}' {reason}")
STALE_VALUE = Issue.own(
    "RUBY_ERROR", "Ruby code returned a value that it kept from another compile"
)
NOT_LOADED = Issue("RUBY_ERROR", "{what} cannot be loaded: {message}{place}", words="{message}")
BAD_TIMEOUT = Issue.own(
    "RUBY_ERROR", "BUNRAKU_RUBY_TIMEOUT must be a positive number of seconds, not '{text}'"
)
