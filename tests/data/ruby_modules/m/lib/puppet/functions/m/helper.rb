require 'puppet_x/m/util'
require File.join(File.dirname(__FILE__), '../../../puppet_x/m/util2')
require 'puppet/util/errors'
Puppet::Functions.create_function(:'m::helper') do
  dispatch(:h) { param 'String', :a }
  def h(a) PuppetX::M::Util.twice(a) + PuppetX::M::TWO end
end
