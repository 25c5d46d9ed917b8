rvm_system_ruby { 'ruby-3.2.2':
  ensure      => present,
  default_use => true,
}
