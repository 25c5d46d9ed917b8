# What a Ruby function calls runs in the top scope, unless it asks for the scope of its caller.
include rb
rb::instance { 'of main': }
node default { tag('of_node') rb::plain('from a node') }
