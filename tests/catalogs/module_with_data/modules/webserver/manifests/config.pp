class webserver::config {
  File { owner => 'root', group => 'root', mode => '0644' }

  file { '/etc/webserver': ensure => directory, mode => '0755' }
  file { '/etc/webserver/main.conf':
    ensure  => file,
    content => epp('webserver/main.conf.epp', { 'limits' => $webserver::limits }),
  }
  $webserver::modules.each |Integer $index, String $name| {
    file { "/etc/webserver/mods/${name}.load":
      content => "LoadModule ${index} ${name}\n",
    }
  }
}
