## Two marks.
#No space.
#	A tab.
#  @summary indented tag
# text after
#@param length No space before the tag
# @param  title   The title.
# @param name The name.
# @param nothing
#
# @example Two  spaces   in the title
#
#   stage::rope { 'a':
#     length => 2,
#   }
#
# trailing text
define stage::rope (
  Numeric $length = 1.5, # a comment behind
  Optional[Stage::Knot] $knot = undef,
) {
  # (see stage)
  define stage::rope::inner { }
}
