function mymod::sum(Numeric *$numbers) >> Numeric { $numbers.reduce(0) |$a, $b| { $a + $b } }
