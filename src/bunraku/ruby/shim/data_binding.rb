# frozen_string_literal: true

module Puppet
  # Errors of lookups.
  class DataBinding
    class LookupError < Puppet::PreformattedError; end

    # A lookup that asks for itself.
    class RecursiveLookupError < LookupError; end
  end
end
