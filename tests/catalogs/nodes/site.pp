$top = 'top'
node 'other.example.com' { include k }
node /^test/ {
  $who = 'pattern'
  include k
  k::d { 'in node': }
}
node default { fail('not here') }
class k ($p = $who) { notify { "${p} ${top} ${who}": } }
define k::d { notify { "d ${who}": } }
notify { 'at top': }
