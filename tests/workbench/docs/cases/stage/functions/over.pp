# Two ways.
# @overload stage::over(a, b)
#   Adds.
#   @param a [Integer] one
#   @param [Integer] b two
#   @return [Integer] the sum
# @overload stage::over(a)
#   @param [String] a the text
#   @return [String] it
function stage::over($a, $b = undef) { $a }

function stage::plain { 1 }

  # Indented.
  function stage::indented($a) >> String {
    if $a {
      'x'
    }
  }

# @return without a type
function stage::untyped(Callable $block) { 1 }
