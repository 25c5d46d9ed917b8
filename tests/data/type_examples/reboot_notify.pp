file { '/etc/default/grub':
  source => 'puppet:///modules/profile/grub',
}
~> reboot_notify { 'grub':
  reason => 'new options of the kernel',
}
