# Fails in ways that specs expect.
class things::broken (Enum['fail', 'type', 'cycle', 'missing', 'function', 'variable', 'duplicate'] $how) {
  case $how {
    'fail': { fail("cannot work on ${facts['os']['family']}") }
    'type': { things::entry { 'x': port => 'none' } }
    'cycle': {
      notify { 'a': require => Notify['b'] }
      notify { 'b': require => Notify['a'] }
    }
    'missing': { notify { 'a': require => Notify['nowhere'] } }
    'function': { things::nowhere() }
    'variable': { notify { "x${nowhere}": } }
    default: {
      notify { 'twice': }
      notify { 'twice': }
    }
  }
}
