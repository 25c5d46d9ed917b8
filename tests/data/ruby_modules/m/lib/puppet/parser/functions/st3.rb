Puppet::Parser::Functions.newfunction(:st3, :arity => 1) do |args|
  setvar('from_st3', args[0])
end
