# frozen_string_literal: true

Puppet::Type.newtype(:things_setting) do
  newparam(:name, namevar: true)
  newparam(:value) { munge(&:to_s) }
  autorequire(:file) { '/etc/things' }
end
