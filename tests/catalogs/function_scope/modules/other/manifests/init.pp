define other() {
  $here = 'define'
  rep::declare("from ${title}")
  local("from ${title}")
  other::defaults()
  notice("caller ${caller_module_name}.")
}
