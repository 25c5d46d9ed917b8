"""Augeas: configuration files of this machine as one tree, through the C library libaugeas.

The library is loaded where it is installed; nothing is needed to build bunraku. Texts are copied in
both directions, so no pointer of the library is kept except that of the tree.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol
from weakref import finalize

if TYPE_CHECKING:
    from ctypes import CDLL

NAME = "libaugeas.so.0"
TYPE_CHECK, NO_LOAD, NO_MODULE_AUTOLOAD, NO_ERROR_CLOSE = 4, 32, 64, 256
"""Flags of ``aug_init``, from ``augeas.h``."""
OWN = "/augeas/bunraku"
ORIGINAL, RESULT = f"{OWN}/before", f"{OWN}/after"
"""Nodes for texts: the library takes them from the tree and puts them there."""


class AugeasError(OSError):
    """An error of the library; the text is the reason. In Ruby it is a ``SystemCallError``."""


class AugeasTree(Protocol):
    """A tree of configuration files. Paths are path expressions of Augeas."""

    def get(self, path: str) -> str | None:
        """Return the value of the matching node; None if it has none or if not exactly one matches."""

    def match(self, path: str) -> list[str]:
        """Return the paths of all nodes that match; AugeasError for an invalid expression."""

    def set(self, path: str, value: str | None) -> bool:
        """Give a node a value and make it if it is absent; return whether that succeeded."""

    def set_many(self, base: str, below: str, value: str | None) -> bool:
        """Do that with the nodes at ``below`` of each node that matches ``base``."""

    def remove(self, path: str) -> bool:
        """Remove all nodes that match, with those below them."""

    def move(self, path: str, target: str) -> bool:
        """Make a node the one at ``target``."""

    def relabel(self, path: str, label: str) -> bool:
        """Give all nodes that match another label."""

    def insert(self, path: str, label: str, *, before: bool) -> bool:
        """Make an empty node before or after another one."""

    def define_variable(self, name: str, path: str) -> bool:
        """Let ``$name`` stand for the nodes that match now."""

    def define_node(self, name: str, path: str, value: str | None) -> bool:
        """Let ``$name`` stand for the nodes that match now; make one with the value if none does."""

    def parse(self, lens: str, text: str, path: str) -> bool:
        """Make the nodes at ``path`` those that a lens reads from a text; return whether it accepts it."""

    def text(self, lens: str, original: str, path: str) -> str | None:
        """Return a lens's output for a file's tree and its original text; None on failure."""

    def load(self) -> bool:
        """Read the files that ``/augeas/load`` names."""

    def save(self) -> bool:
        """Write the files that changed, as ``/augeas/save`` says."""

    def reason(self) -> str:
        """Return why the last call failed."""

    def close(self) -> None:
        """Free the tree. No other method may be called after that."""


def load_library() -> CDLL:
    """Return the library with the types of its functions; OSError if it is not installed."""
    from ctypes import CDLL, POINTER, c_char_p, c_int, c_uint, c_void_p

    library = CDLL(NAME)
    tree, text, number = c_void_p, c_char_p, c_int
    functions = {
        "aug_close": (tree,),
        "aug_defnode": (tree, text, text, text, POINTER(c_int)),
        "aug_defvar": (tree, text, text),
        "aug_error": (tree,),
        "aug_get": (tree, text, POINTER(c_char_p)),
        "aug_insert": (tree, text, text, number),
        "aug_load": (tree,),
        "aug_match": (tree, text, POINTER(POINTER(c_void_p))),
        "aug_mv": (tree, text, text),
        "aug_rename": (tree, text, text),
        "aug_rm": (tree, text),
        "aug_save": (tree,),
        "aug_set": (tree, text, text),
        "aug_setm": (tree, text, text, text),
        "aug_text_retrieve": (tree, text, text, text, text),
        "aug_text_store": (tree, text, text, text),
    }
    for name, arguments in functions.items():
        function = getattr(library, name)
        function.argtypes, function.restype = arguments, number
    library.aug_close.restype = None
    library.aug_init.argtypes, library.aug_init.restype = (text, text, c_uint), tree
    for name in ("aug_error_message", "aug_error_minor_message", "aug_error_details"):
        function = getattr(library, name)
        function.argtypes, function.restype = (tree,), text
    return library


def is_installed() -> bool:
    """Return whether the library can be loaded."""
    try:
        load_library()
    except OSError:
        return False
    return True


class LibraryTree:
    """A tree of the library; it is freed by :meth:`close`, or else with this object."""

    def __init__(self, root: str, load_path: str, *, type_check: bool, autoload: bool) -> None:
        self.library = load_library()
        flags = NO_ERROR_CLOSE | (NO_LOAD if autoload else NO_MODULE_AUTOLOAD)
        if type_check:
            flags |= TYPE_CHECK
        handle = self.library.aug_init(library_text(root), library_text(load_path), flags)
        if not handle:
            raise AugeasError("Failed to initialize Augeas")
        self.handle = handle
        self.free = finalize(self, self.library.aug_close, handle)
        if self.library.aug_error(handle) != 0:
            reason = self.reason()
            self.close()
            raise AugeasError(f"Failed to initialize Augeas: {reason}")

    @property
    def open_handle(self) -> int:
        """The pointer to the tree; AugeasError if it has been freed."""
        if not self.free.alive:
            raise AugeasError("the tree is closed")
        return int(self.handle)

    def call(self, name: str, *arguments: str | None) -> int:
        """Return the result of a function of the library."""
        texts = [None if one is None else library_text(one) for one in arguments]
        return int(getattr(self.library, name)(self.open_handle, *texts))

    def get(self, path: str) -> str | None:
        """See :class:`AugeasTree`."""
        from ctypes import byref, c_char_p

        value = c_char_p()
        found = self.library.aug_get(self.open_handle, library_text(path), byref(value))
        return decoded(value.value) if found == 1 and value.value is not None else None

    def match(self, path: str) -> list[str]:
        """See :class:`AugeasTree`; the list and its texts are the caller's to free."""
        from ctypes import CDLL, POINTER, byref, c_void_p, string_at

        matches = POINTER(c_void_p)()
        count = self.library.aug_match(self.open_handle, library_text(path), byref(matches))
        if count < 0:
            raise AugeasError(f"unknown error - Matching path expression '{path}' failed")
        free = CDLL(None).free
        free.argtypes, free.restype = (c_void_p,), None
        found = []
        for number in range(count):
            pointer = matches[number]
            assert pointer is not None
            found.append(decoded(string_at(pointer)))
            free(pointer)
        free(matches)
        return found

    def set(self, path: str, value: str | None) -> bool:
        """See :class:`AugeasTree`."""
        return self.call("aug_set", path, value) == 0

    def set_many(self, base: str, below: str, value: str | None) -> bool:
        """See :class:`AugeasTree`."""
        return self.call("aug_setm", base, below, value) >= 0

    def remove(self, path: str) -> bool:
        """See :class:`AugeasTree`."""
        return self.call("aug_rm", path) >= 0

    def move(self, path: str, target: str) -> bool:
        """See :class:`AugeasTree`."""
        return self.call("aug_mv", path, target) == 0

    def relabel(self, path: str, label: str) -> bool:
        """See :class:`AugeasTree`."""
        return self.call("aug_rename", path, label) >= 0

    def insert(self, path: str, label: str, *, before: bool) -> bool:
        """See :class:`AugeasTree`."""
        function = self.library.aug_insert
        return bool(
            function(self.open_handle, library_text(path), library_text(label), int(before)) == 0
        )

    def define_variable(self, name: str, path: str) -> bool:
        """See :class:`AugeasTree`."""
        return self.call("aug_defvar", name, path) >= 0

    def define_node(self, name: str, path: str, value: str | None) -> bool:
        """See :class:`AugeasTree`."""
        return self.call("aug_defnode", name, path, value, None) >= 0

    def parse(self, lens: str, text: str, path: str) -> bool:
        """See :class:`AugeasTree`; the library takes the text from a node of the tree."""
        self.remove(path)
        if not self.set(ORIGINAL, text):
            return False
        done = self.call("aug_text_store", lens, ORIGINAL, path) == 0
        self.remove(OWN)
        return done

    def text(self, lens: str, original: str, path: str) -> str | None:
        """See :class:`AugeasTree`; the library takes texts from nodes of the tree."""
        if not self.set(ORIGINAL, original):
            return None
        made = self.call("aug_text_retrieve", lens, ORIGINAL, path, RESULT) == 0
        text = self.get(RESULT) if made else None
        self.remove(OWN)
        return text

    def load(self) -> bool:
        """See :class:`AugeasTree`."""
        return self.call("aug_load") == 0

    def save(self) -> bool:
        """See :class:`AugeasTree`."""
        return self.call("aug_save") == 0

    def reason(self) -> str:
        """See :class:`AugeasTree`."""
        handle = self.open_handle
        functions = ("aug_error_message", "aug_error_minor_message", "aug_error_details")
        texts = (getattr(self.library, name)(handle) for name in functions)
        return ": ".join(decoded(text) for text in texts if text)

    def close(self) -> None:
        """See :class:`AugeasTree`."""
        self.free()


def library_text(text: str) -> bytes:
    """Return a text for the library; raise AugeasError for one that no file can have."""
    try:
        found = text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        raise AugeasError("string cannot be encoded") from None
    if b"\0" in found:
        raise AugeasError("string contains null byte")
    return found


def decoded(text: bytes) -> str:
    """Return a text of the library."""
    return text.decode("utf-8", "surrogateescape")
