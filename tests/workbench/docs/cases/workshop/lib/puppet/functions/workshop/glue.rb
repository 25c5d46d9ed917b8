require 'json'
# Lost first line.
# Glues things.
# @summary Glues.
Puppet::Functions.create_function(:"workshop::glue") do
  # @param first [String] the first
  # @param second the second
  def glue(first, second = nil, third = :default, fourth = { 'a' => 1 }, *rest, &block)
    first
  end

  def other; end
end
