# frozen_string_literal: true

module Bunraku
  module RSpec
    # The constants and features of the platform that rspec-puppet pretends to be. It sets them again before each example
    # and around each file that Puppet loads; then Ruby looks up all constants of the program again. Here they are set
    # where they change.
    module Platform
      # Puts comparisons before rspec-puppet's changes.
      module Changes
        def stub_const_wrapper(name, value)
          super unless Object.const_get(name) == value
        end

        def stub_consts_for(platform)
          return super.tap { Platform.note(platform) } unless Platform.noted?(platform)

          self::STUBBED_CONSTS[platform].each { |name, value| stub_const_wrapper(name, value) }
          Puppet::Util::Platform.pretend_to_be(platform)
        end
      end

      class << self
        def install
          ::RSpec::Puppet::Consts.singleton_class.prepend(Changes)
        end

        # Notes the methods for the features of a platform, which are the present ones.
        def note(platform)
          @noted = [platform, features(platform)]
        end

        # Returns whether the methods for the features are still those of a platform.
        def noted?(platform)
          @noted && @noted.first == platform && @noted.last == features(platform)
        end

        private

        def features(platform)
          ::RSpec::Puppet::Consts::FEATURES[platform].keys.map { |name| Puppet.features.method("#{name}?") }
        end
      end
    end
  end
end
