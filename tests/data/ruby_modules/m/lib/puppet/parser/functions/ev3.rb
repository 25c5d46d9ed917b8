Puppet::Parser::Functions.newfunction(:ev3, :type => :rvalue, :arity => -2, :doc => "x") do |args|
  code = args[0]
  eval(code)
end
