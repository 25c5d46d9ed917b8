"""Make a site in one directory: settings, authority, database, deployments, units for systemd."""

from __future__ import annotations

import grp
import os
import pwd
import shlex
from collections.abc import Callable, Mapping, Sequence

from bunraku.administration import issues
from bunraku.administration import site as places
from bunraku.administration.backup import user_name
from bunraku.administration.files import (
    COMMAND,
    POSTGRESQL,
    SQLITE,
    Database,
    control_files,
    postgresql_of,
    site_files,
)
from bunraku.administration.owners import give
from bunraku.administration.site import SiteDirectory, check_free
from bunraku.administration.units import (
    ORDER,
    deploy_command,
    puppetdb_command,
    server_command,
    site_units,
)
from bunraku.base.file_reading import read_whole
from bunraku.base.records import record
from bunraku.base.usage import UsageError
from bunraku.ca.hosts import DEFAULT_NAME
from bunraku.ca.site import read_site
from bunraku.ca.starting import open_authority
from bunraku.engine.git_program import git
from bunraku.jobs.deploy import DeployOptions, deploy
from bunraku.jobs.site_backup import check_place
from bunraku.puppetdb.configuration import read_configuration
from bunraku.puppetdb.databases.opening import open_database
from bunraku.puppetdb.site.tls import machine_name
from bunraku.world import linked_files
from bunraku.world.machine import Machine
from bunraku.world.whole_files import make_folders, write_whole

Address = tuple[str, int]
SERVICE_USER = "puppet"
LOGIN_VARIABLE = "PGPASSWORD"
"""PostgreSQL's variable for a password. Others cannot read variables; they can read the words of a command."""
BRANCH = "production"
IDENTITY = ("-c", "user.name=bunraku site init", "-c", "user.email=bunraku@localhost")
FOLDERS = (places.MODULES, places.SERVER_DATA, places.DATABASE_DATA, places.CACHE, places.LOGS)


@record()
class SiteOptions:
    """A new site. ``certname`` is that of this machine if it is empty.

    ``database`` is empty for an SQLite file, or the URL of a PostgreSQL database. ``remote`` is the control
    repository; without one, the site gets its own. ``user`` runs the services. ``backups`` is the directory
    of the daily backups, by default beside that of the site.
    """

    directory: str
    certname: str = ""
    dns_alt_names: str = ""
    listen: Address = ("0.0.0.0", 8140)  # noqa: S104 (agents of other machines come here)
    puppetdb_port: int = 8081
    dashboard_port: int = 8080
    database: str = ""
    remote: str = ""
    user: str = ""
    backups: str = ""


@record(frozen=True)
class NewSite:
    """A site that was made, and its commands: arguments of ``bunraku``, and names of units."""

    site: SiteDirectory
    user: str
    puppetdb: Sequence[str]
    server: Sequence[str]
    deploy: Sequence[str]
    units: Sequence[str]
    owns_code: bool


def make_site(options: SiteOptions, program: Sequence[str], log: Callable[[str], None]) -> NewSite:
    """Write a site into a directory that is absent or empty.

    ``program`` are the words that start bunraku, for the units. Raise UsageError and PuppetError; then the
    directory is as it was.
    """
    root = os.path.abspath(options.directory)
    site, database = described(options, root)
    backups = os.path.abspath(options.backups or f"{root}-backups")
    check_place(site, backups)
    owner = owner_of(options.user)
    check_free(root)
    existed = os.path.isdir(root)
    try:
        make_folders(root, places.PRIVATE)
        write_parts(site, options, database)
        make_authority(site, log)
        make_environment(site, options.remote)
        names = (pwd.getpwuid(owner[0]).pw_name, grp.getgrgid(owner[1]).gr_name)
        write_files(
            site,
            {
                f"{places.UNITS}/{name}": (text, 0o644)
                for name, text in site_units(site, program, names, backups).items()
            },
        )
        give(root, *owner)
    except BaseException as error:
        remove_made(root, existed=existed)
        if isinstance(error, OSError):
            raise issues.FAILED(action=f"write {error.filename}", reason=error.strerror) from None
        raise
    commands = (puppetdb_command(site), server_command(site), deploy_command(site))
    return NewSite(site, names[0], *commands, ORDER, not options.remote)


def described(options: SiteOptions, root: str) -> tuple[SiteDirectory, Database]:
    """Return the site of some options, and its database; UsageError for a wrong URL."""
    machine = Machine()
    certname = (options.certname or machine_name(machine)).lower()
    host, port = options.listen
    file = Database(os.path.join(root, places.DATABASE_FILE))
    password = machine.environment_variable(LOGIN_VARIABLE) or ""
    site = SiteDirectory(
        root,
        certname,
        POSTGRESQL if options.database else SQLITE,
        f"[{host}]:{port}" if ":" in host else f"{host}:{port}",
        f"127.0.0.1:{options.puppetdb_port}",
        f"127.0.0.1:{options.dashboard_port}",
    )
    return site, postgresql_of(options.database, password) if options.database else file


def owner_of(user: str) -> tuple[int, int]:
    """Return the ids of the user who runs the services: ``puppet`` by default if root makes the site.

    UsageError for an unknown user, and for another one if this process may not change owners.
    """
    own = os.geteuid()
    if not user and own == 0:
        user = SERVICE_USER if has_user(SERVICE_USER) else ""
    if not user:
        return own, os.getegid()
    try:
        found = pwd.getpwnam(user)
    except KeyError:
        raise UsageError(f"--user: unknown user '{user}'", COMMAND) from None
    if own not in {0, found.pw_uid}:
        raise UsageError("--user: only root can make a site for another user", COMMAND)
    return found.pw_uid, found.pw_gid


def has_user(name: str) -> bool:
    """Return whether a user exists."""
    try:
        pwd.getpwnam(name)
    except KeyError:
        return False
    return True


def write_parts(site: SiteDirectory, options: SiteOptions, database: Database) -> None:
    """Write the directories, the settings and the database."""
    for folder in FOLDERS:
        make_folders(site.path(folder), 0o750)
    names = [one.strip() for one in (options.dns_alt_names or DEFAULT_NAME).split(",")]
    # The server reaches its PuppetDB, which has the same certificate, under the last name.
    names = [*dict.fromkeys([*filter(None, names), "localhost"])]
    write_files(site, site_files(site, names, database, options.remote))
    path = site.path(places.DATABASE_CONF)
    configured = read_configuration({path: read_whole(path).decode()}).database
    open_database(configured or "").close()


def write_files(site: SiteDirectory, files: Mapping[str, tuple[str, int]]) -> None:
    """Write files below the directory of the site."""
    for name, (text, mode) in files.items():
        path = site.path(name)
        make_folders(os.path.dirname(path), 0o755)
        write_whole(path, text.encode(), mode=mode)


def make_authority(site: SiteDirectory, log: Callable[[str], None]) -> None:
    """Make the authority, and the certificate of the server."""
    given = {"confdir": site.path(places.CONFIGURATION)}
    open_authority(read_site(None, given, lambda: site.certname), log)


def make_environment(site: SiteDirectory, remote: str) -> None:
    """Deploy the environments of a repository; make it with a first environment unless there is one."""
    if not remote:
        control = site.path(places.CONTROL)
        make_folders(control, 0o755)
        for name, text in control_files().items():
            path = os.path.join(control, name)
            make_folders(os.path.dirname(path), 0o755)
            write_whole(path, text.encode(), mode=0o644)
        git(control, "init", "--quiet", f"--initial-branch={BRANCH}")
        git(control, "add", "--all")
        git(control, *IDENTITY, "commit", "--quiet", "--message", "First environment")
    done = deploy(DeployOptions(config=site.path(places.SOURCES)))
    if done.errors:
        raise done.errors[0]
    if not done.is_whole:
        raise issues.FAILED(action="deploy the environments", reason=done.problems[0][1])


def remove_made(root: str, *, existed: bool) -> None:
    """Remove what an interrupted start has made; the directory stays if it was there."""
    for name in os.listdir(root) if os.path.isdir(root) else ():
        linked_files.remove_tree(os.path.join(root, name))
    if not existed and os.path.isdir(root):
        os.rmdir(root)


def next_steps(made: NewSite) -> str:
    """Return the commands that start the site, accept agents, change code and back it up."""
    site = made.site
    root, name = shlex.quote(site.root), site.certname
    confdir = shlex.quote(site.path(places.CONFIGURATION))
    # The files belong to this user, and the store of modules refuses all others, root too.
    prefix = [] if made.user == user_name(os.geteuid()) else ["runuser", "-u", made.user, "--"]
    services = [shlex.join([*prefix, "bunraku", *words]) for words in (made.puppetdb, made.server)]
    code = f"edit {shlex.quote(site.path(places.CONTROL))}, git commit, then"
    return f"""\
The site {name} is in {site.root}.

Start it with systemd, as root (the services run as {made.user}):
  cp {root}/{places.UNITS}/* /etc/systemd/system/
  systemctl daemon-reload
  systemctl enable --now {" ".join(made.units)}
or in two terminals:
  {services[0]}
  {services[1]}

On each node, with the name of this server:
  bunraku agent --onetime --server {name} --serverport {site.listen.rpartition(":")[2]}
and accept its certificate here:
  bunraku ca list --confdir {confdir}
  bunraku ca sign --confdir {confdir} --certname NODE

Change code ({code if made.owns_code else "push to the control repository, then"}):
  {shlex.join([*prefix, "bunraku", *made.deploy])}

Back it up, also while it runs (the timer does so each day):
  bunraku site backup FILE --site {root}
"""
