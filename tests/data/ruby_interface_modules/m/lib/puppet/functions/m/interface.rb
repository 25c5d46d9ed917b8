# frozen_string_literal: true

require 'json'

# The public methods of classes and modules below Puppet, as JSON: of all that are there, or of some names.
Puppet::Functions.create_function(:'m::interface') do
  dispatch :all do
  end

  dispatch :some do
    param 'Array[String]', :names
  end

  def all
    below(Puppet, []).then { |names| some(['Puppet', *names]) }
  end

  def some(names)
    JSON.generate(names.to_h { |name| [name, constant(name)&.then { |found| methods_of(found) }] })
  end

  def constant(name)
    Object.const_get(name)
  rescue NameError, LoadError
    nil
  end

  def below(owner, seen)
    owner.constants(false).sort.each do |name|
      found = owner.const_get(name, false)
      next unless found.is_a?(Module) && found.name == "#{owner.name}::#{name}" && !seen.include?(found.name)

      seen << found.name
      below(found, seen)
    end
    seen
  end

  # The methods that plain objects, classes and exceptions do not have.
  def methods_of(found)
    plain = [Object, Exception, Enumerable, Struct, String, Proc].flat_map { |one| one.instance_methods + one.private_instance_methods }
    own = [Class, Exception.singleton_class, Struct.new(:a).singleton_class].flat_map { |one| one.instance_methods + one.private_instance_methods }
    { 'above' => found.is_a?(Class) ? found.superclass.to_s : nil,
      'instance' => (found.public_instance_methods - plain).sort, 'class' => (found.public_methods - own).sort }
  end
end
