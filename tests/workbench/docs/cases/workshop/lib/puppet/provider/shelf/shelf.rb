class Puppet::Provider::Shelf::Shelf
end
Puppet::Type.type(:shelf).provide(:late) do
  confine 'os.name': :windows

  desc <<-EOS
    This text begins too early.
  EOS
  desc <<-EOS
    Second.
  EOS
end
