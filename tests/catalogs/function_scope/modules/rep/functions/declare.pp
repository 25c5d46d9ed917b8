function rep::declare($t) {
  notify { "rep ${t}": }
  notice("${module_name}.${caller_module_name}.${title}")
  $t
}
