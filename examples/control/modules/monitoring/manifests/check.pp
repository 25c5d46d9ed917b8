# A check that the monitoring server runs.
#
# @param datacentre
#   The datacentre of the target; its monitoring server collects the resource.
#
# @param target
#   What is asked, as a URL.
define monitoring::check (
  String[1] $datacentre,
  String[1] $target,
) {
  $file = regsubst($title, '\W+', '_', 'G')

  file { "/etc/vigil/checks.d/${file}.conf":
    ensure  => file,
    mode    => '0644',
    content => epp('monitoring/check.conf.epp', {
        'name'       => $title,
        'datacentre' => $datacentre,
        'target'     => $target,
        'interval'   => $monitoring::interval,
    }),
    notify  => Service['vigil'],
  }
}
