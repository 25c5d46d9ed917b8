# frozen_string_literal: true

# Joins texts with a plus sign.
Puppet::Functions.create_function(:'things::joined') do
  dispatch :joined do
    param 'Array[String]', :texts
    return_type 'String'
  end

  def joined(texts)
    texts.join('+')
  end
end
