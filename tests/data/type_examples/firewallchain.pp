firewallchain { 'INPUT:filter:IPv4':
  policy => drop,
  purge  => true,
  ignore => ['--comment "[^"]*docker'],
}
