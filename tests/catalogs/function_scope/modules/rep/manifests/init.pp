class rep($parameter = rep::declare('from a default')) {
  $here = 'class'
  Notify { loglevel => debug }
  @notify { 'virtual': }
  notify { 'collected': }
  rep::declare('from a class')
  local('from a class')
  nested('from a class')
  declaring('a class')
  tagging()
  [1].each |$x| {
    notify { 'own lambda': }
    local('from a lambda')
  }
  'method'.local()
  call('local', 'by call')
  notice("caller ${caller_module_name}.")
}
