flatpak_remote { 'flathub':
  ensure   => present,
  location => 'https://dl.flathub.org/repo/flathub.flatpakrepo',
  from     => true,
}
