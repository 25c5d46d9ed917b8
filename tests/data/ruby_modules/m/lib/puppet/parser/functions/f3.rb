module Puppet::Parser::Functions
 newfunction(:f3, :type => :rvalue) do |args| args.map{|a| [a.inspect, a.to_s, a.class.to_s]}.inspect end
end
