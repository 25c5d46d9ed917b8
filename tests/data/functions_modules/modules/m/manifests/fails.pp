class m::fails { fail('never') }
