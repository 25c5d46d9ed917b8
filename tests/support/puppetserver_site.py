"""The site of ``real_agent`` served by Debian's puppetserver, with our PuppetDB behind its terminus.

Everything is below one directory and listens on 127.0.0.1. The start takes the Java machine a minute.
"""

from __future__ import annotations

import http.client
import os
import shutil
import socket
import ssl
import subprocess
import sys
import time
from contextlib import closing, suppress
from pathlib import Path

from support.real_agent import SERVER, last_report, write_files

JAR = Path("/usr/share/puppetserver/puppetserver.jar")
PACKAGED = Path("/etc/puppet/puppetserver")
TERMINUS = Path("/usr/lib/ruby/vendor_ruby/puppet/indirector/catalog/puppetdb.rb")
START_SECONDS = 400
STOP_SECONDS = 60
JAVA = ("java", "-Xms512m", "-Xmx1g", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
"""Options for a short start: one collector, and code that is compiled quickly instead of well."""
SERVES = " on https://"
"""A part of the line that our PuppetDB prints when it answers."""
PUPPET_CONF = """
[main]
certname = {name}
server = localhost
serverport = {port}
ssldir = {root}/ssl
environmentpath = {root}/environments
basemodulepath = {root}/modules
user = {user}
group = {group}
[server]
dns_alt_names = {name},localhost
cadir = {root}/ca
autosign = {root}/autosign.conf
storeconfigs = true
storeconfigs_backend = puppetdb
reports = puppetdb
"""
PUPPETDB_CONF = "[main]\nserver_urls = https://localhost:{port}\nsoft_write_failure = false\n"
ROUTES = "---\nserver:\n  facts:\n    terminus: puppetdb\n    cache: yaml\n"
PUPPETSERVER_CONF = """
jruby-puppet: {{
  ruby-load-path: [/usr/lib/puppetserver/ruby/vendor_ruby, /usr/lib/ruby/vendor_ruby]
  gem-home: {root}/gems
  gem-path: ["{root}/gems", "/usr/lib/puppetserver/vendored-jruby-gems"]
  server-conf-dir: {root}/etc
  server-code-dir: {root}
  server-var-dir: {root}/server
  server-run-dir: {root}/run
  server-log-dir: {root}/log
  max-active-instances: 1
}}
http-client: {{}}
profiler: {{}}
"""
WEBSERVER_CONF = """
webserver: {{ client-auth: want, ssl-host: 127.0.0.1, ssl-port: {port} }}
"""


def missing_part() -> str | None:
    """Return what is missing for a site of puppetserver; None if nothing is."""
    if not JAR.exists() or not shutil.which("java"):
        return "puppetserver is not installed"
    if not os.access(PACKAGED, os.R_OK | os.X_OK):
        return f"this user must not read {PACKAGED}"
    return None if TERMINUS.exists() else "puppet-terminus-puppetdb is not installed"


def free_port() -> int:
    """Return a port of 127.0.0.1 that nobody uses now."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
    return port


class PuppetserverSite:
    """A running puppetserver with its authority, and ``bunraku puppetdb`` for what it stores."""

    def __init__(self, root: Path, modules: Path) -> None:
        self.root = root
        self.port, self.puppetdb_port = free_port(), free_port()
        self.database = root / "puppetdb.sqlite"
        self.output = root / "output"
        write_files(root, modules)
        self.write_configuration()
        self.server = self.start_server()
        self.puppetdb: subprocess.Popen[str] | None = None
        try:
            self.wait()
            self.puppetdb = self.start_puppetdb()
        except BaseException:
            self.stop()
            raise

    def write_configuration(self) -> None:
        """Write the files of puppetserver: ours, and those of the package that no path is in."""
        root = self.root
        for name in ("etc", "conf.d", "services.d", "server", "run", "log", "gems"):
            (root / name).mkdir()
        values = {
            "root": root,
            "port": self.port,
            "name": SERVER,
            "user": Path(root).owner(),
            "group": Path(root).group(),
        }
        (root / "etc/puppet.conf").write_text(PUPPET_CONF.format(**values))
        (root / "etc/routes.yaml").write_text(ROUTES)
        (root / "etc/puppetdb.conf").write_text(PUPPETDB_CONF.format(port=self.puppetdb_port))
        for one in (PACKAGED / "services.d").glob("*.cfg"):
            shutil.copy(one, root / "services.d")
        for name in ("auth", "ca", "metrics", "web-routes"):
            shutil.copy(PACKAGED / f"conf.d/{name}.conf", root / "conf.d")
        (root / "conf.d/puppetserver.conf").write_text(PUPPETSERVER_CONF.format(**values))
        (root / "conf.d/webserver.conf").write_text(WEBSERVER_CONF.format(**values))
        logging = (PACKAGED / "logback.xml").read_text()
        (root / "logback.xml").write_text(logging.replace("/var/log/puppetserver", f"{root}/log"))
        (root / "conf.d/global.conf").write_text(
            f"global: {{ logging-config: {root}/logback.xml }}"
        )
        (root / "run/restart").write_text("0")

    def start_server(self) -> subprocess.Popen[str]:
        """Start the Java machine."""
        root = self.root
        words = [
            *JAVA,
            "-Djruby.logger.class=com.puppetlabs.jruby_utils.jruby.Slf4jLogger",
            *("-Djruby.lib=/usr/share/jruby/lib", "-Dlogappender=F1", "-jar", str(JAR)),
            *("--config", str(root / "conf.d"), "--bootstrap-config", str(root / "services.d")),
            *("--restart-file", str(root / "run/restart")),
        ]
        with self.output.open("ab") as output:
            return subprocess.Popen(words, stdout=output, stderr=output, text=True)

    def wait(self) -> None:
        """Wait until the server says that it runs."""
        context = ssl.create_default_context()
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE  # only the status is read, and it has no secret
        end = time.monotonic() + START_SECONDS
        while time.monotonic() < end:
            assert self.server.poll() is None, self.reported()
            connection = http.client.HTTPSConnection(
                "127.0.0.1", self.port, context=context, timeout=10
            )
            with closing(connection), suppress(OSError, http.client.HTTPException):
                connection.request("GET", "/status/v1/simple")
                if connection.getresponse().read() == b"running":
                    return
            time.sleep(0.5)
        raise AssertionError(self.reported())

    def start_puppetdb(self) -> subprocess.Popen[str]:
        """Start our PuppetDB with the server's certificate."""
        certificates = self.root / "ssl"
        words = [
            *(sys.executable, "-m", "bunraku", "puppetdb", "--listen", "none"),
            *("--ssl-listen", f"127.0.0.1:{self.puppetdb_port}", "--database", str(self.database)),
            *("--ssl-cert", str(certificates / f"certs/{SERVER}.pem")),
            *("--ssl-key", str(certificates / f"private_keys/{SERVER}.pem")),
            *("--ssl-ca-cert", str(certificates / "certs/ca.pem")),
        ]
        with self.output.open("ab") as output:
            program = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=output, text=True)
        assert program.stdout
        assert any(SERVES in line for line in program.stdout), self.reported()
        return program

    def __enter__(self) -> PuppetserverSite:
        return self

    def __exit__(self, *_error: object) -> None:
        self.stop()

    def stop(self) -> None:
        """Stop both programs."""
        for program in (self.server, self.puppetdb):
            if program is not None and program.poll() is None:
                program.terminate()
                try:
                    program.wait(STOP_SECONDS)
                except subprocess.TimeoutExpired:
                    program.kill()
                    program.wait()
        if self.puppetdb is not None and self.puppetdb.stdout:
            self.puppetdb.stdout.close()

    def reported(self) -> str:
        """Return what both programs have reported."""
        logs = [self.output, *sorted((self.root / "log").glob("*.log"))]
        return "\n".join(path.read_text(errors="backslashreplace")[-8000:] for path in logs)

    def ca(self, *arguments: str) -> str:
        """Run ``puppetserver ca`` on the running server; return the output."""
        configuration = ("--config", str(self.root / "etc/puppet.conf"))
        done = subprocess.run(
            ["puppetserver", "ca", arguments[0], *configuration, *arguments[1:]],
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "LC_ALL": "C.UTF-8"},
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def report(self, node: str) -> dict[str, object]:
        """Return the newest report of a node in our PuppetDB."""
        return last_report(self.database, node)
