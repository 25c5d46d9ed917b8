require 'puppet/resource_api'

# @summary From the comment.
Puppet::ResourceApi.register_type(
  name: 'shelf',
  docs: <<-EOS,
@summary A shelf.
@example
shelf { 'a': }

  Deeper text.
EOS
  features: ['canonicalize', 'simple_get_filter'],
  attributes: {
    ensure: {
      type: 'Enum[present, absent]',
      desc: 'Whether it exists.',
      default: 'present',
    },
    name: { type: 'String', desc: 'The name.', behaviour: :namevar },
    'depth' => { type: 'Pattern[/\A\d+\z/]', desc: "Two
    lines." },
    count: { type: 'Integer', default: 3 },
    flag: { type: 'Boolean', default: true, behaviour: :parameter },
    off: { type: 'Boolean', default: false, behaviour: :read_only },
    note: { type: 'Optional[String]', desc: 'Text.', behavior: :init_only },
  },
  autorequire: { file: '$name' },
)
Puppet::ResourceApi.register_type(
  name: 'computed',
  docs: 'a' + 'b',
  attributes: {},
)
Puppet::ResourceApi.register_type(name: 'plain', attributes: { name: { type: 'String', behaviour: :namevar } })
