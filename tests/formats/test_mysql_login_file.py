"""The file of login paths: what MySQL wrote is read, and what is written is read again."""

from __future__ import annotations

import pytest

from bunraku.formats.mysql_login_file import (
    NoLoginFile,
    login_options,
    login_sections,
    login_text,
    quoted_option,
    read_login_file,
    write_login_file,
)

OF_MYSQL = bytes.fromhex(
    "0000000015010e1a0502030c1014010d181f1a0907031b1210000000e8c298acdb165f9e06fc16a5c6ab0ea9"
    "100000003d2c14d11a83d1ea0f4a2e7bbb4288c52000000077dc0fe627bb967fbbc94358eea84c216fce5c55"
    "12b9425cfe1e98f1d4ddc5cf200000000ec664509586deab7098db10295e64c2ac7cc0027bd3b7c51726d261"
    "2fed43e810000000ba21d09df20d1e36a0cc54226c7ac84810000000364423a88a679e8793d383f26d3aed9c"
    "100000008307cfc1994b147a59c2de06c6f6b1be20000000b95acc9fa89425863c007d7223fba8e5faac093b"
    "c656e6ec6d6b75ef473abfcc30000000e2be44a6e3d8048f91455f222362577bdcf96d5cb848c937064e4d99"
    "8ac74791d2b86baec00072e78e453551c666b6c0"
)
"""A file of MySQL 9.7: ``mysql_config_editor set -G known -h db.example.test -u root -P 3306 -p`` and another one."""
ODD = ["a", "a b", '"', "\\", "#a", "a\nb", "'", '\\"', "é", "\x07", " a ", ";", "a=b", "\\n", "]"]


def test_a_file_of_mysql_is_read() -> None:
    _key, text = read_login_file(OF_MYSQL)

    assert {name: login_options(lines) for name, lines in login_sections(text).items()} == {
        "known": {
            "user": "root",
            "password": 'old"secret#1',
            "host": "db.example.test",
            "port": "3306",
        },
        "other": {"user": "web", "password": "another", "socket": "/run/mysqld/mysqld.sock"},
    }


def test_the_file_of_mysql_is_written_byte_for_byte() -> None:
    key, text = read_login_file(OF_MYSQL)

    assert write_login_file(key, login_text(login_sections(text))) == OF_MYSQL


@pytest.mark.parametrize("value", ODD)
def test_an_odd_value_is_read_as_it_was_written(value: str) -> None:
    content = write_login_file(
        bytes(range(20)), login_text({"a": [f"user = {quoted_option(value)}"]})
    )

    assert login_options(login_sections(read_login_file(content)[1])["a"]) == {"user": value}


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"text",
        bytes(23),
        OF_MYSQL[:-1],
        bytes(24) + b"\x10",
        bytes(24) + b"\xff\xff\xff\xff",
        bytes(24) + (16).to_bytes(4, "little") + bytes(16),
    ],
)
def test_other_content_is_refused(content: bytes) -> None:
    with pytest.raises(NoLoginFile):
        read_login_file(content)


@pytest.mark.parametrize("length", [0, 1, 15, 16, 17, 100])
def test_a_line_of_any_length_is_read_as_it_was_written(length: int) -> None:
    text = f"{'x' * length}\n"

    assert read_login_file(write_login_file(bytes(range(20)), text))[1] == text
