Puppet::Functions.create_function(:'m::blk') do
  dispatch :f do
    block_param 'Callable[Integer]', :b
  end
  def f(&b) yield(3) end
end
