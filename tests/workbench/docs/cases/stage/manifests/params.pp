# @api private
class stage::params {
  $a = 1
}
