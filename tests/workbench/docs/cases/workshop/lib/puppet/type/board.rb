# A board, from its comment.
# @summary A board.
# @!puppet.type.param [thin, thick] size The size.
# @!puppet.type.property [1] weight The weight.
Puppet::Type.newtype(:board) do
  newparam(:name) { desc "n" }
  ensurable
  newproperty(:name2)
end
Puppet::Type.type(:board).newparam(:added) do
  desc 'Added later.'
end
Puppet::Type.type(:board).newproperty(:added2, :parent => X) do
  desc 'Added too.'
  defaultto :a
end
Puppet::Type.type(:elsewhere).ensurable do
  newvalue(:on)
end
Puppet::Type.newtype :bench do
  desc "First text
  of it"
  def self.title_patterns
    [[/(.*)/m, [[:name]]]]
  end
end
