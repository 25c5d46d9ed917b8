"""Sessions of real clients: neovim without a user interface, and the protocol library of Visual Studio Code."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGES = Path(__file__).parents[2] / "editors" / "vscode"
FILES = {
    "metadata.json": '{"name": "me-ntp", "version": "1.0.0"}',
    "manifests/server.pp": "class ntp::server(Integer $port = 1) {\n}\n",
    "manifests/init.pp": "class ntp {\n  include ntp::server\n  notice($unknown)\n  file { '/x': own }\n}\n",
}
STEPS = [
    ["textDocument/hover", 1, 15],
    ["textDocument/definition", 1, 15],
    ["textDocument/references", 1, 15],
    ["textDocument/completion", 1, 16],
    ["textDocument/documentSymbol", 0, 0],
    ["textDocument/documentHighlight", 1, 15],
]


def neovim() -> list[str]:
    """Return the command of neovim with our script."""
    if shutil.which("nvim") is None:
        pytest.skip("needs neovim")
    script = Path(__file__).with_name("neovim_client.lua")
    return ["nvim", "--headless", "-u", "NONE", "-i", "NONE", "-c", f"luafile {script}"]


def visual_studio_code() -> list[str]:
    """Return the command of the protocol library with our script."""
    if shutil.which("node") is None or not (PACKAGES / "node_modules").is_dir():
        pytest.skip("needs node, and 'npm ci' in editors/vscode")
    return ["node", str(Path(__file__).with_name("vscode_client.cjs"))]


@pytest.mark.parametrize("client", [neovim, visual_studio_code])
def test_a_session(client, tmp_path):
    command = client()
    root = tmp_path / "ntp"
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    answers = tmp_path / "answers.json"
    variables = {
        "SERVER": json.dumps([sys.executable, "-m", "bunraku", "lsp"]),
        "ROOT": str(root),
        "FILE": str(root / "manifests" / "init.pp"),
        "STEPS": json.dumps(STEPS),
        "ANSWERS": str(answers),
        "PACKAGES": str(PACKAGES),
        "HOME": str(tmp_path),
    }
    done = subprocess.run(
        command,
        env={**os.environ, **variables},
        cwd=root,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    assert answers.is_file(), done.stdout + done.stderr
    found = json.loads(answers.read_text())
    results = {method: one["result"] for method, one in found["answers"].items()}
    assert "SYNTAX_ERROR" in found["findings"]
    assert "Integer $port = 1" in results["textDocument/hover"]["contents"]["value"]
    (definition,) = results["textDocument/definition"]
    assert definition["uri"].endswith("/manifests/server.pp")
    assert len(results["textDocument/references"]) == 2
    labels = [one["label"] for one in results["textDocument/completion"]["items"]]
    assert labels == ["ntp::server"]
    assert results["textDocument/documentSymbol"][0]["name"] == "ntp"
    assert len(results["textDocument/documentHighlight"]) == 1


def test_the_settings_for_neovim_of_the_page(tmp_path):
    if shutil.which("nvim") is None:
        pytest.skip("needs neovim")
    page = (PACKAGES.parents[1] / "docs" / "editor.md").read_text("utf-8")
    settings = page.partition("Neovim 0.7")[2].partition("```lua\n")[2].partition("```")[0]
    (tmp_path / "init.lua").write_text(settings)
    (tmp_path / "environment.conf").write_text("modulepath = modules\n")
    for name, text in FILES.items():
        path = tmp_path / "modules" / "ntp" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    program = tmp_path / "bin" / "bunraku"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m bunraku "$@"\n')
    program.chmod(0o755)
    wait = "vim.wait(20000, function() return #vim.diagnostic.get(0) > 0 end, 10)"
    show = "vim.fn.writefile({ vim.lsp.buf_get_clients(0)[1].config.root_dir, vim.diagnostic.get(0)[1].source }, 'shown')"
    command = [
        "nvim",
        "--headless",
        "-u",
        "init.lua",
        "-i",
        "NONE",
        "modules/ntp/manifests/init.pp",
    ]
    done = subprocess.run(
        [*command, "-c", f"lua {wait} {show}", "-c", "qa!"],
        env={**os.environ, "HOME": str(tmp_path), "PATH": f"{program.parent}:{os.environ['PATH']}"},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    assert (tmp_path / "shown").is_file(), done.stdout + done.stderr
    assert (tmp_path / "shown").read_text().splitlines() == [str(tmp_path), "bunraku"]


SITE = {
    "metadata.json": '{"name": "me-ntp", "version": "1.0.0", "author": "me", "license": "MIT", "summary": "x", "source": "x", "dependencies": []}',
    "manifests/server.pp": "# A server.\nclass ntp::server(Integer $port = 1) {\n}\n",
    "manifests/init.pp": 'class ntp(Integer $port = 1) {\n  include ntp::server\n  file { "/x": ow }\n}\n',
    "hiera.yaml": "version: 5\nhierarchy:\n  - {name: all, path: common.yaml}\n",
    "data/common.yaml": "ntp::port: 3\n",
    "facts/web1.example.com.json": '{"os": {"name": "Debian"}}\n',
}
SHOWN = {
    "mode": "puppet-mode",
    "findings": "SYNTAX_ERROR",
    "definition": "(server.pp 2)",
    "hover": "A server.",
    "value": "On web1.example.com: `3`",
    "completion": "(owner)",
    "rename": "include ntp::host",
    "format": '" notice(1)"',
}


def emacs_command() -> list[str]:
    """Return Emacs without settings; it finds the packages of Debian, which ``-Q`` leaves out."""
    packages = sorted(Path("/usr/share/emacs/site-lisp/elpa-src").glob("*"))
    found = [os.environ.get("EMACS", "emacs"), "-Q", "--batch"]
    return found + [word for one in packages for word in ("-L", str(one))]


def test_the_settings_for_emacs_of_the_page(tmp_path):
    emacs = emacs_command()
    needed = "(progn (require 'eglot) (require 'puppet-mode))"
    if (
        shutil.which(emacs[0]) is None
        or subprocess.run([*emacs, "--eval", needed], capture_output=True, check=False).returncode
    ):
        pytest.skip("needs Emacs with Eglot and puppet-mode")
    page = (PACKAGES.parents[1] / "docs" / "editor.md").read_text("utf-8")
    settings = page.partition("## Emacs")[2].partition("```lisp\n")[2].partition("```")[0]
    for name, text in {**SITE, "init.el": settings}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    program = tmp_path / "bin" / "bunraku"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m bunraku "$@"\n')
    program.chmod(0o755)
    home = tmp_path / "home"  # a home directory is no project
    home.mkdir()
    done = subprocess.run(
        [*emacs, "-l", str(Path(__file__).with_name("emacs_client.el"))],
        env={**os.environ, "HOME": str(home), "PATH": f"{program.parent}:{os.environ['PATH']}"},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    lines = (one.partition(": ") for one in done.stdout.splitlines())
    found = {name: text for name, _, text in lines}
    wrong = {
        name: found.get(name) for name, text in SHOWN.items() if text not in found.get(name, "")
    }
    assert not wrong, done.stdout + done.stderr
