# (see stage::rope) More.
#
# @summary A summary that is much longer than one hundred and forty characters, which is what Puppet Strings recommends as the longest summary of a thing.
# @param a (see stage)
# @param b [ Integer , String[1, 2] ] spaced types
# @param [Hash{String => Array<Integer>}] c braces
# @param d <String> angle
# @param e (Integer) round
# @param f "quoted" text
# @param [String, nil] g
#   text below
# @param h [Array[String]]
# @param i
define stage::rope::more ($a, $b, $c, $d, $e, $f, $g, $h, $i, *$rest) { }

# Unicode: naïve café — “quotes” 日本語 
# @param ä umlaut
class stage::unicode { }

# @example one line only
# @api private
# @api public
define stage::rope::two { }
