# A single dispatch.

Puppet::Functions.create_function('single') do
  dispatch :single do
    param 'String', :a # behind
    param 'String'
    return_type 'String'
  end
end
