Puppet::Functions.create_function(:'m::sub::deep') do
  dispatch(:deep) { param 'Integer', :a; return_type 'Integer' }
  def deep(a)
    helper(a)
  end
  def helper(a); a + 1; end
end
