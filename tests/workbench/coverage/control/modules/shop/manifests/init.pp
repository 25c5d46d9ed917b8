# The comment after #= is the expectation of the line; a line without one is not executable.
class shop (                                   #= ran
  String $mode = 'plain',                      #= ran
  Integer $port = 80 + 1,                      #= ran, not: default value $port
  Optional[String] $owner = undef,
  Array[String] $names = [],                   #= ran
) inherits shop::base {
  $kind = $mode ? {                            #= ran, not: selector /^x(.)/
    'plain' => 'p',                            #= ran
    /^x(.)/ => "x${1}",                        #= missed
    default => 'other',                        #= ran
  }
  $word = $port ? { 1 => 'one', 2 => 'two' }   #= ran

  if $mode == 'plain' and $owner {             #= ran, not: if true
    notify { "owner ${owner}": }               #= missed
  } elsif $mode == 'plain' {                   #= ran
    notify { 'plain': }                        #= ran
  } else {
    notify { "mode ${mode}":                   #= ran
      message => $kind,
    }
  }

  unless $owner {                              #= ran, not: unless true
    notify { 'nobody': }                       #= ran
  } else {
    notify { 'somebody': }                     #= missed
  }

  if $facts['os']['family'] == 'Debian' {      #= ran
    include shop::debian                       #= ran
  }

  case $facts['os']['family'] {                #= ran, not: case 'Suse'; case no option
    'Debian', 'Ubuntu': {                      #= ran
      $shell = 'dash'                          #= ran
    }
    'RedHat': { $shell = 'bash' }              #= ran
    'Suse': {                                  #= missed
      $shell = 'ksh'                           #= missed
    }
  }

  case $mode {                                 #= ran, not: case 'never'
    'plain': {}                                #= ran
    'never': {}                                #= missed
    default: {                                 #= ran
      if $port == 1 { notice('1') } else { notice('n') }  #= ran, not: if true
    }
  }

  $names.each |$name| {                        #= ran
    shop::shelf { $name: }                     #= ran
  }
  [].each |$never| {                           #= ran, not: lambda run
    notice($never)                             #= missed
  }
  $doubled = [1, 2].map |$n, $by = 2| { $n * $by }   #= ran, not: default value $by

  file {                                       #= ran
    default:
      ensure => file;
    '/a':                                      #= ran
      mode => $mode ? { 'plain' => '0644', 'odd' => '0600', default => '0640' };  #= ran, not: selector 'odd'
    '/b':                                      #= ran
      content => epp('shop/b.epp', { 'mode' => $mode });
  }

  @user { 'ghost': }                           #= ran
  User <| title == 'ghost' |> {                #= ran
    home => '/home/ghost',
  }
  Notify { message => 'default' }              #= ran
  File['/a'] -> File['/b']                     #= ran
  File['/a'] { owner => 'root' }               #= ran

  class inner {                                #= missed
    notice('inner')                            #= missed
  }

  $text = shop::text($mode)                    #= ran
  if false { notice('ignored') } # lint:ignore:coverage a reason
  # lint:ignore:coverage nothing of this block counts
  if false {
    notice('ignored')
  }
  # lint:endignore
}
