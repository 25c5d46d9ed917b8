type Stage::Plain = String
# Two on
# two lines. https://example.com/#anchor <b>html</b> `code` *stars*
#
# - a list
# - of two
type Stage::Two = Pattern[/\A\d+\z/, /^x$/]
# @since 2
# @see other
# @example Use
#   Stage::Neg
# @note note
# @todo todo
type Stage::Neg = Integer[-1, 1 + 2]
# @api private
type Stage::Private = Optional[Stage::Plain]
