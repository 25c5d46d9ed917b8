# frozen_string_literal: true

# Saws wood.
#
# @summary Saws.
# @param wood has no effect here
# @return no effect
# @example Saw
#   workshop::saw('oak')
# @raise [ArgumentError] too hard
Puppet::Functions.create_function(:'workshop::saw', Puppet::Functions::InternalFunction) do
  # Saws once.
  # @param wood The wood.
  # @param times
  #   How often.
  # @option options [String] :blade The blade.
  # @param options Settings.
  # @param block The block.
  # @return [Integer] the pieces
  # @example Once
  #   workshop::saw('oak', 1)
  dispatch :once do
    scope_param
    param 'String[1]', :wood
    optional_param 'Integer', :times
    optional_param 'Hash', :options
    repeated_param 'Any', :rest
    optional_block_param 'Callable[1, 1]', :block
    return_type 'Integer'
  end

  # @return [Array<String>] parts
  dispatch :twice do
    required_param 'Array', :wood
    required_repeated_param 'String', :more
    optional_repeated_param 'String', :even_more
    block_param
  end

  dispatch :bare do
    param 'Float', 'wood'
    required_block_param :blk
    return_type 'Undef'
  end

  dispatch(:odd) { param 'Boolean', :wood }

  argument_mismatch :never do
    param 'Any', :x
  end

  def once(wood, times = 1)
    wood
  end
end
