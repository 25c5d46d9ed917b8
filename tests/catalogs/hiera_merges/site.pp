include app
notify { 'hash': message => lookup('settings', Hash, 'deep') }
notify { 'first': message => lookup('settings') }
notify { 'unique': message => lookup('list', Array, 'unique') }
notify { 'default': message => lookup('nosuch', { 'default_value' => 'none' }) }
notify { 'dig': message => lookup('settings.a.x') }
lookup('classes', Array[String], 'unique').include
lookup('files', Hash, 'hash').each |$path, $attributes| { file { $path: * => $attributes } }
