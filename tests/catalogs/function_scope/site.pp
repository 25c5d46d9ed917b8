# Functions of the Puppet language run in the top scope, wherever they are called.
function local($t) {
  notify { "local ${t}": }
  notice("${title} ${module_name} ${caller_module_name} ${getvar('here')} ${defined('$here')}")
}

function nested($t) {
  local("nested ${t}")
  [1].each |$x| { notify { "lambda ${t} ${x}": } }
}

function tagging() {
  tag('from_function')
  notice(tagged('rep'), tagged('from_function'))
}

function declaring($t) {
  create_resources('instance', { "created by ${t}" => {} })
  include included_by_function
  contain contained_by_function
  require required_by_function
  realize(Notify['virtual'])
  Notify <| title == 'collected' |> { message => 'overridden' }
  notice(inline_epp('<%= $title %>'), inline_template('<%= scope.resource %> <%= @title %>'))
}

define instance() {
  notify { $title: }
  notice("caller ${caller_module_name}.")
}

class included_by_function { notify { 'in included': } notice("caller ${caller_module_name}.") }
class contained_by_function { notify { 'in contained': } }
class required_by_function { notify { 'in required': } }

node default {
  $here = 'node'
  tag('of_node')
  Notify { loglevel => debug }
  local('from node')
  include rep
  other { 'x': }
  notify { 'in node': }
}
