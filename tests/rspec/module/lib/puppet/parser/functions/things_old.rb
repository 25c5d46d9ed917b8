# frozen_string_literal: true

Puppet::Parser::Functions.newfunction(:things_old, type: :rvalue) do |arguments|
  raise Puppet::ParseError, 'things_old(): one argument' unless arguments.size == 1

  "#{lookupvar('things::owner')}#{arguments[0]}"
end
