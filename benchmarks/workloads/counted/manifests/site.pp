# A site in small, whose compile is counted: benchmarks/counts.py.
node default {
  include shop
  Integer[1, 40].each |$number| {
    shop::vhost { "site${number}.${shop::domain}":
      port => 8000 + $number,
      tags => ["group${$number % 5}", 'web'],
    }
  }
  Shop::Vhost <| port == 8031 or title == 'site7.example.org' |> { protocol => 'https' }
  File <| tag == 'group3' |> { mode => '0640' }
}
