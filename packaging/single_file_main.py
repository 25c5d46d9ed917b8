"""Unpack the packages of this file into the user's cache, once, and start bunraku from there."""

import os
import shutil
import stat
import sys
import zipfile

DIGEST = "DIGEST_OF_THE_FILE"
OLDEST, NEWEST = (3, 11), (3, 14)


def main():
    if not OLDEST <= sys.version_info[:2] <= NEWEST:
        known = " to ".join(".".join(map(str, one)) for one in (OLDEST, NEWEST))
        sys.exit(f"bunraku.pyz: Python {known} is needed; this is {sys.version.split()[0]}")
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    name = f"{DIGEST}-{sys.version_info[0]}{sys.version_info[1]}"
    home = os.path.join(base, "bunraku", "program", name)
    if not os.path.isdir(home):
        unpack(home)
    check(home)
    python = os.path.join(home, "bin", "python3")
    os.execv(python, [python, "-P", os.path.join(home, "bin", "bunraku"), *sys.argv[1:]])


def check(home):
    """End if others can have written the program: it belongs to this user, and only to it."""
    status = os.lstat(home)
    if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.geteuid() or status.st_mode & 0o022:
        sys.exit(f"bunraku.pyz: other users can change {home}; remove it, or set XDG_CACHE_HOME")


def unpack(home):
    """Unpack what this Python needs; the directory appears when it is whole."""
    new = f"{home}.{os.getpid()}.new"
    own = f"cp{sys.version_info[0]}{sys.version_info[1]}"
    packages = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    try:
        os.makedirs(os.path.dirname(home), 0o700, exist_ok=True)
        os.mkdir(new, 0o700)
        with zipfile.ZipFile(os.path.dirname(os.path.abspath(__file__))) as archive:
            for entry in archive.namelist():
                if entry.startswith(
                    tuple(f"lib/{one}/" for one in ("pure", "abi3", own, packages))
                ):
                    archive.extract(entry, new)
        os.mkdir(f"{new}/bin")
        python = os.path.realpath(sys.executable)
        os.symlink(python, f"{new}/bin/python3")
        with open(f"{new}/pyvenv.cfg", "w") as file:
            file.write(f"home = {os.path.dirname(python)}\ninclude-system-site-packages = true\n")
        with open(f"{new}/bin/bunraku", "w") as file:
            file.write("import sys\nfrom bunraku.cli.main import main\nsys.exit(main())\n")
        os.rename(new, home)
    except OSError as error:
        shutil.rmtree(new, ignore_errors=True)
        if not os.path.isdir(home):  # another process was faster
            sys.exit(f"bunraku.pyz: cannot unpack to {home}: {error.strerror}; set XDG_CACHE_HOME")


main()
