define outer($options) {
  inner { "${title}-inner": options => $options }
}

define inner($options) {
  $port = $options['a']['b']
  notify { "${title} ${port}": }
}

class site {
  outer { 'web': options => {} }
}

include site
