package { 'puppet-agent':
  ensure => '8.11.0-1bookworm',
}
-> puppet_agent_end_run { '8.11.0': }
