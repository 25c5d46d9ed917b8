"""Transports of devices: what modules register in Ruby, and definitions that cannot be read."""

from __future__ import annotations

import pytest

from bunraku.base.errors import PuppetError
from bunraku.ruby.schema.transports import transports_in

PANOS = """# frozen_string_literal: true

require 'puppet/resource_api'

Puppet::ResourceApi.register_transport(
  name: 'panos',
  desc: <<-EOS,
    This transport connects to #{'Palo'} Alto\\tFirewalls.
  Second line
  EOS
  features: ['remote_resource'],
  connection_info: {
    host: {
      type: 'String',
      desc: 'The FQDN or IP address',
    },
    port: { type: 'Optional[Integer]', default: 443, 'desc' => "more" },
    timeout: { type: 'Float', default: 1.5 },
    password: { type: 'Optional[String]', sensitive: true },
  },
)
"""


def test_the_definition_of_a_transport():
    (found,) = transports_in(PANOS, "panos.rb")
    assert found == {
        "name": "panos",
        "desc": "    This transport connects to Palo Alto\tFirewalls.\n  Second line\n",
        "features": ["remote_resource"],
        "connection_info": {
            "host": {"type": "String", "desc": "The FQDN or IP address"},
            "port": {"type": "Optional[Integer]", "default": 443, "desc": "more"},
            "timeout": {"type": "Float", "default": 1.5},
            "password": {"type": "Optional[String]", "sensitive": True},
        },
        "connection_info_order": ["host", "port", "timeout", "password"],
    }


def test_a_given_order_stays():
    text = """Puppet::ResourceApi::Transport.register(
      name: 'a', desc: 'b', connection_info: {c: {}, d: {}}, connection_info_order: [:d, :c])"""
    assert transports_in(text, "a.rb")[0]["connection_info_order"] == ["d", "c"]


@pytest.mark.parametrize(
    ("heredoc", "text"),
    [
        ("<<~EOS\n    a\n      b\n\n    c\\n#{'d'}\n  EOS\n", "a\n  b\n\nc\nd\n"),
        ("<<~'EOS'\n    a #{x} \\n\n  EOS\n", "a #{x} \\n\n"),
        ("<<EOS\n  a\nEOS\n", "  a\n"),
        ("<<~EOS\n  EOS\n", ""),
    ],
)
def test_here_documents(heredoc, text):
    source = f"""Puppet::ResourceApi.register_transport(
      name: 'a', connection_info: {{}}, desc: {heredoc})"""
    assert transports_in(source, "a.rb")[0]["desc"] == text


def test_two_here_documents_in_one_line():
    source = """Puppet::ResourceApi.register_transport(name: <<~ONE, desc: <<~TWO,
      one
    ONE
      two
    TWO
    connection_info: {})"""
    (found,) = transports_in(source, "a.rb")
    assert (found["name"], found["desc"]) == ("one\n", "two\n")


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ("name: 'a', desc: 'b'", "it requires 'connection_info'"),
        ("desc: 'b', connection_info: {}", "it requires 'name'"),
        ("name: 'a', desc: 'b', connection_info: []", "'connection_info' must be a hash"),
        ("name: 'a', desc: Secret.text, connection_info: {}", "'desc' is computed by Ruby code"),
        (
            "name: 'a', desc: 'b', connection_info: {c: {default: ENV['X']}}",
            "'connection_info' is computed by Ruby code",
        ),
        (
            "name: 'a', desc: 'b', connection_info: {}, connection_info_order: 'c'",
            "'connection_info_order' must be an array",
        ),
        ("definition", "its definition is computed by Ruby code"),
        ("'a'", "its definition is not a hash"),
    ],
)
def test_a_definition_that_cannot_be_read(arguments, reason):
    with pytest.raises(PuppetError) as failure:
        transports_in(f"\nPuppet::ResourceApi.register_transport({arguments})", "a.rb")
    assert failure.value.message == f"Cannot read the transport: {reason}"
    assert failure.value.place.where[:2] == ("a.rb", 2)


def test_a_file_that_is_no_ruby():
    with pytest.raises(PuppetError, match="Ruby code that cannot be parsed"):
        transports_in("Puppet::ResourceApi.register_transport(", "a.rb")
