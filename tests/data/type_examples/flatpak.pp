flatpak { 'org.gnome.Calculator':
  ensure => installed,
  remote => 'flathub',
  branch => 'stable',
}
