"""Keys: their forms and their modes."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from bunraku.base.errors import PuppetError
from bunraku.certificates.keys import (
    make_key,
    private_pem,
    public_pem,
    read_private_key,
    same_key,
)


@pytest.mark.parametrize("kind", ["rsa", "ec"])
def test_a_key_is_read_as_it_was_written(tmp_path, kind):
    key = make_key(1024, kind)
    path = str(tmp_path / "key.pem")
    Path(path).write_bytes(private_pem(key))
    assert public_pem(read_private_key(path).public_key()) == public_pem(key.public_key())
    assert same_key(read_private_key(path).public_key(), key.public_key())
    assert not same_key(make_key(1024, kind).public_key(), key.public_key())
    (tmp_path / "pub.pem").write_bytes(public_pem(key.public_key()))
    shown = subprocess.run(
        ["openssl", "pkey", "-in", path, "-pubout"], capture_output=True, check=True
    )
    assert shown.stdout == (tmp_path / "pub.pem").read_bytes()


def test_a_password_protects_a_key(tmp_path):
    path = str(tmp_path / "key.pem")
    Path(path).write_bytes(private_pem(make_key(1024), b"secret"))
    assert read_private_key(path, b"secret")
    for password in (None, b"other"):
        with pytest.raises(PuppetError, match="has no valid private key") as caught:
            read_private_key(path, password)
        assert "secret" not in str(caught.value)


def test_other_files_are_an_error(tmp_path):
    path = tmp_path / "key.pem"
    with pytest.raises(PuppetError, match="Cannot read the private key"):
        read_private_key(str(path))
    path.write_text("nonsense")
    with pytest.raises(PuppetError, match="has no valid private key"):
        read_private_key(str(path))


def test_lengths_and_curves_have_limits():
    with pytest.raises(PuppetError, match="a length of 512 bits"):
        make_key(512)
    with pytest.raises(PuppetError, match="unknown curve 'round'"):
        make_key(kind="ec", curve="round")
