"""Install, use, upgrade and remove each package in fresh roots: ``make packages-test``.

Needs root, mmdebstrap and ``dist/`` of ``make packages``. Roots are made once and cached; each trial has its own
copy, in namespaces of its own. Nothing is installed on this machine.
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

TOP = Path(__file__).parents[3]
CACHE = Path("/var/cache/bunraku-rig")
MIRROR = "http://deb.debian.org/debian"
SUITES = {
    "bookworm": "Debian 12, Python 3.11",
    "trixie": "Debian 13, Python 3.13",
    "sid": "Debian unstable, Python 3.14",
}
INCLUDED = "python3,python3-venv,ca-certificates,git"
OLD_VERSION = "0.0.1"
DATA = (
    "/etc/puppetlabs",
    "/opt/puppetlabs",
    "/var/log/puppetlabs",
    "/var/lib/bunraku",
    "/var/lib/puppet",
)
NOISE = ("/var/lib/dpkg", "/var/log", "/var/cache", "/etc/passwd", "/etc/group", "/etc/shadow", "/etc/gshadow",
         "/root", "/tmp", "/proc", "/dev", "/sys", "/run", "/etc/subuid", "/etc/subgid", "/etc/.pwd.lock", "/usr/lib/sysimage",
         "/var/lib/rpm", "/etc/ld.so.cache", "/etc/hosts", "/var/lib/systemd", "/packages")  # fmt: skip
ENTER = """
mount -t proc proc "$1/proc"
mount --rbind /dev "$1/dev"
exec chroot "$1" /usr/bin/env -i PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive sh -euc "$2"
"""
USE = """
bunraku --version
test "$(bunraku eval '1 + 1' | head -n 1)" = 2
cd /packages/control-repo
bunraku validate .
bunraku compile --nodes
bunraku check
printf '%s' 'notice(inline_template("<%= 6 * 7 %>"))' > /tmp/a.pp
bunraku compile /tmp/a.pp 2>&1 | grep -q 42
bunraku apply -e 'file { "/tmp/applied": content => "yes" }'
test "$(cat /tmp/applied)" = yes
"""
SITE = """
mkdir -p /etc/puppetlabs/code/environments/production/manifests
echo 'node default { file { "/tmp/from-server": content => "catalog" } }' > /etc/puppetlabs/code/environments/production/manifests/site.pp
grep -q puppet.test /etc/hosts || echo '127.0.0.1 puppet.test' >> /etc/hosts
bunraku server --listen 127.0.0.1:18140 --certname puppet.test --autosign true > /tmp/server.log 2>&1 &
server=$!
for at in $(seq 900); do
    grep -q 'serves' /tmp/server.log && break
    kill -0 $server || { cat /tmp/server.log >&2; exit 1; }
    sleep 0.2
done
rm -f /tmp/from-server
bunraku agent --onetime --no-daemonize --server puppet.test --serverport 18140 --certname node1.test
test "$(cat /tmp/from-server)" = catalog
kill $server
wait $server || true
"""
CERTIFICATES = "find /etc/puppetlabs -name '*.pem' ! -name '*crl*' | sort | xargs sha256sum"
REPORTS = (
    "bunraku query --storedconfigs $(find /opt/puppetlabs /var/lib/bunraku -name 'puppetdb.sqlite' | head -n 1)"
    " --format json 'reports[count()]{}'"
)


class Root:
    """A copy of a fresh root that is removed afterwards."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory

    def run(self, script: str) -> str:
        """Run a shell script in the root; print its output and end the trial if it fails."""
        command = [
            "unshare",
            "--mount",
            "--pid",
            "--fork",
            "--kill-child",
            "--propagation",
            "private",
        ]
        words = [*command, "sh", "-euc", ENTER, "sh", str(self.directory), script]
        done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=900)
        if done.returncode:
            sys.exit(
                f"failed in {self.directory}:\n{script}\n{done.stdout[-4000:]}{done.stderr[-4000:]}"
            )
        return done.stdout

    def files(self) -> set[str]:
        """Return the paths in the root, apart from those that package managers change."""
        found = set()
        for folder, folders, names in os.walk(self.directory):
            here = "/" + os.path.relpath(folder, self.directory).removeprefix(".")
            paths = {os.path.join(here, name) for name in (*folders, *names)}
            found |= {path for path in paths if not path.startswith(NOISE)}
            folders[:] = [
                name for name in folders if not os.path.join(here, name).startswith(NOISE)
            ]
        return found


def base(suite: str, include: str) -> Path:
    """Return the tar file of a fresh root."""
    file = CACHE / f"packages-{suite}-{include.replace(',', '-')}.tar"
    if not file.exists():
        CACHE.mkdir(parents=True, exist_ok=True)
        new = file.with_suffix(".new")
        options = ["--variant=minbase", f"--include={include}", "--format=tar"]
        options += ['--aptopt=Acquire::Check-Valid-Until "false"', "--quiet"]
        subprocess.run(["mmdebstrap", *options, suite, str(new), MIRROR], check=True)
        new.rename(file)
    return file


@contextmanager
def fresh_root(suite: str, packages: Path, include: str = INCLUDED) -> Iterator[Root]:
    """Make a copy of a root with the packages in ``/packages``."""
    with tempfile.TemporaryDirectory(prefix=f"root-{suite}-") as name:
        tar = ["tar", "--extract", "--exclude=./dev/*", "--file", str(base(suite, include))]
        subprocess.run([*tar, "--directory", name], check=True)
        Path(name).chmod(0o755)
        shutil.copytree(packages, Path(name) / "packages")
        shutil.copytree(TOP / "examples/control-repo", Path(name) / "packages/control-repo")
        yield Root(Path(name))


# -- trials ------------------------------------------------------------------------------------------


def older_deb(package: Path, target: Path) -> Path:
    """Return a package, of this commit or an older one, with an older version and an older file.

    Packages of two commits without a tag between them have the same version.
    """
    with tempfile.TemporaryDirectory() as name:
        tree = Path(name) / "tree"
        subprocess.run(["dpkg-deb", "-R", str(package), str(tree)], check=True)
        control = tree / "DEBIAN/control"
        lines = control.read_text().splitlines(keepends=True)
        lines = [
            f"Version: {OLD_VERSION}\n" if one.startswith("Version:") else one for one in lines
        ]
        control.write_text("".join(lines))
        (tree / "opt/bunraku/lib/pure/removed_since.py").write_text("OLD = True\n")
        old = target / "old.deb"
        subprocess.run(["dpkg-deb", "--root-owner-group", "-Zgzip", "-z1", "--build", tree, old], check=True,
                       stdout=subprocess.DEVNULL)  # fmt: skip
    return old


def try_deb(suite: str, packages: Path) -> None:
    """Install the older package, use it, upgrade, use it, remove and purge it."""
    with fresh_root(suite, packages) as root:
        root.run(
            "mkdir -p /etc/puppetlabs/puppet; echo '# mine' > /etc/puppetlabs/puppet/puppet.conf; chmod 600 /etc/puppetlabs/puppet/puppet.conf"
        )
        before = root.files()
        root.run("dpkg -i /packages/old.deb")
        root.run(USE + SITE)
        kept = root.run(CERTIFICATES), root.run(REPORTS)
        root.run(
            "dpkg -i /packages/bunraku_*.deb; test ! -e /opt/bunraku/lib/pure/removed_since.py"
        )
        assert kept == (root.run(CERTIFICATES), root.run(REPORTS))
        root.run(USE + SITE)
        assert root.run(CERTIFICATES) == kept[0]
        assert root.run(REPORTS) != kept[1]
        root.run(
            "test -e /usr/share/man/man1/bunraku-apply.1.gz; test -e /usr/share/bash-completion/completions/bunraku"
        )
        root.run(
            "test \"$(cat /etc/puppetlabs/puppet/puppet.conf; stat -c %a%U /etc/puppetlabs/puppet/puppet.conf)\" = '# mine\n600root'"
        )
        root.run("dpkg --remove bunraku; test ! -e /usr/bin/bunraku; test ! -e /opt/bunraku")
        root.run("dpkg --purge bunraku")
        left = {path for path in root.files() - before if not path.startswith(DATA)}
        assert not left, sorted(left)[:20]
        assert not before - root.files()


def try_wheel(suite: str, packages: Path) -> None:
    """Install the wheel with the dependencies in an environment, use it, and uninstall it."""
    with fresh_root(suite, packages) as root:
        options = "--quiet --no-index --find-links /packages/wheels"
        root.run(f"python3 -m venv /v; /v/bin/pip install {options} /packages/bunraku-*.whl")
        root.run(USE.replace("bunraku ", "/v/bin/bunraku "))
        root.run(
            f"/v/bin/pip install {options} --force-reinstall --no-deps /packages/bunraku-*.whl"
        )
        root.run(
            "/v/bin/bunraku --version; /v/bin/pip uninstall --quiet --yes bunraku; test ! -e /v/bin/bunraku"
        )


def try_sdist(suite: str, packages: Path) -> None:
    """Compare the version that the source distribution says with that of the wheel."""
    del suite
    wheel = next(packages.glob("*.whl")).name.split("-")[1]
    assert next(packages.glob("bunraku-*.tar.gz")).name == f"bunraku-{wheel}.tar.gz"


def try_pyz(suite: str, packages: Path) -> None:
    """Run the single file as a user without rights."""
    with fresh_root(suite, packages) as root:
        root.run("useradd --create-home someone; cp /packages/bunraku.pyz /usr/local/bin/bunraku")
        as_user = "exec setpriv --reuid someone --regid someone --clear-groups env HOME=/home/someone sh -euc"
        steps = USE.replace("'", "'\\''")
        root.run(
            f"chmod -R a+rX /packages; cp -r /packages/control-repo /tmp/c; chown -R someone /tmp/c; {as_user} '{steps}'"
        )
        root.run("test $(ls /home/someone/.cache/bunraku/program | wc -l) = 1")
        root.run(
            "chmod 777 /home/someone/.cache/bunraku/program/*; ! setpriv --reuid someone env HOME=/home/someone bunraku --version"
        )


def try_rpm(suite: str, packages: Path) -> None:
    """Build the rpm of the files of the Debian package, install it, use it, upgrade and erase it.

    The root is Debian's: no root of a distribution with rpm can be made from Debian's packages alone.
    """
    with fresh_root(suite, packages, f"{INCLUDED},rpm") as root:
        shutil.copytree(TOP / "packaging", root.directory / "packages/packaging")
        build = "cd /packages/packaging; python3 rpm.py"
        root.run(
            f"{build} /packages/old.deb /packages/old; {build} /packages/bunraku_*.deb /packages/new"
        )
        root.run(
            f"{build} /packages/bunraku_*.deb /packages/again; cmp /packages/new/*.rpm /packages/again/*.rpm"
        )
        before = root.files()
        root.run("rpm --install --nodeps /packages/old/*.rpm")
        root.run(USE)
        root.run(
            "rpm --upgrade --nodeps /packages/new/*.rpm; test ! -e /opt/bunraku/lib/pure/removed_since.py"
        )
        root.run(USE)
        root.run("rpm --erase bunraku")
        left = {path for path in root.files() - before if not path.startswith(DATA)}
        assert not left, sorted(left)[:20]


def try_image(suite: str, packages: Path) -> None:
    """Unpack the images and run their program as their user."""
    del suite
    sys.path.insert(0, str(TOP / "packaging"))
    from image import unpack_image

    for image in sorted(packages.glob("*.oci.tar")):
        with tempfile.TemporaryDirectory(prefix="root-image-") as name:
            unpack_image(image, Path(name))
            Path(name).chmod(0o755)
            shutil.copytree(TOP / "examples/control-repo", Path(name) / "work/site")
            root = Root(Path(name))
            run = "chown -R 1000:1000 /work; cd /work/site; setpriv --reuid 1000 --regid 1000 --clear-groups env HOME=/tmp XDG_CACHE_HOME=/tmp/cache"
            root.run(
                f"{run} bunraku check; cd /work/site; {run.rpartition('; ')[2]} bunraku compile --nodes"
            )
            root.run("/opt/bunraku/bin/python3 -c 'import cryptography'")
            if "complete" in image.name:
                root.run(
                    "ruby --version; test -d /usr/share/facterdb || dpkg -L facterdb | grep -q facts"
                )


def download_wheels(target: Path) -> None:
    """Download the dependencies of the wheel, those of the lock."""
    sys.path.insert(0, str(TOP / "packaging"))
    from bundle import locked_wheels

    locked_wheels(target, platform.machine())


TRIALS: dict[str, Callable[[str, Path], None]] = {
    "deb": try_deb,
    "wheel": try_wheel,
    "sdist": try_sdist,
    "pyz": try_pyz,
    "rpm": try_rpm,
    "image": try_image,
}


def main() -> int:
    """Run the trials that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("trials", nargs="*", default=list(TRIALS))
    parser.add_argument("--suites", default="bookworm,trixie")
    parser.add_argument("--dist", type=Path, default=TOP / "dist")
    parser.add_argument(
        "--older", type=Path, help="the Debian package to upgrade from (default: that of dist/)"
    )
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        packages = Path(name) / "packages"
        shutil.copytree(options.dist, packages)
        subprocess.run(["sha256sum", "--check", "--quiet", "SHA256SUMS"], cwd=packages, check=True)
        if "wheel" in options.trials:
            download_wheels(packages / "wheels")
        older_deb(options.older or next(packages.glob("bunraku_*.deb")), packages)
        for trial in options.trials:
            for suite in options.suites.split(","):
                begin = time.monotonic()
                TRIALS[trial](suite, packages)
                print(
                    f"{trial:6} {SUITES[suite]}: passed in {time.monotonic() - begin:.0f} s",
                    flush=True,
                )
    return 0


if __name__ == "__main__":
    sys.exit(main())
