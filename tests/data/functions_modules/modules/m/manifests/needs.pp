class m::needs($must) { }
