class m::old { private() notify { 'old': } }
