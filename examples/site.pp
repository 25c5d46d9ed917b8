# What the nodes of our example get; the modules are in examples/modules.

node /^web\d+\./ {
  include motd

  class { 'website':
    port => 8080,
  }

  website::page { ['welcome', 'contact']:
    owner => 'editor',
  }

  website::page { 'status':
    content => "up since ${facts['system_uptime']['uptime']}",
  }
}

node default {
  include motd
}
