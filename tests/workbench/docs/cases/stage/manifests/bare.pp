class stage::bare ($a, Integer $b = 2) { }

# not attached

class stage::bare2 { }
