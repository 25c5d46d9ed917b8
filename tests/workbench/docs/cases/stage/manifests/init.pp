# @summary Builds a stage.
#
# The stage has a curtain
# and ropes.
#
#   code that is indented
#
# @param height
#   How high it is.
#
#   A second paragraph, with
#     a deeper line.
# @param width [Integer] The width.
# @param [String] colour The colour.
# @param options Settings.
# @option options [String] :wood
#   The wood.
# @option options [Integer, Float] nails (3) How many.
# @option options [Boolean] varnish
# @enum colour red Red as blood.
# @enum colour blue
#   Blue.
# @param missing A parameter that does not exist.
# @param width Again.
#
# @example A small stage
#   class { 'stage':
#     height => 1,
#   }
#
#   include stage
# @example
#   include stage
#
# @note Mind the trapdoor.
# @note Mind it twice.
# @todo Paint it.
# @since 1.2.0
# @see https://example.com/stage
# @see stage::rope a rope
# @see
# @author One Author
# @raise [PuppetError] if it falls
# @return nothing
# @deprecated Use a hall.
# @version 3
# @api public
# @unknown tag
# @Param upper case
# @!group Wood
# @abstract yes
# @yield [a, b] something
# @private
class stage (
  Integer[1, 9] $height,
  $width = 10,
  Enum['red', 'blue'] $colour = 'red',
  Optional[Hash[String, Variant[Integer, Array[String]]]] $options = undef,
  Boolean $lit = true,
  String $text = "a ${width} text",
  $sum = $width + 1,
  $flag = !$lit,
  $negative = -1,
  $chosen = $facts['kernel'] ? { 'Linux' => 1, default => 2 },
  $called = $text.split(' '),
  $upper = $text.upcase,
  $list = [1, 2],
  $hash = { 'a' => 1 },
  $paren = (1),
  $either = $lit or $flag,
  Pattern[/\A[a-z]+\z/] $pattern = 'abc',
  $multi = {
    'a' => 1,
    'b' => [
      2,
    ],
  },
) inherits stage::params {
  notice($height)
}
