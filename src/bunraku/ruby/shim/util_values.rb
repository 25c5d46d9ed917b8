# frozen_string_literal: true

module Puppet
  module Util
    # Versions of packages.
    module Package
      def versioncmp(left, right, ignore_trailing_zeroes = false)
        arguments = [left.to_s, right.to_s]
        arguments << true if ignore_trailing_zeroes
        Bunraku.call_function(nil, 'versioncmp', arguments, nil)
      end
      module_function :versioncmp
    end

    # JSON.
    module Json
      class ParseError < StandardError
        attr_reader :cause, :data

        def self.build(error, data)
          new(error.message).bunraku_with(error, data)
        end

        def bunraku_with(error, data)
          @cause = error
          @data = data
          self
        end
      end

      class << self
        def load(text, options = {})
          JSON.parse(text, options)
        rescue JSON::ParserError => e
          raise ParseError.build(e, text)
        end

        def load_file(path, options = {})
          load(File.read(path, encoding: 'bom|utf-8'), options)
        end

        def load_file_if_valid(path, options = {})
          load_file(path, options)
        rescue ParseError, SystemCallError => e
          Puppet.debug("Could not retrieve JSON content #{path}: #{e.message}")
          nil
        end

        def dump(value, options = {})
          options && options[:pretty] ? JSON.pretty_generate(value) : JSON.generate(value)
        end
      end
    end

    # YAML without objects.
    module Yaml
      class YamlLoadError < Puppet::Error; end

      class << self
        def safe_load(text, classes = [], path = nil)
          found = YAML.safe_load(text, permitted_classes: classes, aliases: true, filename: path)
          found.nil? ? false : found
        rescue ::Psych::Exception => e
          raise YamlLoadError, "(#{path || '<unknown>'}): #{e.message}"
        end

        def safe_load_file(path, classes = [])
          safe_load(File.read(path, encoding: 'bom|utf-8'), classes, path)
        end

        def safe_load_file_if_valid(path, classes = [])
          safe_load_file(path, classes)
        rescue YamlLoadError, ArgumentError, SystemCallError => e
          Puppet.debug("Could not retrieve YAML content: #{e.message}")
          nil
        end

        def dump(value, path)
          Puppet::Util.replace_file(path, 0o660) { |file| file.write(YAML.dump(value)) }
        end
      end
    end

    # Texts in other encodings.
    module CharacterEncoding
      class << self
        def convert_to_utf_8(text)
          return text if text.encoding == Encoding::UTF_8

          as_utf8 = text.dup.force_encoding(Encoding::UTF_8)
          as_utf8.valid_encoding? ? as_utf8 : text.encode(Encoding::UTF_8)
        rescue EncodingError => e
          Puppet.debug(e.message)
          text
        end

        def override_encoding_to_utf_8(text)
          as_utf8 = text.dup.force_encoding(Encoding::UTF_8)
          as_utf8.valid_encoding? ? as_utf8 : text.dup
        end
      end
    end
  end
end
