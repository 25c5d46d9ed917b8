rvm_gem { 'ruby-3.2.2/bundler':
  ensure => latest,
}
