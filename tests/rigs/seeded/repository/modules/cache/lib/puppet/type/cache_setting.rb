# frozen_string_literal: true

Puppet::Type.newtype(:cache_setting) do
  @doc = 'A setting of the cache.'

  ensurable

  newparam(:name, namevar: true) do
    desc 'The name of the setting.'
  end

  newproperty(:value) do
    desc 'Its value.'
  end

  newparam(:scope) do
    desc 'Where it holds.'
    newvalues(:global, :session)
  end
end
