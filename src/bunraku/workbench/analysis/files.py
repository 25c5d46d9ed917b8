"""Templates and files of modules that do not exist."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bunraku.base.errors import Severity
from bunraku.base.records import replace
from bunraku.modules.known_names import file_hint
from bunraku.syntax.nodes import Attribute, Call, List, Name, Node
from bunraku.workbench.analysis.issues import FILE_NOT_FOUND, SOURCE_WITHOUT_MODULES
from bunraku.workbench.analysis.names import written_name
from bunraku.workbench.analysis.state import Analysis

FOLDERS = {"template": "templates", "epp": "templates", "file": "files"}
"""Functions that read files of modules, and the directories in which they look."""
SERVER = "puppet:///"
MOUNT = f"{SERVER}modules/"


def check_call(analysis: Analysis, node: Call) -> None:
    """Check the files that ``template``, ``epp`` and ``file`` read: all, the first, any of them."""
    if not isinstance(node.callee, Name) or node.callee.value not in FOLDERS:
        return
    function = node.callee.value
    arguments: Sequence[Node] = node.arguments[:1] if function == "epp" else node.arguments
    extension = ".epp" if function == "epp" else ""
    lost = [one for one in arguments if is_lost(analysis, FOLDERS[function], one, extension)]
    if function == "file" and len(lost) < len(arguments):
        return
    for one in lost:
        report(analysis, FOLDERS[function], one, written_name(one) or "", "error")


def check_source(analysis: Analysis, node: Attribute) -> None:
    """Check a file that an agent gets from a module; agents fail, not the compile."""
    if node.name != "source":
        return
    for one in node.value.values if isinstance(node.value, List) else [node.value]:
        check_mount(analysis, one)
    text = written_name(node.value)
    if text is None or not text.startswith(MOUNT):
        return
    name = text.removeprefix(MOUNT)
    if is_lost_name(analysis, "files", name, node):
        report(analysis, "files", node.value, name, "warning")


def check_mount(analysis: Analysis, node: Node) -> None:
    """Report a file of a module whose address lacks ``modules/``, unless that mount is in the settings."""
    text = written_name(node)
    if text is None or not text.startswith(SERVER) or text.startswith(MOUNT):
        return
    mount, _, file = text.removeprefix(SERVER).partition("/")
    module = analysis.definitions.environment.find_module(mount) if mount and file else None
    if module is None or module.file("files", file) is None or is_mount(analysis, mount):
        return
    finding = analysis.report(SOURCE_WITHOUT_MODULES, node, "warning", name=mount)
    analysis.findings.append(replace(finding, hint=f"write '{MOUNT}{mount}/{file}'"))


def is_mount(analysis: Analysis, name: str) -> bool:
    """Return whether the configuration of the file server has a mount."""
    resolved = analysis.definitions.resolved
    try:
        content = resolved.world.read(str(resolved.settings["fileserverconfig"]))
    except OSError:
        return False
    header = rf"(?m)^\s*\[{re.escape(name)}\]"
    return re.search(header, content.decode("utf-8", "replace")) is not None


def is_lost(analysis: Analysis, folder: str, node: Node, extension: str = "") -> bool:
    """Return whether an argument names a file that its module does not have; it may omit the extension."""
    name = written_name(node)
    if name is None:
        return False
    whole = name if name.endswith(extension) else f"{name}{extension}"
    return is_lost_name(analysis, folder, whole, node)


def is_lost_name(analysis: Analysis, folder: str, name: str, node: Node) -> bool:
    """Return whether ``module/file`` is not there; a module that is missing is noted."""
    module_name, _, file = name.partition("/")
    if not module_name or not file:
        return False
    module = analysis.definitions.environment.find_module(module_name)
    if module is None:
        analysis.note_absent(module_name, node)
        return False
    return module.file(folder, file) is None


def report(analysis: Analysis, folder: str, node: Node, name: str, severity: Severity) -> None:
    """Report a file that is not there."""
    finding = analysis.report(FILE_NOT_FOUND, node, severity, name=name, folder=folder)
    hint = file_hint(analysis.definitions.environment, folder, name)
    analysis.findings.append(replace(finding, hint=hint))
