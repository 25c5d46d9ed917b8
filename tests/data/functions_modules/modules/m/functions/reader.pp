function m::reader(Hash $options, Puppet::LookupContext $context) {
  case $facts['reader'] {
    'yaml': { { 'm::read' => yaml_data($facts['given'], $context) } }
    'json': { { 'm::read' => json_data($facts['given'], $context) } }
    'hocon': { { 'm::read' => hocon_data($facts['given'], $context) } }
    'eyaml': { { 'm::read' => eyaml_lookup_key($facts['key'], $facts['given'], $context) } }
    default: { { } }
  }
}
