# frozen_string_literal: true

# Writes an address in lower case.
Puppet::Functions.create_function(:'postfix::address') do
  # @param text
  #   The address.
  # @return
  #   The address without white space, in lower case.
  dispatch :address do
    param 'String[1]', :text
    return_type 'String[1]'
  end

  def address(text)
    text.strip.downcase
  end
end
