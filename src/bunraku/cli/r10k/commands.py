"""The commands of r10k 5.0.2 with their options."""

from __future__ import annotations

from bunraku.cli.r10k.words import CommandRule, OptionRule

LEVELS = "fatal, error, warn, notice, info, debug, debug1, debug2"
CREDENTIALS = (
    OptionRule("private-key", "file with the SSH key for git remotes", value="required"),
    OptionRule("oauth-token", "file with the OAuth token for git remotes", value="required"),
    OptionRule("github-app-id", "id of the GitHub App for git remotes", value="required"),
    OptionRule("github-app-key", "file with the private key of the GitHub App", value="required"),
    OptionRule(
        "github-app-ttl",
        "seconds until a token of the GitHub App expires",
        value="optional",
        default="120",
    ),
)
OF_DEPLOY = (
    OptionRule(
        "cachedir", "directory of the cache, instead of that of r10k.yaml", value="required"
    ),
    OptionRule("no-force", "keep files of modules that were changed by hand"),
    OptionRule("generate-types", "run 'puppet generate types' after an environment is deployed"),
    OptionRule(
        "exclude-spec",
        "leave out the directory spec of modules",
        value="optional",
        choices=("true", "false"),
    ),
    OptionRule("puppet-path", "path of the program puppet", value="required"),
    OptionRule("puppet-conf", "path of puppet.conf", value="required"),
    *CREDENTIALS,
)
MODULES = (
    OptionRule("puppetfile", "deploy modules, too (the old name of --modules)", "p"),
    OptionRule("modules", "deploy modules, too", "m"),
)
COMMON = frozenset({"config", "trace", "verbose", "color"})
DEPLOYING = COMMON | {rule.name for rule in OF_DEPLOY}
ENVIRONMENT = CommandRule(
    "environment",
    "environment <options> <environment> <...>",
    "deploy environments, and their modules",
    "Deploys the environments that are named, or all. A new environment gets its modules; an"
    " existing one gets them with --modules. Each is built beside the live one and replaces it at"
    " once, if nothing failed.",
    options=(
        *MODULES,
        OptionRule("incremental", "with --modules: skip modules with a version that is deployed"),
        OptionRule(
            "default-branch-override",
            "branch of modules instead of the default_branch of the Puppetfile",
            value="required",
        ),
    ),
    accepts=DEPLOYING | {"puppetfile", "modules", "incremental", "default-branch-override"},
)
MODULE = CommandRule(
    "module",
    "module [module] <module ...>",
    "deploy modules in all environments",
    "Deploys the modules that are named in all environments that have them.",
    options=(OptionRule("environment", "deploy only in this environment", "e", value="required"),),
    accepts=DEPLOYING | {"environment"},
)
DISPLAY = CommandRule(
    "display",
    "display",
    "show environments and modules",
    alias="list",
    options=(
        OptionRule("puppetfile", "show modules, too (the old name of --modules)", "p"),
        OptionRule("modules", "show modules, too", "m"),
        OptionRule("detail", "show the state of environments"),
        OptionRule("fetch", "ask the remotes for their branches first"),
        OptionRule("format", "json or yaml (default: yaml)", value="required"),
    ),
    accepts=COMMON | {"puppetfile", "modules", "detail", "fetch", "format"},
)
DEPLOY = CommandRule(
    "deploy",
    "deploy <subcommand>",
    "deploy environments of branches",
    options=OF_DEPLOY,
    commands=(DISPLAY, ENVIRONMENT, MODULE),
)
PUPPETFILE_PATH = OptionRule("puppetfile", "path of the Puppetfile", value="required")
MODULEDIR = OptionRule("moduledir", "directory to install modules to", value="required")
INSTALL = CommandRule(
    "install",
    "install",
    "install the modules of a Puppetfile",
    options=(
        MODULEDIR,
        PUPPETFILE_PATH,
        OptionRule("module-exclude-regex", "modules that are left out", value="required"),
        OptionRule("force", "replace files of modules that were changed by hand"),
    ),
    accepts=COMMON | {"moduledir", "puppetfile", "module-exclude-regex", "force"},
)
CHECK = CommandRule(
    "check",
    "check",
    "check whether a Puppetfile can be read",
    options=(PUPPETFILE_PATH,),
    accepts=COMMON | {"puppetfile"},
)
PURGE = CommandRule(
    "purge",
    "purge",
    "remove modules that a Puppetfile does not declare",
    options=(MODULEDIR, PUPPETFILE_PATH),
    accepts=COMMON | {"moduledir", "puppetfile"},
)
PUPPETFILE = CommandRule(
    "puppetfile",
    "puppetfile <subcommand>",
    "install, check and purge the modules of a Puppetfile",
    commands=(CHECK, INSTALL, PURGE),
)
R10K = CommandRule(
    "r10k",
    "r10k <subcommand> [options]",
    "deploy Puppet environments as r10k does",
    "bunraku speaks the command line of r10k 5.0.2.",
    options=(
        OptionRule("help", "show this help", "h"),
        OptionRule("trace", "accepted for compatibility", "t"),
        OptionRule("verbose", f"level of the log: {LEVELS}", "v", value="optional"),
        OptionRule("color", "colour the log"),
        OptionRule("config", "path of r10k.yaml", "c", value="required"),
    ),
    commands=(
        DEPLOY,
        CommandRule("help", "help [command_name]", "show help"),
        PUPPETFILE,
        CommandRule("version", "version", "show the version"),
    ),
)
