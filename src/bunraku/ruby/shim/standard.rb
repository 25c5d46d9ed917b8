# frozen_string_literal: true

# Parts of Ruby's standard library that Puppet has loaded when it runs a module's code, so that much
# code uses them without a require. Each is loaded when its name is first used.
{
  Base64: 'base64', BigDecimal: 'bigdecimal', CGI: 'cgi', Date: 'date', DateTime: 'date', Digest: 'digest', Etc: 'etc',
  FileUtils: 'fileutils', Forwardable: 'forwardable', IPAddr: 'ipaddr', Logger: 'logger', Monitor: 'monitor', Net: 'net/http',
  Open3: 'open3', OpenSSL: 'openssl', OpenStruct: 'ostruct', OptionParser: 'optparse', Pathname: 'pathname', Psych: 'psych',
  Resolv: 'resolv', SecureRandom: 'securerandom', Set: 'set', Shellwords: 'shellwords', Singleton: 'singleton',
  Socket: 'socket', StringIO: 'stringio', StringScanner: 'strscan', Tempfile: 'tempfile', Timeout: 'timeout', TSort: 'tsort',
  URI: 'uri', YAML: 'yaml', Zlib: 'zlib'
}.each { |name, file| Object.autoload(name, file) unless Object.const_defined?(name) }

# The methods that 'time' adds load it.
class << Time
  %i[parse strptime iso8601 xmlschema rfc2822 httpdate].each do |name|
    define_method(name) do |*arguments|
      Kernel.instance_method(:require).bind_call(self, 'time')
      public_send(name, *arguments)
    end
  end
end
