"""Functions that use the machine: the clock, files and programs; and the list of functions."""

from __future__ import annotations

import hashlib
import re
import subprocess
import zlib
from typing import Any, NoReturn

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.functions.api_3 import Api3Table, need_string, unsuitable
from bunraku.functions.issues import WRONG_COUNT
from bunraku.functions.stdlib import issues
from bunraku.functions.stdlib.deprecated import deprecate
from bunraku.functions.stdlib.globbing import find_files
from bunraku.functions.stdlib.history import eras
from bunraku.runtime.state import Scope
from bunraku.types.model import ClassType, ResourceType
from bunraku.types.relations.instance import is_instance
from bunraku.types.ruby_semantics.values import inspect, to_s
from bunraku.values.ruby_semantics.collections import truthy
from bunraku.values.sensitive import Sensitive

Value = Any
function = Api3Table()
newer = Api3Table()


@function.api_3("time", 0, 1, scope=True, since="2.2.0", until="9.4.1")
def time(scope: Scope, zone: Value = "") -> int:
    """Return the seconds since the epoch; the time zone does not matter.

    ```puppet
    time() > 0
    ```
    """
    if truthy(zone) and zone not in ([], {}) and not isinstance(zone, ResourceType | ClassType):
        need_string(zone, "time")
    return int(scope.compilation.world.now())


@newer("stdlib::time(Optional[String] $zone = undef)", scope=True, since="9.5.0", api="pp")
@newer("time(Optional[String] $zone = undef)", scope=True, since="9.5.0")
def new_time(scope: Scope, _: Value = None) -> int:
    """Return the seconds since the epoch; deprecated."""
    text = "stdlib::time() is deprecated, use Integer(Timestamp().strftime('%s'))"
    deprecate(scope, "time", text, by_strictness=False)
    return int(scope.compilation.world.now())


@function.api_3("glob", 1, 1, scope=True, since="4.17.0")
def glob(scope: Scope, patterns: Value) -> list[str]:
    """Return the absolute paths of the files that match a pattern, or one of several.

    ```puppet
    glob('/no/such/*') == []
    ```
    """
    if patterns.__class__ not in {str, list}:
        raise unsuitable("glob", 0, "a String or an Array", patterns)
    world = scope.compilation.world
    found: list[str] = []
    for pattern in patterns if patterns.__class__ is list else [patterns]:
        found.extend(find_files(world, need_string(pattern, "glob")))
    return found


PLACE = lazy_pattern(r"\s%(?:\s|$)", re.MULTILINE)


@function.api_3("validate_cmd", 2, 3, scope=True, since="4.0.0")
def validate_cmd(scope: Scope, content: Value, command: Value, message: Value = None) -> None:
    """Fail unless a program accepts a file with the content; ``%`` is replaced by the file's path.

    The temporary file cannot be read by other users. Without a ``%`` between blanks, its path
    is the last argument. The output of the program is part of the error.

    ```puppet
    validate_cmd('x', '/bin/grep x') == undef
    ```
    """
    text, program = need_string(content, "validate_cmd"), need_string(command, "validate_cmd", 1)
    world = scope.compilation.world
    reason = ""
    try:
        with world.temporary_file(text.encode("utf-8", "surrogateescape")) as path:
            whole = program.replace("%", path) if PLACE.search(program) else f"{program} {path}"
            world.run(["/bin/sh", "-c", f"exec 2>&1\n{whole}"])
    except subprocess.CalledProcessError as error:
        output = (error.stdout or b"").decode("utf-8", "surrogateescape").strip()
        code = error.returncode
        ended = f"returned {code}" if code >= 0 else f"was ended by signal {-code}"
        reason = f"Execution of '{whole}' {ended}: {output}"
    except (OSError, ValueError) as error:
        reason = str(error)
    if reason:
        start = f"validate_cmd(): failed to validate content with command {inspect(program)}"
        given = to_s(message) if truthy(message) else start
        raise issues.VALIDATION_COMMAND_FAILED(given=given, reason=reason)


@function.api_3("validate_augeas", 0, since="4.0.0", remark="refused: it needs Augeas for Ruby")
def validate_augeas(*_: Value) -> NoReturn:
    """Raise an error: Augeas is not available."""
    raise issues.NOT_AVAILABLE(name="validate_augeas", reason="this function needs Augeas")


@function.api_3("pry", 0, since="4.15.0", remark="refused: it opens a Ruby debugger")
def pry(*_: Value) -> NoReturn:
    """Refused: it opens a debugger of Ruby."""
    raise issues.NOT_AVAILABLE(name="pry", reason="bunraku has no Ruby debugger")


@function.api_3("validate_x509_rsa_key_pair", 2, 2, since="4.12.0")
def validate_x509_rsa_key_pair(certificate: Value, key: Value) -> None:
    """Fail unless an RSA key has signed a certificate, both given as text."""
    name = "validate_x509_rsa_key_pair"
    pieces = [need_string(certificate, name), need_string(key, name, 1)]
    try:
        from cryptography import x509
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric import padding, rsa
        from cryptography.hazmat.primitives.serialization import load_pem_private_key
    except ImportError:
        reason = "the package cryptography is not installed"
        raise issues.NOT_AVAILABLE(name=name, reason=reason) from None
    first, second = (piece.encode("utf-8", "surrogateescape") for piece in pieces)
    try:
        signed = x509.load_pem_x509_certificate(first)
    except ValueError:
        raise issues.NOT_A_CERTIFICATE(name=name) from None
    try:
        private = load_pem_private_key(second, None)
    except (ValueError, TypeError):
        raise issues.NOT_AN_RSA_KEY(name=name) from None
    if not isinstance(private, rsa.RSAPrivateKey):
        raise issues.NOT_AN_RSA_KEY(name=name)
    algorithm = signed.signature_hash_algorithm
    try:
        if algorithm is None:
            raise InvalidSignature
        private.public_key().verify(
            signed.signature, signed.tbs_certificate_bytes, padding.PKCS1v15(), algorithm
        )
    except InvalidSignature:
        raise issues.OTHER_KEY(name=name) from None


# -- checksums -------------------------------------------------------------------------------------
DATA = "Variant[ScalarData, Sensitive[ScalarData], Binary, Sensitive[Binary]] $data"


def bytes_of(value: Value) -> bytes:
    """Return the bytes for a checksum; a Binary is treated as its base64 text."""
    if value.__class__ is Sensitive:
        value = value.value
    return to_s(value).encode("utf-8", "surrogateescape")


@function(f"stdlib::crc32({DATA})", since="8.6.0")
def crc32(data: Value) -> str:
    """Return the CRC-32 sum of a value's text in hexadecimal digits.

    ```puppet
    stdlib::crc32('my string') == '18fbd270'
    ```
    """
    return f"{zlib.crc32(bytes_of(data)):x}"


@function(f"stdlib::sha256({DATA})", since="8.6.0")
def sha256(data: Value) -> str:
    """Return the SHA-256 sum of a value's text in hexadecimal digits.

    ```puppet
    stdlib::sha256('').length == 64
    ```
    """
    return hashlib.sha256(bytes_of(data)).hexdigest()


# -- functions and types that there are ------------------------------------------------------------
# Core functions that existed only in the new kind of function when the question was thought of.
NEW_ONLY = frozenset(
    [
        "all",
        "annotate",
        "any",
        "call",
        "compare",
        "convert_to",
        "eyaml_lookup_key",
        "find_template",
        "get",
        "group_by",
        "hocon_data",
        "import",
        "index",
        "json_data",
        "length",
        "module_directory",
        "partition",
        "scanf",
        "tree_each",
        "unwrap",
        "yaml_data",
    ]
)


@function.api_3("is_function_available", 1, 1, scope=True, since="4.0.0", until="8.6.0")
def is_function_available(scope: Scope, name: Value) -> bool:
    """Return whether a function of the old kind exists or existed.

    ```puppet
    is_function_available('include')
    !is_function_available('no_such_function')
    ```
    """
    if name.__class__ is not str or not name or "::" in name or name in NEW_ONLY:
        return False
    if eras(name) and not any(one.api == "3x" for one in eras(name)):
        return False
    return scope.compilation.functions[name] is not None


@function("stdlib::has_function(String[1] $name)", scope=True, since="9.3.0")
def has_function(scope: Scope, name: str) -> bool:
    """Return whether there is a function of a name.

    ```puppet
    stdlib::has_function('include')
    ```
    """
    return scope.compilation.functions[name] is not None


def check_types(scope: Scope, name: str, values: tuple[Value, ...], *types: str) -> None:
    """Fail unless there are values and all of them belong to one of the types."""
    if not values:
        raise WRONG_COUNT(name=name, actual=0, expected="at least 1", wanted="1")
    loaded = [scope.compilation.types.load_type(type_) for type_ in types]
    for value in values:
        if not any(type_ is not None and is_instance(value, type_) for type_ in loaded):
            raise issues.NO_TYPE_MATCHES(name=name, value=inspect(value), types=" or ".join(types))


@function("stdlib::validate_domain_name(Any *$values)", scope=True, since="9.0.0")
def validate_domain_name(scope: Scope, *values: Value) -> None:
    """Fail unless all values are domain names."""
    check_types(scope, "stdlib::validate_domain_name", values, "Stdlib::Fqdn", "Stdlib::Dns::Zone")


@function("stdlib::validate_email_address(Any *$values)", scope=True, since="9.0.0")
def validate_email_address(scope: Scope, *values: Value) -> None:
    """Fail unless all values are addresses of electronic mail."""
    check_types(scope, "stdlib::validate_email_address", values, "Stdlib::Email")
