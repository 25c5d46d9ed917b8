# frozen_string_literal: true

module Puppet
  module Util
    # Digests of texts and files.
    module Checksums
      KINDS = { sha256: :SHA256, md5: :MD5, sha1: :SHA1, sha512: :SHA512, sha384: :SHA384, sha224: :SHA224 }.freeze
      LITE = 512 # bytes of a file that the lite kinds look at

      def known_checksum_types
        %i[sha256 sha256lite md5 md5lite sha1 sha1lite sha512 sha384 sha224 mtime ctime none]
      end
      module_function :known_checksum_types

      def bunraku_digest_class(kind)
        require 'openssl'
        OpenSSL::Digest.const_get(KINDS.fetch(kind))
      end
      module_function :bunraku_digest_class

      KINDS.each_key do |kind|
        define_method(kind) { |text| Checksums.bunraku_digest_class(kind).hexdigest(text) }
        define_method(:"#{kind}_file") { |path, lite = false| Checksums.bunraku_digest_class(kind).hexdigest(lite ? File.binread(path, LITE) || '' : File.binread(path)) }
        define_method(:"#{kind}?") { |text| text.match?(/\A\h{#{Checksums.bunraku_digest_class(kind).new.digest_length * 2}}\z/) }
        module_function kind, :"#{kind}_file", :"#{kind}?"
      end

      %i[sha256 md5 sha1].each do |kind|
        define_method(:"#{kind}lite") { |text| Checksums.bunraku_digest_class(kind).hexdigest(text[0, LITE]) }
        define_method(:"#{kind}lite_file") { |path| Checksums.bunraku_digest_class(kind).hexdigest(File.binread(path, LITE) || '') }
        module_function :"#{kind}lite", :"#{kind}lite_file"
      end

      def mtime_file(path)
        File.stat(path).mtime
      end
      module_function :mtime_file

      def ctime_file(path)
        File.stat(path).ctime
      end
      module_function :ctime_file

      def none(_text)
        ''
      end
      module_function :none

      def none_file(_path)
        ''
      end
      module_function :none_file

      def checksum?(text)
        text =~ /\A\{\w{3,9}\}\S+/
      end
      module_function :checksum?

      def sumdata(checksum)
        checksum[/\A\{\w+\}(.+)/, 1]
      end
      module_function :sumdata

      def sumtype(checksum)
        checksum[/\A\{(\w+)\}/, 1]
      end
      module_function :sumtype
    end
  end
end
