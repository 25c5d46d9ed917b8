# A module in the usual shape: private classes, parameters from data, a template.
node default {
  include webserver
  webserver::vhost { 'one.example.com': port => 8080 }
  webserver::vhost { 'two.example.com': docroot => '/srv/two' }
}
