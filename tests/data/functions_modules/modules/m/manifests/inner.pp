class m::inner { assert_private() }
