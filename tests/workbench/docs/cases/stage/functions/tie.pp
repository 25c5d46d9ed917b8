# Ties a knot.
#
# @summary Ties.
# @param rope the rope
# @param times how often
# @return [String] the knot
# @raise [ArgumentError] if it slips
# @raise Puppet::Error without brackets
# @note A note.
# @todo More.
# @example Tie
#   stage::tie('a')
function stage::tie(String $rope, Integer[0] $times = 2, String *$more) >> Array[String] {
  [$rope]
}
