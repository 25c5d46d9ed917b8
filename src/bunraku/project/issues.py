"""Errors in the configuration of bunraku, and in the directory that it is for."""

from __future__ import annotations

from bunraku.base.errors import Issue

NOT_TOML = Issue("NOT_TOML", "{path} is not valid TOML: {reason}")
INVALID_PYPROJECT = Issue("INVALID_PYPROJECT", "Cannot read {path}: {reason}")
UNTRUSTED_FILE = Issue(
    "UNTRUSTED_FILE", "{path} is not used, because other users can have written it: {reason}"
)
UNKNOWN_KEY = Issue("UNKNOWN_KEY", "unknown key '{name}'{near}")
UNKNOWN_SETTING = Issue("UNKNOWN_SETTING", "unknown setting '{name}'{near}")
WRONG_VALUE = Issue("WRONG_VALUE", "'{name}' must be {wanted}{near}")
WRONG_SETTING = Issue("WRONG_VALUE", "setting {problem}")
WRONG_LIMIT = Issue("WRONG_VALUE", "The value of '{name}' is not a limit: {reason}")
INVALID_FIXTURES = Issue("INVALID_FIXTURES", "Cannot read the fixtures of tests: {reason}")
NO_PROJECT = Issue(
    "NO_PROJECT",
    "Cannot find Puppet code in {path} or above it",
    hint="name the directory of a control repository, a module or a Puppet 3 tree",
)
NO_FACTS = Issue("NO_FACTS", "No facts for node {node}: {reason}")

PUPPETFILE_NOT_RUBY = Issue("PUPPETFILE_NOT_RUBY", "the Puppetfile is not valid Ruby")
PUPPETFILE_DECLARATION = Issue("PUPPETFILE", "unknown declaration '{name}'{near}")
PUPPETFILE_VALUES = Issue("PUPPETFILE", "'{name}' takes {wanted}, not {count} values")
PUPPETFILE_VALUE = Issue(
    "PUPPETFILE", "the first value of '{name}' must be a string", hint="put it in quotes"
)
PUPPETFILE_WORD = Issue(
    "PUPPETFILE", "'{word}' is neither a string nor a symbol", hint="put it in quotes"
)
PUPPETFILE_NOT_LITERAL = Issue(
    "PUPPETFILE_NOT_LITERAL",
    "cannot read {what}, because bunraku does not run a Puppetfile as Ruby",
    hint="write plain values: 'text', :symbol, true, false or nil",
)
PUPPETFILE_DUPLICATE = Issue(
    "PUPPETFILE_DUPLICATE", "the module '{name}' is already declared in line {first}"
)
MODULE_NAME = Issue(
    "PUPPETFILE_MODULE_NAME",
    "'{module}' is not a name of a module",
    hint="write 'name' or 'owner/name', with letters, digits and underscores",
)
FORGE_MODULE_NAME = Issue(
    "PUPPETFILE_MODULE_NAME",
    "the Forge module '{module}' has no owner",
    hint="write 'owner/name', or say where the module comes from, such as with :git",
)
MODULE_VERSION = Issue(
    "PUPPETFILE_MODULE_VERSION",
    "the version {version!r} of the Forge module '{module}' is not valid",
    hint="write a full version such as '1.2.3', :latest, or none for any",
)
MODULE_SOURCE = Issue(
    "PUPPETFILE_MODULE_SOURCE",
    "cannot tell where the module '{module}' comes from",
    hint="give :git, :svn, :local => true, or :type with 'forge', 'git', 'svn', 'local' or 'tarball'",
)
MODULE_ADDRESS = Issue("PUPPETFILE_MODULE_SOURCE", "the {kind} module '{module}' has no URL")
MODULE_LOGIN = Issue(
    "PUPPETFILE_MODULE_OPTION",
    "the Subversion module '{module}' needs both :username and :password, or neither",
)
MODULE_OPTION = Issue(
    "PUPPETFILE_MODULE_OPTION",
    "the {kind} module '{module}' has an unknown option '{option}'{near}",
)
MODULE_OPTION_KEY = Issue(
    "PUPPETFILE_MODULE_OPTION",
    "the module '{module}' has an option whose name is not a symbol",
    hint="write :name => value, or name: value",
)
MODULE_OPTIONS_CONFLICT = Issue(
    "PUPPETFILE_MODULE_OPTION",
    "the options '{first}' and '{second}' of the module '{module}' mean the same; '{second}' is used",
)
MODULE_OPTION_VALUE = Issue(
    "PUPPETFILE_MODULE_OPTION", "the option '{option}' of the module '{module}' must be a string"
)
MODULE_INSTALL_PATH = Issue(
    "PUPPETFILE_INSTALL_PATH",
    "the module '{module}' would be installed in {path}, outside of {root}",
)
MODULE_SUBDIRECTORY = Issue(
    "PUPPETFILE_MODULE_OPTION",
    "the path '{path}' of the module '{module}' must be a directory inside of its repository",
)
