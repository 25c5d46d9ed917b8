# frozen_string_literal: true

# Ruby's standard library and RubyGems as Puppet 7 and 8 have them loaded when they run a module's
# code, so much code uses them without a require. Loading all of it takes longer than most compiles, so each
# library is loaded by the first use of a name or method that it defines. What is available
# therefore never depends on the code that ran before.
module Bunraku
  # Constants and methods that load their library.
  module Standard
    CONSTANTS = {
      'base64' => %i[Base64], 'benchmark' => %i[Benchmark], 'bigdecimal' => %i[BigDecimal], 'cgi' => %i[CGI], 'concurrent' => %i[Concurrent],
      'date' => %i[Date DateTime], 'deep_merge' => %i[DeepMerge], 'delegate' => %i[Delegator SimpleDelegator], 'digest' => %i[Digest],
      'etc' => %i[Etc], 'fileutils' => %i[FileUtils], 'find' => %i[Find], 'forwardable' => %i[Forwardable SingleForwardable],
      'getoptlong' => %i[GetoptLong], 'hocon' => %i[Hocon], 'ipaddr' => %i[IPAddr], 'logger' => %i[Logger],
      'monitor' => %i[Monitor MonitorMixin], 'net/http' => %i[Net], 'open3' => %i[Open3], 'openssl' => %i[OpenSSL],
      'optparse' => %i[OptionParser OptParse], 'ostruct' => %i[OpenStruct], 'pathname' => %i[Pathname], 'psych' => %i[Psych],
      'racc/parser' => %i[Racc], 'resolv' => %i[Resolv], 'ripper' => %i[Ripper], 'rubygems' => %i[Gem], 'securerandom' => %i[SecureRandom],
      'set' => %i[Set SortedSet], 'shellwords' => %i[Shellwords], 'singleton' => %i[Singleton],
      'socket' => %i[Addrinfo BasicSocket IPSocket Socket SocketError TCPServer TCPSocket UDPSocket UNIXServer UNIXSocket],
      'stringio' => %i[StringIO], 'strscan' => %i[StringScanner], 'syslog' => %i[Syslog], 'tempfile' => %i[Tempfile],
      'timeout' => %i[Timeout], 'tsort' => %i[TSort], 'uri' => %i[URI], 'yaml' => %i[YAML], 'zlib' => %i[Zlib]
    }.freeze

    class << self
      def constants_of(library, names)
        names.each { |name| Object.autoload(name, library) unless Object.const_defined?(name) }
      end

      # Methods that a library defines in a class. The first call loads the library, which replaces
      # them.
      def methods_of(library, owner, *names, hidden: false)
        names.reject! { |name| owner.method_defined?(name) || owner.private_method_defined?(name) }
        stubs = {}
        names.each do |name|
          owner.define_method(name) do |*arguments, **options, &block|
            Standard.load(library, owner, stubs)
            options.empty? ? __send__(name, *arguments, &block) : __send__(name, *arguments, **options, &block)
          end
          owner.__send__(:private, name) if hidden
          stubs[name] = owner.instance_method(name)
        end
      end

      # A method that the library does not define in this version of Ruby must not call itself.
      def load(library, owner, stubs)
        stubs.each { |name, stub| owner.__send__(:remove_method, name) if owner.instance_method(name) == stub }
        stubs.clear
        TOPLEVEL_BINDING.receiver.__send__(:require, library)
      end
    end

    CONSTANTS.each { |library, names| constants_of(library, names) }
    methods_of('set', Enumerable, :to_set)
    methods_of('yaml', Object, :to_yaml)
    methods_of('yaml', Object.singleton_class, :yaml_tag)
    methods_of('time', Time, :httpdate, :iso8601, :rfc2822, :rfc822, :xmlschema)
    methods_of('time', Time.singleton_class, :httpdate, :iso8601, :parse, :rfc2822, :rfc822, :strptime, :xmlschema, :zone_offset)
    methods_of('date', Time, :to_date, :to_datetime, :to_time)
    methods_of('tmpdir', Dir.singleton_class, :mktmpdir, :tmpdir)
    methods_of('openssl', Integer, :to_bn)
    methods_of('io/wait', IO, :nread, :ready?, :wait, :wait_priority, :wait_readable, :wait_writable)
    methods_of('io/nonblock', IO, :nonblock, :nonblock=, :nonblock?)
    methods_of('etc', IO, :pathconf)
    methods_of('securerandom', Random::Formatter, :alphanumeric, :base64, :hex, :random_bytes, :urlsafe_base64, :uuid) if defined?(Random::Formatter)
    methods_of('pathname', Kernel, :Pathname, hidden: true)
    methods_of('bigdecimal', Kernel, :BigDecimal, hidden: true)
    methods_of('shellwords', String, :shellescape, :shellsplit)
    methods_of('shellwords', Array, :shelljoin)
    methods_of('uri', Kernel, :URI, hidden: true)
    methods_of('rubygems', Kernel, :gem, hidden: true)
    methods_of('digest', Object, :Digest, hidden: true)
    methods_of('delegate', Object, :DelegateClass, hidden: true)
  end
end

require 'English' # it defines other names of global variables only

# Methods that Puppet itself adds to all objects.
class Object
  def meta_def(name, &block)
    singleton_class.__send__(:define_method, name, &block)
  end

  def meta_undef(name)
    singleton_class.__send__(:remove_method, name)
  end

  def meta_eval(&block)
    singleton_class.instance_eval(&block)
  end

  def class_def(name, &block)
    class_eval { define_method(name, &block) }
  end

  def to_pson(*arguments)
    to_json(*arguments)
  end
end

# Puppet's own writer of JSON.
PSON = JSON
