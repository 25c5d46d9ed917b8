"""Errors of deployments, a block for each subject."""

from __future__ import annotations

from bunraku.base.errors import Issue

# -- the Forge -------------------------------------------------------------------------------------

FORGE_BAD_NAME = Issue(
    "FORGE_BAD_NAME",
    "The name of a module of the Forge is its owner and its name, such as puppetlabs/stdlib; got '{name}'",
)
FORGE_BAD_VERSION = Issue(
    "FORGE_BAD_VERSION", "'{version}' is not a version of a module; expected one such as 1.2.3"
)
FORGE_BAD_URL = Issue("FORGE_BAD_URL", "The URL of the Forge cannot be used: {reason}")
FORGE_BAD_TOKEN = Issue(
    "FORGE_BAD_TOKEN",
    "The token for {url} has a character that a header cannot have",
    hint="the end of the line, if it was read from a file",
)
FORGE_NO_RELEASE = Issue("FORGE_NO_RELEASE", "The module release {release} does not exist on {url}")
FORGE_NO_MODULE = Issue("FORGE_NO_MODULE", "The module {slug} does not exist on {url}")
FORGE_NOTHING_RELEASED = Issue(
    "FORGE_NOTHING_RELEASED",
    "The module {slug} has no published release on {url}, so its latest version is not known",
    hint="declare a version",
)
FORGE_REFUSED = Issue("FORGE_REFUSED", "{url} refuses the request with status {status}: {reason}")
FORGE_BUSY = Issue(
    "FORGE_BUSY", "{url} answers with status {status}, also after {tries} attempts: {reason}"
)
FORGE_NOT_REACHED = Issue("FORGE_NOT_REACHED", "Cannot get {url}: {reason}")
FORGE_BAD_ANSWER = Issue("FORGE_BAD_ANSWER", "The answer of {url} cannot be used: {reason}")
FORGE_OFFLINE = Issue(
    "FORGE_OFFLINE",
    "{what} is not in the cache, and nothing is downloaded offline",
    hint="run the command once without --offline",
)
FORGE_NO_DIGEST = Issue(
    "FORGE_NO_DIGEST", "{url} has neither a SHA-256 nor an MD5 digest for the release {release}"
)
FORGE_WRONG_DIGEST = Issue(
    "FORGE_WRONG_DIGEST",
    "The archive of {release} has the {kind} digest {found}, but {url} promises {expected}",
    hint="the download is damaged, or the archive was replaced; it was not stored",
)
FORGE_CACHE = Issue("FORGE_CACHE", "Cannot use the cache of the Forge, {path}: {reason}")

# -- archives --------------------------------------------------------------------------------------

ARCHIVE_UNSAFE = Issue(
    "ARCHIVE_UNSAFE",
    "The archive {archive} is refused because of its member {member}: {reason}",
    hint="nothing of the archive was installed",
)
ARCHIVE_TOO_LARGE = Issue(
    "ARCHIVE_TOO_LARGE",
    "The archive {archive} is refused: {reason}",
    hint="nothing of the archive was installed",
)
ARCHIVE_DAMAGED = Issue("ARCHIVE_DAMAGED", "The archive {archive} cannot be read: {reason}")
ARCHIVE_NOT_UNPACKED = Issue(
    "ARCHIVE_NOT_UNPACKED", "Cannot unpack the archive {archive} to {directory}: {reason}"
)

# -- the store -------------------------------------------------------------------------------------

STORE_NOT_PRIVATE = Issue(
    "STORE_NOT_PRIVATE",
    "Cannot use the store {directory}: {reason}",
    hint="set cachedir to a directory that only this user can write to",
)
STORE_FAILED = Issue("STORE_FAILED", "Cannot use the store {directory}: {reason}")
STORE_DAMAGED = Issue(
    "STORE_DAMAGED",
    "The content of {file} is not what its name says",
    hint="'bunraku cache verify' removes damaged files; they are fetched again when they are needed",
)
STORE_UNFIT = Issue(
    "STORE_UNFIT", "{file} is neither a file nor a directory nor a link and cannot be deployed"
)

# -- git remotes -----------------------------------------------------------------------------------

BAD_REMOTE = Issue(
    "BAD_REMOTE",
    "'{remote}' cannot be a git remote: {reason}",
    hint="use https, http, ssh, git or file URLs, USER@HOST:PATH, or the path of a repository",
)
BAD_REF = Issue("BAD_REF", "'{ref}' cannot be a branch, a tag or a commit")
REMOTE_FAILED = Issue("REMOTE_FAILED", "Cannot read the git remote {remote}: {reason}")
REMOTE_TIMEOUT = Issue(
    "REMOTE_TIMEOUT", "The git remote {remote} did not answer within {seconds} seconds"
)
OFFLINE = Issue(
    "OFFLINE",
    "{what} is not in the cache, and --offline forbids to fetch it",
    hint="run the command once without --offline",
)
UNKNOWN_REF = Issue(
    "UNKNOWN_REF", "The git remote {remote} has no branch, tag or commit '{ref}'{near}"
)

NO_SUCH_REF = Issue("NO_SUCH_REF", "The git remote {remote} has no {kind} '{ref}'{near}")

# -- contents --------------------------------------------------------------------------------------

NO_REF = Issue(
    "NO_REF",
    "Could not determine the ref of module '{name}': none is declared, and there is no default",
    hint="declare :branch, :tag, :commit or :ref in the Puppetfile, or git.default_ref in r10k.yaml",
)
NO_CONTROL_BRANCH = Issue(
    "NO_CONTROL_BRANCH",
    "Could not determine the ref of module '{name}': :control_branch needs a branch of the"
    " control repository",
    hint="add :default_branch to the module",
)
UNKNOWN_REFS = Issue(
    "UNKNOWN_REFS",
    "The git remote {remote} has neither '{ref}' nor the default '{default}'{near}",
)
NO_SUBDIRECTORY = Issue("NO_SUBDIRECTORY", "Commit {commit} of {remote} has no directory '{path}'")
BAD_SUBMODULE = Issue(
    "BAD_SUBMODULE",
    "The submodule {path} in commit {commit} of {remote} cannot be fetched",
    hint="its .gitmodules must name a URL, and submodules must not be nested without end",
)
LOCAL_SUBMODULE = Issue(
    "LOCAL_SUBMODULE",
    "The submodule {path} of {remote} is a repository of this machine",
    hint="a repository from elsewhere must not read local ones; its .gitmodules must name a server",
)
BAD_PATH = Issue("BAD_PATH", "'{path}' leads out of its directory")
SVN_FAILED = Issue("SVN_FAILED", "Cannot read the Subversion repository {url}: {reason}")
TARBALL_FAILED = Issue("TARBALL_FAILED", "Cannot use the archive {source}: {reason}")

NO_PLACE = Issue(
    "NO_PLACE",
    "The module in {directory} cannot be deployed: the control repository has a file or a link named {path}",
    hint="remove it from the repository, or install the module to another directory",
)

# -- deployments -----------------------------------------------------------------------------------

DEPLOYMENT_FAILED = Issue("DEPLOYMENT_FAILED", "Cannot deploy {path}: {reason}")
MOUNTED = Issue(
    "MOUNTED",
    "Cannot replace {path}: a file system is mounted at {mount}",
    hint="unmount it, or mount it outside of the directories that are deployed",
)
NOT_VERIFIED = Issue(
    "NOT_VERIFIED",
    "The new tree for {path} is not complete ({file}); the old one stays",
    hint="deploy again; if it happens again, look for errors of the disk",
)
MODULE_CONFLICT = Issue(
    "MODULE_CONFLICT",
    'Environment and puppetfile both define the "{name}" module',
    hint="remove one of the definitions, or set module_conflicts to override",
)
EDITED = Issue(
    "EDITED",
    "{path} has local modifications ({files}), and --no-force keeps them",
    hint="commit them to the repository, or deploy without --no-force to overwrite them",
)
NO_SETTINGS = Issue(
    "NO_SETTINGS",
    "No configuration file given, no config file found in current directory,"
    " and no global config present",
    hint="write an r10k.yaml here or in /etc/puppetlabs/r10k, or name it with --config",
)
NO_TOKEN = Issue("NO_TOKEN", "Cannot read the token in {path}: {reason}")
GITHUB_APP = Issue("GITHUB_APP", "Cannot use the GitHub App {number}: {reason}")
WRITE_LOCK = Issue(
    "WRITE_LOCK",
    "Making changes to deployed environments has been administratively disabled.\nReason: {reason}",
    hint="deploy.write_lock in r10k.yaml says so",
)
UNKNOWN_ENVIRONMENT = Issue(
    "UNKNOWN_ENVIRONMENT",
    "{reason}",
    hint="'bunraku deploy display' lists the environments",
)
NO_ENVIRONMENTS = Issue(
    "NO_ENVIRONMENTS",
    "The source '{name}' has no environments, and the directory {path} does not exist",
    hint="check its branches, and the settings that leave out some of them",
)
UNKNOWN_MODULE = Issue(
    "UNKNOWN_MODULE",
    "No environment declares the module '{name}'{near}",
    hint="the Puppetfiles of the environments declare the modules",
)
FLUSH_FAILED = Issue(
    "FLUSH_FAILED",
    "The environment {name} is deployed, but its cache on {url} is not flushed: {reason}",
    hint="until it is flushed, that server may compile with the old code",
)
POSTRUN_FAILED = Issue("POSTRUN_FAILED", "The postrun command {program} failed: {reason}")
TYPES_FAILED = Issue("TYPES_FAILED", "Cannot generate types for {path}: {reason}")
NO_DEPLOYMENT = Issue(
    "NO_DEPLOYMENT",
    "{path} has no such deployment; the known ones are {known}",
    hint="'bunraku deploy status' lists them",
)
NO_OLDER_DEPLOYMENT = Issue(
    "NO_OLDER_DEPLOYMENT",
    "{path} has no older deployment with other content than the live one, {number}",
    hint="'bunraku deploy status' lists the deployments; --to NUMBER chooses one",
)
NOT_DEPLOYED = Issue(
    "NOT_DEPLOYED",
    "No environment named '{name}' is deployed{near}",
    hint="'bunraku deploy status' lists what is deployed",
)
NOT_IN_STORE = Issue(
    "NOT_IN_STORE",
    "The store does not have {what} of {path} any more",
    hint="deploy the environment instead",
)

# -- modules of a project --------------------------------------------------------------------------

NO_PUPPETFILE = Issue(
    "NO_PUPPETFILE",
    "Cannot read {path}: {reason}",
    hint="run the command in a control repository or a module, or name the file with --puppetfile",
)
NOT_DECLARED = Issue("NOT_DECLARED", "{path} does not declare the module '{name}'{near}")
UNKNOWN_DEPENDENCY = Issue(
    "UNKNOWN_DEPENDENCY", "Nothing declares or needs the module '{name}'{near}"
)
ALREADY_DECLARED = Issue(
    "ALREADY_DECLARED",
    "The module '{name}' is declared in line {line} of {path}",
    hint="edit that declaration, or remove it first with 'bunraku modules remove {name}'",
)
NO_EDIT_OF_FIXTURES = Issue(
    "NO_EDIT_OF_FIXTURES",
    "{path} declares fixtures of a module, and only a Puppetfile can be edited",
    hint="edit .fixtures.yml and metadata.json by hand",
)
DEPENDENCY_ABSENT = Issue(
    "DEPENDENCY_ABSENT",
    "{module} needs {slug} {versions}, which is not installed{near}",
    hint="declare it in the Puppetfile, for example with 'bunraku modules add {slug}'",
)
DEPENDENCY_VERSION = Issue(
    "DEPENDENCY_VERSION", "{module} needs {slug} {versions}, but {version} is installed"
)
REQUIREMENT_VERSION = Issue(
    "REQUIREMENT_VERSION", "{module} needs {program} {versions}, but this is {version}"
)

# -- versions that fit together --------------------------------------------------------------------

RESOLVE_BAD_RANGE = Issue(
    "RESOLVE_BAD_RANGE",
    "'{versions}' is not a range of versions for {slug}; expected one such as '>= 1.0.0 < 2.0.0'",
)
RESOLVE_CONFLICT = Issue(
    "RESOLVE_CONFLICT",
    "No releases of the modules fit together:\n{sentences}",
    hint="allow another version of one of the named modules",
)
RESOLVE_TOO_DEEP = Issue(
    "RESOLVE_TOO_DEEP",
    "No releases of the modules that fit together were found in {attempts} attempts",
    hint="declare versions of more modules",
)

# -- plans -----------------------------------------------------------------------------------------

PLAN_NOT_WRITTEN = Issue("PLAN_NOT_WRITTEN", "Cannot write the plan {path}: {reason}")
PLAN_NOT_READ = Issue(
    "PLAN_NOT_READ",
    "Cannot use the plan {path}: {reason}",
    hint="'bunraku deploy environment NAME --plan --save FILE' writes a plan",
)
PLAN_MOVED = Issue(
    "PLAN_MOVED",
    "The plan {path} does not fit any more: {what}",
    hint="nothing was deployed; make a new plan",
)
PLAN_UNMET = Issue(
    "PLAN_UNMET",
    "{path} is not deployed, because a condition is not met: {reasons}",
    hint="'bunraku deploy environment NAME --plan' shows what would change",
)

# -- the lock file ---------------------------------------------------------------------------------

LOCK_FOREIGN = Issue(
    "LOCK_FOREIGN",
    "{path} is a lock file of librarian-puppet, which has another format",
    hint="remove it, and write a new one with 'bunraku modules lock'",
)
LOCK_DAMAGED = Issue(
    "LOCK_DAMAGED",
    "The lock file {path} cannot be used: {reason}",
    hint="write a new one with 'bunraku modules lock'",
)
LOCK_SCHEMA = Issue(
    "LOCK_SCHEMA",
    "The lock file {path} has the schema {schema}; this version of bunraku reads {expected}",
    hint="use the version of bunraku that wrote it, or write a new one with 'bunraku modules lock'",
)
LOCK_NOT_READ = Issue("LOCK_NOT_READ", "Cannot read the lock file {path}: {reason}")
LOCK_NOT_WRITTEN = Issue("LOCK_NOT_WRITTEN", "Cannot write the lock file {path}: {reason}")
LOCK_STALE = Issue(
    "LOCK_STALE",
    "The lock file {path} is not for these declarations:\n{sentences}",
    hint="'bunraku modules lock' writes it again; --no-lock installs what is declared",
)
LOCK_DIGEST = Issue(
    "LOCK_DIGEST",
    "The archive of {release} at {url} has the digest {found}, but {path} has {expected}",
    hint="the release was replaced; if that is right, write the lock file again",
)
LOCK_OF_FIXTURES = Issue(
    "LOCK_OF_FIXTURES",
    "{path} declares fixtures of a module, and only a Puppetfile has a lock file",
    hint="run the command in a control repository, or name a Puppetfile with --puppetfile",
)
NO_EDIT = Issue("NO_EDIT", "Cannot edit {path}: {reason}")
