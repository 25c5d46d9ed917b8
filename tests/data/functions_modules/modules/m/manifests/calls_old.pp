class m::calls_old { include m::old }
