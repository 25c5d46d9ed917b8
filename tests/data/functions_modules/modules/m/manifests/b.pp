class m::b { notify { 'in m::b': } }
