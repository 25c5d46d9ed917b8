"""Bring this machine to the state that a Puppet server has for it, once or in intervals."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from contextlib import ExitStack
from functools import partial
from time import monotonic_ns

from bunraku.agent.agent import Agent
from bunraku.agent.daemon import RESTART, Daemon, detach, process_file
from bunraku.agent.life import fingerprint_of
from bunraku.agent.locks import NO_REASON, Disabling
from bunraku.agent.run.state import Choices
from bunraku.agent.settings import AgentSettings
from bunraku.apply.destinations import reopen
from bunraku.apply.log import RunLog
from bunraku.apply.records import Records
from bunraku.base.errors import PuppetError
from bunraku.base.signals import release_reloads
from bunraku.base.usage import UsageError
from bunraku.cli import exits
from bunraku.cli.options.agent import NODE_AND_SERVERS, NODE_RULES, RUNS, seconds_of
from bunraku.cli.options.declarations import GENERAL, Rules, limits
from bunraku.cli.options.logdest import LOG_DESTINATIONS
from bunraku.cli.options.session import Session, session_of
from bunraku.cli.output.live_line import LiveLine
from bunraku.cli.output.output import write, write_error
from bunraku.jobs.serving.service_state import seconds_of_watchdog, tell_systemd
from bunraku.limits.limits import Limits

COMMAND = "agent"
SETTINGS = True
"""Every setting of Puppet is an option."""
OF_TEST = {"show_diff": True, "daemonize": False, "splay": False, "usecacheonfailure": False}
"""Settings of --test, unless another option sets them."""
FAILED = 1
"""The exit code of a run that could not apply a catalog."""


OPTIONS = f"""
-t --test: same as --onetime --verbose --detailed-exitcodes --show-diff --no-daemonize --no-splay
    --no-usecacheonfailure
-o --onetime: run once
{RUNS}
--detailed-exitcodes: exit with 2 for changes, 4 for failures, 6 for both
--disable [MESSAGE]: disable runs on this machine, with a reason
--enable: enable runs on this machine
--fingerprint: print the fingerprint of the node's certificate, or of its request
--digest NAME: digest of --fingerprint (default: SHA256)
--job-id ID: identifier of the job, for the server
--[no-]ruby-providers: let an installed Puppet manage resources that bunraku cannot
{LOG_DESTINATIONS}
-v --verbose: log messages of level info
{NODE_AND_SERVERS}
[options]
@fact_timeout
{limits("deferred function")}
{GENERAL}
"""
RULES: Rules = {
    **NODE_RULES,
    "disable": {"const": NO_REASON},
    "digest": {"default": "SHA256"},
    "ruby_providers": {"default": True},
    "logdest": {"action": "append"},
}


def run(options: argparse.Namespace) -> int:
    """Do what the options say; return the exit code."""
    if options.test:
        options.onetime = options.verbose = options.detailed_exitcodes = True
        for name, value in OF_TEST.items():
            if getattr(options, name) is None:
                setattr(options, name, value)
    session = session_of(options, "info" if options.verbose else "notice")
    code = dispatch(session)
    session.console.finish()
    return code


def dispatch(session: Session) -> int:
    """Enable, disable, show the fingerprint, run once, or serve."""
    options = session.options
    once = options.onetime or session.settings.flag("onetime")
    if once or options.enable or options.disable is not None or options.fingerprint:
        release_reloads()
    if options.enable or options.disable is not None:
        return switch(session)
    if options.fingerprint:
        return show_fingerprint(session)
    if once:
        return run_once(session)
    return serve(session)


def switch(session: Session) -> int:
    """Enable or disable runs."""
    options, host = session.options, session.host
    disabling = Disabling(session.settings, Records(host, session.settings.directories))
    log = RunLog(session.level, host.now, [session.console])
    try:
        if options.enable:
            log("notice", "Enabling Puppet.")
            disabling.enable()
        else:
            log("notice", "Disabling Puppet.")
            disabling.disable(options.disable)
    except OSError as error:
        raise UsageError(f"cannot change {disabling.path}: {error.strerror}", COMMAND) from None
    return exits.OK


def show_fingerprint(session: Session) -> int:
    """Print the fingerprint of the certificate or the request."""
    try:
        found = fingerprint_of(session.host, session.settings, session.options.digest)
    except ValueError as error:
        raise UsageError(f"--digest: {error}", COMMAND) from None
    if found is None:
        text = (
            "Fingerprint asked but neither the certificate, nor the certificate request have been"
        )
        write_error(f"{text} issued\n")
        return FAILED
    write(f"({session.options.digest.upper()}) {found}\n")
    return exits.OK


def run_once(session: Session) -> int:
    """Run once; return its exit code."""
    options = session.options
    wait = seconds_of("--waitforcert", options.waitforcert, "30, 30s, 5m or 1h", COMMAND) or 0.0
    with ExitStack() as stack:
        code = agent_of(session, stack).run(
            wait_for_certificate=wait, once=True, splay=session.settings.flag("splay")
        )
    if code is None:
        return FAILED
    return code if options.detailed_exitcodes else exits.OK


def agent_of(session: Session, stack: ExitStack) -> Agent:
    """Return the agent of a session; its destinations are closed with the stack."""
    options = session.options
    names = ",".join(options.logdest or ())
    live = session.console.live = LiveLine()
    stack.enter_context(live)
    choices = Choices(
        session.level,
        options.job_id,
        options.ruby_providers,
        options.fact_timeout,
        Limits(options.timeout, options.memory),
        live.watch if live.shown else None,
    )
    return Agent(
        session.settings,
        session.host,
        session.version,
        session.destinations(stack, names),
        choices,
        session.say,
    )


# -- in intervals ----------------------------------------------------------------------------------


def serve(session: Session) -> int:
    """Run in intervals, in the background unless the options say otherwise."""
    options, settings = session.options, session.settings
    background = settings.flag("daemonize")
    if background and not options.logdest:
        options.logdest = ["syslog"]
    with ExitStack() as stack:
        session.destinations(stack, ",".join(options.logdest or ()))  # errors come before the fork
    write("")  # or both processes write what is left in the buffer
    if background and not detach():
        return exits.OK
    with ExitStack() as stack:
        destinations = session.destinations(stack, ",".join(options.logdest or ()))
        log = RunLog(session.level, session.host.now, destinations)
        stack.enter_context(process_file(settings, session.host))
        log("notice", f"Starting Puppet client version {session.version}")
        daemon = Daemon(
            settings,
            log,
            lambda: run_of_daemon(session, log),
            reread=lambda: reread_settings(session, log),
            reopen=lambda: reopen(destinations, log),
            alive=partial(tell_systemd, "WATCHDOG=1"),
            beat=seconds_of_watchdog(),
        )
        tell_systemd("READY=1")
        number = daemon.serve()
        if number == RESTART:
            tell_systemd("RELOADING=1", f"MONOTONIC_USEC={monotonic_ns() // 1000}")
            log("notice", f"Restarting with 'bunraku {' '.join(sys.argv[1:])}'")
        else:
            tell_systemd("STOPPING=1")
    if number == RESTART:
        os.execv(sys.executable, [sys.executable, "-m", "bunraku", *sys.argv[1:]])  # noqa: S606 (itself)
    return exits.TERMINATED if number == signal.SIGTERM else exits.INTERRUPTED


def reread_settings(session: Session, log: RunLog) -> AgentSettings:
    """Return the current settings of a daemon; the earlier ones if they are wrong."""
    try:
        session.settings = session_of(session.options, session.level).settings
    except (PuppetError, UsageError) as error:
        log("err", str(error))
    return session.settings


def run_of_daemon(session: Session, log: RunLog) -> int:
    """Run once with the current configuration, in a child process of the daemon."""
    try:
        fresh = session_of(session.options, session.level)
        with ExitStack() as stack:
            wait = fresh.settings.number("waitforcert")
            agent = agent_of(fresh, stack)
            code = agent.run(wait_for_certificate=wait, once=False, splay=False)
        write("")  # what is left in the buffer
    except (PuppetError, UsageError) as error:
        log("err", str(error))
        return FAILED
    return FAILED if code is None else exits.OK
