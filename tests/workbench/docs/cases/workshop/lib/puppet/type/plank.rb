# This comment is replaced.
# @summary Not used.
Puppet::Type.newtype(:plank) do
  @doc = "A plank of wood.

    @summary A plank.
    @example Declare
      plank { 'a': ensure => present }
    @note Splinters.
    @see https://example.com
    @since 1.0
    @todo More
    @option edges [String] :left the left one
    @enum wood oak Oak.
    @api public
  "

  feature :paintable, 'Can be
    painted.', :methods => [:paint]
  feature :sawable, "Can be sawn."

  ensurable do
    desc 'Whether it exists.'
    defaultvalues
    newvalue(:present) { provider.create }
    newvalue(:cut, :event => :plank_cut) do
      provider.cut
    end
    aliasvalue(:sawn, :cut)
    defaultto :present
  end

  newparam(:name, :namevar => true) do
    desc 'The name.'
    isnamevar
  end

  newparam(:wood) do
    desc <<-'EOS'
      Which wood.

        * oak
        * pine

      A very long line that has more than one hundred and twenty characters, and which is therefore wrapped in the document that is made of it.
    EOS
    newvalues(:oak, :pine, /birch/, "el#{1}m", 5)
    defaultto 'oak'
  end

  newparam(:edges, :boolean => true, :parent => Puppet::Parameter::Boolean, :required_features => :paintable) do
    desc "Edges."
    defaultto true
  end

  newparam(:several, :required_features => %w[a b]) do
    desc %q{Other marks.}
    newvalues(
      'a',
      'b',
    )
    defaultto { 1 }
    newvalue('c')
  end

  newproperty(:colour, :required_features => 'paintable') do
    desc "Colour." \
         "Joined."
    newvalue(:red)
    newvalue(:blue)
    aliasvalue :navy, :blue
    defaultto :red
  end

  newproperty(:length) do
    newvalues(/^\d+$/)
    munge { |value| value.to_i }
  end

  newproperty(:empty)

  newproperty('texts', array_matching: :all) do
    desc ''
    validate do |value|
      raise 'no' unless value
    end
  end

  newcheck(:onlyif) do
    desc 'A check.'
    newvalue :a
  end

  autorequire(:file) { '/tmp' }
end
