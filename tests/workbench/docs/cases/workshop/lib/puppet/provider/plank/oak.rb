require 'puppet/provider'
# The comment.
Puppet::Type.type(:plank).provide(:oak, parent: Puppet::Provider) do
  desc "Oak planks.

    @summary Oak.
    Two lines."

  confine :osfamily => :debian
  confine :feature => :root, 'os.name' => [:a, 'b']
  confine true: false
  commands :saw => 'saw', :glue => '/bin/glue'
  commands nail: "nail"
  optional_commands :x => 'x'
  has_feature :paintable, 'sawable'
  has_features :more
  defaultfor :osfamily => :debian, :operatingsystem => [:debian, :ubuntu]
  defaultfor kernel: 'Linux'

  def create; end
end
Puppet::Type.type(:plank).provide :pine do
  @doc = 'Pine.'
  confine 'os.name': :windows
  has_command(:y, 'y') { }
end
# Only a comment.
# @api private
Puppet::Type.type(:plank).provide('birch', :source => :oak)
Puppet::Type.type("board").provide(:any) { mk_resource_methods }
