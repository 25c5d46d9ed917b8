package_env { 'dev-libs/boost':
  env => ['single-build-thread'],
}
